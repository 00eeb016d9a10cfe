// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/amba/axi_support.h"
#include "tests/tlm/amba/chi_support.h"
#include "tests/tlm/systemc/crossing_support.h"
#include "tlm/inside/packet_event_file.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/network/network.h"

#include <functional>
#include <string>
#include <vector>

/// Public functions called with numbers that cannot be: each returns, or says what is wrong in one line.
namespace sare::test {

/// Numbers that a caller may give: those that there are, the first that there is not, and the ends of types.
class hostile {
  public:
    /// `note`: is told of each number before it is used.
    hostile(std::uint64_t seed, std::function<void(std::uint64_t)> note)
        : m_random(seed, stream::test, 61), m_note(std::move(note)) {}

    /// Of so many that there are, 0 and up; 0: there is none.
    template <class N = std::uint32_t>
    N number(std::uint64_t there = 0) {
        const std::uint64_t drawn = draw(there);
        m_note(drawn);
        return static_cast<N>(drawn);
    }
    std::uint32_t operator()(std::uint64_t there = 0) { return number(there); }
    sc_core::sc_time time() { return sc_core::sc_time::from_value(number<std::uint64_t>(5000)); }
    /// That may pass: up to a microsecond.
    sc_core::sc_time delay() { return sc_core::sc_time::from_value(number<std::uint64_t>(5000) % 1'000'000); }
    bool flag() { return m_random.below(2) == 0; }

  private:
    std::uint64_t draw(std::uint64_t there) {
        if (there != 0 && flag()) return m_random.below(static_cast<std::uint32_t>(there));
        const std::uint64_t ends[] = {
            0,           1,          there, there + 1,  there - 1,       255,
            256,         65535,      65536, 0x7fffffff, 0x80000000,      0xffffffff,
            0x100000000, 1ULL << 63, ~0ULL, ~0ULL - 1,  m_random.next(), ~0ULL - m_random.next()};
        return ends[m_random.below(std::size(ends))];
    }
    rng m_random;
    std::function<void(std::uint64_t)> m_note;
};

/// One of everything: a mesh with memories, AXI4 and CHI at its nodes, two networks with a crossing, and a
/// network of an experiment whose links can sleep.
struct platform {
    platform();
    /// Ends elaboration, and sets traffic.
    void elaborate();
    /// Runs all networks for some cycles.
    void go_on();
    /// Runs `f` in a process of SystemC's; false if that has not ended after some cycles.
    bool in_process(const std::function<void()>& f);

    static std::vector<address_range> ranges();
    static experiment asked();

    hand_mesh mesh;
    memory_map map;
    chi::transport transport;
    memory_bridge near_bridge, far_bridge;
    axi::bridge<64> managers, subordinates;
    phase_initiator<> cpu;
    blocking_memory_model<> ram;
    phase_manager<64> manager;
    phase_subordinate<64> subordinate;
    chi::system_map system;
    chi::interface at_cache, at_home, at_memory;
    chi::cache cache;
    chi::home home;
    chi::memory_node memory_node;
    chi_cpu processor;
    blocking_memory_model<512> chi_ram;
    row left, right;
    crossing between;
    experiment asked_for;
    network composed;
    mid_cycle clock;
    script traffic;
    std::unique_ptr<workload> bursts;
    std::function<void()> job;
    sc_core::sc_event begin;
    std::exception_ptr thrown;
    bool done = true;
};

/// A public function, "class::name", and a call of it.
struct misuse_call {
    const char* function;
    std::function<void(platform&, hostile&)> call;
};
using misuse_calls = std::vector<misuse_call>;
/// @name The tables; covered.py holds them against the headers
/// @{
namespace engine_calls {
const misuse_calls& all();
}
namespace fabric_calls {
const misuse_calls& all();
}
namespace memory_calls {
const misuse_calls& all();
}
namespace axi_calls {
const misuse_calls& all();
}
namespace chi_calls {
const misuse_calls& all();
}
namespace map_calls {
const misuse_calls& all();
}
/// @}

/// A value of its own, that no compiler leaves out.
template <class T>
void look_at(const T& value) {
    asm volatile("" : : "r,m"(&value) : "memory");
}

}  // namespace sare::test
