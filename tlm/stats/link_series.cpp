// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/stats/utilisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

/// Links over time: the flits of every link, interval by interval, and where congestion began.
namespace sare {
namespace {

constexpr const char* name = "link_series";
constexpr const char* file = "links_over_time.csv";

struct series_parameters {
    std::uint32_t intervals = 100;
    cycle_t shortest = 100;
    double congested = 0.95;
};

const table_form series_form{file, link_columns() + R"(
    capacity: number in flits/cycle. What it can carry.
)",
                             R"(
    flits_to_1000: count in flits. That crossed it in an interval of the run, up to before that cycle; the
        first interval begins with cycle 0, each other one where the one before ends.
    waits_to_1000: count in cycles. That flits waited at its end in the same interval, by all their causes
        and VCs; where the statistic stalls is taken, in the measured window; of a node's end empty.
)"};

/// Counts from cycle 0 on, whatever is measured. Intervals are of one length, which doubles when there are
/// too many; the last one is what remains of the run.
class link_series final : public statistic {
  public:
    link_series(const series_parameters& p, const statistic_context& c)
        : m_net(c.counters),
          m_others(*c.others),
          m_congested(p.congested),
          m_most(p.intervals / 2 * 2),
          m_length(p.shortest) {
        find_links();
        m_before = {flits_now(), {}};
    }

    cycle_t next_look() const override { return m_begin + m_length; }
    void look(cycle_t now) override {
        end_interval(now);
        if (m_ends.size() == m_most) join_pairs();
    }
    void stop(cycle_t now) override {
        if (now > m_begin) end_interval(now);
    }
    void start(cycle_t now) override { m_window = now; }
    void serialize(archive& a) override {
        a(m_length, m_begin, m_window, m_before.flits, m_before.waits, m_ends);
        m_intervals.resize(m_ends.size());
        for (counted& one : m_intervals) a(one.flits, one.waits);
    }
    void add_up(world& all) override {
        for (counted& one : m_intervals) {
            std::vector<std::uint64_t> sums(one.flits.begin(), one.flits.end());
            all.sum(sums.data(), sums.size());
            std::transform(sums.begin(), sums.end(), one.flits.begin(),
                           [](std::uint64_t n) { return static_cast<std::uint32_t>(n); });
            all.sum(one.waits.data(), one.waits.size());
        }
    }

    void report(const reading& r, run_result& out) const override {
        const bool waits = !m_before.waits.empty();
        std::vector<std::string> more;
        for (const cycle_t end : m_ends) more.push_back(fmt::format("flits_to_{}", end));
        for (const cycle_t end : m_ends)
            if (waits) more.push_back(fmt::format("waits_to_{}", end));
        table t(series_form, more);
        for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
            const link_result& l = out.link_loads[row];
            t.counts({l.from, l.from_port, l.to, l.to_port});
            t.cell(l.kind);
            t.cell(1 / time_of_flit(r, l, out.measured_from, out.measured_to).cycles);
            for (const counted& one : m_intervals) t.cell(one.flits[row]);
            for (std::size_t i = 0; waits && i < m_ends.size(); ++i)
                m_ends[i] <= m_window || m_end[row] == at_node ? t.no_cell()
                                                               : t.cell(m_intervals[i].waits[row]);
            t.end_row();
        }
        out.tables.emplace_back(file, t.text());
    }

    double peak(const reading& r, std::size_t row) const {
        double most = 0;
        for (std::size_t i = 0; i < whole_intervals(); ++i) most = std::max(most, utilisation(r, i, row));
        return most;
    }
    /// The first interval of two in a row in which the link carried as much as congested ones do.
    std::optional<std::size_t> congested_at(const reading& r, std::size_t row) const {
        for (std::size_t i = 0; i + 1 < whole_intervals(); ++i)
            if (std::min(utilisation(r, i, row), utilisation(r, i + 1, row)) >= m_congested) return i;
        return std::nullopt;
    }
    cycle_t begin_of(std::size_t i) const { return i == 0 ? 0 : m_ends[i - 1]; }

    struct onset {
        std::size_t interval, row;
    };
    /// Where that was first; of several links the one with most utilisation then.
    std::optional<onset> first_congested(const reading& r) const {
        std::optional<onset> first;
        double use = 0;
        for (std::size_t row = 0; row < r.out.link_loads.size(); ++row) {
            const auto at = congested_at(r, row);
            if (!at || (first && *at > first->interval)) continue;
            const double here = utilisation(r, *at, row);
            if (first && *at == first->interval && here <= use) continue;
            first = {*at, row};
            use = here;
        }
        return first;
    }

  private:
    /// By link, in the order of run_result::link_loads: flits that crossed it, modulo 2^32, and cycles that
    /// flits waited at its end; the latter empty where nobody counts them.
    struct counted {
        std::vector<std::uint32_t> flits;
        std::vector<std::uint64_t> waits;
    };
    static constexpr std::uint32_t at_node = ~std::uint32_t{0};

    template <class F>
    void for_each_output(F&& f) const {
        const topology& map = *m_net.map();
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
                if (const port_peer to = map.peer(router_id(r), port_id(p)); to.what != port_peer::kind::none)
                    f(r, p, to);
    }
    void find_links() {
        const topology& map = *m_net.map();
        std::vector<std::uint32_t> first;  // input port of each router
        std::uint32_t ports = 0;
        for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
            first.push_back(ports);
            ports += m_net.ports(r);
        }
        for_each_output([&](std::uint32_t, std::uint32_t, const port_peer& to) {
            m_end.push_back(to.what == port_peer::kind::node ? at_node : first[to.id] + to.port);
        });
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            m_end.push_back(first[map.router_of(node_id(n)).value] + map.port_of(node_id(n)).value);
    }
    std::vector<std::uint32_t> flits_now() const {
        std::vector<std::uint32_t> all;
        all.reserve(m_end.size());
        for_each_output([&](std::uint32_t r, std::uint32_t p, const port_peer&) {
            std::uint32_t flits = 0;
            for (std::uint32_t v = 0; v < m_net.vcs(); ++v) flits += m_net.flits_sent(r, p, v);
            all.push_back(flits);
        });
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            all.push_back(static_cast<std::uint32_t>(m_net.counts_of(n).injected_flits));
        return all;
    }
    std::vector<std::uint64_t> waits_now(cycle_t now) const {
        const std::vector<std::uint64_t> ports = m_others.waits(now);
        if (ports.empty()) return {};
        std::vector<std::uint64_t> all;
        for (const std::uint32_t end : m_end) all.push_back(end == at_node ? 0 : ports[end]);
        return all;
    }
    void end_interval(cycle_t now) {
        counted after{flits_now(), waits_now(now)}, here = after;
        for (std::size_t row = 0; row < here.flits.size(); ++row) here.flits[row] -= m_before.flits[row];
        for (std::size_t row = 0; row < m_before.waits.size(); ++row) here.waits[row] -= m_before.waits[row];
        m_before = std::move(after);
        m_intervals.push_back(std::move(here));
        m_ends.push_back(now);
        m_begin = now;
    }
    void join_pairs() {
        const std::size_t half = m_ends.size() / 2;
        for (std::size_t i = 0; i < half; ++i) {
            counted &first = m_intervals[2 * i], &second = m_intervals[2 * i + 1];
            for (std::size_t row = 0; row < first.flits.size(); ++row) first.flits[row] += second.flits[row];
            for (std::size_t row = 0; row < first.waits.size(); ++row) first.waits[row] += second.waits[row];
            if (i != 0) m_intervals[i] = std::move(first);
            m_ends[i] = m_ends[2 * i + 1];
        }
        m_intervals.resize(half);
        m_ends.resize(half);
        m_length *= 2;
    }

    /// But for what remains of the run.
    std::size_t whole_intervals() const {
        const std::size_t all = m_ends.size();
        return all > 1 && m_ends[all - 1] - m_ends[all - 2] < m_length ? all - 1 : all;
    }
    double utilisation(const reading& r, std::size_t i, std::size_t row) const {
        const cycle_t begin = begin_of(i), end = m_ends[i];
        return std::min(1.0, m_intervals[i].flits[row] *
                                 time_of_flit(r, r.out.link_loads[row], begin, end).cycles /
                                 static_cast<double>(end - begin));
    }

    const counted_network& m_net;
    const statistic_set& m_others;
    const double m_congested;
    const std::size_t m_most;          ///< intervals, even
    std::vector<std::uint32_t> m_end;  ///< by link: the input port where it ends, counted through all routers
    cycle_t m_length;                  ///< of an interval
    cycle_t m_begin = 0;               ///< of the present one
    cycle_t m_window = 0;              ///< when the measured window began
    counted m_before;                  ///< what there was when the present interval began
    std::vector<cycle_t> m_ends;       ///< of the intervals that are over
    std::vector<counted> m_intervals;
};

const link_series& own(const reading& r) {
    return *static_cast<const link_series*>(r.own);
}

const statistic_declaration series_declared{
    name,
    "Flits of every link over the time of the run: links_over_time.csv, and a map that plays.",
    config::schema<series_parameters>()
        .number("intervals", &series_parameters::intervals, 2, 10000, "",
                "that are kept at most; when there are more, neighbours become one")
        .number("shortest", &series_parameters::shortest, 1, 1e9, "cycles", "of an interval at the beginning")
        .number("congested", &series_parameters::congested, 0.01, 1, "",
                "utilisation of a link, in two intervals in a row, from which on it counts as congested"),
    {{scope::link, "peak_utilisation", "", "The largest utilisation in an interval of the run.",
      summing::as_is,
      [](const reading& r, const figure_place& p) { return figure_cell(own(r).peak(r, p.row)); }},
     {scope::link, "congested_from", "cycles",
      "First cycle of the first two intervals in a row with the utilisation of a congested link; empty: "
      "none.",
      summing::as_is,
      [](const reading& r, const figure_place& p) {
          const auto at = own(r).congested_at(r, p.row);
          return figure_cell(at ? static_cast<double>(own(r).begin_of(*at)) : std::nan(""));
      }},
     {scope::run, "congestion_onset.cycle", "cycles", "When a link was congested first; null: none was.",
      summing::as_is,
      [](const reading& r, const figure_place&) {
          const auto first = own(r).first_congested(r);
          return first ? figure_cell(std::uint64_t{own(r).begin_of(first->interval)})
                       : figure_cell(std::nan(""));
      }},
     {scope::run, "congestion_onset.link", "",
      "The link that it was; of several the one with most utilisation.", summing::as_is,
      [](const reading& r, const figure_place&) {
          const auto first = own(r).first_congested(r);
          return figure_cell(first ? r.out.text_of(r.out.link_loads[first->row]) : std::string());
      }}},
    [](const series_parameters& p, const config::value& section, const statistic_context& c) {
        c.flit_level(name, section.where());
        return new link_series(p, c);
    }};

}  // namespace
}  // namespace sare
