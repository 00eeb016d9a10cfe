// SPDX-License-Identifier: Apache-2.0
#include "cosim/functional/traits.h"

#include "cosim/rtl/rtl_module.h"

#include <algorithm>

namespace sare::cosim {
namespace {

/// Returns the number of a name; 0, the default, if it is none.
std::uint32_t number_in(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? 0 : static_cast<std::uint32_t>(found - names.begin());
}

std::uint32_t few(std::uint32_t n) {
    return std::min(n, 2u);
}

std::uint32_t routing_class(const router_setting& s) {
    if (s.table) return 0;
    if (s.one_way) return 3;
    return s.wrap == 0 ? 1 : 2;
}

/// Returns the number of the class of the largest weight of any arbiter; 0 if none is weighted.
std::uint32_t weight_class(const router_setting& s) {
    std::uint32_t most = 0;
    for (const config::value* arbiter : {&s.model.va_arbiter, &s.model.sa_arbiter})
        if (word_of(*arbiter) == "weighted")
            for (const config::value& w : config::to_list(*arbiter->find("weights"), "weights"))
                most = std::max(most, static_cast<std::uint32_t>(config::to_integer(w, "weight", 1, 65535)));
    return most == 0 ? 0 : most < 8 ? 1 : most < 256 ? 2 : 3;
}

}  // namespace

const std::vector<std::string>& depth_classes() {
    static const std::vector<std::string> all{"1", "2", "3-4", "5-8", "9-16", "17-64", "65 and more"};
    return all;
}

std::uint32_t depth_class(std::uint32_t flits) {
    static const std::uint32_t most[] = {1, 2, 4, 8, 16, 64};
    return static_cast<std::uint32_t>(std::lower_bound(std::begin(most), std::end(most), flits) -
                                      std::begin(most));
}

const cover_table::axis& axis_of(trait t) {
    static const std::vector<std::string> no_yes{"no", "yes"}, cycles{"0", "1", "several"},
        allocators{"input_first", "output_first", "wavefront"},
        arbiters{"round_robin", "matrix", "priority", "weighted"};
    static const cover_table::axis all[traits] = {
        {"switching", {"wormhole", "cut_through"}},
        {"reallocation", {"tail", "atomic"}},
        {"speculation", no_yes},
        {"lookahead", no_yes},
        {"va_allocator", allocators},
        {"sa_allocator", allocators},
        {"va_arbiter", arbiters},
        {"sa_arbiter", arbiters},
        {"RC", cycles},
        {"VA", cycles},
        {"SA", cycles},
        {"ST", cycles},
        {"input_register", no_yes},
        {"memories", no_yes},
        {"gated clocks", no_yes},
        {"routing", {"table", "mesh", "rings", "one way"}},
        {"classes", {"one", "several"}},
        {"depth", depth_classes()},
        {"credit delay", cycles},
        {"VCs", {"1", "2", "3-4", "more"}},
        {"largest weight", {"none", "1-7", "8-255", "256 and more"}}};
    return all[t];
}

cover_table::place traits_of(const router_setting& s) {
    const router_params& p = s.model;
    const auto choice = [](trait t, const config::value& v) {
        return number_in(axis_of(t).values, word_of(v));
    };
    const std::uint32_t vcs[] = {0, 0, 1, 2, 2};
    return {s.cut_through(),
            s.atomic(),
            p.speculative && p.va_delay != 0,
            p.lookahead,
            choice(t_va_allocator, p.va_allocator),
            choice(t_sa_allocator, p.sa_allocator),
            choice(t_va_arbiter, p.va_arbiter),
            choice(t_sa_arbiter, p.sa_arbiter),
            few(p.effective_rc_delay()),
            few(p.va_delay),
            few(p.sa_delay),
            few(p.st_delay),
            p.input_register,
            s.memory_buffers,
            s.clock_gating,
            routing_class(s),
            s.classes > 1,
            depth_class(p.depth),
            few(s.credit_out_delay + s.credit_in_delay),
            p.vcs < 5 ? vcs[p.vcs] : 3,
            weight_class(s)};
}

bool go_together(trait a, std::uint32_t its, trait b, std::uint32_t others) {
    const auto are = [&](trait x, std::uint32_t v, trait y, std::uint32_t w) {
        return (a == x && its == v && b == y && others == w) || (a == y && its == w && b == x && others == v);
    };
    const std::uint32_t least = 1;  // of a router's own buffer
    if ((a == t_depth && (its < least || its == 6)) || (b == t_depth && (others < least || others == 6)))
        return false;
    // A weighted arbiter has weights.
    constexpr std::uint32_t weighted = 3;
    if (are(t_weights, 0, t_va_arbiter, weighted) || are(t_weights, 0, t_sa_arbiter, weighted)) return false;
    return !are(t_speculation, 1, t_va, 0) && !are(t_lookahead, 1, t_rc, 1) &&
           !are(t_lookahead, 1, t_rc, 2) && !are(t_memories, 1, t_sa, 0) && !are(t_classes, 1, t_vcs, 0);
}

}  // namespace sare::cosim
