// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/router_counts.h"

#include "tlm/api/other_ranks.h"
#include "tlm/fabric/parts/remote_links.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/router_api/own_counts.h"

#include <map>
#include <set>

namespace sare {
namespace {

void add_other_ranks(world& all, std::map<std::string, double>& sum) {
    tell_first_rank(
        all, [&](archive& mine) { mine(sum); },
        [&](archive& theirs) {
            std::map<std::string, double> other;
            theirs(other);
            for (const auto& [name, count] : other) sum[name] += count;
        });
}

}  // namespace

std::vector<std::pair<std::string, double>> router_counts(const network_view& net) {
    struct kind_counts {
        const own_counts* one = nullptr;
        std::map<std::string, double> sum;
    };
    std::map<std::string, kind_counts> kinds;
    std::set<const router_bank*> seen;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const router_bank& bank = net.bank_of(r);
        const auto* own = dynamic_cast<const own_counts*>(&bank);
        if (own == nullptr || !seen.insert(&bank).second) continue;
        kind_counts& kind = kinds[net.model(r).kind()];
        kind.one = own;
        own->add_counts(kind.sum);
    }
    if (net.remote() != nullptr)
        for (auto& [name, kind] : kinds) add_other_ranks(net.remote()->processes(), kind.sum);
    std::vector<std::pair<std::string, double>> all;
    for (auto& [name, kind] : kinds) {
        kind.one->finish_counts(kind.sum);
        all.insert(all.end(), kind.sum.begin(), kind.sum.end());
    }
    return all;
}

}  // namespace sare
