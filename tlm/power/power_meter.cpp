// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/power_meter.h"

#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router_api/router_context.h"
#include "tlm/stats/results.h"

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

}  // namespace

power_meter::power_meter(const power_params& p, const config::location& at, const statistic_context& c)
    : m_params(p),
      m_net(c.flit_level("power", at)),
      m_design(
          m_params, at, *m_net.view().map(),
          [this](std::uint32_t r) -> const router_model& { return m_net.view().model(r); }, c.flit_bits),
      m_hertz(m_design.hertz(m_net.port().cycle_seconds())),
      m_series(p.interval, p.intervals),
      m_switches(m_net.view(), p.exact) {}

std::vector<std::uint32_t> power_meter::flits_now() const {
    const network_view& net = m_net.view();
    std::vector<std::uint32_t> all(net.routers());
    for (std::uint32_t r = 0; r < all.size(); ++r)
        if (net.has_router(r)) all[r] = net.flits_sent(r);
    return all;
}

void power_meter::note_sleep(cycle_t now, double sign) {
    std::size_t row = 0;
    for_each_link(*m_net.view().map(), [&](const link_end& from, const link_end&) {
        const link_sleep* const link = m_net.view().sleeper_of(from);
        if (link != nullptr) m_asleep[row] += sign * static_cast<double>(link->cycles_asleep(now));
        ++row;
    });
}

void power_meter::start(cycle_t now) {
    m_series.start(now, flits_now());
    m_switches.start(now);
    m_asleep.assign(m_design.lengths().size(), 0);
    note_sleep(now, -1);
}

void power_meter::look(cycle_t now) {
    m_switches.look(now);
    if (m_series.next() <= now) m_series.end_interval(now, flits_now());
}

void power_meter::stop(cycle_t now) {
    if (!m_series.runs()) return;
    m_series.end_interval(now, flits_now());
    m_series.stop();
    m_switches.stop();
    note_sleep(now, 1);
}

void power_meter::serialize(archive& a) {
    m_series.serialize(a);
    m_switches.serialize(a);
    a(m_asleep);
}

void power_meter::add_up(world& all) {
    m_series.add_up(all);
    m_switches.add_up(all);
    std::vector<std::uint64_t> cycles(m_asleep.begin(), m_asleep.end());
    all.sum(cycles.data(), cycles.size());
    m_asleep.assign(cycles.begin(), cycles.end());
}

const power_meter::spending& power_meter::spent(const reading& from) const {
    if (m_spent) return *m_spent;
    const class_vcs& shares = m_net.context().shares();
    m_spent = spending{ledger(from, shares, m_switches),
                       from.window / m_hertz,
                       m_hertz,
                       {},
                       {},
                       0,
                       0,
                       error_of(from, shares)};
    spread_over_time(from, *m_spent);
    return *m_spent;
}

energy_ledger power_meter::ledger(const reading& from, const class_vcs& shares,
                                  const switch_samples& samples) const {
    const network_activity did(from, &shares, samples);
    return find_energy({m_design, from.map, did, from.out, from.window, m_hertz, m_asleep});
}

/// Finds spending::error by the energies without each group of samples (jackknife: B. Efron, The Jackknife,
/// the Bootstrap and Other Resampling Plans, 1982).
double power_meter::error_of(const reading& from, const class_vcs& shares) const {
    if (m_switches.exact()) return 0;
    if (m_switches.of_a_flit(switch_samples::flits) < 0) return std::nan("");
    constexpr auto groups = switch_samples::groups;
    std::array<double, groups> without{};
    double mean = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
        without[g] = to_joules(ledger(from, shares, m_switches.without(g)).total().dynamic());
        mean += without[g] / groups;
    }
    double squares = 0;
    for (const double e : without) squares += (e - mean) * (e - mean);
    return mean > 0 ? std::sqrt(squares * (groups - 1) / groups) / mean : 0;
}

/// Spreads the energies over the intervals, which add up to the whole: the dynamic energy of a router, its
/// outgoing links and its nodes by the flits that it sends, clock and leakage by time.
void power_meter::spread_over_time(const reading& from, spending& s) const {
    const run_result& out = from.out;
    std::vector<energy_by_cause> of_router = s.energy.by_router;
    for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
        const link_result& l = out.link_loads[row];
        of_router[l.kind == "injection" ? l.to : l.from] += s.energy.by_link[row];
    }
    for (const node_result& n : out.node_loads) of_router[n.router] += s.energy.by_node[n.node];
    // A short one at the end says little of power.
    const auto is_whole = [this](std::size_t i) {
        return i == 0 || m_series.end(i) - m_series.begin(i) >= m_series.end(0) - m_series.begin(0);
    };
    s.over_time.assign(m_series.size(), 0);
    s.peak_of_router.assign(of_router.size(), 0);
    const auto window = static_cast<attojoules>(from.window);
    for (std::size_t r = 0; r < of_router.size(); ++r) {
        attojoules flits = 0;
        for (std::size_t i = 0; i < m_series.size(); ++i) flits += m_series.flits(i)[r];
        const attojoules moved = of_router[r].dynamic(), rest = of_router[r].total() - moved;
        attojoules before = 0, sent = 0;
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            const attojoules passed = m_series.end(i) - m_series.begin(0);
            sent += m_series.flits(i)[r];
            const attojoules until =
                (flits != 0 ? moved * sent / flits : moved * passed / window) + rest * passed / window;
            const attojoules here = until - before;
            before = until;
            s.over_time[i] += here;
            const double seconds = static_cast<double>(m_series.end(i) - m_series.begin(i)) / s.hertz;
            if (is_whole(i)) s.peak_of_router[r] = std::max(s.peak_of_router[r], to_joules(here) / seconds);
        }
    }
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const double seconds = static_cast<double>(m_series.end(i) - m_series.begin(i)) / s.hertz;
        const double power = to_joules(s.over_time[i]) / seconds;
        if (!is_whole(i) || power <= s.peak) continue;
        s.peak = power;
        s.peak_at = i;
    }
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
        series.row(m_series.begin(i), m_series.end(i), to_pj(s.over_time[i]),
                   1e3 * to_joules(s.over_time[i]) * s.hertz /
                       static_cast<double>(m_series.end(i) - m_series.begin(i)));
    out.tables.emplace_back("power_over_time.csv", series.text());
}

}  // namespace sare
