// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/saturation_tree.h"

#include "tlm/inside/wait_samples.h"
#include "tlm/network/results/demand.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sare {
namespace {

constexpr double busy_from = 0.93;  ///< utilisation

/// Each link that is held up leads to one that holds it up, so that all of them make trees, whose roots are
/// held up by nothing; or by a circle of links, of which the one with most utilisation counts as the root.
class congestion_trees {
  public:
    congestion_trees(const wait_samples& samples, const topology& map, run_result& out)
        : m_samples(samples), m_map(map), m_out(out), m_row_of(samples.links(), none) {
        for (std::size_t row = 0; row < out.link_loads.size(); ++row) m_row_of[number_of(row)] = row;
        m_use = out.column_of(scope::link, "utilisation");
    }

    void find() {
        m_next.assign(m_samples.links(), none);
        for (std::uint32_t l = 0; l < m_samples.links(); ++l)
            if (is_blocked(l)) m_next[l] = held_up_by(l);
        break_circles();
        std::vector<std::vector<std::size_t>> held(m_samples.links());
        for (std::uint32_t l = 0; l < m_samples.links(); ++l)
            if (m_next[l] != none) held[m_next[l]].push_back(l);
        for (std::uint32_t l = 0; l < m_samples.links(); ++l)
            if (m_next[l] == none && is_root(l, !held[l].empty())) add_tree(l, held);
    }

    bool any() const { return !m_trees.empty(); }
    /// What is offered to each link, by number; or nothing.
    void set_offered(const std::vector<double>& offered) {
        if (offered.empty()) return;
        for (tree& t : m_trees) t.root.offered = offered[t.number];
    }
    /// The worst first: that holds up most of the sources that grow, then most links. Behind them sources
    /// alone, whose queues are in routers that do not show what these wait for.
    void give_trees() {
        std::stable_sort(m_trees.begin(), m_trees.end(), [this](const tree& a, const tree& b) {
            const bool a_alone = is_source_alone(a), b_alone = is_source_alone(b);
            if (a_alone != b_alone) return b_alone;
            return a.growing != b.growing ? a.growing > b.growing : a.links.size() > b.links.size();
        });
        for (tree& t : m_trees) {
            for (congested_link& l : t.links) {
                l.root = m_out.congestion.size();
                m_out.congested_links.push_back(l);
            }
            m_out.congestion.push_back(std::move(t.root));
        }
    }

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    struct tree {
        congestion_root root;
        std::vector<congested_link> links;  ///< the root first
        std::size_t growing = 0;            ///< sources in it
        std::size_t number = 0;             ///< of the root
    };

    bool is_source_alone(const tree& t) const {
        return m_out.link_loads[t.root.link].kind == "injection" &&
               t.root.why == congestion_root::reason::credits;
    }
    std::uint32_t number_of(std::size_t row) const {
        const link_result& l = m_out.link_loads[row];
        return l.kind == "injection" ? m_samples.link_of_node(l.from)
                                     : m_samples.link_from(l.from, l.from_port);
    }
    double utilisation(std::size_t l) const { return m_use.number(m_row_of[l]); }
    double mean(std::uint64_t waits) const {
        return static_cast<double>(waits) / static_cast<double>(m_samples.cycles());
    }

    /// On the average something waits for it, and of that most has no room beyond. A source has one packet at
    /// a time that waits, and while it sends that has room: as much of it as the link is used is not counted.
    bool is_blocked(std::uint32_t l) const {
        const wait_samples::link_waits& w = m_samples.waits_for(l);
        if (m_row_of[l] == none || w.blocked == 0 || 2 * w.all() < m_samples.cycles()) return false;
        const double use = utilisation(l), all = static_cast<double>(w.all());
        const bool from_node = m_out.link_loads[m_row_of[l]].kind == "injection";
        return use<busy_from&& static_cast<double>(w.blocked)> all * (from_node ? (1 - use) / 3 : 0.5);
    }
    bool is_root(std::uint32_t l, bool holds_up) const {
        if (m_row_of[l] == none) return false;
        return holds_up || is_blocked(l) ||
               (2 * m_samples.waits_for(l).all() >= m_samples.cycles() && utilisation(l) >= busy_from);
    }
    /// What most of those wait for that have come by it, if that is often.
    std::size_t held_up_by(std::uint32_t l) const {
        const link_result& link = m_out.link_loads[m_row_of[l]];
        if (link.kind == "ejection") return none;
        std::uint64_t most = 0;
        std::size_t next = none;
        for (std::uint32_t q = 0; q < m_samples.ports(link.to); ++q)
            if (const std::uint64_t waits = m_samples.waits_between(link.to, link.to_port, q); waits > most) {
                most = waits;
                next = m_samples.link_from(link.to, q);
            }
        return 3 * most > m_samples.cycles() ? next : none;
    }

    void break_circles() {
        std::vector<std::size_t> walk_of(m_next.size(), none);
        for (std::size_t begin = 0; begin < m_next.size(); ++begin) {
            std::size_t l = begin;
            for (; l != none && walk_of[l] == none; l = m_next[l]) walk_of[l] = begin;
            if (l == none || walk_of[l] != begin) continue;
            std::size_t most = l, length = 1;
            for (std::size_t k = m_next[l]; k != l; k = m_next[k], ++length)
                if (utilisation(k) > utilisation(most)) most = k;
            m_next[most] = none;
            m_circles.insert(most);
        }
    }

    void add_tree(std::size_t root, const std::vector<std::vector<std::size_t>>& held) {
        tree t;
        t.root.link = m_row_of[root];
        t.root.utilisation = utilisation(root);
        t.root.why = reason_of(static_cast<std::uint32_t>(root));
        const double load = m_out.column_of(scope::link, "load").number(t.root.link);
        if (load > 0 && t.root.utilisation > 0) t.root.capacity = load / t.root.utilisation;
        t.number = root;
        std::vector<std::pair<std::size_t, std::uint32_t>> queue{{root, 0}};
        for (std::size_t k = 0; k < queue.size(); ++k) {
            const auto [l, distance] = queue[k];
            t.links.push_back(
                {m_row_of[l], 0, distance, mean(m_samples.waits_for(static_cast<std::uint32_t>(l)).all())});
            const link_result& link = m_out.link_loads[m_row_of[l]];
            if (link.kind == "injection") t.root.sources.push_back(link.from);
            for (const std::size_t behind : held[l]) queue.emplace_back(behind, distance + 1);
        }
        t.root.links = queue.size() - 1;
        std::sort(t.root.sources.begin(), t.root.sources.end());
        add_chain(queue, t);
        m_trees.push_back(std::move(t));
    }
    /// From the source that grows fastest; of trees without one from the link that is farthest.
    void add_chain(const std::vector<std::pair<std::size_t, std::uint32_t>>& queue, tree& t) const {
        std::size_t first = queue.back().first;
        for (const growing_source& g : m_out.growing)
            if (std::binary_search(t.root.sources.begin(), t.root.sources.end(), g.node)) {
                if (t.growing == 0) first = m_samples.link_of_node(g.node);
                ++t.growing;
            }
        for (std::size_t l = first; l != none; l = m_next[l]) t.root.chain.push_back(m_row_of[l]);
    }
    congestion_root::reason reason_of(std::uint32_t l) const {
        using reason = congestion_root::reason;
        const wait_samples::link_waits& w = m_samples.waits_for(l);
        if (utilisation(l) >= busy_from) return reason::busy;
        if (m_circles.count(l) != 0) return reason::circle;
        if (w.by[wait_samples::credit] >= std::max(w.by[wait_samples::vc], w.by[wait_samples::turn]))
            return m_out.link_loads[m_row_of[l]].kind == "ejection" ? reason::consumer : reason::credits;
        return w.by[wait_samples::vc] >= w.by[wait_samples::turn] ? reason::vcs : reason::turns;
    }

    const wait_samples& m_samples;
    const topology& m_map;
    run_result& m_out;
    std::vector<std::size_t> m_row_of;  ///< by number of the link; none: there is no such link
    std::vector<std::size_t> m_next;    ///< by number of the link: what holds it up
    std::set<std::size_t> m_circles;    ///< roots that are of one
    figure_view m_use;
    std::vector<tree> m_trees;
};

}  // namespace

void report_waits(const wait_samples& samples, run_result& out) {
    if (samples.cycles() == 0) return;
    const auto count = static_cast<double>(samples.cycles());
    for (const link_result& l : out.link_loads) {
        const auto& w = samples.waits_for(l.kind == "injection" ? samples.link_of_node(l.from)
                                                                : samples.link_from(l.from, l.from_port));
        out.link_waits.push_back({static_cast<double>(w.by[wait_samples::vc]) / count,
                                  static_cast<double>(w.by[wait_samples::credit]) / count,
                                  static_cast<double>(w.by[wait_samples::turn]) / count});
    }
}

void find_congestion(const wait_samples& samples, const topology& map, const routing_function* routing,
                     run_result& out) {
    if (samples.cycles() == 0 || out.link_loads.empty()) return;
    congestion_trees trees(samples, map, out);
    trees.find();
    if (!trees.any()) return;
    trees.set_offered(offered_to_links(out, map, routing, samples));
    trees.give_trees();
}

}  // namespace sare
