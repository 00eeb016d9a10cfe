// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/cover_table.h"
#include "cosim/pins/router_setting.h"

namespace sare::cosim {

/// Properties that distinguish routers, each with few values (see axis_of()), so that the coverage of routers
/// that are built differently can be summed up. t_rc to t_st: cycles of a stage of the pipeline; t_memories:
/// buffers are memories; t_clocks: clocks are gated; t_depth: flits of an input VC;
/// t_weights: largest weight of a message class in arbiters.
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
    t_weights,
    traits
};

/// Returns name and values of a trait.
const cover_table::axis& axis_of(trait t);
/// Returns the number of the value of each trait of a router, by trait.
cover_table::place traits_of(const router_setting& s);
/// True if a router can have value number `its` of trait `a` together with value number `others` of trait
/// `b`.
bool go_together(trait a, std::uint32_t its, trait b, std::uint32_t others);

/// Returns the names of classes of numbers of flits: "1", "2", "3-4", "5-8", "9-16", "17-64", "65
/// and more".
const std::vector<std::string>& depth_classes();
/// Returns the index in depth_classes() of a number of flits from 1: the depth of a buffer of the router, or
/// of the buffer at the other end of an output port's link (router_setting::depth_beyond()).
std::uint32_t depth_class(std::uint32_t flits);

}  // namespace sare::cosim
