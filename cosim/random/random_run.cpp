// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/random_run.h"

#include "cosim/random/router_bench.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cosim {

std::shared_ptr<rtl_library> old_library(const router_setting& setting, const std::string& sources,
                                         rtl_speed speed) {
    if (sources.empty()) return nullptr;
    rtl_request request = sare_router_rtl::request(setting, sources);
    request.speed = speed;
    return rtl_library::get(request);
}

random_outcome run(const random_run& what, const router_setting& setting, const routing_context& around,
                   pin_traffic& traffic, const pair_run::length& cycles, const std::string& place,
                   const std::function<void(double)>& on_cycle) {
    rtl_request request = sare_router_rtl::request(setting, what.sources);
    request.speed = what.speed;
    request.coverage = !what.coverage.empty();
    request.waves = request.model_pins = !what.waves.file.empty();
    if (what.on_build && !rtl_library::is_built(request))
        what.on_build(fmt::format("sare_router, {} ports, {} VCs", setting.ports, setting.model.vcs));
    const auto library = rtl_library::get(request);
    const auto old = old_library(setting, what.old_sources, what.speed);
    pair_run pair(setting, around, traffic, *library, old.get(), what.waves);
    std::optional<router_cover> cover;
    if (what.points != nullptr) pair.add_observer(cover.emplace(setting, around, *what.points));
    random_outcome o;
    o.parameters = text(request.parameters);
    o.place = place;
    o.problem = pair.go(cycles, on_cycle);
    o.first = pair.pair().first_divergence();
    o.router_cycles = pair.pair().cycles_compared();
    if (request.coverage) pair.rtl().write_coverage(what.coverage);
    return o;
}

random_outcome run(const random_run& what, const std::function<void(double)>& on_cycle) {
    const random_case drawn = draw_case(what.seed, what.most_vcs, what.held);
    router_bench bench(drawn.setting, *drawn.around, what.seed);
    bench.fill_and_drain(what.drains);
    random_outcome o = run(what, drawn.setting, *drawn.around, bench, {what.cycles}, drawn.place, on_cycle);
    o.flits = bench.flits_received();
    o.packets = bench.packets_done();
    return o;
}

}  // namespace sare::cosim
