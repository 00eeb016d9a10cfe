// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/cover_table.h"
#include "cosim/pins/router_setting.h"

namespace sare::cosim {

/// Properties that distinguish routers, in few classes each, so that counts of all can be added.
enum trait : std::uint32_t {
    t_switching,
    t_reallocation,
    t_speculation,
    t_lookahead,
    t_va_allocator,
    t_sa_allocator,
    t_va_arbiter,
    t_sa_arbiter,
    t_rc,
    t_va,
    t_sa,
    t_st,
    t_input_register,
    t_memories,
    t_clocks,
    t_routing,
    t_classes,
    t_depth,
    t_credit_delay,
    t_vcs,
    traits
};

/// Returns name and values of a trait.
const cover_table::axis& axis_of(trait t);
/// Returns the number of the value of each trait.
cover_table::place traits_of(const router_setting& s);
/// True if a router can have two values together: `its` of trait `a`, and `others` of trait `b`.
bool go_together(trait a, std::uint32_t its, trait b, std::uint32_t others);

/// Classes for numbers of flits: a buffer's depth, or places beyond a port.
const std::vector<std::string>& depth_classes();
std::uint32_t depth_class(std::uint32_t flits);

}  // namespace sare::cosim
