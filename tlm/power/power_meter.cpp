// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/power_meter.h"

#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/parts/network_clocks.h"
#include "tlm/router_api/router_context.h"
#include "tlm/stats/results.h"
#include "tlm/topology/region/clock_region.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sare {
namespace {

const table_form power_form{"power.csv", R"(
    component: text. Of routers, or all links, NICs or bridges.
    energy: number in pJ. In the measured window.
    data: number in pJ. Of that: of bits that toggle.
    events: number in pJ. Of that: of flits and packets, whatever their bits are.
    clock: number in pJ. Of that: of the clock.
    leakage: number in pJ. Of that: of leakage.
    power: number in mW. Mean over the window.
)"};

const table_form over_time_form{"power_over_time.csv", R"(
    begin: count in cycles. First cycle of the interval.
    end: count in cycles. Behind its last one.
    energy: number in pJ. Spent in it; routers spend dynamic energy as they send flits.
    power: number in mW. Mean over it.
)"};

const table_form domain_form{"domain_power.csv", R"(
    domain: text. Key of the section 'domains'; "network": all that is in none.
    energy: number in pJ. Of its routers, its NICs and the links that they write, in the measured window.
    dynamic: number in pJ. Of that: of flits, packets and bits that toggle.
    clock: number in pJ. Of that: of clocks.
    leakage: number in pJ. Of that: of leakage.
    power: number in mW. Mean over the window.
    energy_delay: number in J s. Energy times the length of the window.
)"};

const table_form domain_series_form{"domain_power_over_time.csv", R"(
    domain: text. Key of the section 'domains'; "network": all that is in none.
    begin: count in cycles. First cycle of the interval.
    end: count in cycles. Behind its last one.
    frequency: number in MHz. Mean frequency of its clock, where it does not stop.
    voltage: number in V. Mean of its supply.
    energy: number in pJ. Spent in it.
    power: number in mW. Mean over it.
)"};

}  // namespace

power_meter::power_meter(const power_params& p, const config::location& at, const statistic_context& c)
    : m_params(p),
      m_net(c.flit_level("power", at)),
      m_design(
          m_params, at, *m_net.view().map(),
          [this](std::uint32_t r) -> const router_model& { return m_net.view().model(r); }, c.flit_bits),
      m_hertz(m_design.hertz(m_net.port().cycle_seconds())),
      m_blocks(*m_net.view().map()),
      m_series(p.interval, p.intervals),
      m_switches(m_net.view(), p.exact) {}

/// Returns the flits by block and level since the start, before cycle `now`. Levels are those of the cycle
/// before: they have not changed since the last call.
std::vector<std::uint32_t> power_meter::flits_before(cycle_t now) {
    const network_view& net = m_net.view();
    std::vector<std::uint32_t> all = m_blocks.flits(net);
    const std::uint32_t levels = m_blocks.levels();
    if (levels == 1) return all;
    m_last.resize(all.size());
    m_at_level.resize(all.size() * levels);
    std::vector<std::uint32_t> level;
    for (std::uint32_t d = 0; d < m_blocks.domains().size(); ++d)
        level.push_back(now == 0 ? 0 : m_blocks.level_at(m_net.view().clocks(), d, now - 1));
    for (std::size_t b = 0; b < all.size(); ++b)
        m_at_level[b * levels + level[m_blocks.domain_of(b)]] += all[b] - m_last[b];
    m_last = std::move(all);
    m_next_level = m_net.view().clocks().next_change(now);
    return m_at_level;
}

void power_meter::note_sleep(cycle_t now, double sign) {
    std::size_t row = 0;
    for_each_link(*m_net.view().map(), [&](const link_end& from, const link_end&) {
        const link_sleep* const link = m_net.view().sleeper_of(from);
        if (link != nullptr) m_asleep[row] += sign * static_cast<double>(link->cycles_asleep(now));
        ++row;
    });
    for (const auto& [r, gate] : m_net.view().gates()) {
        m_gates[r].off += sign * static_cast<double>(gate.cycles_asleep(now));
        m_gates[r].wakings += sign * static_cast<double>(gate.wakings());
    }
}

void power_meter::start(cycle_t now) {
    m_series.start(now, flits_before(now));
    m_switches.start(now);
    m_asleep.assign(m_design.lengths().size(), 0);
    m_gates.assign(m_net.view().gates().empty() ? 0 : m_net.view().routers(), {});
    note_sleep(now, -1);
}

void power_meter::look(cycle_t now) {
    m_switches.look(now);
    if (m_series.next() <= now)
        m_series.end_interval(now, flits_before(now));
    else if (m_next_level <= now)
        flits_before(now);
}

void power_meter::stop(cycle_t now) {
    if (!m_series.runs()) return;
    m_series.end_interval(now, flits_before(now));
    m_series.stop();
    m_next_level = workload::never;
    m_switches.stop();
    note_sleep(now, 1);
}

void power_meter::serialize(archive& a) {
    m_series.serialize(a);
    m_switches.serialize(a);
    a(m_asleep, m_gates, m_last, m_at_level, m_next_level);
}

void power_meter::add_up(world& all) {
    m_series.add_up(all);
    m_switches.add_up(all);
    std::vector<std::uint64_t> cycles(m_asleep.begin(), m_asleep.end());
    all.sum(cycles.data(), cycles.size());
    m_asleep.assign(cycles.begin(), cycles.end());
}

level_times power_meter::times_of(const reading& from) const {
    return {from.map, m_net.view().clocks(), m_blocks, m_series, from.window};
}

const power_meter::spending& power_meter::spent(const reading& from) const {
    if (m_spent) return *m_spent;
    const level_times times = times_of(from);
    energy_ledger all = ledger(from, m_switches, times);
    power_over_time over_time(from, all, m_blocks, m_series, times, m_hertz);
    m_spent =
        spending{std::move(all), from.window / m_hertz, m_hertz, std::move(over_time), error_of(from, times)};
    return *m_spent;
}

energy_ledger power_meter::ledger(const reading& from, const switch_samples& samples,
                                  const level_times& times) const {
    const network_activity did(from, &m_net.context().shares(), samples, times);
    return find_energy({m_design, did, from.out, m_hertz, m_params.gating, m_gates, m_asleep, times});
}

/// Finds spending::error by the energies without each group of samples (jackknife: B. Efron, The Jackknife,
/// the Bootstrap and Other Resampling Plans, 1982).
double power_meter::error_of(const reading& from, const level_times& times) const {
    if (m_switches.exact()) return 0;
    if (m_switches.of_a_flit(switch_samples::flits) < 0) return std::nan("");
    constexpr auto groups = switch_samples::groups;
    std::array<double, groups> without{};
    double mean = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
        without[g] = to_joules(ledger(from, m_switches.without(g), times).total().dynamic());
        mean += without[g] / groups;
    }
    double squares = 0;
    for (const double e : without) squares += (e - mean) * (e - mean);
    return mean > 0 ? std::sqrt(squares * (groups - 1) / groups) / mean : 0;
}

void power_meter::report(const reading& from, run_result& out) const {
    if (out.link_loads.empty() || from.window <= 0) return;
    const spending& s = spent(from);
    table parts(power_form);
    for (std::size_t k = 0; k < power_components.size(); ++k) {
        const energy_by_cause& e = s.energy.by_component[k];
        parts.row(power_components[k], to_pj(e.total()), to_pj(e.of(power_cause::data)),
                  to_pj(e.of(power_cause::events)), to_pj(e.of(power_cause::clock)),
                  to_pj(e.of(power_cause::leakage)), 1e3 * to_joules(e.total()) / s.seconds);
    }
    out.tables.emplace_back("power.csv", parts.text());
    table series(over_time_form);
    for (std::size_t i = 0; i < m_series.size(); ++i)
        series.row(m_series.begin(i), m_series.end(i), to_pj(s.over_time.network[i]),
                   1e3 * to_joules(s.over_time.network[i]) * s.hertz /
                       static_cast<double>(m_series.end(i) - m_series.begin(i)));
    out.tables.emplace_back("power_over_time.csv", series.text());
    if (m_blocks.has_domains()) report_domains(from, times_of(from), out);
}

/// Adds the tables of domains.
void power_meter::report_domains(const reading& from, const level_times& times, run_result& out) const {
    const spending& s = spent(from);
    table whole(domain_form), series(domain_series_form);
    for (std::uint32_t d = 0; d < m_blocks.domains().size(); ++d) {
        const clock_region* const region = m_blocks.domains()[d];
        const std::string name = region == nullptr ? "network" : region->name;
        const energy_by_cause& e = s.over_time.domains[d];
        const double joules = to_joules(e.total());
        whole.row(name, to_pj(e.total()), to_pj(e.dynamic()), to_pj(e.of(power_cause::clock)),
                  to_pj(e.of(power_cause::leakage)), 1e3 * joules / s.seconds, joules * s.seconds);
        std::vector<cycle_t> before(m_blocks.levels());
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            const auto cycles = static_cast<double>(m_series.end(i) - m_series.begin(i));
            double volts = 0, hertz = 0;
            for (std::uint32_t l = 0; l < m_blocks.levels(); ++l) {
                const cycle_t until = times.until(d, l, i).cycles;
                const double share = static_cast<double>(until - before[l]) / cycles;
                before[l] = until;
                volts += share * m_design.volts(region, l);
                if (region == nullptr || l < region->levels.size())
                    hertz += share * s.hertz / (region == nullptr ? 1 : region->levels[l].clock.period());
            }
            series.row(name, m_series.begin(i), m_series.end(i), 1e-6 * std::round(hertz), volts,
                       to_pj(s.over_time.of_domain[d][i]),
                       1e3 * to_joules(s.over_time.of_domain[d][i]) * s.hertz / cycles);
        }
    }
    out.tables.emplace_back(domain_form.file(), whole.text());
    out.tables.emplace_back(domain_series_form.file(), series.text());
}

}  // namespace sare
