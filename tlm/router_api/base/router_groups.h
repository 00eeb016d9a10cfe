// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sare {

/// Routers that one bank can hold, as group_routers() finds them.
template <class What>
struct router_group {
    What what;             ///< value of `what_of` for the first router of the group
    std::uint32_t domain;  ///< number of the clock domain of these routers
    /// Numbers of the routers in the network, in the order of the list given to group_routers().
    std::vector<std::uint32_t> routers;
};

/// Groups routers of one kind for their banks. Routers are in one group if they have the same clock domain,
/// and if the values that `what_of(instance)` returns for them are alike by `same(a, b)`. Groups are in the
/// order of their first routers; none for an empty list.
template <class WhatOf, class Same>
auto group_routers(const std::vector<router_instance>& all, const WhatOf& what_of, const Same& same) {
    std::vector<router_group<decltype(what_of(all.front()))>> groups;
    for (const router_instance& p : all) {
        auto what = what_of(p);
        const auto fits = [&](const auto& g) { return g.domain == p.domain && same(g.what, what); };
        const auto group = std::find_if(groups.rbegin(), groups.rend(), fits);
        if (group != groups.rend())
            group->routers.push_back(p.router);
        else
            groups.push_back({std::move(what), p.domain, {p.router}});
    }
    return groups;
}

/// Groups routers by clock domain, number of ports and equal models.
inline auto group_routers(const std::vector<router_instance>& all) {
    const auto itself = [](const router_instance& p) { return &p; };
    return group_routers(all, itself, [](const router_instance* a, const router_instance* b) {
        return a->ports == b->ports && a->model->equals(*b->model);
    });
}

}  // namespace sare
