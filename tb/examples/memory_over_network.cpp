// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/plain_modules.h"
#include "tlm/sare.h"

#include <cstdio>

/// A plain initiator and a plain memory with a network between them: two routers, a NIC and a bridge at each.
int sc_main(int, char**) {
    sare::router_params pipeline;
    sare::cycle_engine engine("engine", pipeline.vcs,
                              2);  // two classes: responses do not wait behind requests

    sare::router near_router("near_router", engine, pipeline, 3),
        far_router("far_router", engine, pipeline, 3);
    sare::nic near_nic("near_nic", engine), far_nic("far_nic", engine);
    sare::channel between("between", engine, near_router.port(0), far_router.port(1),
                          {4, 1});  // of latency 4
    sare::channel to_near("to_near", engine, near_router.port(2), near_nic.port());
    sare::channel to_far("to_far", engine, far_router.port(2), far_nic.port());
    const auto map = sare::make_topology("mesh", {{"dims", "2,"}, {"link_latency", "4"}});
    const auto routing = sare::make_routing("dor", *map, pipeline.vcs / 2);
    engine.set_routing(*map, *routing);

    // Node 1 owns 64 KiB from 0x1000 on.
    sare::memory_map addresses(engine, {{0x1000, 0x10000, far_nic.node()}});
    sare::memory_bridge near_bridge("near_bridge", near_nic, addresses);
    sare::memory_bridge far_bridge("far_bridge", far_nic, addresses);

    sare::examples::initiator cpu("cpu", 0x1000);
    sare::examples::memory ram("ram", 0x10000, sc_core::sc_time(10, sc_core::SC_NS));
    cpu.socket.bind(near_bridge.initiators);
    far_bridge.memory.bind(ram.socket);

    sc_core::sc_start();
    for (const auto& a : cpu.done())
        std::printf("%s %s of %3u bytes: %s\n", a.timing, a.write ? "write" : "read ", a.bytes,
                    a.took.to_string().c_str());
    std::printf("data %s\n", cpu.all_right() ? "as written" : "WRONG");
    return cpu.all_right() ? 0 : 1;
}
