// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"
#include "tlm/routing/multicast/multicast.h"
#include "tlm/stats/latency.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/timed_source.h"

#include <map>
#include <unordered_map>

/// Every node fires at a rate; who receives it the network's multicast table says.
namespace sare::traffic {

class multicast final : public timed_source<bernoulli> {
  public:
    /// `p.load`: packets per node and cycle. Targets of several applications would be others' nodes, so it
    /// runs alone.
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

    /// Of one source, or of all: a delivery is a packet at one of its targets.
    struct counts {
        std::uint64_t packets = 0;   ///< handed to its NIC
        std::uint64_t expected = 0;  ///< deliveries of these
        std::uint64_t delivered = 0;
        std::uint64_t dropped = 0;  ///< deliveries that will not be
        std::uint64_t whole = 0;    ///< packets that came to all targets
        cycle_t cycles = 0, last_cycles = 0,
                most_cycles = 0;  ///< of deliveries; of the last one of whole ones
        void add(const counts& o);
        void serialize(archive& a);
    };
    counts of(std::uint32_t source) const;
    counts all() const;
    const std::map<std::string, std::uint64_t>& dropped_by_cause() const { return m_causes; }

  private:
    class to_targets;
    /// One that is under way; the message's tag is its slot.
    struct open_packet {
        std::uint32_t targets = 0;  ///< that it has not come to, and that are not known to be lost
        std::string caught;         ///< why copies are lost of which no way on is known; "": none
        void serialize(archive& a);
    };

    std::unique_ptr<pattern> choose_pattern(const traffic_port& port) override;
    void begin_packet(std::uint32_t source);
    void count_lost(std::uint32_t source, open_packet& p, const std::string& cause, std::uint32_t targets);
    std::uint32_t lost_with(std::uint32_t source, const drop_location& at);

    config::location m_at;
    const multicast_table* m_table = nullptr;
    std::uint32_t m_routers = 0;
    std::vector<counts> m_counts;                   ///< by source; but for `expected`
    std::map<std::string, std::uint64_t> m_causes;  ///< of lost deliveries
    pool<open_packet> m_open;
    latency_histogram m_each, m_last;
    counts m_at_start, m_at_end;                                ///< of the measured window
    std::unordered_map<std::uint64_t, std::uint32_t> m_beyond;  ///< targets behind places of drops
};

}  // namespace sare::traffic
