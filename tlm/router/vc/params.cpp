// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/params.h"

#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"

namespace sare {

config::schema<pause_params> pause_params::fields() {
    using p = pause_params;
    config::schema<p> s;
    s.choice("flow_control", &p::flow, {{"credits", overflow_rule::credits}, {"pfc", overflow_rule::pfc}},
             "What keeps a buffer from overflow: credits, or pauses of VCs that hold many flits.")
        .number(
            "headroom", &p::headroom, 0, 4096, "flits",
            "With pfc, places of a VC for what comes after its pause, of 'depth'; the others fill before.")
        .number("xon_offset", &p::xon_offset, 1, 4096, "flits",
                "With pfc, a paused VC goes on when it holds so many fewer than it paused at.")
        .number("alpha", &p::alpha, 0, 1024, "",
                "With pfc and shared buffers, a VC pauses at 'reserved' and so many times the pool's free "
                "places.");
    return s;
}

config::schema<gate_params> gate_params::fields() {
    using p = gate_params;
    config::schema<p> s;
    s.number("idle", &p::idle, 1, 65535, "cycles",
             "With 'wake', the router goes off when no flit has been in it or on the way to it for so long.")
        .number("wake", &p::wake, 0, 4095, "cycles",
                "A flit waits so long for a router that is off; 0: the router is always on.");
    return s;
}

config::schema<router_params> router_params::fields() {
    using p = router_params;
    config::schema<p> s;
    s.number("vcs", &p::vcs, 1, 64, "VCs", "Virtual channels per port, shared out among the message classes.")
        .number("depth", &p::depth, 1, 4096, "flits", "Buffer of one virtual channel.")
        .choice("buffers", &p::buffers,
                {{"private", buffer_policy::per_vc}, {"shared", buffer_policy::shared}},
                "Each VC has 'depth' flits for itself, or the VCs of a port share 'vcs' times as many.")
        .number(
            "reserved", &p::reserved, 0, 4096, "flits",
            "Places of a shared buffer that each VC has for itself; it takes the others as it needs them.")
        .include(pause_params::fields())
        .include(gate_params::fields())
        .choice(
            "switching", &p::switching,
            {{"wormhole", switching_mode::wormhole},
             {"cut_through", switching_mode::cut_through},
             {"store_and_forward", switching_mode::store_and_forward}},
            "When a head may move on: with one credit; when the next buffer has room for the whole packet; "
            "that, and the whole packet is here.")
        .choice(
            "forking", &p::forking,
            {{"none", forking_rule::none},
             {"asynchronous", forking_rule::asynchronous},
             {"synchronous", forking_rule::synchronous}},
            "How a packet leaves by several outputs: not at all; by each when it is free; by all at once.")
        .number("rc_delay", &p::rc_delay, 0, 15, "cycles",
                "Route computation of a head; 0 merges it with VA.")
        .number("va_delay", &p::va_delay, 0, 15, "cycles", "VC allocation of a head; 0 merges it with SA.")
        .number("sa_delay", &p::sa_delay, 0, 15, "cycles",
                "Switch allocation of a flit; 0 merges it with ST.")
        .number("st_delay", &p::st_delay, 0, 15, "cycles", "Switch traversal; 0 merges it with the link.")
        .flag("input_register", &p::input_register,
              "Flits and credits that come in are registered: they are used a cycle later.")
        .flag("lookahead", &p::lookahead, "Compute the route one hop ahead, so that RC takes no cycle here.")
        .flag("pipelined", &p::pipelined,
              "Stages of several cycles take new work every cycle; false: only when they are done with the "
              "last.")
        .flag("speculative", &p::speculative,
              "A head bids in VA and SA in the same cycle; requests that are not speculative win.");
    config::add_chosen<allocator>(
        s, "va_allocator", &p::va_allocator,
        "How virtual channels are allocated: separable from either side, or wavefront.");
    config::add_chosen<allocator>(s, "sa_allocator", &p::sa_allocator, "How the switch is allocated.");
    config::add_chosen<arbiter>(s, "va_arbiter", &p::va_arbiter, "Arbiters of a separable VC allocator.");
    config::add_chosen<arbiter>(s, "sa_arbiter", &p::sa_arbiter, "Arbiters of a separable switch allocator.");
    s.number("iterations", &p::iterations, 1, 16, "", "Iterations of the separable allocators.")
        .number(
            "input_speedup", &p::input_speedup, 1, 16, "",
            "Crossbar inputs per port; VC v uses input v mod this. As many as VCs: a crossbar port per VC.")
        .number("output_speedup", &p::output_speedup, 1, 16, "",
                "Crossbar outputs per port, before an output queue that credits bound.")
        .choice(
            "reallocation", &p::reallocation,
            {{"tail", reallocation_rule::tail}, {"atomic", reallocation_rule::atomic}},
            "An output VC is free again when the tail has left, or only when the next buffer has drained.")
        .number("credit_delay", &p::credit_delay, 0, 255, "cycles",
                "Cycles from a grant to the use of its credit upstream, beside the latency of the link.")
        .number("credit_batch", &p::credit_batch, 1, 255, "cycles",
                "Credits are sent back only in cycles that are a multiple of this.")
        .choice("selection", &p::selection,
                {{"first", selection_policy::first},
                 {"random", selection_policy::random},
                 {"most_credit", selection_policy::most_credit},
                 {"same_vc", selection_policy::same_vc}},
                "Which of the free candidates an adaptive routing function's packet asks for.");
    return s;
}

std::uint32_t router_params::pool() const {
    if (buffers != buffer_policy::shared) return 0;
    return vcs * (depth - reserved - (flow == overflow_rule::pfc ? headroom : 0));
}

std::uint32_t router_params::most_flits() const {
    if (buffers != buffer_policy::shared) return depth;
    return reserved + (flow == overflow_rule::pfc ? headroom : 0) + pool();
}

pause_rule router_params::rule() const {
    if (flow == overflow_rule::credits) return {};
    return {buffers == buffer_policy::shared ? reserved : depth - headroom, pool(), xon_offset, alpha, 0};
}

}  // namespace sare
