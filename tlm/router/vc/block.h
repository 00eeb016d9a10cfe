// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/base/rng.h"
#include "tlm/router/vc/candidates.h"
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/view.h"
#include "tlm/routing/routing.h"

#include <cstdint>

namespace sare {

/// The state of a pipelined VC router of up to N virtual channels, crossbar inputs and crossbar outputs, in
/// one piece of memory: at scale the lines of the cache that are touched decide the speed.
///
/// Its inbox is [ports with a flit | credits, a bit per output VC | flits, one a port | counts of credits].
template <int N>
struct alignas(64) vc_block {
    static constexpr int words = (N + 63) / 64;
    static constexpr std::uint32_t inbox_sets = 1 + words;
    static constexpr std::uint32_t stages = 32;  ///< longest delay + 1, a power of two
    using set = bits<words>;

    /// What becomes true when a stage ends.
    struct stage_end {
        set rc, va, active, idle;
    };
    /// Round-robin arbiters of a switch allocator: which was served last.
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    flit* buffer;  ///< flit k of input VC i at [k * in_vcs + i]: what is used at low load lies together
    const port_wires* wires;
    const port_extras* extras;
    const std::uint8_t* routes;     ///< of the route table; null: ask the routing function
    std::uint32_t* remembered;      ///< of arbiters that remember more than whom they served last
    cycle_t* since;                 ///< since when the front flit of an input VC is there; null: none asks
    const vc_candidates<N>** ways;  ///< of adaptive routing, by input VC: those of its head
    vc_candidates<N>* own_ways;     ///< where no table has them, by input VC
    route_candidate* own_candidates;
    rng* random;          ///< of random selection
    std::uint32_t inbox;  ///< word in a plane
    std::uint32_t id;
    std::uint32_t wake_word;  ///< its own bit among those to wake
    std::uint64_t wake_bit;
    set va;       ///< heads that bid for an output VC
    set blocked;  ///< of them, those of adaptive packets that sleep until one they want is free
    set active;   ///< have an output VC
    set present;  ///< front flit may leave
    set credit;   ///< the output VC has the credits it needs
    set free;     ///< output VCs that no packet has
    set busy;     ///< granted less than sa_delay cycles ago
    set rc;       ///< heads that wait for the route computation, where it is not pipelined
    cycle_t rc_free, va_free, sa_free, st_start;  ///< of stages that are not pipelined: see vc_step
    stage_end ends[stages];
    std::uint16_t va_row[N], va_column[N];
    switch_turns turns[2];  ///< of plain and of speculative requests
    in_vc in[N];
    out_vc out[N];
    std::uint16_t tails[N];  ///< whole packets here (store-and-forward)
    cycle_t next_slot[N];    ///< when an output queue is empty, by port
};

}  // namespace sare
