// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/saturation_tree.h"

#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/wait_samples.h"
#include "tlm/network/results/demand.h"
#include "tlm/stats/utilisation.h"
#include "tlm/topology/region/clock_region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

namespace sare {
namespace {

constexpr double busy_from = 0.93;            ///< utilisation from which a link is full
constexpr double busy_while_sustained = 0.8;  ///< utilisation in a run without a growing backlog
constexpr double much_lost = 0.25;            ///< share of all cycles

/// Trees of links. Each link that is held up leads to the link that holds it up; the root is held up by
/// nothing, or is the link of a circle with most utilisation.
class congestion_trees {
  public:
    congestion_trees(const wait_samples& samples, bool best_allocator, run_result& out)
        : m_samples(samples),
          m_best_allocator(best_allocator),
          m_seen(samples.congested()),
          m_out(out),
          m_busy(out.status == run_status::completed ? busy_while_sustained : busy_from),
          m_row_of(samples.links(), none),
          m_flit(samples.links()) {
        const reading from{out, *samples.net().map(), &samples.net()};
        for (std::size_t row = 0; row < out.link_loads.size(); ++row) {
            const std::uint32_t l = number_of(row);
            m_row_of[l] = row;
            m_flit[l] = time_of_flit(from, out.link_loads[row], m_seen.from, m_seen.to);
        }
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
        find_reasons();
    }

    bool any() const { return !m_trees.empty(); }
    /// Sets what is offered to each root; `offered` is by number of link, or empty.
    void set_offered(const std::vector<double>& offered) {
        if (offered.empty()) return;
        for (tree& t : m_trees) t.root.offered = offered[t.number];
    }
    /// Writes the trees, the worst first: those that hold up most growing sources; then full roots; then most
    /// links. The last are sources alone, whose queues are in routers that do not show what packets wait for.
    void give_trees() {
        std::stable_sort(m_trees.begin(), m_trees.end(), [this](const tree& a, const tree& b) {
            const bool a_alone = is_source_alone(a), b_alone = is_source_alone(b);
            if (a_alone != b_alone) return b_alone;
            const auto rank = [](const tree& t) {
                const bool full = t.growing == 0 && (t.root.why == congestion_root::reason::busy ||
                                                     t.root.why == congestion_root::reason::clock);
                return std::make_tuple(t.growing, full, t.links.size());
            };
            return rank(a) > rank(b);
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
        std::vector<congested_link> links;  ///< root first
        std::size_t growing = 0;            ///< number of growing sources in it
        std::size_t number = 0;             ///< number of the root
    };

    bool is_source_alone(const tree& t) const {
        using reason = congestion_root::reason;
        return m_out.link_loads[t.root.link].kind == "injection" &&
               (t.root.why == reason::pipeline || t.root.why == reason::vcs);
    }
    std::uint32_t number_of(std::size_t row) const {
        const link_result& l = m_out.link_loads[row];
        return l.kind == "injection" ? m_samples.link_of_node(l.from)
                                     : m_samples.link_from(l.from, l.from_port);
    }
    const wait_samples::link_waits& waits_for(std::size_t l) const { return m_seen.links[l]; }
    /// Mean a cycle.
    double mean(std::uint64_t sum) const {
        return static_cast<double>(sum) / static_cast<double>(m_seen.cycles());
    }
    double utilisation(std::size_t l) const {
        return std::min(1.0, mean(waits_for(l)[wait_samples::flits]) * m_flit[l].cycles);
    }

    /// True if on average something waits for the link, in half of all cycles or more.
    bool is_waited_for(std::size_t l) const {
        return m_row_of[l] != none && 2 * wait_samples::packets(waits_for(l)) >= m_seen.cycles();
    }
    /// True if most of what waits has no room beyond. A source shows one waiting packet at a time, which has
    /// room while it is sent; so the share of cycles in which its link is used does not count.
    bool is_blocked(std::uint32_t l) const {
        if (!is_waited_for(l) || waits_for(l)[wait_samples::blocked] == 0) return false;
        const double use = utilisation(l), all = static_cast<double>(wait_samples::packets(waits_for(l)));
        const bool from_node = m_out.link_loads[m_row_of[l]].kind == "injection";
        return use<busy_from&& static_cast<double>(waits_for(l)[wait_samples::blocked])> all *
               (from_node ? (1 - use) / 3 : 0.5);
    }
    /// True if packets wait much although there is room beyond.
    bool is_starved(std::uint32_t l) const {
        const auto& w = waits_for(l);
        return mean(w[wait_samples::on_trip] + w[wait_samples::given_late]) > much_lost;
    }
    bool is_root(std::uint32_t l, bool holds_up) const {
        if (m_row_of[l] == none) return false;
        return holds_up || is_blocked(l) || (is_waited_for(l) && (utilisation(l) >= m_busy || is_starved(l)));
    }
    /// Returns the link that most packets wait for which came by link `l`; none if they wait seldom.
    std::size_t held_up_by(std::uint32_t l) const {
        const link_result& link = m_out.link_loads[m_row_of[l]];
        if (link.kind == "ejection") return none;
        std::uint64_t most = 0;
        std::size_t next = none;
        for (std::uint32_t q = 0; q < m_samples.ports(link.to); ++q)
            if (const std::uint64_t waits = m_samples.waits_between(m_seen, link.to, link.to_port, q);
                waits > most) {
                most = waits;
                next = m_samples.link_from(link.to, q);
            }
        return 3 * most > m_seen.cycles() ? next : none;
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
        t.root.from = m_seen.from;
        t.root.to = m_seen.to;
        t.root.capacity = 1 / m_flit[root].cycles;
        if (const clock_region* const slow = m_flit[root].slowed_by) t.root.domain = slow->name;
        t.number = root;
        std::vector<std::pair<std::size_t, std::uint32_t>> queue{{root, 0}};
        for (std::size_t k = 0; k < queue.size(); ++k) {
            const auto [l, distance] = queue[k];
            t.links.push_back({m_row_of[l], 0, distance, mean(wait_samples::packets(waits_for(l)))});
            const link_result& link = m_out.link_loads[m_row_of[l]];
            if (link.kind == "injection") t.root.sources.push_back(link.from);
            for (const std::size_t behind : held[l]) queue.emplace_back(behind, distance + 1);
        }
        t.root.links = queue.size() - 1;
        std::sort(t.root.sources.begin(), t.root.sources.end());
        add_chain(queue, t);
        m_trees.push_back(std::move(t));
    }
    /// Adds the chain from the fastest growing source; without one, from the farthest link.
    void add_chain(const std::vector<std::pair<std::size_t, std::uint32_t>>& queue, tree& t) const {
        std::size_t first = queue.back().first;
        for (const growing_source& g : m_out.growing)
            if (std::binary_search(t.root.sources.begin(), t.root.sources.end(), g.node)) {
                if (t.growing == 0) first = m_samples.link_of_node(g.node);
                ++t.growing;
            }
        for (std::size_t l = first; l != none; l = m_next[l]) t.root.chain.push_back(m_row_of[l]);
    }
    using shares = std::array<double, static_cast<std::size_t>(congestion_root::reason::reasons)>;

    /// Returns the share of all cycles that is lost, by reason: packets wait for the link and it carries
    /// nothing. `ready` packets were not chosen in such cycles; with one VC there always is one.
    shares lost(std::size_t l) const {
        using reason = congestion_root::reason;
        const wait_samples::link_waits& w = waits_for(l);
        shares all{};
        const auto add = [&all](reason why, double share) { all[static_cast<std::size_t>(why)] += share; };
        const reason ready = reason_of_ready(l);
        if (m_samples.vcs() > 1 || (ready != reason::allocator && ready != reason::input))
            add(ready, std::max(0.0, mean(w[wait_samples::ready]) - utilisation(l)));
        add(reason_of_full(l), mean(w[wait_samples::full]));
        add(reason::credits, mean(w[wait_samples::on_trip]));
        add(reason::atomic, mean(w[wait_samples::given_late]));
        add(reason::vcs, mean(w[wait_samples::owned_idle]));
        return all;
    }
    /// Finds one reason for all roots that are not full: samples of a single root are few, and what would
    /// help is a parameter of all routers.
    void find_reasons() {
        using reason = congestion_root::reason;
        shares pool{};
        pool[static_cast<std::size_t>(reason::vcs)] = 1e-9;  // where no sample has seen any loss
        for (tree& t : m_trees) {
            const shares own = lost(t.number);
            t.root.lost = std::accumulate(own.begin(), own.end(), 0.0);
            t.root.why = m_circles.count(t.number) != 0 ? reason::circle : reason::busy;
            if (utilisation(t.number) >= m_busy)
                t.root.why = t.root.domain.empty() ? reason::busy : reason::clock;
            else
                for (std::size_t k = 0; k < own.size(); ++k)
                    pool[k] += own[k] * static_cast<double>(t.links.size());
        }
        const auto most = static_cast<reason>(std::max_element(pool.begin(), pool.end()) - pool.begin());
        for (tree& t : m_trees)
            if (t.root.utilisation < m_busy && t.root.why != reason::circle) t.root.why = most;
    }
    /// True if the stages before the switch take long, compared with other routers.
    bool has_long_stages(std::uint32_t router) const {
        const router_pace pace = m_samples.pace_of(router);
        return pace.rc + pace.va > 4;
    }
    /// Returns why there is no room beyond, although no link there holds this one up: nodes take nothing; or
    /// packets wait for many links in turn; or they do not ask for a link yet.
    congestion_root::reason reason_of_full(std::size_t l) const {
        using reason = congestion_root::reason;
        const link_result& link = m_out.link_loads[m_row_of[l]];
        if (link.kind == "ejection") return reason::consumer;
        std::uint64_t waits = 0;
        for (std::uint32_t q = 0; q < m_samples.ports(link.to); ++q)
            waits += m_samples.waits_between(m_seen, link.to, link.to_port, q);
        return 2 * waits < m_seen.cycles() && has_long_stages(link.to) ? reason::pipeline : reason::vcs;
    }
    /// Returns why flits that have all they need are not sent: input VCs pause between flits; or the stage
    /// before takes long; or one input port has all; or the allocator does not match them.
    congestion_root::reason reason_of_ready(std::size_t l) const {
        using reason = congestion_root::reason;
        const link_result& link = m_out.link_loads[m_row_of[l]];
        if (link.kind == "injection") return has_long_stages(link.to) ? reason::pipeline : reason::vcs;
        const router_pace pace = m_samples.pace_of(link.from);
        const double turns = mean(waits_for(l)[wait_samples::turn]);
        if (pace.matching > 1 || (pace.flit > 1 && turns < 2 * pace.flit * utilisation(l)))
            return reason::pace;
        if (has_long_stages(link.from) && turns < 2) return reason::pipeline;
        std::uint64_t most = 0, all = 0;
        for (std::uint32_t p = 0; p < m_samples.ports(link.from); ++p) {
            const std::uint64_t waits = m_samples.waits_between(m_seen, link.from, p, link.from_port);
            most = std::max(most, waits);
            all += waits;
        }
        return m_best_allocator || 10 * most >= 9 * all ? reason::input : reason::allocator;
    }

    const wait_samples& m_samples;
    const bool m_best_allocator;
    const wait_samples::period m_seen;
    run_result& m_out;
    const double m_busy;                ///< utilisation from which a link counts as full
    std::vector<std::size_t> m_row_of;  ///< by number of the link; none: there is no such link
    std::vector<std::size_t> m_next;    ///< link that holds a link up, by number
    std::set<std::size_t> m_circles;    ///< roots that stand for a circle
    std::vector<flit_time> m_flit;      ///< time that a flit takes, by number of the link
    std::vector<tree> m_trees;
};

}  // namespace

void report_waits(const wait_samples& samples, run_result& out) {
    const wait_samples::period seen = samples.all();
    if (seen.cycles() == 0) return;
    const auto count = static_cast<double>(seen.cycles());
    for (const link_result& l : out.link_loads) {
        const auto& w = seen.links[l.kind == "injection" ? samples.link_of_node(l.from)
                                                         : samples.link_from(l.from, l.from_port)];
        out.link_waits.push_back({static_cast<double>(w[wait_samples::vc]) / count,
                                  static_cast<double>(w[wait_samples::credit]) / count,
                                  static_cast<double>(w[wait_samples::turn]) / count});
    }
}

void find_congestion(const wait_samples& samples, const routing_function* routing, bool best_allocator,
                     run_result& out) {
    if (out.link_waits.empty() || out.link_loads.empty()) return;
    congestion_trees trees(samples, best_allocator, out);
    trees.find();
    if (!trees.any()) return;
    trees.set_offered(offered_to_links(out, *samples.net().map(), routing, samples));
    trees.give_trees();
}

}  // namespace sare
