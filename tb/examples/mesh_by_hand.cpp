// SPDX-License-Identifier: Apache-2.0
#include "tlm/sare.h"

#include <cstdio>
#include <deque>

/// A 4x4 mesh from routers, NICs and links, under uniform traffic: the library without the program `sare`.
int sc_main(int, char**) {
    constexpr std::uint32_t size = 4, nodes = size * size;
    enum port : std::uint32_t { east, west, north, south, local, ports };

    sare::router_params pipeline;  // 4 VCs of 8 flits; RC, VA, SA, ST and link take a cycle each
    sare::cycle_engine engine("engine", pipeline.vcs);

    std::deque<sare::router> routers;
    std::deque<sare::nic> nics;
    std::deque<sare::channel> channels;
    const auto name = [](const char* kind, std::uint32_t n) { return kind + std::to_string(n); };
    for (std::uint32_t n = 0; n < nodes; ++n) {
        sare::router& r = routers.emplace_back(name("router", n).c_str(), engine, pipeline, ports);
        sare::nic& i = nics.emplace_back(name("nic", n).c_str(), engine);
        channels.emplace_back(name("local", n).c_str(), engine, r.port(local), i.port());
    }
    for (std::uint32_t n = 0; n < nodes; ++n) {
        if (n % size + 1 < size)
            channels.emplace_back(name("row", n).c_str(), engine, routers[n].port(east),
                                  routers[n + 1].port(west));
        if (n + size < nodes)
            channels.emplace_back(name("column", n).c_str(), engine, routers[n].port(north),
                                  routers[n + size].port(south));
    }

    // Routers ask these two which way to go; the links are held against the map when elaboration ends.
    const auto map = sare::make_topology("mesh", {{"dims", "4,4"}});
    const auto routing = sare::make_routing("dor", *map, pipeline.vcs);
    engine.set_routing(*map, *routing);

    const auto traffic = sare::make_workload("bernoulli", nodes, {{"load", "0.2"}, {"length", "5"}});
    sare::collector statistics(engine.counters(), false);
    engine.set_observer(&statistics);

    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates; traffic is for a network that is complete
    engine.set_workload(*traffic);
    engine.run_until(1000);
    statistics.end_interval(1000, *traffic);  // warm-up
    engine.run_until(11000);
    const auto seen = statistics.end_interval(11000, *traffic);
    std::printf(
        "offered  %.4f flits/node/cycle\naccepted %.4f flits/node/cycle\nlatency  %.2f cycles, mean of %llu "
        "packets\n",
        seen.offered, seen.accepted, seen.latency_mean, static_cast<unsigned long long>(seen.packets));
    return 0;
}
