// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"
#include "tlm/routing/multicast/multicast.h"
#include "tlm/stats/latency.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/timed_source.h"

#include <map>
#include <unordered_map>

/// The workload whose nodes send multicast packets at a rate; the network's multicast table has the targets
/// of each node.
namespace sare::traffic {

class multicast final : public timed_source<bernoulli> {
  public:
    /// `p.load`: packets per node and cycle. It must be the only workload of the network, since the targets
    /// in the table are nodes of the whole network. Throws config::error if the load cannot be made.
    multicast(const timed_parameters& p, const config::value& section, const workload_context& c);

    void start(traffic_port& port) override;
    bool wants_packets() const override { return true; }
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

    /// Counts of one source, or of all. A delivery is a packet at one of its targets.
    struct counts {
        std::uint64_t packets = 0;    ///< packets handed to the NIC
        std::uint64_t expected = 0;   ///< deliveries that these packets should have
        std::uint64_t delivered = 0;  ///< deliveries that were made
        std::uint64_t dropped = 0;    ///< deliveries that will never be made
        std::uint64_t whole = 0;      ///< packets that came to all targets
        /// Sum of the latencies of deliveries; sum of the latencies of each packet's last delivery; greatest
        /// latency of a delivery.
        cycle_t cycles = 0, last_cycles = 0, most_cycles = 0;
        void add(const counts& o);
        void serialize(archive& a);
    };
    counts of(std::uint32_t source) const;  ///< counts of a source
    counts all() const;                     ///< sums over all sources
    /// Number of lost deliveries by cause.
    const std::map<std::string, std::uint64_t>& dropped_by_cause() const { return m_causes; }

  private:
    class to_targets;
    /// A packet under way; its message's tag is its slot.
    struct open_packet {
        std::uint32_t targets = 0;  ///< targets not reached yet, nor known to be lost
        std::string caught;         ///< cause by which copies were lost whose targets are not known; "": none
        void serialize(archive& a);
    };

    std::unique_ptr<pattern> choose_pattern(const traffic_port& port) override;
    void begin_packet(std::uint32_t source);
    void count_lost(std::uint32_t source, open_packet& p, const std::string& cause, std::uint32_t targets);
    std::uint32_t lost_with(std::uint32_t source, const drop_location& at);

    config::location m_at;
    const multicast_table* m_table = nullptr;
    std::uint32_t m_routers = 0;
    std::vector<counts> m_counts;                   ///< counts of each source, without `expected`
    std::map<std::string, std::uint64_t> m_causes;  ///< lost deliveries by cause
    pool<open_packet> m_open;
    latency_histogram m_each, m_last;
    counts m_at_start, m_at_end;                                ///< counts at the ends of the measured window
    std::unordered_map<std::uint64_t, std::uint32_t> m_beyond;  ///< number of targets behind places of drops
};

}  // namespace sare::traffic
