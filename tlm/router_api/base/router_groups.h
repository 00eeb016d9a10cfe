// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sare {

/// Routers that one bank can hold; `what` is what they have in common.
template <class What>
struct router_group {
    What what;
    std::uint32_t domain;                ///< see router_instance::domain
    std::vector<std::uint32_t> routers;  ///< numbers in the network
};

/// Groups routers of a kind for their banks, in the order of each group's first router. A group has one
/// domain, and instances for which `what_of(instance)` returns values that are the same by `same`.
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

/// Groups routers that have as many ports and equal models.
inline auto group_routers(const std::vector<router_instance>& all) {
    const auto itself = [](const router_instance& p) { return &p; };
    return group_routers(all, itself, [](const router_instance* a, const router_instance* b) {
        return a->ports == b->ports && a->model->equals(*b->model);
    });
}

}  // namespace sare
