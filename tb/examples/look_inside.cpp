// SPDX-License-Identifier: Apache-2.0
#include "tlm/sare.h"

#include <deque>
#include <iostream>

/// Two nodes send to a third one through a router with one VC: what the packets wait for, as lines, and the
/// router in between, as text.
int sc_main(int, char**) {
    constexpr std::uint32_t nodes = 4;
    sare::router_params pipeline;
    pipeline.vcs = 1;
    sare::cycle_engine engine("engine", pipeline.vcs);
    sare::router router("router", engine, pipeline, nodes);
    std::deque<sare::nic> nics;
    std::deque<sare::channel> channels;
    for (std::uint32_t n = 0; n < nodes; ++n) {
        sare::nic& i = nics.emplace_back(("nic" + std::to_string(n)).c_str(), engine);
        channels.emplace_back(("link" + std::to_string(n)).c_str(), engine, router.port(n), i.port());
    }
    const auto map = sare::make_topology("crossbar", {{"n", "4"}});
    const auto routing = sare::make_routing("table", *map, pipeline.vcs);
    engine.set_routing(*map, *routing);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);

    sare::packet_event_file events([&](auto r, auto p) { return sare::port_name(*map, r, p); });
    sare::trace_filter filter;                       // routers, packets, kinds, from, to
    sare::packet_trace trace(engine.net(), filter);  // after elaboration
    trace.add(events);                               // or a packet_event_sink of your own
    trace.start();                                   // now, or in mid-run
    for (const std::uint32_t source : {0u, 1u}) {
        sare::message m;
        m.source = source;
        m.destination = 2;
        m.flits = 6;
        engine.send(m);
    }
    engine.run_until(8);
    router.dump(std::cout);
    engine.run_until(100);
    trace.stop();
    events.write_csv(std::cout);
    return 0;
}
