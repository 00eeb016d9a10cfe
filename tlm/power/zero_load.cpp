// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/zero_load.h"

#include "tlm/power/table/block_costs.h"
#include "tlm/router_api/bank.h"
#include "tlm/topology/topology.h"

namespace sare {
namespace {

constexpr std::uint32_t most_ends = 512;  ///< most sources, and most destinations of each

/// Returns the cycles of a head; a speculative one is given its VC and the switch in one cycle.
double head_cycles(const router_model& model) {
    const cost_setting setting = setting_of(model, 0);
    const auto text = [&](const char* key) {
        const auto found = setting.texts.find(key);
        return found == setting.texts.end() ? std::string() : found->second;
    };
    double cycles = model.head_cycles();
    if (text("speculative") == "true") cycles -= std::stod(text("va_delay"));
    return cycles;
}

double mean_head_cycles(const topology& map, const std::function<const router_model&(std::uint32_t)>& model) {
    std::map<const router_model*, double> known;
    double sum = 0;
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        const auto [at, is_new] = known.try_emplace(&model(r), 0);
        if (is_new) at->second = head_cycles(model(r));
        sum += at->second * map.clock(router_id(r)).period();
    }
    return sum / map.routers();
}

}  // namespace

double mean_head_latency(const topology& map, const std::function<const router_model&(std::uint32_t)>& model,
                         std::uint32_t nic_delay) {
    const double inside = mean_head_cycles(map, model);
    const std::uint32_t step = (map.nodes() + most_ends - 1) / most_ends;
    double sum = 0, pairs = 0;
    for (std::uint32_t s = 0; s < map.nodes(); s += step)
        for (std::uint32_t d = step > 1 ? step / 2 : 0; d < map.nodes(); d += step) {
            if (s == d) continue;
            const path_cost path = path_between(map, node_id(s), node_id(d));
            sum += static_cast<double>(path.cycles) + (path.links - 1.0) * inside + nic_delay;
            ++pairs;
        }
    return pairs > 0 ? sum / pairs : 0;
}

}  // namespace sare
