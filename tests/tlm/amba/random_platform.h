// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/amba/reference_memory.h"
#include "tests/tlm/router/protocol_checker.h"
#include "tlm/config/yaml.h"
#include "tlm/memory/map/address_crossing.h"
#include "tlm/memory/timing/transaction_trace.h"
#include "tlm/network/network.h"

#include <memory>
#include <optional>

namespace sare::test {

/// Takes its time, and fails now and then, without doing anything. Gives DMI.
struct failing_memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<failing_memory> socket;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(2 * reference_memory::size);

    failing_memory(const sc_core::sc_module_name& name, rng& random, unsigned slowest)
        : sc_core::sc_module(name), socket("socket"), m_random(random), m_slowest(slowest) {
        socket.register_b_transport(this, &failing_memory::b_transport);
        socket.register_transport_dbg(this, &failing_memory::transport_dbg);
        socket.register_get_direct_mem_ptr(this, &failing_memory::get_direct_mem_ptr);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        const sc_core::sc_time takes(m_random.below(m_slowest), sc_core::SC_NS);
        if (m_random.bernoulli(0.5))
            sc_core::wait(takes);
        else
            delay += takes;
        p.set_response_status(m_random.below(50) == 0  ? tlm::TLM_GENERIC_ERROR_RESPONSE
                              : access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                       : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return debug_bytes(p, bytes); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(bytes.data());
        dmi.set_end_address(bytes.size() - 1);
        dmi.allow_read_write();
        return true;
    }
    rng& m_random;
    unsigned m_slowest;
};

struct plain_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<plain_initiator> socket;
    transaction_pool pool;
    explicit plain_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {}
};

/// A network with a range that is dealt to memories of several kinds, one of them in another network; what
/// disturbs it; and what its initiators draw.
struct random_platform {
    using sc_time = sc_core::sc_time;
    static constexpr unsigned accesses = 1500;

    explicit random_platform(std::uint64_t s);
    std::string text();
    std::uint64_t draw_base();
    template <class T, class... Args>
    T& keep(Args&&... args) {
        auto made = std::make_shared<T>(std::forward<Args>(args)...);
        kept.push_back(made);
        return *made;
    }
    std::string name(const char* what) { return what + std::to_string(kept.size()); }
    sc_time pause() { return {static_cast<double>(random.below(40)), sc_core::SC_NS}; }

    /// @name Memories: by b_transport or phases, of AXI4, or behind another network
    /// @{
    void add_memory(std::uint32_t node);
    void add_second_network(std::uint32_t node);
    memory_bridge_params memory_params();
    /// @}

    memory_bridge& add_bridge(std::uint32_t node);
    /// Where its addresses begin for the initiator; a window shows all of the range there.
    std::uint64_t view_of(std::uint64_t lane) {
        return random.bernoulli(0.5) ? base : 0x7000'0000 + 0x10'0000 * lane;
    }
    /// Windows are set once the simulation has begun.
    static void wait_for_views() { sc_core::wait(sc_time(1, sc_core::SC_NS)); }
    void judge(const transaction& t);
    /// Lanes of an initiator by phases that are free.
    template <class Initiator>
    std::deque<unsigned>& free_lanes(Initiator& cpu, unsigned count);
    unsigned wait_for_lane(std::deque<unsigned>& free);
    /// Bytes of a lane that nothing accesses, by the debug transport or by DMI.
    template <class Initiator>
    void look_past(Initiator& cpu, unsigned lane, std::uint64_t first);

    /// Loosely timed: threads, each with a lane, for which `draw` draws.
    template <class Initiator, class Draw>
    void add_threads(Initiator& cpu, unsigned threads, std::uint64_t first, Draw draw);
    void add_phases(memory_bridge& bridge, unsigned count, std::uint64_t first);
    void add_axi_phases(axi::bridge<64>& bridge);
    void disturb();
    void disturb_once();
    void run();

    std::uint64_t seed;
    rng random;
    const bool resets, traced;
    const std::uint64_t base;
    std::vector<std::shared_ptr<void>> kept;  ///< ends after the networks
    experiment e, second_e;
    network net;
    std::optional<network> second;
    std::uint64_t granule = 64;
    std::vector<memory_place> places;
    std::optional<memory_map> map, second_map;
    std::optional<transaction_trace> trace;
    std::vector<memory_bridge*> bridges;
    std::vector<std::pair<memory_bridge*, std::uint64_t>> views;  ///< of initiators with windows: where
    reference_memory reference;
    protocol_checkers plain_checkers;
    axi_checkers burst_checkers;
    std::vector<std::function<void()>> at_end;
    random_lanes lanes{random, reference_memory::counter};
    unsigned issued = 0, running = 0, reset_count = 0;
};

template <class Initiator>
void random_platform::look_past(Initiator& cpu, unsigned lane, std::uint64_t first) {
    const unsigned length = 1 + random.below(random_lanes::slice);
    const std::uint64_t at = lane * random_lanes::slice + random.below(random_lanes::slice - length + 1);
    transaction& t = cpu.pool.take(random.bernoulli(0.3), first + at, length);
    for (auto& byte : t.data) byte = static_cast<unsigned char>(random.next());
    tlm::tlm_dmi dmi;
    if (random.bernoulli(0.5)) {
        ++reference.debugged;
        reference.expect(cpu.socket->transport_dbg(t) == length, t, "of the debug transport is short");
        for (unsigned k = 0; k < length; ++k) reference.see_or_store(t, at + k, t.data[k]);
    } else if (cpu.socket->get_direct_mem_ptr(t, dmi)) {
        ++reference.direct;
        const std::uint64_t from = t.get_address(),
                            to = std::min<std::uint64_t>(from + length - 1, dmi.get_end_address());
        reference.expect(dmi.get_start_address() <= from && from <= to, t, "gets DMI of something else");
        reference.expect(dmi.get_end_address() - dmi.get_start_address() < granule, t, "gets too much DMI");
        for (std::uint64_t k = 0; k <= to - from; ++k) {
            unsigned char& byte = dmi.get_dmi_ptr()[from + k - dmi.get_start_address()];
            if (t.is_write()) byte = t.data[k];
            reference.see_or_store(t, at + k, byte);
        }
    }
    t.release();
}

template <class Initiator>
std::deque<unsigned>& random_platform::free_lanes(Initiator& cpu, unsigned count) {
    auto& free = keep<std::deque<unsigned>>();
    for (unsigned k = 0; k < count; ++k) free.push_back(lanes.add());
    cpu.response_time = sc_time(random.below(3), sc_core::SC_NS);
    cpu.on_response = [this, &free](transaction& t) {
        judge(t);
        free.push_back(t.get_extension<access_id>()->value);
    };
    return free;
}

template <class Initiator, class Draw>
void random_platform::add_threads(Initiator& cpu, unsigned threads, std::uint64_t first, Draw draw) {
    for (unsigned k = 0; k < threads; ++k) {
        const unsigned lane = lanes.add();
        ++running;
        sc_core::sc_spawn([this, &cpu, lane, first, draw] {
            wait_for_views();
            while (issued++ < accesses) {
                if (random.bernoulli(0.1)) look_past(cpu, lane, first);
                transaction& t = draw(cpu.pool, lane);
                sc_time delay = pause();
                t.made = sc_core::sc_time_stamp() + delay;
                cpu.socket->b_transport(t, delay);
                t.answered = sc_core::sc_time_stamp() + delay;
                judge(t);
                t.release();
                sc_core::wait(delay + pause());
            }
            --running;
        });
    }
}

}  // namespace sare::test
