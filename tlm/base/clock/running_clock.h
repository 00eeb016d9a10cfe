// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock_ratio.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sare {

class archive;

/// Clock of a block (router or NIC) in cycles of the network: with one period, or with periods that change at
/// given network cycles, where the clock may stand still for a while. Edges are counted from 0; a network
/// cycle has at most one edge, and edge k lies in a cycle as for clock_ratio.
class running_clock {
  public:
    /// Shortest and longest period that a clock may take, and time for which it stands still at a change.
    struct limits {
        clock_ratio fastest, slowest;  ///< shortest period; longest period
        std::uint32_t stop = 0;        ///< network cycles without an edge at a change
    };
    /// Least number of network cycles between two changes of a clock with limits `l`, so that it stands still
    /// for at most a quarter of the time.
    static cycle_t least_gap(const limits& l) { return 4 * (cycle_t{l.stop} + l.slowest.cycles_of(1)); }

    /// Makes a clock that never changes.
    explicit running_clock(const clock_ratio& ratio)
        : m_limits{ratio, ratio, 0}, m_spans{{0, 0, 0, ratio, 0}} {}
    /// Makes a clock with period `ratio` and level 0, for which change() may be called. That `ratio` and
    /// later periods are within the limits `l` is not checked.
    running_clock(const clock_ratio& ratio, const limits& l)
        : m_limits(l), m_changes(true), m_spans{{0, 0, 0, ratio, 0}} {}
    /// Returns the clock of every network, with an edge in each cycle.
    static const running_clock& of_network();

    const clock_ratio& first_ratio() const { return m_spans[0].ratio; }  ///< period at the start of the run
    /// True if the clock was made with limits, so that change() may be called.
    bool changes() const { return m_changes; }
    const limits& bounds() const { return m_limits; }  ///< limits of its periods
    /// Changes the period to `ratio` at the first edge that is not before network cycle `t`. The clock stands
    /// still for bounds().stop cycles from the beginning of a cycle on, the first one not before that edge;
    /// then it has the edge and goes on with `ratio`. Without a new period and a stop, edges go on as they
    /// were. `level`: the caller's number of the new period, which level_at() returns. Calls must be in
    /// ascending order of `t`, least_gap() apart; this is not checked.
    void change(cycle_t t, const clock_ratio& ratio, std::uint32_t level);

    /// Functions as in clock_ratio, by all changes that are known so far; `t`: network cycle, `k`: edge.
    /// @{
    cycle_t cycle_of(cycle_t k) const {
        const span& s = m_spans.size() == 1 ? m_spans[0] : span_of_edge(k);
        return s.begin + s.ratio.cycle_of(k - s.edge);
    }
    cycle_t first_edge(cycle_t t) const {
        return m_spans.size() == 1 ? m_spans[0].ratio.first_edge(t) : first_edge_changing(t);
    }
    cycle_t last_edge(cycle_t t) const { return first_edge(t + 1) - 1; }
    bool has_edge(cycle_t t) const {
        return m_spans.size() == 1 ? m_spans[0].ratio.has_edge(t) : cycle_of(first_edge(t)) == t;
    }
    /// @}
    /// Returns the number of this clock's first edge that does not come before edge `k` of the clock `other`.
    cycle_t first_edge(const running_clock& other, cycle_t k) const;
    /// Returns an upper bound of the network cycles that `n` periods in a row take, stops included.
    cycle_t most_cycles_of(cycle_t n) const;
    /// Returns an upper bound of the number of edges in `n` network cycles in a row.
    cycle_t most_edges_in(cycle_t n) const { return m_limits.fastest.first_edge(n) + 1; }

    /// Time in which the clock has one level and period.
    struct span {
        cycle_t from;   ///< first network cycle; the clock stands still from it to `begin`, if that is later
        cycle_t begin;  ///< network cycle of an edge, the first one unless it is before `from`
        cycle_t edge;   ///< number of the edge in cycle `begin`
        clock_ratio ratio;    ///< period
        std::uint32_t level;  ///< level, as given to change()
    };
    /// Spans in the order of time, future spans that are known included; each lasts until the next one.
    const std::vector<span>& spans() const { return m_spans; }
    /// Returns the level that the clock has in network cycle `t`.
    std::uint32_t level_at(cycle_t t) const { return span_at(t).level; }
    /// Returns the periods as text, changes included: "2", or "2, from cycle 1000 3/2".
    std::string text() const;
    /// Returns the cycles of [from, to) in which the clock stands still at a change: intervals [first, end)
    /// in the order of time.
    std::vector<std::pair<cycle_t, cycle_t>> stops(cycle_t from, cycle_t to) const;
    cycle_t cycles_stopped(cycle_t from, cycle_t to) const;  ///< number of cycles in stops()
    /// Writes the spans to a checkpoint, or reads them.
    void serialize(archive& a);

  private:
    const span& span_at(cycle_t t) const;       ///< span that holds in network cycle `t`
    const span& span_of_edge(cycle_t k) const;  ///< span of edge `k`
    cycle_t end_of(const span& s) const;
    cycle_t first_edge_changing(cycle_t t) const;

    limits m_limits;  ///< result of bounds()
    bool m_changes = false;
    std::vector<span> m_spans;  ///< never empty
};

}  // namespace sare
