// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/deadlock_classes.h"

#include "tlm/base/sets.h"
#include "tlm/routing/deadlock/deadlock_cycle.h"
#include "tlm/routing/deadlock/deadlock_steps.h"

#include <algorithm>

namespace sare {
namespace {

using verdict = deadlock_report::verdict;
using std::to_string;

constexpr std::uint32_t window_size = 6;

/// So many coordinates of a dimension round its wrap link, or at its border; all of a short one.
std::vector<std::uint32_t> window(const grid_shape& grid, std::size_t d, std::uint32_t wide = window_size) {
    const std::uint32_t size = grid.dims[d], some = size <= 2 * wide ? size : wide;
    const std::uint32_t behind = grid.wrap[d] ? some / 2 : 0;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < some; ++i) all.push_back((i + size - behind) % size);
    return all;
}

/// Of a window, where packets go: to both of its ends, which leaves out no kind of way round a ring; all of a
/// mesh, where odd and even may differ.
std::vector<std::uint32_t> targets(const grid_shape& grid, std::size_t d) {
    const std::vector<std::uint32_t> all = window(grid, d);
    if (!grid.wrap[d] || all.size() == grid.dims[d]) return all;
    return {all.front(), all.back()};
}

/// A node of each router whose coordinate in every dimension is one of some.
std::vector<std::uint32_t> nodes_at(const grid_shape& grid,
                                    const std::vector<std::vector<std::uint32_t>>& some) {
    std::vector<std::uint32_t> routers{0};
    std::uint32_t stride = 1;
    for (std::size_t d = 0; d < some.size(); stride *= grid.dims[d++]) {
        std::vector<std::uint32_t> more;
        for (const std::uint32_t c : some[d])
            for (const std::uint32_t r : routers) more.push_back(r + c * stride);
        routers = std::move(more);
    }
    for (std::uint32_t& r : routers) r *= grid.concentration;
    return routers;
}

std::vector<std::uint32_t> all_along(const grid_shape& grid, std::size_t d) {
    std::vector<std::uint32_t> all(grid.dims[d]);
    for (std::uint32_t c = 0; c < all.size(); ++c) all[c] = c;
    return all;
}

/// The channels of a network seen along one dimension. A class of them: (coordinate of the router where the
/// channel ends, port, VC); its label: (port, VC).
class view_along {
  public:
    view_along(const deadlock_question& q, hop_finder& finder, std::uint32_t dimension)
        : m_grid(*q.network->grid()),
          m_finder(finder),
          m_vcs(q.vcs),
          m_ports(m_grid.router_ports()),
          m_size(m_grid.dims[dimension]) {
        std::vector<std::vector<std::uint32_t>> from, to;
        for (std::uint32_t d = 0; d < m_grid.dims.size(); ++d) {
            from.push_back(d == dimension ? all_along(m_grid, d) : window(m_grid, d));
            to.push_back(d == dimension ? from.back() : targets(m_grid, d));
            if (d < dimension) m_stride *= m_grid.dims[d];
        }
        m_sources = nodes_at(m_grid, from);
        m_destinations = nodes_at(m_grid, to);
        m_direct.assign(std::size_t{classes()} * m_ports, 0);
        m_escape_number.assign(classes(), none);
    }

    const std::vector<std::uint32_t>& destinations() const { return m_destinations; }
    std::uint32_t classes() const { return m_size * labels(); }
    std::uint32_t labels() const { return m_ports * m_vcs; }

    /// Follows all packets for a destination. `extended`: after all of them have been followed without.
    void send_to(std::uint32_t destination, bool extended) {
        m_destination = destination;
        m_numbers.clear();
        m_headers.clear();
        m_states.clear();
        m_links.clear();
        m_order.clear();
        for (const std::uint32_t s : m_sources)
            for (const route_header& h : m_finder.headers(s, destination))
                follow(s / m_grid.concentration, h);
        extended ? note_reached() : note_direct();
    }
    /// Before send_to() is asked for what is extended.
    void count_escapes() {
        m_words = (m_escapes.size() + 63) / 64;
        m_extended.assign(m_words * m_escapes.size(), 0);
    }

    projection direct() const {
        projection p;
        for (std::uint32_t c = 0; c < classes(); ++c) {
            p.label.push_back(c % labels());
            for (std::uint32_t q = 0; q < m_ports; ++q)
                for (std::uint32_t v = 0; v < m_vcs; ++v)
                    if (m_direct[std::size_t{c} * m_ports + q] >> v & 1)
                        p.graph.to.push_back(class_of(m_next[std::size_t{c / labels()} * m_ports + q], q, v));
            p.graph.first.push_back(p.graph.to.size());
        }
        return p;
    }
    projection extended() const {
        projection p;
        for (std::size_t e = 0; e < m_escapes.size(); ++e) {
            p.label.push_back(m_escapes[e] % labels());
            for (std::uint32_t f = 0; f < m_escapes.size(); ++f)
                if (m_extended[e * m_words + f / 64] >> (f % 64) & 1) p.graph.to.push_back(f);
            p.graph.first.push_back(p.graph.to.size());
        }
        return p;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    /// A packet's head at a router, by whatever channel it has come.
    struct state {
        std::uint32_t at;           ///< the coordinate
        std::uint32_t first, stop;  ///< of m_links, where it may go
        bool left;
    };
    struct hop {
        std::uint32_t port;
        vc_mask vcs;
        bool escape;
        std::uint32_t router, header, to;  ///< `to`: the state, once it is visited
    };
    struct frame {
        std::uint32_t state, next;
    };

    std::uint32_t coordinate(std::uint32_t router) const { return router / m_stride % m_size; }
    std::uint32_t class_of(std::uint32_t at, std::uint32_t port, std::uint64_t vc) const {
        return (at * m_ports + port) * m_vcs + static_cast<std::uint32_t>(vc);
    }

    /// Depth first.
    void follow(std::uint32_t router, const route_header& h) {
        visit(router, m_headers.number_of(h));
        while (!m_path.empty()) {
            frame& top = m_path.back();
            if (top.next == m_states[top.state].stop) {
                m_states[top.state].left = true;
                m_order.push_back(top.state);
                m_path.pop_back();
                continue;
            }
            const std::uint32_t n = top.next++;
            const std::uint32_t to = visit(m_links[n].router, m_links[n].header);
            m_links[n].to = to;
        }
    }

    std::uint32_t visit(std::uint32_t router, std::uint32_t header) {
        bool fresh = false;
        const std::uint32_t s = m_numbers.number_of(std::uint64_t{router} << 32 | header, fresh);
        if (!fresh) {
            if (!m_states[s].left)
                throw deadlock_finding{verdict::broken, "packets for node " + to_string(m_destination) +
                                                            " may travel in a circle through router " +
                                                            to_string(router)};
            return s;
        }
        const auto first = static_cast<std::uint32_t>(m_links.size());
        route_header h = m_headers[header];
        const auto& hops = m_finder.hops(router, m_ports, 0, h, m_destination);
        const std::uint32_t onward = m_headers.number_of(h);
        for (const next_hop& w : hops) m_links.push_back({w.port, w.vcs, w.escape, w.router, onward, none});
        m_states.push_back({coordinate(router), first, static_cast<std::uint32_t>(m_links.size()), false});
        m_path.push_back({s, first});
        return s;
    }

    /// From the sources on: each state knows by which channels packets have come to it.
    void note_direct() {
        if (m_next.empty()) m_next.assign(std::size_t{m_size} * m_ports, none);
        m_come_by.assign(m_states.size() * m_ports, 0);
        for (auto n = m_order.rbegin(); n != m_order.rend(); ++n) {
            const state& s = m_states[*n];
            for (std::uint32_t l = s.first; l < s.stop; ++l) note_hop(*n, m_links[l]);
        }
    }

    void note_hop(std::uint32_t from, const hop& w) {
        const std::uint32_t at = m_states[from].at, next = m_states[w.to].at;
        m_next[std::size_t{at} * m_ports + w.port] = next;
        for (std::uint32_t p = 0; p < m_ports; ++p)
            for (const std::uint64_t v : members(m_come_by[std::size_t{from} * m_ports + p]))
                m_direct[std::size_t{class_of(at, p, v)} * m_ports + w.port] |= w.vcs;
        m_come_by[std::size_t{w.to} * m_ports + w.port] |= w.vcs;
        for (const std::uint64_t v : members(w.escape ? w.vcs : 0)) {
            std::uint32_t& number = m_escape_number[class_of(next, w.port, v)];
            if (number != none) continue;
            number = static_cast<std::uint32_t>(m_escapes.size());
            m_escapes.push_back(class_of(next, w.port, v));
        }
    }

    /// From the destination back: each state knows which escape channels are asked for from there on.
    void note_reached() {
        m_reach.assign(m_states.size() * m_words, 0);
        for (const std::uint32_t n : m_order)
            for (std::uint32_t l = m_states[n].first; l < m_states[n].stop; ++l) {
                const hop& w = m_links[l];
                const std::uint64_t* const beyond = &m_reach[w.to * m_words];
                std::uint64_t* const here = &m_reach[n * m_words];
                for (std::size_t i = 0; i < m_words; ++i) here[i] |= beyond[i];
                for (const std::uint64_t v : members(w.vcs)) {
                    const std::uint32_t e = m_escape_number[class_of(m_states[w.to].at, w.port, v)];
                    if (e == none) continue;
                    if (w.escape) here[e / 64] |= 1ULL << (e % 64);
                    for (std::size_t i = 0; i < m_words; ++i) m_extended[e * m_words + i] |= beyond[i];
                }
            }
    }

    const grid_shape& m_grid;
    hop_finder& m_finder;
    std::uint32_t m_vcs, m_ports, m_size, m_stride = 1;
    std::vector<std::uint32_t> m_sources, m_destinations;
    std::vector<vc_mask> m_direct;               ///< by class and port: the VCs that may be next
    std::vector<std::uint32_t> m_next;           ///< by coordinate and port: the coordinate it leads to
    std::vector<std::uint32_t> m_escape_number;  ///< by class, or none
    std::vector<std::uint32_t> m_escapes;        ///< the classes
    std::size_t m_words = 0;                     ///< of a set of these
    std::vector<std::uint64_t> m_extended;       ///< by escape, the set that it depends on

    // Of the destination being explored:
    std::uint32_t m_destination = 0;
    state_table m_numbers;
    header_table m_headers;
    std::vector<state> m_states;
    std::vector<hop> m_links;
    std::vector<std::uint32_t> m_order;  ///< states, each after all that it leads to
    std::vector<vc_mask> m_come_by;      ///< by state and port: the VCs
    std::vector<std::uint64_t> m_reach;  ///< by state
    std::vector<frame> m_path;
};

/// The views along all dimensions.
class all_views {
  public:
    explicit all_views(const deadlock_question& q) : m_question(q), m_finder(q) {
        for (std::uint32_t d = 0; d < q.network->grid()->dims.size(); ++d)
            m_views.emplace_back(q, m_finder, d);
        for (const view_along& v : m_views) m_destinations += v.destinations().size();
    }

    const hop_finder& finder() const { return m_finder; }
    std::uint64_t classes() const { return sum(&view_along::classes); }
    std::uint64_t dependencies() const { return m_dependencies; }

    /// Whether a cycle of direct dependencies may exist; or of extended ones, after that.
    bool may_be_cycle(bool extended) {
        std::vector<projection> all;
        m_dependencies = 0;
        for (view_along& v : m_views) {
            if (extended) v.count_escapes();
            for (const std::uint32_t d : v.destinations()) {
                v.send_to(d, extended);
                estimate();
            }
            all.push_back(extended ? v.extended() : v.direct());
            m_dependencies += all.back().graph.to.size();
        }
        return sare::may_be_cycle(all, m_views.front().labels());
    }

  private:
    template <class F>
    std::uint64_t sum(F of) const {
        std::uint64_t all = 0;
        for (const view_along& v : m_views) all += (v.*of)();
        return all;
    }
    /// The first destination tells how many calls there will be.
    void estimate() {
        const std::uint64_t times = m_question.routing->needs_escape() ? 2 : 1;
        if (m_estimated) return;
        m_estimated = true;
        if (m_finder.calls() > m_question.most_calls / (m_destinations * times)) m_finder.limit(0);
    }

    const deadlock_question& m_question;
    hop_finder m_finder;
    std::vector<view_along> m_views;
    std::uint64_t m_destinations = 0, m_dependencies = 0;
    bool m_estimated = false;
};

void decide(all_views& views, const deadlock_question& q, deadlock_report& report) {
    report.channels = views.finder().plugged() * q.vcs;
    const char* what = " channels";
    bool open = views.may_be_cycle(false);
    if (open && q.routing->needs_escape() && q.atomic_or_cut_through) {
        if (!views.finder().without_escape().empty()) {
            report.result = verdict::unsafe;
            report.text = "routing function '" + q.routing->name() +
                          "' can deadlock: " + views.finder().without_escape();
            return;
        }
        what = " channels, direct and indirect ones of escape channels";
        open = views.may_be_cycle(true);
    }
    report.dependencies = views.dependencies();
    if (open) return;
    report.result = verdict::acyclic;
    report.text = "free of deadlock: no cycle, by " + to_string(views.classes()) + " classes of " +
                  to_string(report.channels) + what + ", with " + to_string(report.dependencies) +
                  " dependencies";
}

}  // namespace

bool classes_serve(const deadlock_question& q) {
    const grid_shape* const grid = q.network->grid();
    if (grid == nullptr || q.reaches || grid->dims.size() < 2 || !q.routing->treats_dimensions_apart() ||
        !q.routing->knows_routers_only())
        return false;
    for (std::size_t d = 0; d < grid->dims.size(); ++d)
        if (window(*grid, d).size() < grid->dims[d]) return true;
    return false;
}

deadlock_report check_by_classes(const deadlock_question& question) {
    deadlock_report report;
    all_views views(question);
    try {
        decide(views, question, report);
    } catch (const deadlock_finding& f) {
        report.result = f.result;
        report.text = f.text;
    }
    report.calls = views.finder().calls();
    return report;
}

node_parties few_nodes(const deadlock_question& question) {
    const grid_shape& grid = *question.network->grid();
    const std::size_t dims = grid.dims.size();
    node_parties parties;
    std::vector<std::vector<std::uint32_t>> box;
    for (std::size_t d = 0; d < dims; ++d) {
        std::vector<std::vector<std::uint32_t>> line(dims, {0});
        line[d] = all_along(grid, d);
        parties.push_back(nodes_at(grid, line));
        box.push_back(window(grid, d, dims <= 3 ? window_size : 3));
    }
    if (dims <= 5) parties.push_back(nodes_at(grid, box));
    return parties;
}

}  // namespace sare
