// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/bits.h"
#include "tlm/fabric/packet.h"
#include "tlm/fabric/router_params.h"

#include <cstdint>
#include <type_traits>
#include <vector>

/// How the hot state lies in memory. At scale the cache footprint decides the speed, and below that the
/// number of instructions: so a router is one block of a slab with its arrays at fixed places, and what all
/// blocks read in one cycle lies together in one *plane*.
///
/// Planes are the registered links. There is a ring of them, one a cycle; what is written in cycle t is read
/// in cycle t + delay with delay >= 1, so no order of evaluation can matter. A plane is [anything here? | a
/// bit per block to wake | inboxes], the inbox of a block is [ports with a flit | credits, a bit per output
/// VC | flits, one a port | counts of batched credits]. Of plain routers and of NICs the first two share a
/// word, which lies apart from the flits among those of the others: in small networks nobody sets the bits to
/// wake, for it costs less to look through these words. Among plain routers there is a bit per input VC with
/// a flit, not one a port. Of routers in lists and their NICs an inbox lies in one piece again, and all are a
/// power of two words apart.
namespace sare {

/// One direction of a link, as its writer sees it: where in a plane its flits or credits go.
struct wire {
    std::uint32_t inbox = 0;  ///< flit: word of the reader's inbox with a bit a port; credit: with a bit a VC
    std::uint32_t flit_at = 0;    ///< flit: word it goes to
    std::uint32_t wake_word = 0;  ///< the reader's bit among those to wake
    std::uint16_t delay = 0;      ///< cycles
    std::uint16_t place = 0;      ///< credit: bit of VC 0; flit: 63 if there is a bit a VC, 0 if one a port
    std::uint64_t wake_bit = 0;
    std::uint64_t port_bit =
        0;  ///< flit: the reader's port or VC 0 of it; credit: VC 0, if one word holds all
};

/// What else there is to know of a wire, off the usual path.
struct wire_extras {
    std::uint16_t cycles_per_flit = 1;
    std::uint16_t batch = 1;   ///< credits leave at multiples of this
    std::uint16_t depth = 0;   ///< of the buffer at the other end
    std::uint32_t counts = 0;  ///< words from there to the counts of batched credits; 0: none kept
};

/// The wires of one router port.
struct port_wires {
    wire flits;    ///< to whoever is on the other side
    wire credits;  ///< back to whoever sends to this port
};
struct port_extras {
    wire_extras flits, credits;
};

/// An input virtual channel: a FIFO and the state of the packet at its front.
struct in_vc {
    std::uint32_t packet = 0;   ///< at the front, once its route is computed
    std::uint16_t head = 0;     ///< place of the first flit in the buffer
    std::uint16_t count = 0;    ///< flits in the buffer
    std::uint16_t out = 0;      ///< output VC (port * V + vc) that VA gave
    std::uint16_t vcs = 0;      ///< output VCs that may be asked for, as a mask of the port's
    std::uint16_t need = 1;     ///< credits that the front flit wants
    std::uint8_t out_port = 0;  ///< the port asked for
    std::uint8_t out_vc = 0;    ///< the VC of it that VA gave
};

/// An output virtual channel: who has it and what is known of the buffer at the other end.
struct out_vc {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t flits = 0;         ///< sent, modulo 2^32
    std::uint16_t credits = 0;       ///< free places in the next buffer
    std::uint16_t owner = no_owner;  ///< input VC
};

/// What all routers of one kind share.
struct router_shape {
    router_params params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;     ///< V
    std::uint32_t stride = 0;  ///< VC v of port p has the number p * stride + v: V, or more in plain blocks
    std::uint32_t in_vcs = 0;  ///< ports * stride
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< effective delays
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t ways = 0;        ///< candidates kept per input VC; 0: one, in in_vc
    bool slow_links = false;       ///< some link takes more than one cycle a flit
    bool queued_links = false;     ///< flits may wait in an output queue, or links are slow
    bool batched = false;          ///< credits come with counts
    bool atomic = false;           ///< an output VC is free only when drained
    bool whole_packets = false;    ///< store-and-forward: the whole packet must be here
    bool room_for_packet = false;  ///< cut-through and store-and-forward: and fit in the next buffer
    bool room_in_va = false;       ///< a head may ask only for VCs where it fits, see open_vcs()
    bool plain = false;            ///< see plain_block
    bool in_list = false;          ///< a plain one among many: see plain_ports
    bool foresees = false;         ///< see plain_step::foresee()
    std::uint32_t capacity = 0;    ///< N of its blocks
    std::uint32_t flit_delay = 0, credit_delay = 0;  ///< of plain routers: the same for all their wires
    std::uint32_t block_bytes = 0;
    std::uint32_t inbox_sets = 0;         ///< words of an inbox before the flits
    std::uint32_t inbox_words = 0;        ///< all of them
    std::uint16_t vcs_of_input[16] = {};  ///< VCs of a port that use its crossbar input n
    std::uint32_t stamps_of[8] = {};      ///< matrix arbiters: 1 + first stamp; 0: none
    std::uint32_t stamps = 0;
    std::uint8_t port_of[1024] = {};   ///< of an input or output VC
    std::vector<std::uint64_t> wants;  ///< of plain routers, by what the route table says: output VCs
};

/// A router's block for up to N virtual channels, crossbar inputs and crossbar outputs: all features.
template <int N>
struct router_block {
    static constexpr bool plain = false, in_list = false;
    static constexpr int capacity = N;
    static constexpr int words = (N + 63) / 64;
    static constexpr std::uint32_t stages = 32;  ///< longest delay + 1, a power of two
    using set = bits<words>;

    /// What becomes true when a stage ends.
    struct stage_end {
        set rc, va, active, idle;
    };
    /// Round-robin arbiters of a switch allocator: who was served last.
    struct switch_turns {
        std::uint16_t vc[N], column[N], row[N];
    };

    const router_shape* shape;
    flit* buffer;  ///< flit k of input VC i at [k * in_vcs + i]: what is used at low load lies together
    const port_wires* wires;
    const port_extras* extras;
    const std::uint8_t* routes;  ///< by destination: a choice; null: ask the routing function
    const route_candidate* choices;
    std::uint32_t* stamps;  ///< matrix arbiters
    route_candidate* ways;  ///< of adaptive routing
    std::uint32_t inbox;    ///< word in a plane
    std::uint32_t id;
    std::uint32_t wake_word;  ///< its own bit among those to wake
    std::uint64_t wake_bit;
    set va;       ///< heads that bid for an output VC
    set active;   ///< have an output VC
    set present;  ///< front flit may leave
    set credit;   ///< the output VC has the credits it needs
    set busy;     ///< granted less than sa_delay cycles ago
    set rc;       ///< heads that wait for the route computation, where it is not pipelined
    cycle_t rc_free, va_free, sa_free, st_start;  ///< of stages that are not pipelined: see router_step
    stage_end ends[stages];
    std::uint16_t free[N];  ///< output VCs of a port that nobody has
    std::uint16_t va_row[N], va_column[N];
    switch_turns turns[2];  ///< of plain and of speculative requests
    in_vc in[N];
    out_vc out[N];
    std::uint16_t tails[N];      ///< whole packets here (store-and-forward)
    std::uint8_t candidates[N];  ///< ways on, where the routing function is adaptive
    cycle_t next_slot[N];        ///< when an output queue is empty, by port

    const in_vc& in_at(std::uint32_t i) const { return in[i]; }
    std::uint16_t count_at(std::uint32_t i) const { return in[i].count; }
    std::uint32_t sent_by(std::uint32_t o) const { return out[o].flits; }
    std::uint32_t flits_sent() const {
        std::uint32_t sum = 0;
        for (std::uint32_t o = 0; o < shape->in_vcs; ++o) sum += out[o].flits;
        return sum;
    }
    // What plain blocks have to do before one looks at them.
    void settle(std::uint32_t) {}
    void forget_times(std::uint32_t) {}
    std::uint32_t credits_coming(std::uint32_t) const { return 0; }
    const out_vc& out_at(std::uint32_t o) const { return out[o]; }
};

}  // namespace sare
