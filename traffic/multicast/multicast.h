// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/message_check.h"
#include "tlm/base/pool.h"
#include "tlm/routing/multicast/multicast.h"
#include "tlm/stats/latency.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/timed_source.h"

#include <map>
#include <unordered_map>

namespace sare::traffic {

/// Way in which a packet gets to all targets of its source.
enum class multicast_carrier : std::uint8_t {
    network,  ///< the source sends one packet, which routers copy
    source    ///< the source sends a message to each target
};

/// Parameters of the workload `multicast`. Here `load` is the mean number of packets that a source node sends
/// per cycle.
struct multicast_parameters : timed_parameters {
    /// Carrier of the packets: routers or the source make copies.
    multicast_carrier copies = multicast_carrier::network;
    std::uint32_t header = 0;  ///< flits of a packet, in addition to `length`, that name its targets
};

/// The workload `multicast`: each node that is a source in the network's multicast_table sends packets at
/// random times at a given rate, each to all the node's targets in the table.
class multicast final : public timed_source<bernoulli>, public single_packet_workload {
  public:
    /// `p.load`: packets per node and cycle, 0 to 1. The workload must be the only one of the network, since
    /// the targets in the table are nodes of the whole network (not checked). Throws config::error if the law
    /// of lengths is wrong; start() throws it if the network has no multicast table, or if a source that
    /// sends each copy itself is a target of its own.
    multicast(const multicast_parameters& p, const config::value& section, const workload_context& c);

    void start(traffic_port& port) override;
    bool wants_packets() const override { return true; }
    double expected_load() const override;
    generated_counts generated(cycle_t now) override;
    bool wants_deliveries() const override { return true; }
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override;
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override;
    void delivered(const delivery& d) override;
    void lost(const message& m) override;
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    void serialize(archive& a) override;

    /// Counts of one source, or sums over all sources, since cycle 0. A delivery is the arrival of a packet
    /// at one of its targets.
    struct counts {
        std::uint64_t packets = 0;  ///< number of packets handed to the NIC
        /// Number of deliveries if no packet were lost: the targets of all these packets together.
        std::uint64_t expected = 0;
        std::uint64_t delivered = 0;  ///< number of deliveries so far
        std::uint64_t dropped = 0;    ///< number of deliveries that will never be made, since the packet or a
                                      ///< copy was lost
        std::uint64_t whole = 0;      ///< number of packets that came to all of their targets
        /// Latencies in cycles from the generation of a packet: sum over all deliveries; sum over the last
        /// delivery of each packet that came to all of its targets; largest of all deliveries.
        cycle_t cycles = 0, last_cycles = 0, most_cycles = 0;
        /// Number of links between routers that these packets cross if none is lost: if routers copy them; if
        /// each target gets a packet of its own (0: not known).
        std::uint64_t links = 0, unicast_links = 0;
        /// Adds the counts of `o` to these; of most_cycles, takes the larger one.
        void add(const counts& o);
        void serialize(archive& a);
    };
    /// Return the counts of a node (all 0 if it is no source), and the sums over all nodes. Call them after
    /// start() only (not checked).
    counts of(std::uint32_t source) const;
    counts all() const;
    /// Returns the number of deliveries that will never be made, by the cause of the loss, over all sources.
    const std::map<std::string, std::uint64_t>& dropped_by_cause() const { return m_causes; }

  private:
    class to_targets;
    /// A packet under way; the tag of its message is its index in m_open.
    struct open_packet {
        /// Number of targets that the packet has not reached, and may still reach.
        std::uint32_t targets = 0;
        bool reached = false;  ///< true: the packet has come to one of its targets
        std::string caught;  ///< cause of the loss of copies whose targets are not known; empty: no such copy
        void serialize(archive& a);
    };

    std::unique_ptr<pattern> choose_pattern(const traffic_port& port) override;
    std::uint32_t send_to_others(std::uint32_t source);
    void end_packet(std::uint32_t slot, std::uint32_t source, cycle_t cycles);
    void begin_packet(std::uint32_t source);
    void count_lost(std::uint32_t source, open_packet& p, const std::string& cause, std::uint32_t targets);
    std::uint32_t lost_with(std::uint32_t source, const drop_location& at);

    config::location m_at;
    const multicast_table* m_table = nullptr;
    std::uint32_t m_routers = 0;
    std::vector<counts> m_counts;                   ///< counts of each source node; `expected` is 0 in them
    std::map<std::string, std::uint64_t> m_causes;  ///< number of lost deliveries by cause
    pool<open_packet> m_open;
    /// Latencies of the first, of every, and of the last delivery of packets.
    latency_histogram m_first, m_each, m_last;
    traffic_port* m_network = nullptr;
    multicast_carrier m_carrier;
    generated_counts m_more;      ///< messages to further targets, where the source copies
    counts m_at_start, m_at_end;  ///< counts of all sources at the begin and at the end of the measured
                                  ///< window
    std::unordered_map<std::uint64_t, std::uint32_t> m_beyond;  ///< number of targets behind each place at
                                                                ///< which a packet was dropped, by source and
                                                                ///< place
};

}  // namespace sare::traffic
