// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/cover_table.h"
#include "cosim/pins/router_setting.h"

namespace sare::cosim {

/// Properties that distinguish routers, each with few values (see axis_of()), so that coverage of all routers
/// can be added.
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
/// Returns the number of the value of each trait of a router, by trait.
cover_table::place traits_of(const router_setting& s);
/// True if a router can have value number `its` of trait `a` together with value number `others` of trait
/// `b`.
bool go_together(trait a, std::uint32_t its, trait b, std::uint32_t others);

/// Returns the names of classes of numbers of flits: "1", "2", "3-4", ..., "65 and more".
const std::vector<std::string>& depth_classes();
/// Returns the index in depth_classes() for a buffer's depth, or for the places beyond a port, in flits.
std::uint32_t depth_class(std::uint32_t flits);

}  // namespace sare::cosim
