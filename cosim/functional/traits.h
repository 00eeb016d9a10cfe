// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/cover_table.h"
#include "cosim/pins/router_setting.h"

namespace sare::cosim {

/// Properties by which routers differ, each with a few values that have names (axis_of()), so that the
/// coverage of routers with different parameters can be summed up. t_switching to t_sa_arbiter: the
/// parameters of router_params with these names (speculation without a VA stage counts as none). t_rc, t_va,
/// t_sa, t_st: cycles of a stage of the pipeline (RC, VA, SA, ST). t_input_register: whether there is a
/// register behind the input pins. t_memories: whether buffers are memories. t_clocks: whether clocks are
/// gated. t_routing: kind of routing. t_classes: number of message classes. t_depth: flits of an input VC
/// (depth_classes()). t_credit_delay: cycles of a credit, inside and outside of the router together. t_vcs:
/// number of VCs. t_weights: range of the largest weight that a message class has in the arbiters whose kind
/// is `weighted`; its first value: no arbiter is. `traits`: number of traits.
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

/// Returns the name of trait `t`, below `traits`, and the names of its values; valid until the process ends.
const cover_table::axis& axis_of(trait t);
/// Returns the value of each trait of the router `s`, as a number in axis_of().values, indexed by trait.
cover_table::place traits_of(const router_setting& s);
/// Returns true if some router has both value number `its` of trait `a` and value number `others` of trait
/// `b`. Values are numbered as in axis_of().values, from 0.
bool go_together(trait a, std::uint32_t its, trait b, std::uint32_t others);

/// Returns the names of the ranges into which numbers of flits are divided: "1", "2", "3-4", "5-8", "9-16",
/// "17-64" and "65 and more".
const std::vector<std::string>& depth_classes();
/// Returns the index in depth_classes() of the range that has `flits`, which must be at least 1.
std::uint32_t depth_class(std::uint32_t flits);

}  // namespace sare::cosim
