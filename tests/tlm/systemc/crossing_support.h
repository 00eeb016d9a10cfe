// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/systemc/systemc_support.h"
#include "tlm/crossing/crossing.h"

/// Networks with a gateway, for tests of crossings.
namespace sare::test {

inline sc_core::sc_time ps(std::uint64_t t) {
    return sc_core::sc_time::from_value(t);
}

/// A row of routers; at the last one of its nodes there is a gateway.
struct row {
    row(const std::string& name, std::uint32_t length, const sc_core::sc_time& period,
        const router_params& params = {}, std::uint32_t classes = 1)
        : map(make_topology("mesh", {{"dims", std::to_string(length) + ",1"}})),
          routing(make_routing("dor", *map, params.vcs / classes)),
          engine((name + "_engine").c_str(), params.vcs, classes, 1, period) {
        engine.set_routing(*map, *routing);
        for (std::uint32_t n = 0; n < length; ++n) {
            const std::string number = std::to_string(n);
            routers.emplace_back((name + "_r" + number).c_str(), engine, params, 5);
            nics.emplace_back((name + "_n" + number).c_str(), engine);
            if (n + 1 < length)
                channels.emplace_back((name + "_c" + number).c_str(), engine, routers[n].port(4),
                                      nics[n].port());
            if (n != 0)
                channels.emplace_back((name + "_x" + number).c_str(), engine, routers[n - 1].port(0),
                                      routers[n].port(1));
        }
        edge.emplace((name + "_edge").c_str(), engine, length - 1);
        channels.emplace_back((name + "_e").c_str(), engine, routers.back().port(4), edge->port());
    }
    /// To node `to` of the other one.
    void send_over(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint64_t number = 0,
                   std::uint32_t of_class = 0) {
        sare::message m;
        m.source = from;
        m.destination = edge->node();
        m.flits = flits;
        m.message_class = of_class;
        m.generated = engine.cycle();
        m.tag = number << 32 | to;
        engine.send(m);
    }

    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;
    cycle_engine engine;
    std::deque<router> routers;
    std::deque<nic> nics;
    std::optional<gateway> edge;
    std::deque<channel> channels;
};

}  // namespace sare::test
