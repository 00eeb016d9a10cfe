// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/power_over_time.h"

#include "tlm/stats/results.h"

#include <algorithm>

namespace sare {
namespace {

class spreader {
  public:
    spreader(const power_blocks& blocks, const power_series& series, const level_times& times, double window)
        : m_blocks(blocks), m_series(series), m_times(times), m_window(window) {}

    /// Adds the energies of the levels of a block, by interval, to `to`: what flits cause by flits, that of
    /// the clock by its edges, leakage by cycles.
    void spread(std::size_t block, const std::vector<energy_by_cause>& levels,
                std::vector<attojoules>& to) const {
        const std::uint32_t domain = m_blocks.domain_of(block);
        const std::size_t last = m_series.size() - 1;
        for (std::uint32_t l = 0; l < levels.size(); ++l) {
            const bool changes = m_times.changes(domain);
            const level_times::span all = m_times.until(domain, l, last);
            const attojoules whole = changes ? attojoules{all.cycles} : attojoules(m_window);
            const attojoules edges = changes ? attojoules{all.edges} : whole;
            if (whole == 0) continue;
            const std::size_t column = block * levels.size() + l;
            attojoules flits = 0;
            for (std::size_t i = 0; i <= last; ++i) flits += m_series.flits(i)[column];
            const attojoules moved = levels[l].dynamic();
            const attojoules clock = edges != 0 ? levels[l].of(power_cause::clock) : 0;
            const attojoules rest = levels[l].total() - moved - clock;
            attojoules before = 0, sent = 0;
            for (std::size_t i = 0; i <= last; ++i) {
                const level_times::span here = m_times.until(domain, l, i);
                const attojoules passed = here.cycles;
                sent += m_series.flits(i)[column];
                attojoules until = (moved * (flits != 0 ? sent : passed)) / (flits != 0 ? flits : whole);
                until += rest * passed / whole;
                if (edges != 0) until += clock * here.edges / edges;
                to[i] += until - before;
                before = until;
            }
        }
    }

  private:
    const power_blocks& m_blocks;
    const power_series& m_series;
    const level_times& m_times;
    double m_window;
};

/// Energies of the blocks, by level, with the router that each is at.
struct block_energies {
    std::vector<std::vector<energy_by_cause>> of_level;
    std::vector<std::uint32_t> router;

    block_energies(const run_result& out, const energy_ledger& all, const power_blocks& blocks,
                   std::size_t routers)
        : of_level(blocks.size(), std::vector<energy_by_cause>(blocks.levels())), router(blocks.size()) {
        const auto add = [&](std::size_t block, const energies_of_blocks& from, std::size_t k) {
            for (std::uint32_t l = 0; l < blocks.levels(); ++l) of_level[block][l] += from.at(k, l);
        };
        for (std::uint32_t r = 0; r < routers; ++r) {
            add(r, all.by_router, r);
            router[r] = r;
        }
        for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
            const link_result& l = out.link_loads[row];
            add(l.kind != "injection"  ? l.from
                : blocks.has_domains() ? blocks.of_node(l.from)
                                       : l.to,
                all.by_link, row);
        }
        for (const node_result& n : out.node_loads) {
            const std::size_t block = blocks.has_domains() ? blocks.of_node(n.node) : n.router;
            add(block, all.by_node, n.node);
            router[block] = n.router;
        }
    }
};

}  // namespace

power_over_time::power_over_time(const reading& from, const energy_ledger& all, const power_blocks& blocks,
                                 const power_series& series, const level_times& times, double hertz)
    : network(series.size()),
      of_domain(blocks.domains().size(), std::vector<attojoules>(series.size())),
      domains(blocks.domains().size()),
      peak_of_router(from.map.routers()) {
    if (series.size() == 0) return;
    const block_energies energies(from.out, all, blocks, peak_of_router.size());
    const spreader how(blocks, series, times, from.window);
    const auto seconds = [&](std::size_t i) {
        return static_cast<double>(series.end(i) - series.begin(i)) / hertz;
    };
    // A short one at the end says little of power.
    const auto is_whole = [&](std::size_t i) {
        return i == 0 || series.end(i) - series.begin(i) >= series.end(0) - series.begin(0);
    };
    std::vector<std::vector<std::size_t>> at(peak_of_router.size());  // blocks, by router
    for (std::size_t b = 0; b < blocks.size(); ++b) at[energies.router[b]].push_back(b);
    std::vector<attojoules> here;
    for (std::size_t r = 0; r < at.size(); ++r) {
        std::vector<attojoules> of_router(series.size());
        for (const std::size_t b : at[r]) {
            here.assign(series.size(), 0);
            how.spread(b, energies.of_level[b], here);
            const std::uint32_t d = blocks.domain_of(b);
            for (std::size_t i = 0; i < here.size(); ++i) {
                of_router[i] += here[i];
                of_domain[d][i] += here[i];
                network[i] += here[i];
            }
            for (const energy_by_cause& e : energies.of_level[b]) domains[d] += e;
        }
        for (std::size_t i = 0; i < of_router.size(); ++i)
            if (is_whole(i))
                peak_of_router[r] = std::max(peak_of_router[r], to_joules(of_router[i]) / seconds(i));
    }
    for (std::size_t i = 0; i < network.size(); ++i) {
        const double power = to_joules(network[i]) / seconds(i);
        if (!is_whole(i) || power <= peak) continue;
        peak = power;
        peak_at = i;
    }
}

}  // namespace sare
