// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/router_api/base/pause_rule.h"

#include <cstdint>
#include <memory>

/// Parameters of the pipelined virtual-channel router; docs/router.md says what happens in which cycle.
namespace sare {

class router_model;

/// Switching: condition for a head to move on to the next router.
enum class switching_mode : std::uint8_t {
    wormhole,          ///< the output VC has one credit
    cut_through,       ///< the output VC has credits for the whole packet
    store_and_forward  ///< the output VC has credits for the whole packet, and the tail has come
};
/// Condition for an output VC to be free for another packet.
enum class reallocation_rule : std::uint8_t {
    tail,   ///< the tail of the packet before has left
    atomic  ///< the tail has left and all credits are back: the buffer at the other end is empty
};
/// Way in which a packet whose route forks (route_set::fork) leaves by several output ports.
enum class forking_rule : std::uint8_t {
    none,          ///< never: routing functions that fork packets are refused
    asynchronous,  ///< each branch by itself, as its output VC, credits and the switch come free
    /// All branches at once: the head gets all output VCs in one cycle, and each flit goes to all of them.
    synchronous
};
/// Division of the buffer of an input port among its VCs.
enum class buffer_policy : std::uint8_t {
    per_vc,  ///< each VC has `depth` places of its own
    shared   ///< each VC has `reserved` places of its own, and the VCs of a port share its other places
};
/// Rule by which a head chooses, among the candidates of its route with a free output VC that are no escapes,
/// the candidate that it asks for. Only if there is none, it chooses among escapes by the same rule.
enum class selection_policy : std::uint8_t {
    first,   ///< the first candidate in the order of the routing function
    random,  ///< a candidate drawn at random, with equal chances
    /// The candidate whose free VCs together have most credits; the first if several have as many.
    most_credit,
    /// The first candidate with a free VC of the same number as the packet's input VC, and only that VC of
    /// it; if there is none, the first candidate.
    same_vc
};

/// Flow control that keeps the buffer of an input port from overflow.
enum class overflow_rule : std::uint8_t {
    credits,  ///< the sender has a credit for each place
    pfc       ///< priority flow control: a VC that holds many flits pauses its sender (pause_rule)
};

/// Parameters of router_params for pauses; all but `flow` count with overflow_rule::pfc only.
struct pause_params {
    overflow_rule flow = overflow_rule::credits;  ///< flow control of the input ports
    /// Places, in flits, of the `depth` of a VC that are kept for flits that come after its pause.
    std::uint32_t headroom = 0;
    std::uint32_t xon_offset = 1;  ///< flits below the threshold of pauses at which a paused VC goes on
    /// With shared buffers, number of flits by which each free place of the pool raises the threshold of
    /// pauses.
    double alpha = 1;

    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<pause_params> fields();
};

/// Parameters of router_params for switching idle routers off (gate_rule).
struct gate_params {
    /// Cycles without a flit until the router goes off; cycles from waking until a flit may be sent to the
    /// router. wake 0: the router is always on.
    std::uint32_t idle = 16, wake = 0;
    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<gate_params> fields();
};

/// Parameters of router kind `vc`. fields() has the name and the range of each; the member values are the
/// defaults.
struct router_params : pause_params, gate_params {
    std::uint32_t vcs = 4;  ///< VCs of each port, shared out among the message classes
    /// Places of the buffer of an input VC, in flits; with shared buffers a port has vcs * depth places.
    std::uint32_t depth = 8;
    buffer_policy buffers = buffer_policy::per_vc;  ///< division of the buffer of an input port
    /// Shared buffers only: places, in flits, that each VC has for itself; at most depth.
    std::uint32_t reserved = 1;
    switching_mode switching = switching_mode::wormhole;  ///< condition for a head to move on
    forking_rule forking = forking_rule::none;            ///< way in which packets fork
    std::uint32_t rc_delay = 1;   ///< cycles of route computation of a head; 0: in the same cycle as VA
    std::uint32_t va_delay = 1;   ///< cycles of VC allocation of a head; 0: in the same cycle as SA
    std::uint32_t sa_delay = 1;   ///< cycles of switch allocation of a flit; 0: in the same cycle as ST
    std::uint32_t st_delay = 1;   ///< cycles of switch traversal of a flit; 0: in the same cycle as the link
    bool input_register = false;  ///< true: flits and credits are used one cycle after the end of the link
    /// True: the router before computes the route of a head, so that RC takes no cycle in this router,
    /// whatever rc_delay is.
    bool lookahead = false;
    /// True: a stage of several cycles takes new work in every cycle; false: only when its last work is done.
    bool pipelined = true;
    /// True: a head bids in VA and SA in the same cycle; requests that do not speculate win over its bid in
    /// SA.
    bool speculative = false;
    /// Allocators of VA and SA, each a name in allocator_registry or a section with name and parameters;
    /// null: input_first.
    config::value va_allocator, sa_allocator;
    /// Arbiters of VA and SA, each a name in arbiter_registry or a section with name and parameters; null:
    /// round_robin.
    config::value va_arbiter, sa_arbiter;
    /// Iterations of the separable allocators (input_first, output_first) in a cycle; other allocators have
    /// one.
    std::uint32_t iterations = 1;
    /// Crossbar inputs of each port: VC v uses input v % input_speedup. Crossbar outputs of each port; if
    /// more than 1, flits wait for the link in an output queue.
    std::uint32_t input_speedup = 1, output_speedup = 1;
    /// Condition for an output VC to be free again.
    reallocation_rule reallocation = reallocation_rule::tail;
    /// Cycles from the end of the link until a credit that comes to this router can be spent, without the
    /// input register.
    std::uint32_t credit_delay = 1;
    /// Credits leave this router only in cycles whose number is a multiple of this; 1: in every cycle.
    std::uint32_t credit_batch = 1;
    selection_policy selection = selection_policy::most_credit;  ///< choice among candidates

    /// Returns the number of places of an input port that its VCs share, in flits; 0 with buffers per VC, and
    /// if all places belong to single VCs. Needs reserved + headroom <= depth (checked by vc_model()).
    std::uint32_t pool() const;
    /// Returns the most flits that one VC of an input port can hold.
    std::uint32_t most_flits() const;

    /// Returns the rule by which VCs of these routers pause, with pause_rule::round_trip 0; a rule without
    /// pauses unless `flow` is pfc.
    pause_rule rule() const;

    /// Returns the number of cycles that a head spends in RC at this router: rc_delay; 0 with lookahead.
    std::uint32_t effective_rc_delay() const { return lookahead ? 0 : rc_delay; }

    /// Returns the number of cycles from the end of a link until the router looks at a flit or credit: 1 with
    /// an input register, else 0.
    std::uint32_t input_delay() const { return input_register ? 1 : 0; }

    /// Returns the name, range, unit and sentence of every parameter.
    static config::schema<router_params> fields();
};

/// Returns a model of kind `vc` with these parameters. Throws config::error for parameters out of range or
/// that exclude each other, as vc_model() does.
std::shared_ptr<const router_model> make_router_model(const router_params& params);

}  // namespace sare
