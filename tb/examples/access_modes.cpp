// SPDX-License-Identifier: Apache-2.0
#include "tlm/sare.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <string>

/// access_modes MODE ACCESSES: reads 8 bytes from the far corner of a 4x4 mesh again and again, loosely
/// timed, in one of the modes of a memory bridge, or ("horizon") exactly with a horizon, or ("direct") from a
/// memory bound to the initiator without a network, and prints the mean of what they took. `scripts/bench
/// --memory` counts what each mode costs.
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct reader : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<reader> socket;
    const unsigned long all;
    double mean_ns = 0;

    reader(const sc_core::sc_module_name& name, unsigned long accesses)
        : sc_core::sc_module(name), socket("socket"), all(accesses) {
        SC_HAS_PROCESS(reader);
        SC_THREAD(run);
    }

  private:
    void run() {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(10, sc_core::SC_US));
        keeper.reset();
        unsigned char data[8];
        tlm::tlm_generic_payload p;
        p.set_read();
        p.set_data_ptr(data);
        p.set_data_length(8);
        p.set_streaming_width(8);
        for (unsigned long k = 0; k < all; ++k) {
            p.set_address(8 * (k % 64));
            p.set_dmi_allowed(false);
            p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            sc_time delay = keeper.get_local_time();
            socket->b_transport(p, delay);
            if (!p.is_response_ok()) std::abort();
            keeper.set(delay);
            if (keeper.need_sync()) keeper.sync();
        }
        mean_ns = keeper.get_current_time() / sc_time(1, SC_NS) / static_cast<double>(all);
        sc_core::sc_stop();
    }
};

struct memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket;
    unsigned char bytes[512] = {};

    explicit memory(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        socket.register_b_transport(this, &memory::b_transport);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        std::memcpy(p.get_data_ptr(), bytes + p.get_address(), p.get_data_length());
        delay += sc_time(10, SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// Routers, NICs and channels of a mesh, as docs/systemc.md tells.
struct mesh {
    static constexpr std::uint32_t width = 4;

    explicit mesh(sare::cycle_engine& engine) {
        const sare::router_params params;
        for (std::uint32_t n = 0; n < width * width; ++n) {
            const std::string number = std::to_string(n);
            routers.emplace_back(("router" + number).c_str(), engine, params, 5);
            nics.emplace_back(("nic" + number).c_str(), engine);
            channels.emplace_back(("local" + number).c_str(), engine, routers[n].port(4), nics[n].port());
        }
        for (std::uint32_t n = 0; n < width * width; ++n) {
            const std::string number = std::to_string(n);
            if (n % width + 1 < width)
                channels.emplace_back(("x" + number).c_str(), engine, routers[n].port(0),
                                      routers[n + 1].port(1));
            if (n + width < width * width)
                channels.emplace_back(("y" + number).c_str(), engine, routers[n].port(2),
                                      routers[n + width].port(3));
        }
    }

    std::deque<sare::router> routers;
    std::deque<sare::nic> nics;
    std::deque<sare::channel> channels;
};

}  // namespace

int sc_main(int argc, char** argv) {
    const std::string mode = argc == 3 ? argv[1] : "";
    reader cpu("cpu", argc == 3 ? std::stoul(argv[2]) : 0);
    memory ram("ram");
    if (mode == "direct") {
        cpu.socket.bind(ram.socket);
        sc_core::sc_start();
    } else if (mode == "exact" || mode == "horizon" || mode == "estimate" || mode == "functional") {
        const sare::router_params pipeline;
        sare::cycle_engine engine("engine", pipeline.vcs, 2);
        mesh network(engine);
        const auto map = sare::make_topology("mesh", {{"dims", "4,4"}});
        const auto routing = sare::make_routing("dor", *map, pipeline.vcs / 2);
        engine.set_routing(*map, *routing);
        sare::memory_map addresses(engine, {{0, sizeof ram.bytes, 15}});
        sare::memory_bridge_params params;
        if (mode == "estimate") params.mode = sare::access_mode::estimate;
        if (mode == "functional") params.mode = sare::access_mode::functional;
        sare::memory_bridge near("near", network.nics[0], addresses, params);
        sare::memory_bridge far("far", network.nics[15], addresses);
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
        if (mode == "horizon") engine.set_horizon(sc_core::sc_max_time());
        sc_core::sc_start();
    } else {
        std::fprintf(stderr, "usage: access_modes direct|functional|estimate|horizon|exact ACCESSES\n");
        return 2;
    }
    std::printf("mode=%s accesses=%lu mean_ns=%.2f\n", mode.c_str(), cpu.all, cpu.mean_ns);
    return 0;
}
