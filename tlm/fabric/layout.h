// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/bits.h"
#include "tlm/fabric/packet.h"
#include "tlm/fabric/router_params.h"

#include <cstdint>
#include <vector>

/// How the hot state lies in memory. At scale the cache footprint decides the speed, so a router is one block
/// of a slab, its arrays lie behind its header at offsets that all routers of one shape share, and what a
/// block reads in a cycle lies in one slot of its own inbox.
namespace sare {

/// One direction of a link, as its writer sees it: where in the reader's inbox a flit or a credit goes. The
/// inbox is a ring of slots, one a cycle; a slot is [ports with a flit | credits, a bit per output VC | flits, one a
/// port | counts of batched credits]. What is written in cycle t is read in cycle t + delay, delay >= 1: no order
/// of evaluation can matter.
struct wire {
    std::uint64_t inbox = 0;       ///< first word of the reader's inbox, in words from the slab
    std::uint32_t reader = 0;      ///< endpoint to wake
    std::uint16_t stride = 0;      ///< words per slot
    std::uint16_t place = 0;       ///< flit: word within the slot; credit: bit of VC 0
    std::uint16_t delay = 0;       ///< cycles
    std::uint16_t counts = 0;      ///< credit: word where the counts of batched credits start; 0: none kept
    std::uint8_t port = 0;         ///< flit: input port of the reader
    std::uint8_t batch = 1;        ///< credit: arrive as if sent at the next multiple of this
    std::uint16_t cycles_per_flit = 1;
};

/// The wires of one router port.
struct port_wires {
    wire flits;    ///< to whoever is on the other side
    wire credits;  ///< back to whoever sends to this port
};

/// An input virtual channel: a FIFO and the state of the packet at its front.
struct in_vc {
    std::uint32_t packet = 0;    ///< at the front, once its route is computed
    std::uint16_t head = 0;      ///< place of the first flit in the buffer
    std::uint16_t count = 0;     ///< flits in the buffer
    std::uint16_t out = 0;       ///< output VC (port * V + vc) that VA gave
    std::uint16_t vcs = 0;       ///< output VCs that may be asked for, as a mask of the port's
    std::uint16_t tails = 0;     ///< whole packets here (store-and-forward)
    std::uint8_t out_port = 0;   ///< the port asked for
    std::uint8_t candidates = 0; ///< ways on, where the routing function is adaptive
};

/// An output virtual channel: who has it and what is known of the buffer at the other end.
struct out_vc {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint16_t credits = 0;  ///< free places in the next buffer
    std::uint16_t owner = no_owner; ///< input VC
    std::uint16_t need = 1;     ///< credits that the owner's front flit wants
    std::uint16_t depth = 0;    ///< of the next buffer
    std::uint32_t flits = 0;    ///< sent, modulo 2^32
};

/// What all routers of one kind share.
struct router_shape {
    router_params params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;        ///< V
    std::uint32_t in_vcs = 0;     ///< ports * V
    std::uint32_t words = 1;      ///< W of bits<W>: 1, 4 or 16
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< effective delays
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t pipe_mask = 1;
    bool slow_links = false;      ///< some link takes more than one cycle a flit
    bool queued_links = false;    ///< flits may wait in an output queue, or links are slow
    bool batched = false;         ///< credits come with counts
    bool atomic = false;          ///< an output VC is free only when drained
    bool whole_packets = false;   ///< store-and-forward: the whole packet must be here
    bool room_for_packet = false; ///< cut-through and store-and-forward: and fit in the next buffer
    std::uint16_t vcs_of_input[16] = {};  ///< VCs of a port that use its crossbar input n
    std::uint32_t stamps_of[8] = {};      ///< matrix arbiters: 1 + first stamp; 0: none
    std::uint32_t slot_words = 0; ///< of the inbox
    /// Offsets from the header, in bytes.
    std::uint32_t at_pipe = 0, at_in = 0, at_out = 0, at_free = 0, at_va_row = 0, at_va_column = 0, at_sa_vc = 0,
                  at_sa_column = 0, at_sa_row = 0, at_next_slot = 0, at_ways = 0, at_stamps = 0, bytes = 0;
    std::uint32_t ways = 0;       ///< candidates kept per input VC; 0: one, in in_vc
    std::uint8_t port_of[1024] = {};  ///< of an input or output VC
};

/// The header of a router's block.
template <int W>
struct router_state {
    const router_shape* shape;
    flit* buffer;            ///< flit k of input VC i at [k * in_vcs + i]: what is used at low load lies together
    std::uint64_t* inbox;
    const port_wires* wires;
    std::uint32_t id;
    std::uint32_t diagonal;  ///< of the wavefront allocators
    bits<W> va;              ///< heads that bid for an output VC
    bits<W> active;          ///< have an output VC
    bits<W> present;         ///< front flit may leave
    bits<W> credit;          ///< the output VC has the credits it needs
    bits<W> busy;            ///< granted less than sa_delay cycles ago

    template <class T>
    T* at(std::uint32_t offset) {
        return reinterpret_cast<T*>(reinterpret_cast<std::uint8_t*>(this) + offset);
    }
};

/// What becomes true at the end of a stage that takes more than no cycle.
template <int W>
struct pipe_slot {
    bits<W> va, active, idle;
};

}  // namespace sare
