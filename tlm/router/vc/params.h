// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <memory>

/// Parameters of the pipelined virtual-channel router; docs/router.md says what happens in which cycle.
namespace sare {

class router_model;

/// When a head may move on; params.cpp says what each parameter and value means.
enum class switching_mode : std::uint8_t { wormhole, cut_through, store_and_forward };
enum class reallocation_rule : std::uint8_t { tail, atomic };
enum class buffer_policy : std::uint8_t { per_vc, shared };
enum class selection_policy : std::uint8_t { first, random, most_credit, same_vc };

/// Parameters of kind `vc`; params.cpp says what each one means.
struct router_params {
    std::uint32_t vcs = 4;
    std::uint32_t depth = 8;
    buffer_policy buffers = buffer_policy::per_vc;
    std::uint32_t reserved = 1;
    switching_mode switching = switching_mode::wormhole;
    std::uint32_t rc_delay = 1;
    std::uint32_t va_delay = 1;
    std::uint32_t sa_delay = 1;
    std::uint32_t st_delay = 1;
    bool input_register = false;
    bool lookahead = false;
    bool pipelined = true;
    bool speculative = false;
    config::value va_allocator, sa_allocator;  ///< an `allocator` each: see config::name_of()
    config::value va_arbiter, sa_arbiter;      ///< an `arbiter` each
    std::uint32_t iterations = 1;
    std::uint32_t input_speedup = 1;
    std::uint32_t output_speedup = 1;
    reallocation_rule reallocation = reallocation_rule::tail;
    std::uint32_t credit_delay = 1;
    std::uint32_t credit_batch = 1;
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
