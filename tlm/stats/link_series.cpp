// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/stats/utilisation.h"

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

const table_form series_form{
    file,
    {{"from", column::count, "", "Router that the link leaves; of an injection link the node."},
     {"from_port", column::count, "", "Port of it."},
     {"to", column::count, "", "Router that it leads to; of an ejection link the node."},
     {"to_port", column::count, "", "Port of it."},
     {"kind", column::text, "", "router, injection or ejection."},
     {"capacity", column::number, "flits/cycle", "What it can carry."}},
    {{"flits_to_1000", column::count, "flits",
      "That crossed it in an interval of the run, up to before that cycle; the first interval begins with "
      "cycle 0, each other one where the one before ends."}}};

/// Counts from cycle 0 on, whatever is measured. Intervals are of one length, which doubles when there are
/// too many; the last one is what remains of the run.
class link_series final : public statistic {
  public:
    link_series(const series_parameters& p, const counted_network& net)
        : m_net(net), m_congested(p.congested), m_most(p.intervals / 2 * 2), m_length(p.shortest) {
        m_before = counted();
    }

    cycle_t next_look() const override { return m_begin + m_length; }
    void look(cycle_t now) override {
        end_interval(now);
        if (m_ends.size() == m_most) join_pairs();
    }
    void stop(cycle_t now) override {
        if (now > m_begin) end_interval(now);
    }
    void serialize(archive& a) override { a(m_length, m_begin, m_before, m_ends, m_flits); }
    void add_up(world& all) override {
        for (std::vector<std::uint32_t>& interval : m_flits) {
            std::vector<std::uint64_t> sums(interval.begin(), interval.end());
            all.sum(sums.data(), sums.size());
            std::transform(sums.begin(), sums.end(), interval.begin(),
                           [](std::uint64_t n) { return static_cast<std::uint32_t>(n); });
        }
    }

    void report(const reading& r, run_result& out) const override {
        std::vector<std::string> more;
        for (const cycle_t end : m_ends) more.push_back("flits_to_" + std::to_string(end));
        table t(series_form, more);
        for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
            const link_result& l = out.link_loads[row];
            t.counts({l.from, l.from_port, l.to, l.to_port});
            t.cell(l.kind);
            t.cell(1 / cycles_of_flit(r, l));
            for (const std::vector<std::uint32_t>& interval : m_flits) t.cell(interval[row]);
            t.end_row();
        }
        out.tables.emplace_back(file, t.text());
    }

    double peak(const reading& r, std::size_t row) const {
        const double cycles = cycles_of_flit(r, r.out.link_loads[row]);
        double most = 0;
        for (std::size_t i = 0; i < whole_intervals(); ++i)
            most = std::max(most, utilisation(i, row, cycles));
        return most;
    }
    /// The first interval of two in a row in which the link carried as much as congested ones do.
    std::optional<std::size_t> congested_at(const reading& r, std::size_t row) const {
        const double cycles = cycles_of_flit(r, r.out.link_loads[row]);
        for (std::size_t i = 0; i + 1 < whole_intervals(); ++i)
            if (std::min(utilisation(i, row, cycles), utilisation(i + 1, row, cycles)) >= m_congested)
                return i;
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
            const double here = utilisation(*at, row, cycles_of_flit(r, r.out.link_loads[row]));
            if (first && *at == first->interval && here <= use) continue;
            first = {*at, row};
            use = here;
        }
        return first;
    }

  private:
    /// Of every link since the start, modulo 2^32, in the order of run_result::link_loads.
    std::vector<std::uint32_t> counted() const {
        const topology& map = *m_net.map();
        std::vector<std::uint32_t> all;
        all.reserve(m_before.size());
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; p < m_net.ports(r); ++p) {
                if (map.peer(router_id(r), port_id(p)).what == port_peer::kind::none) continue;
                std::uint32_t flits = 0;
                for (std::uint32_t v = 0; v < m_net.vcs(); ++v) flits += m_net.flits_sent(r, p, v);
                all.push_back(flits);
            }
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n)
            all.push_back(static_cast<std::uint32_t>(m_net.counts_of(n).injected_flits));
        return all;
    }
    void end_interval(cycle_t now) {
        std::vector<std::uint32_t> after = counted(), flits(after.size());
        for (std::size_t row = 0; row < after.size(); ++row) flits[row] = after[row] - m_before[row];
        m_before = std::move(after);
        m_flits.push_back(std::move(flits));
        m_ends.push_back(now);
        m_begin = now;
    }
    void join_pairs() {
        const std::size_t half = m_ends.size() / 2;
        for (std::size_t i = 0; i < half; ++i) {
            std::vector<std::uint32_t>&first = m_flits[2 * i], &second = m_flits[2 * i + 1];
            for (std::size_t row = 0; row < first.size(); ++row) first[row] += second[row];
            if (i != 0) m_flits[i] = std::move(first);
            m_ends[i] = m_ends[2 * i + 1];
        }
        m_flits.resize(half);
        m_ends.resize(half);
        m_length *= 2;
    }

    /// But for what remains of the run.
    std::size_t whole_intervals() const {
        const std::size_t all = m_ends.size();
        return all > 1 && m_ends[all - 1] - m_ends[all - 2] < m_length ? all - 1 : all;
    }
    double utilisation(std::size_t i, std::size_t row, double cycles_of_flit) const {
        return std::min(1.0, m_flits[i][row] * cycles_of_flit / static_cast<double>(m_ends[i] - begin_of(i)));
    }

    const counted_network& m_net;
    const double m_congested;
    const std::size_t m_most;                         ///< intervals, even
    cycle_t m_length;                                 ///< of an interval
    cycle_t m_begin = 0;                              ///< of the present one
    std::vector<std::uint32_t> m_before;              ///< counted() then
    std::vector<cycle_t> m_ends;                      ///< of those before
    std::vector<std::vector<std::uint32_t>> m_flits;  ///< of each, by link
};

const link_series& own(const reading& r) {
    return *static_cast<const link_series*>(r.own);
}

std::string name_of(const link_result& l) {
    const bool in = l.kind == "injection", out = l.kind == "ejection";
    return (in ? "node " : "router ") + std::to_string(l.from) + (out ? " to node " : " to router ") +
           std::to_string(l.to);
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
     {scope::run, "congestion.from_cycle", "cycles", "When a link was congested first; null: none was.",
      summing::as_is,
      [](const reading& r, const figure_place&) {
          const auto first = own(r).first_congested(r);
          return first ? figure_cell(std::uint64_t{own(r).begin_of(first->interval)})
                       : figure_cell(std::nan(""));
      }},
     {scope::run, "congestion.link", "", "The link that it was; of several the one with most utilisation.",
      summing::as_is,
      [](const reading& r, const figure_place&) {
          const auto first = own(r).first_congested(r);
          return figure_cell(first ? name_of(r.out.link_loads[first->row]) : std::string());
      }}},
    [](const series_parameters& p, const config::value& section, const statistic_context& c) {
        c.flit_level(name, section.where());
        return new link_series(p, c.counters);
    }};

}  // namespace
}  // namespace sare
