// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/network_clocks.h"

#include "tlm/fabric/network_state.h"
#include "tlm/topology/region/clock_region.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

/// Returns the flits that a router has sent, modulo 2^32.
std::uint32_t flits_sent(const network_state& net, std::uint32_t r) {
    return net.bank_of(r).flits_sent(net.in_bank(r));
}

std::uint64_t flits_in(const network_state& net, std::uint32_t r) {
    const router_bank& bank = net.bank_of(r);
    std::uint64_t all = 0;
    for (std::uint32_t p = 0; p < net.ports(r); ++p)
        for (std::uint32_t v = 0; v < bank.terms().vcs; ++v) all += bank.in(net.in_bank(r), p, v).count;
    return all;
}

}  // namespace

const running_clock& network_clocks::levels_of(const clock_region& region) const {
    return std::find_if(m_changing.begin(), m_changing.end(),
                        [&](const changing& c) { return c.region == &region; })
        ->clock;
}

const running_clock& network_clocks::add(const clock_region& region) {
    for (const changing& c : m_changing)
        if (c.region == &region) return c.clock;
    m_changing.push_back({&region, running_clock(region.levels[0].clock, region.limits)});
    running_clock& made = m_changing.back().clock;
    for (const auto& [at, level] : region.schedule) made.change(at, region.levels[level].clock, level);
    return made;
}

const running_clock& network_clocks::of(const clock_ratio& ratio, const clock_region* region) {
    if (region != nullptr && region->changes()) {
        const running_clock& its = add(*region);
        if (region->changes_clock()) return its;
    }
    if (ratio == clock_ratio()) return running_clock::of_network();
    for (const running_clock& c : m_fixed)
        if (c.first_ratio() == ratio) return c;
    return m_fixed.emplace_back(ratio);
}

double network_clocks::mean_period(const clock_region* region, cycle_t from, cycle_t to) const {
    if (region == nullptr) return 1;
    if (!region->changes_clock()) return region->clock.period();
    const running_clock& clock = levels_of(*region);
    const cycle_t edges = clock.first_edge(to) - clock.first_edge(from);
    return edges == 0 ? clock.bounds().slowest.period()
                      : static_cast<double>(to - from) / static_cast<double>(edges);
}

void network_clocks::begin(const network_state& net, cycle_t ahead) {
    m_ahead = ahead;
    for (changing& c : m_changing) {
        const clock_region& region = *c.region;
        if (region.governor.type() == config::value::kind::null) continue;
        governed g{
            &c, level_governor_registry::instance().make(region.governor), {}, 0, 0, 0, region.interval};
        for (std::uint32_t r = 0; r < net.routers(); ++r) {
            if (net.map()->region(router_id(r)) != &region) continue;
            const router_terms& terms = net.table.terms(r);
            g.routers.push_back(r);
            for (std::uint32_t p = 0; p < net.ports(r); ++p) {
                if (net.table.depth_beyond[net.port_index(r, p)] == 0) continue;  // leads nowhere
                ++g.outputs;
                g.places += terms.vcs * terms.mean_depth();
            }
        }
        const std::string whose = "domain '" + region.name + "'";
        if (g.routers.empty())
            throw config::error(whose + " has a governor and no router, by whose load it could choose");
        const cycle_t least = running_clock::least_gap(region.limits) + ahead;
        if (region.interval < least)
            throw config::error(
                fmt::format("{}: 'interval' is {}; with these levels and links it must be {} or more", whose,
                            region.interval, least));
        m_governed.push_back(std::move(g));
    }
}

cycle_t network_clocks::next_choice(cycle_t t) const {
    cycle_t next = ~cycle_t{0};
    for (const governed& g : m_governed) next = std::min(next, std::max(g.next, t + 1));
    return next;
}

void network_clocks::choose(const network_state& net, governed& g, cycle_t ahead) {
    running_clock& clock = g.its->clock;
    const clock_region& region = *g.its->region;
    std::uint64_t sent = 0, held = 0;
    for (const std::uint32_t r : g.routers) {
        sent += flits_sent(net, r);
        held += flits_in(net, r);
    }
    const auto edges =
        static_cast<double>(clock.first_edge(g.next) - clock.first_edge(g.next - region.interval));
    const auto flits = static_cast<double>(static_cast<std::uint32_t>(sent - g.sent));
    const std::uint32_t now = clock.spans().back().level;
    domain_load load;
    load.now = g.next;
    load.level = now;
    load.levels = static_cast<std::uint32_t>(region.levels.size());
    load.occupancy = g.places > 0 ? static_cast<double>(held) / g.places : 0;
    load.utilisation = edges > 0 ? flits / (g.outputs * edges) : 0;
    const std::uint32_t level = g.policy->next_level(load);
    if (level >= load.levels)
        throw std::logic_error(
            fmt::format("governor of domain '{}' chose level {} of {}", region.name, level, load.levels));
    if (level != now) clock.change(g.next + ahead, region.levels[level].clock, level);
    g.sent = sent;
    g.next += region.interval;
}

void network_clocks::go_on(const network_state& net, cycle_t t) {
    for (governed& g : m_governed)
        while (g.next <= t) choose(net, g, m_ahead);
}

cycle_t network_clocks::next_change(cycle_t t) const {
    cycle_t next = ~cycle_t{0};
    for (const changing& c : m_changing) {
        const auto& spans = c.clock.spans();
        const auto first =
            std::upper_bound(spans.begin(), spans.end(), t,
                             [](cycle_t at, const running_clock::span& s) { return at < s.from; });
        if (first != spans.end()) next = std::min(next, first->from);
    }
    // A choice is made when its cycle is run.
    for (const governed& g : m_governed) next = std::min(next, std::max(g.next, t) + 1);
    return next;
}

}  // namespace sare
