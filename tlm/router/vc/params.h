// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <memory>

/// Parameters of the pipelined virtual-channel router; docs/router.md says what happens in which cycle.
namespace sare {

class router_model;

/// When a head may move on: with one credit; when the next buffer has room for the whole packet; or as that,
/// and only when the whole packet is here.
enum class switching_mode : std::uint8_t { wormhole, cut_through, store_and_forward };
/// When an output VC is free for another packet: when the tail has left, or when the buffer at the other end
/// is empty, too (all credits are back).
enum class reallocation_rule : std::uint8_t { tail, atomic };
/// Whether each VC has a buffer of its own, or all VCs of a port share one.
enum class buffer_policy : std::uint8_t { per_vc, shared };
/// Which of several candidates with a free VC a head asks for: the first in the order of the routing
/// function; one drawn at random; the one whose free VCs have most credits; the first with the VC that the
/// packet is on, or else the first.
enum class selection_policy : std::uint8_t { first, random, most_credit, same_vc };

/// Parameters of kind `vc`; fields() gives their names and ranges.
struct router_params {
    std::uint32_t vcs = 4;    ///< number of VCs of a port, shared out among the message classes
    std::uint32_t depth = 8;  ///< flits of a VC's buffer; with shared buffers a port has vcs * depth places
    buffer_policy buffers = buffer_policy::per_vc;
    std::uint32_t reserved = 1;  ///< shared buffers: places, in flits, that each VC has for itself
    switching_mode switching = switching_mode::wormhole;
    std::uint32_t rc_delay = 1;   ///< cycles of route computation of a head; 0: it is done with VA
    std::uint32_t va_delay = 1;   ///< cycles of VC allocation of a head; 0: it is done with SA
    std::uint32_t sa_delay = 1;   ///< cycles of switch allocation of a flit; 0: it is done with ST
    std::uint32_t st_delay = 1;   ///< cycles of switch traversal; 0: it is done with the link
    bool input_register = false;  ///< true: flits and credits are used a cycle after they come in
    bool lookahead = false;       ///< true: routes are computed one hop ahead, so that RC takes no cycle
    bool pipelined = true;        ///< true: a stage of several cycles takes new work in every cycle
    bool speculative = false;     ///< true: a head bids in VA and SA in the same cycle
    config::value va_allocator, sa_allocator;  ///< an `allocator` each: see config::name_of()
    config::value va_arbiter, sa_arbiter;      ///< an `arbiter` each
    std::uint32_t iterations = 1;              ///< iterations of the separable allocators in a cycle
    std::uint32_t input_speedup = 1;           ///< crossbar inputs of a port; VC v uses input v modulo this
    std::uint32_t output_speedup = 1;          ///< crossbar outputs of a port, before an output queue
    reallocation_rule reallocation = reallocation_rule::tail;
    std::uint32_t credit_delay = 1;  ///< cycles from a credit's coming back here to its use
    std::uint32_t credit_batch = 1;  ///< credits are sent only in cycles that are a multiple of this
    selection_policy selection = selection_policy::most_credit;

    /// Number of places of an input port that its VCs share, in flits; 0: each VC has a buffer of its own.
    std::uint32_t pool() const { return buffers == buffer_policy::shared ? vcs * (depth - reserved) : 0; }
    /// Most flits of one VC that an input port holds.
    std::uint32_t most_flits() const { return buffers == buffer_policy::shared ? reserved + pool() : depth; }

    /// Number of cycles that a head spends in RC in a router: 0 with lookahead, which routes one hop ahead.
    std::uint32_t effective_rc_delay() const { return lookahead ? 0 : rc_delay; }

    /// Number of cycles that flits and credits take from the end of a link to where the router looks at them.
    std::uint32_t input_delay() const { return input_register ? 1 : 0; }

    static config::schema<router_params> fields();
};

/// Returns the model of routers with these parameters. Throws config::error for parameters out of range.
std::shared_ptr<const router_model> make_router_model(const router_params& params);

}  // namespace sare
