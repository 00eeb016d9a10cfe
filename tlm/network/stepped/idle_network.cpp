// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/stepped/idle_network.h"

#include "tlm/combining/params.h"
#include "tlm/network/experiment.h"
#include "tlm/network/stepped/fabric_engine.h"
#include "tlm/network/stepped/stepped_network.h"
#include "tlm/topology/region/clock_regions.h"

#include <array>
#include <map>
#include <memory>
#include <numeric>

namespace sare {
namespace {

constexpr std::size_t most_known = 1 << 20;  ///< answers kept, so that memory is bounded
constexpr unsigned most_tries = 100;         ///< times that a message is sent which bit errors may destroy
/// Cycles, which cost nothing, until tokens of NICs are back, links asleep and credits told.
constexpr cycle_t settling = 1 << 25;

/// Returns the experiment without what belongs to a run or happens at a time.
experiment without_events(experiment e) {
    e.failures = {};
    e.marking = {};
    e.nic.retransmission = retransmission::none;
    e.nic.control = {};
    e.sections = {};
    e.threads = 1;
    return e;
}

class idle_network {
  public:
    idle_network(const experiment& e, std::uint32_t classes)
        : m_experiment(without_events(e)), m_classes(classes) {}
    cycle_t latency(const message& m);

  private:
    cycle_t measure(message m);
    void build();

    experiment m_experiment;
    const std::uint32_t m_classes;
    std::unique_ptr<stepped_network> m_net;
    fabric_engine* m_routed = nullptr;  ///< engine of m_net; null: it has no routers
    cycle_t m_period = 1;  ///< cycles after which all clocks, and what routers do at times, are as they were
    /// Latencies by source and destination, message class and flits, and bytes.
    std::map<std::array<std::uint64_t, 3>, cycle_t> m_known;
};

cycle_t idle_network::latency(const message& m) {
    const std::uint64_t bytes = m_experiment.fidelity == fidelity::flit ? message::in_flits : m.bytes;
    const std::array<std::uint64_t, 3> key{std::uint64_t{m.source} << 32 | m.destination,
                                           std::uint64_t{m.message_class} << 32 | m.flits, bytes};
    if (const auto found = m_known.find(key); found != m_known.end()) return found->second;
    if (m_known.size() >= most_known) m_known.clear();
    return m_known[key] = measure(m);
}

void idle_network::build() {
    m_net = std::make_unique<stepped_network>(m_experiment, m_classes);
    const topology& map = m_net->map();
    m_routed = dynamic_cast<fabric_engine*>(&m_net->engine());
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        const std::uint32_t own = m_routed == nullptr ? 1 : m_routed->net().view().bank_of(r).period();
        m_period = std::lcm(m_period, cycle_t{map.clock(router_id(r)).cycles()} * own);
    }
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        m_period = std::lcm(m_period, map.clock(node_id(n)).cycles());
}

cycle_t idle_network::measure(message m) {
    if (!m_net) build();
    m.tag = 0;
    // Packets of a message may meet on different ways: who goes first then depends on messages before.
    const bool may_meet = m_routed != nullptr && m.flits > m_routed->blueprint().nic().max_packet_flits;
    if (may_meet && m_routed->net().reset().obstacle().empty()) m_routed->net().reset().all(m_net->now());
    cycle_t took = 0;
    m_net->on_delivered([&took](const delivery& d) { took = d.consumed - d.what.generated; });
    for (unsigned tries = 0; took == 0 && tries < most_tries; ++tries) {
        // Random routes do not depend on earlier messages, and bit errors differ from try to try.
        m_net->engine().set_seed(m_experiment.seed + tries);
        m_net->send(m, ((m_net->now() + settling) / m_period + 1) * m_period);
        // The last credits come back after the message.
        while (m_net->next_event() != workload::never) m_net->advance(m_net->next_event() + 1);
    }
    return took;
}

}  // namespace

std::function<cycle_t(const message&)> idle_latencies(const experiment& e, const topology& map,
                                                      std::uint32_t classes) {
    if (e.sections.of<combining_params>().on()) return {};
    for (const clock_region* const its : regions_of(map))
        if (its->changes_clock()) return {};
    return [net = std::make_shared<idle_network>(e, classes)](const message& m) { return net->latency(m); };
}

}  // namespace sare
