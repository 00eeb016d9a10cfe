// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/fitting.h"

#include "tlm/routing/deadlock/deadlock.h"
#include "tlm/routing/routing.h"

namespace sare {
namespace {

constexpr std::uint32_t most_tried_routers = 512;  // above that, trying them all takes seconds
constexpr std::uint32_t enough_vcs = 8;            // for the phases and datelines of any function
constexpr std::uint64_t most_tried_calls =
    3'000'000;  // of each; what is not found in deadlock by then is not

/// With its defaults; null if it is not for this network.
std::unique_ptr<routing_function> make_by_name(const std::string& name, const topology& map) {
    try {
        return routing_registry::instance().make(config::value::scalar(name), {&map, enough_vcs});
    } catch (const config::error&) {
        return nullptr;
    }
}

}  // namespace

std::string fitting_functions(const topology& map) {
    std::string names;
    if (map.routers() > most_tried_routers) return names;
    for (const auto& [name, variant] : routing_registry::instance().variants()) {
        const auto function = make_by_name(name, map);
        if (!function || function->forks()) continue;
        deadlock_question q;
        q.network = &map;
        q.routing = function.get();
        q.vcs = enough_vcs;
        q.atomic_or_cut_through = true;
        q.most_calls = most_tried_calls;
        if (check_deadlock(q).ok()) names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

bool fits(const std::string& function, const topology& map) {
    return make_by_name(function, map) != nullptr;
}

}  // namespace sare
