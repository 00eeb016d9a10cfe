// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/config/yaml.h"
#include "tlm/topology/region/clock_regions.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Random networks with domains, for tests of their clocks.
namespace sare::test {

struct message_plan {
    double load;
    std::uint32_t cycles, longest;
};

/// Messages at random, in order of time; cycle t of the plan is the cycle of edge t of `clock`.
inline std::vector<sare::message> script(std::uint32_t nodes, std::uint64_t seed,
                                         const clock_ratio& clock = {},
                                         const message_plan& plan = {0.08, 200, 6}) {
    rng random(seed, stream::test, 3);
    std::vector<sare::message> all;
    for (cycle_t t = 0; t < plan.cycles; ++t)
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (!random.bernoulli(plan.load)) continue;
            sare::message m;
            m.source = n;
            m.destination = random.below(nodes);
            m.flits = 1 + random.below(plan.longest);
            m.generated = clock.cycle_of(t);
            all.push_back(m);
        }
    return all;
}

/// Rows of a log: cycle of injection or consumption, what happened, and the packet.
using rows = std::vector<std::vector<std::uint64_t>>;

/// The rows of a log, sorted; packets of one cycle may be told in any order. Each cycle c becomes cycle(c).
/// Hops are known when a packet is consumed.
template <class Cycle>
rows sorted(const packet_log& log, const Cycle& cycle) {
    rows all;
    for (std::size_t k = 0; k < log.lines.size(); k += 8)
        all.push_back({cycle(log.lines[k] / 2), log.lines[k] % 2, log.lines[k + 1], log.lines[k + 2],
                       log.lines[k + 3], log.lines[k + 4], log.lines[k] % 2 != 0 ? 0 : log.lines[k + 5],
                       cycle(log.lines[k + 7])});
    std::sort(all.begin(), all.end());
    return all;
}
inline std::uint64_t itself(std::uint64_t cycle) {
    return cycle;
}

inline std::unique_ptr<topology> with_domains(const std::string& line, const std::string& domains) {
    return with_regions(network(line), config::parse_yaml("{" + domains + "}", "test"), 1e-9);
}

inline fabric_setting random_setting(rng& random) {
    fabric_setting s;
    s.seed = random.next();
    s.router.vcs = 2 + 2 * random.below(2);
    s.router.depth = 1 + random.below(8);
    s.router.rc_delay = random.below(2);
    s.router.va_delay = random.below(2);
    s.router.sa_delay = random.below(3);
    s.router.st_delay = random.below(2);
    s.router.lookahead = random.bernoulli(0.2);
    s.router.pipelined = random.bernoulli(0.8);
    s.router.input_register = random.bernoulli(0.2);
    s.router.credit_delay = random.below(3);
    s.router.input_speedup = 1 + random.below(2);
    if (random.bernoulli(0.3)) s.router.credit_batch = 1 + random.below(3);
    s.nic.delay = random.below(3);
    s.nic.credit_delay = random.below(3);
    s.nic.max_packet_flits = 1 + random.below(4);
    s.compact_allowed = random.bernoulli(0.5);
    s.scale = random.bernoulli(0.3) ? network_scale::large : network_scale::small;
    return s;
}

/// Sets of blocks, as text: numbers with commas between them, and perhaps one before the first.
struct drawn_blocks {
    std::vector<std::string> routers, nodes;
};
/// Shares all routers out to three sets, and some nodes to two.
inline drawn_blocks random_blocks(rng& random, const topology& map) {
    drawn_blocks all{std::vector<std::string>(3), std::vector<std::string>(2)};
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        all.routers[random.below(3)] += (r == 0 ? "" : ", ") + std::to_string(r);
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        if (random.bernoulli(0.3)) all.nodes[random.below(2)] += ", " + std::to_string(n);
    return all;
}

struct drawn_network {
    std::string line, routing;
};

inline drawn_network random_network(rng& random) {
    const std::vector<drawn_network> all{{"mesh dims=3,3 link_latency=2", "dor"},
                                         {"torus dims=4,3 node_link_latency=3", "dor"},
                                         {"ring n=5 concentration=2 link_cycles_per_flit=2", "dor"},
                                         {"mesh dims=4,4 link_cycles_per_flit=3", "west_first"},
                                         {"crossbar n=6", "table"},
                                         {"star n=7 link_latency=4", "table"},
                                         {"mesh dims=3,3 concentration=2", "duato"}};
    return all[random.below(static_cast<std::uint32_t>(all.size()))];
}

inline clock_ratio random_clock(rng& random) {
    const std::uint32_t edges = 1 + random.below(5);
    return {edges + random.below(3 * edges), edges};
}

inline int networks() {
    const char* const more = std::getenv("SARE_TEST_NETWORKS");
    return more == nullptr ? 24 : std::atoi(more);
}

/// Cycle in which a message from the first node to the last one, sent in cycle `start`, is consumed; all of
/// `flits` flits.
inline std::uint64_t arrival(const fabric_setting& s, std::unique_ptr<topology> map, cycle_t start,
                             std::uint32_t flits) {
    sare::message m;
    m.source = 0;
    m.destination = map->nodes() - 1;
    m.flits = flits;
    m.generated = start;
    const packet_log log = log_of(s, std::move(map), {m});
    return log.lines[log.lines.size() - 8] / 2;
}

}  // namespace sare::test
