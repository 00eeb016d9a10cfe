// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/base/pause_rule.h"

#include <cstdint>
#include <memory>

/// Parameters of the pipelined virtual-channel router; docs/router.md says what happens in which cycle.
namespace sare {

class router_model;

/// When a head may move on to the next router.
enum class switching_mode : std::uint8_t {
    wormhole,          ///< with one credit
    cut_through,       ///< with credits for its whole packet
    store_and_forward  ///< with credits for its whole packet, and when the tail has come, too
};
/// When an output VC is free for another packet.
enum class reallocation_rule : std::uint8_t {
    tail,   ///< when the tail has left
    atomic  ///< when the tail has left and all credits are back: the buffer at the other end is empty
};
/// How a packet whose route forks leaves by several output ports.
enum class forking_rule : std::uint8_t {
    none,          ///< not at all: routing functions that fork packets are refused
    asynchronous,  ///< each branch by itself, as its output VC, credits and the switch come free
    synchronous    ///< all branches at once: the head gets all output VCs, a flit goes to all of them
};
/// Who owns the places of the buffer at an input port.
enum class buffer_policy : std::uint8_t {
    per_vc,  ///< each VC has `depth` places of its own
    shared   ///< each VC has `reserved` places of its own, and shares the others of its port
};
/// For which candidate, of those with a free VC that are no escape, a head asks. An escape is asked for only
/// if no other candidate has a free VC; the same rule then holds among escapes.
enum class selection_policy : std::uint8_t {
    first,        ///< the first in the order of the routing function
    random,       ///< one drawn at random, all alike
    most_credit,  ///< one whose free VCs together have most credits; the first if several have
    /// The first with a free VC of the number that the packet is on, and of it that VC alone; else the first.
    same_vc
};

/// What keeps the buffer at an input port from overflow.
enum class overflow_rule : std::uint8_t {
    credits,  ///< the sender has a credit for each place
    pfc       ///< priority flow control: a VC with many flits pauses its sender (pause_rule)
};

/// Parameters of pauses, those of router_params that only count with overflow_rule::pfc.
struct pause_params {
    overflow_rule flow = overflow_rule::credits;
    /// Places of a VC for what comes after its pause, of its `depth`, in flits.
    std::uint32_t headroom = 0;
    std::uint32_t xon_offset = 1;  ///< flits below the threshold of pauses at which a VC goes on
    /// With shared buffers, flits by which a free place of the pool raises the threshold.
    double alpha = 1;

    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<pause_params> fields();
};

/// When a router is switched off.
struct gate_params {
    /// Cycles without a flit until the router goes off; cycles from waking until a flit may be sent to it, 0:
    /// it is always on.
    std::uint32_t idle = 16, wake = 0;
    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<gate_params> fields();
};

/// Parameters of router kind `vc`. fields() has the name and the range of each; the member values are the
/// defaults.
struct router_params : pause_params, gate_params {
    std::uint32_t vcs = 4;  ///< VCs of each port, shared out among the message classes
    /// Places of a VC's buffer, in flits; with shared buffers a port has vcs * depth places.
    std::uint32_t depth = 8;
    buffer_policy buffers = buffer_policy::per_vc;
    /// Shared buffers only: places, in flits, that each VC has for itself; at most depth.
    std::uint32_t reserved = 1;
    switching_mode switching = switching_mode::wormhole;
    forking_rule forking = forking_rule::none;
    std::uint32_t rc_delay = 1;   ///< cycles of route computation of a head; 0: in the same cycle as VA
    std::uint32_t va_delay = 1;   ///< cycles of VC allocation of a head; 0: in the same cycle as SA
    std::uint32_t sa_delay = 1;   ///< cycles of switch allocation of a flit; 0: in the same cycle as ST
    std::uint32_t st_delay = 1;   ///< cycles of switch traversal of a flit; 0: in the same cycle as the link
    bool input_register = false;  ///< true: flits and credits are used one cycle after they come in
    /// True: the router before computes the route of a head, so that RC takes no cycle here, whatever
    /// rc_delay is.
    bool lookahead = false;
    /// True: a stage of several cycles takes new work in every cycle; false: only when it is done with the
    /// last.
    bool pipelined = true;
    /// True: a head bids in VA and SA in the same cycle; requests that do not speculate win over it.
    bool speculative = false;
    /// Allocators of VA and SA: entries of the registry of `allocator`; null: its default.
    config::value va_allocator, sa_allocator;
    /// Arbiters of VA and SA: entries of the registry of `arbiter`; null: its default.
    config::value va_arbiter, sa_arbiter;
    /// Iterations of the separable allocators in a cycle; others have one always.
    std::uint32_t iterations = 1;
    /// Crossbar inputs of each port, of which VC v uses input v modulo this; crossbar outputs of each port,
    /// with more than 1 of which flits wait in an output queue.
    std::uint32_t input_speedup = 1, output_speedup = 1;
    reallocation_rule reallocation = reallocation_rule::tail;
    /// Cycles from the coming in of a credit at this router until it can be spent.
    std::uint32_t credit_delay = 1;
    /// Credits leave this router only in cycles that are a multiple of this; 1: at once.
    std::uint32_t credit_batch = 1;
    selection_policy selection = selection_policy::most_credit;

    /// Number of places of an input port that its VCs share, in flits; 0 with buffers per VC, and if all
    /// places are reserved.
    std::uint32_t pool() const;
    /// Most flits that one VC of an input port can hold.
    std::uint32_t most_flits() const;

    /// Returns when VCs of these routers pause, without the round trip.
    pause_rule rule() const;

    /// Number of cycles that a head spends in RC at this router: rc_delay; 0 with lookahead.
    std::uint32_t effective_rc_delay() const { return lookahead ? 0 : rc_delay; }

    /// Number of cycles from the end of a link until the router looks at a flit or credit: 1 with an input
    /// register, else 0.
    std::uint32_t input_delay() const { return input_register ? 1 : 0; }

    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<router_params> fields();
};

/// Returns a model of kind `vc` with these parameters. Throws config::error for parameters out of range, and
/// for what does not go with shared buffers.
std::shared_ptr<const router_model> make_router_model(const router_params& params);

}  // namespace sare
