// SPDX-License-Identifier: Apache-2.0
#include "tlm/sare.h"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

/// access_modes MODE ACCESSES: reads 8 bytes from the far corner of a 4x4 mesh again and again, loosely
/// timed, in one of the modes of a memory bridge, or ("horizon") exactly with a horizon, or ("phases")
/// exactly by phases with 8 accesses open, or ("direct") from a memory bound to the initiator without a
/// network; or ("platform") 16 loosely timed initiators read exactly from 16 memories. Prints the mean of
/// what an access took. `scripts/bench --memory` counts what each mode costs.
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// A read of 8 bytes.
struct read_payload : public tlm::tlm_generic_payload {
    explicit read_payload(tlm::tlm_mm_interface* manager = nullptr) {
        if (manager != nullptr) set_mm(manager);
        set_read();
        set_data_ptr(data);
        set_data_length(sizeof data);
        set_streaming_width(sizeof data);
    }
    void begin(unsigned long address) {
        set_address(address);
        set_dmi_allowed(false);
        set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    unsigned char data[8] = {};
};

/// Reads one after another by b_transport, `stride` bytes apart, in `bytes` of memory.
struct reader : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<reader> socket;
    const unsigned long all, stride, bytes;
    double mean_ns = 0;

    reader(const sc_core::sc_module_name& name, unsigned long accesses, unsigned long step = 8,
           unsigned long memory = 512)
        : sc_core::sc_module(name), socket("socket"), all(accesses), stride(step), bytes(memory) {
        SC_HAS_PROCESS(reader);
        SC_THREAD(run);
    }

  private:
    void run() {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(10, sc_core::SC_US));
        keeper.reset();
        read_payload p;
        for (unsigned long k = 0; k < all; ++k) {
            p.begin(stride * k % bytes);
            sc_time delay = keeper.get_local_time();
            socket->b_transport(p, delay);
            if (!p.is_response_ok()) std::abort();
            keeper.set(delay);
            if (keeper.need_sync()) keeper.sync();
        }
        mean_ns = keeper.get_current_time() / sc_time(1, SC_NS) / static_cast<double>(all);
    }
};

/// Reads by the base protocol, 8 at a time.
struct phased_reader : public sc_core::sc_module, public tlm::tlm_mm_interface {
    tlm_utils::simple_initiator_socket<phased_reader> socket;
    const unsigned long all;

    phased_reader(const sc_core::sc_module_name& name, unsigned long accesses)
        : sc_core::sc_module(name), socket("socket"), all(accesses) {
        socket.register_nb_transport_bw(this, &phased_reader::nb_transport_bw);
        SC_HAS_PROCESS(phased_reader);
        SC_THREAD(run);
    }

  private:
    void run() {
        for (unsigned long k = 0; k < all; ++k) {
            while (m_free.empty()) wait(m_freed);
            read_payload* p = m_free.back();
            m_free.pop_back();
            p->acquire();
            p->begin(8 * (k % 64));
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay = sc_core::SC_ZERO_TIME;
            m_requesting = true;
            if (socket->nb_transport_fw(*p, phase, delay) == tlm::TLM_ACCEPTED)
                while (m_requesting) wait(m_requested);
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
        m_requesting = false;
        m_requested.notify();
        if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
        p.release();
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    void free(tlm::tlm_generic_payload* p) override {
        m_free.push_back(static_cast<read_payload*>(p));
        m_freed.notify();
    }

    std::deque<read_payload> m_payloads;
    std::vector<read_payload*> m_free = make_payloads();
    std::vector<read_payload*> make_payloads() {
        std::vector<read_payload*> made;
        for (int k = 0; k < 8; ++k) made.push_back(&m_payloads.emplace_back(this));
        return made;
    }
    bool m_requesting = false;
    sc_core::sc_event m_requested, m_freed;
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

/// 16 initiators and memories, all exact.
static void run_platform(unsigned long accesses) {
    const sare::router_params pipeline;
    sare::cycle_engine engine("engine", pipeline.vcs, 2);
    mesh network(engine);
    const auto map = sare::make_topology("mesh", {{"dims", "4,4"}});
    const auto routing = sare::make_routing("dor", *map, pipeline.vcs / 2);
    engine.set_routing(*map, *routing);
    std::vector<sare::address_range> ranges;
    for (std::uint32_t n = 0; n < 16; ++n) ranges.push_back({512 * n, 512, n});
    sare::memory_map addresses(engine, ranges);
    std::deque<reader> cpus;
    std::deque<memory> rams;
    std::deque<sare::memory_bridge> bridges;
    for (std::uint32_t n = 0; n < 16; ++n) {
        const std::string number = std::to_string(n);
        bridges.emplace_back(("bridge" + number).c_str(), network.nics[n], addresses);
        cpus.emplace_back(("cpu" + number).c_str(), accesses, 512 * (2 * n + 1) + 8, 512 * 16);
        rams.emplace_back(("ram" + number).c_str());
        cpus[n].socket.bind(bridges[n].initiators);
        bridges[n].memory.bind(rams[n].socket);
    }
    sc_core::sc_start();
    std::printf("mode=platform accesses=%lu mean_ns=%.2f cycles=%.0f\n", 16 * accesses, cpus[0].mean_ns,
                sc_core::sc_time_stamp() / engine.period());
}

int sc_main(int argc, char** argv) {
    const std::string mode = argc == 3 ? argv[1] : "";
    if (mode == "platform") {
        run_platform(std::stoul(argv[2]));
        return 0;
    }
    const unsigned long accesses = argc == 3 ? std::stoul(argv[2]) : 0;
    std::optional<reader> cpu;
    memory ram("ram");
    if (mode == "direct") {
        cpu.emplace("cpu", accesses).socket.bind(ram.socket);
        sc_core::sc_start();
    } else if (mode == "phases" || mode == "exact" || mode == "horizon" || mode == "estimate" ||
               mode == "functional") {
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
        std::optional<phased_reader> phased;
        if (mode == "phases")
            phased.emplace("phased", accesses).socket.bind(near.initiators);
        else
            cpu.emplace("cpu", accesses).socket.bind(near.initiators);
        far.memory.bind(ram.socket);
        if (mode == "horizon") engine.set_horizon(sc_core::sc_max_time());
        sc_core::sc_start();
    } else {
        std::fprintf(
            stderr,
            "usage: access_modes direct|functional|estimate|horizon|exact|phases|platform ACCESSES\n");
        return 2;
    }
    const double mean_ns = cpu ? cpu->mean_ns : sc_core::sc_time_stamp() / sc_time(1, SC_NS) / accesses;
    std::printf("mode=%s accesses=%lu mean_ns=%.2f\n", mode.c_str(), accesses, mean_ns);
    return 0;
}
