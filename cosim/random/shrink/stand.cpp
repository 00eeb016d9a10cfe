// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/shrink/stand.h"

#include "cosim/random/router_bench.h"
#include "tlm/topology/topology.h"

namespace sare::cosim {

stand::stand(const router_setting& setting, const router_place& place, const std::string& sources,
             const std::string& old_sources)
    : m_setting(setting), m_at(make_surroundings(setting, place)) {
    rtl_request request = sare_router_rtl::request(setting, sources);
    request.speed = rtl_speed::quick;
    m_library = rtl_library::get(request);
    m_old = old_library(setting, old_sources, rtl_speed::quick);
}

stand::verdict stand::run(pin_traffic& traffic, const pair_run::length& cycles, pin_observer* sees) const {
    pair_run pair(m_setting, *m_at.around, traffic, *m_library, m_old.get());
    if (sees != nullptr) pair.add_observer(*sees);
    verdict v;
    v.text = pair.go(cycles);
    if (const auto& first = pair.pair().first_divergence()) {
        v.cycle = first->cycle;
        v.text = first->text();
    }
    v.fails = !v.text.empty();
    return v;
}

stand::verdict stand::run(const pin_case& c) const {
    case_traffic traffic(m_setting, *m_at.around, c);
    return run(traffic, {c.end(), 5000, 300}, nullptr);
}

stand::verdict stand::draw(std::uint64_t seed, cycle_t cycles, bool drains, pin_case& c) const {
    router_bench bench(m_setting, *m_at.around, seed);
    bench.fill_and_drain(drains);
    case_recorder log;
    const verdict v = run(bench, {cycles}, &log);
    if (!v.fails) return v;
    log.complete(v.cycle);
    c.packets = log.packets;
    c.credits = log.credits;
    return v;
}

}  // namespace sare::cosim
