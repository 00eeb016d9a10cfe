// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/deadlock_explorer.h"

#include "tlm/routing/deadlock/branch_waits.h"
#include "tlm/routing/deadlock/deadlock_cycle.h"
#include "tlm/routing/deadlock/deadlock_steps.h"
#include "tlm/routing/equal_parts.h"

#include <algorithm>
#include <optional>

namespace sare {
namespace {

using verdict = deadlock_report::verdict;

std::string number(std::uint64_t n) {
    return std::to_string(n);
}

/// A channel is numbered by the router, input port and VC that it ends at.
class explorer {
  public:
    /// `parties`: nodes, of which each sends to each; `scope` tells what they stand for, "" if they are all.
    explorer(const deadlock_question& q, node_parties parties, std::string scope)
        : m_question(q),
          m_net(*q.network),
          m_vcs(q.vcs),
          m_finder(q),
          m_parties(std::move(parties)),
          m_scope(std::move(scope)) {
        m_escape_number.assign(std::size_t{m_finder.ports()} * m_vcs, none);
    }

    std::uint64_t channels() const { return m_finder.plugged() * m_vcs; }
    /// What stands for all nodes: "" or "in one line of each dimension, which stands for all".
    const std::string& scope() const { return m_scope; }
    std::uint64_t calls() const { return m_finder.calls(); }
    bool lacks_escape() const { return !without_escape().empty(); }
    const std::string& without_escape() const { return m_finder.without_escape(); }

    /// All dependencies between channels.
    flat_graph all_dependencies() {
        if (!m_question.branches_wait.empty()) m_waits.emplace(m_finder.ports() * m_vcs, m_vcs);
        m_outputs.assign(std::size_t{m_finder.ports()} * m_vcs, {});
        explore(false);
        flat_graph graph;
        for (std::uint32_t c = 0; c < m_outputs.size(); ++c) {
            for (const auto& [first, mask] : m_outputs[c])
                for (std::uint32_t v = 0; v < m_vcs; ++v)
                    if (mask >> v & 1) graph.to.push_back(first + v);
            graph.first.push_back(graph.to.size());
        }
        return graph;
    }

    /// Each channel as it is when all parts are seen as part 0.
    std::vector<std::uint32_t> seen_as_one(const equal_parts& parts) const {
        std::vector<std::uint32_t> image(std::size_t{m_finder.ports()} * m_vcs);
        for (std::uint32_t c = 0; c < image.size(); ++c) {
            const std::uint32_t end = c / m_vcs, r = m_finder.router_of(end);
            const router_port seen = parts.image(r, end - m_finder.first_port(r));
            image[c] = (m_finder.first_port(seen.router.value) + seen.port.value) * m_vcs + c % m_vcs;
        }
        return image;
    }

    /// The extended dependencies of the escape channels; vertices are escape_channels(). After
    /// all_dependencies(), which finds these.
    flat_graph escape_dependencies() {
        m_words = (m_escape_channels.size() + 63) / 64;
        m_extended.assign(m_words * m_escape_channels.size(), 0);
        explore(true);
        flat_graph graph;
        for (std::size_t c = 0; c < m_escape_channels.size(); ++c) {
            for (std::uint32_t b = 0; b < m_escape_channels.size(); ++b)
                if (m_extended[c * m_words + b / 64] >> (b % 64) & 1) graph.to.push_back(b);
            graph.first.push_back(graph.to.size());
        }
        return graph;
    }
    const std::vector<std::uint32_t>& escape_channels() const { return m_escape_channels; }
    /// Waits of branches of packets, after all_dependencies(); null: branches do not wait for each other.
    const branch_waits* waits() const { return m_waits ? &*m_waits : nullptr; }

    /// "r3.p1.vc0, held": an output VC that a packet has.
    std::string output_name(std::uint32_t o) const {
        if (o < m_finder.ports() * m_vcs) return channel_name(o) + ", held";
        const std::uint32_t port = o / m_vcs - m_finder.ports(), r = m_finder.router_of(port);
        return short_name(place_kind::router, r) + ".p" + number(port - m_finder.first_port(r)) + ".vc" +
               number(o % m_vcs) + ", held";
    }
    std::string channel_name(std::uint32_t c) const {
        const std::uint32_t end = c / m_vcs, r = m_finder.router_of(end);
        const auto from = m_net.source(router_id(r), port_id(end - m_finder.first_port(r)));
        const std::string vc = ".vc" + number(c % m_vcs);
        if (from.what == port_peer::kind::node) return short_name(place_kind::node, from.id) + vc;
        return short_name(place_kind::router, from.id) + ".p" + number(from.port) + vc;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    /// "r3", or its name.
    std::string short_name(place_kind what, std::uint32_t n) const {
        const std::string& own = m_net.names().name(what, n);
        return own.empty() ? to_string(what)[0] + number(n) : own;
    }

    struct successor {
        std::uint32_t channel, header;
    };
    struct frame {
        std::uint32_t state, channel, next,
            stop;  ///< successors next to stop of m_pool are still to be visited
    };
    enum colour : std::uint8_t { open, done };

    /// One destination is about as much work as another, so the first one tells whether it is too much. In
    /// the first pass of two, escapes are to come, which are gone through by more ways.
    void explore(bool extended) {
        const routing_function& routing = *m_question.routing;
        const std::uint64_t times = routing.needs_escape() && !extended ? 4 : 1;
        std::vector<std::vector<std::uint32_t>> to;  // by party
        std::uint64_t destinations = 0;
        for (const auto& party : m_parties) {
            to.push_back(those_that_count(party, routing.knows_destination_routers_only()));
            destinations += to.back().size();
        }
        m_finder.limit(m_finder.calls() +
                       m_question.most_calls / std::max<std::uint64_t>(destinations * times, 1));
        for (std::size_t k = 0; k < m_parties.size(); ++k) {
            const auto sources = those_that_count(m_parties[k], routing.knows_source_routers_only());
            for (const std::uint32_t d : to[k]) {
                send_to(d, sources, extended);
                m_finder.limit(2 * m_question.most_calls);
            }
        }
    }
    /// Returns one of the nodes of each router if `one` is true, since it stands for all; else all nodes.
    std::vector<std::uint32_t> those_that_count(const std::vector<std::uint32_t>& nodes, bool one) const {
        std::vector<std::uint32_t> some;
        std::vector<bool> seen(m_net.routers());
        for (const std::uint32_t n : nodes) {
            const std::uint32_t r = m_net.router_of(node_id(n)).value;
            if (!one || !seen[r]) some.push_back(n);
            seen[r] = true;
        }
        return some;
    }

    void send_to(std::uint32_t d, const std::vector<std::uint32_t>& sources, bool extended) {
        m_destination = d;
        m_states.clear();
        m_headers.clear();
        m_colours.clear();
        m_reach.clear();
        for (const std::uint32_t s : sources) {
            const std::uint32_t r = m_net.router_of(node_id(s)).value;
            const std::uint32_t port = m_finder.first_port(r) + m_net.port_of(node_id(s)).value;
            for (const auto& h : m_finder.headers(s, d)) {
                const std::uint32_t number_of_header = m_headers.number_of(h);
                for (std::uint32_t v = 0; v < m_vcs; ++v)
                    follow(port * m_vcs + v, number_of_header, extended);
            }
        }
    }

    /// Depth first from one state.
    void follow(std::uint32_t channel, std::uint32_t header, bool extended) {
        m_pool.clear();
        m_path.clear();
        if (!enter(channel, header, extended)) return;
        while (!m_path.empty()) {
            frame& top = m_path.back();
            if (top.next == top.stop) {
                leave(extended);
                continue;
            }
            const successor& to = m_pool[top.next++];
            enter(to.channel, to.header, extended);
        }
    }

    /// Takes a state onto the path, if it is new; otherwise only adds what is reached from it.
    bool enter(std::uint32_t channel, std::uint32_t header, bool extended) {
        bool fresh = false;
        const std::uint32_t state = m_states.number_of(std::uint64_t{channel} << 32 | header, fresh);
        if (!fresh) {
            if (m_colours[state] == open)
                throw deadlock_finding{verdict::broken, "packets for node " + number(m_destination) +
                                                            " may travel in a circle through " +
                                                            channel_name(channel)};
            if (extended && !m_path.empty()) merge(m_path.back().state, state);
            return false;
        }
        m_colours.push_back(open);
        if (extended) m_reach.resize(m_reach.size() + m_words, 0);
        const auto begin = static_cast<std::uint32_t>(m_pool.size());
        call(channel, header, state, extended);
        m_path.push_back({state, channel, begin, static_cast<std::uint32_t>(m_pool.size())});
        return true;
    }

    void leave(bool extended) {
        const frame top = m_path.back();
        m_path.pop_back();
        m_pool.resize(m_path.empty() ? 0 : m_path.back().stop);
        m_colours[top.state] = done;
        if (!extended) return;
        if (!m_path.empty()) merge(m_path.back().state, top.state);
        const std::uint32_t held = m_escape_number[top.channel];
        if (held == none) return;
        for (std::size_t w = 0; w < m_words; ++w)
            m_extended[held * m_words + w] |= m_reach[top.state * m_words + w];
    }

    void merge(std::uint32_t into, std::uint32_t from) {
        for (std::size_t w = 0; w < m_words; ++w) m_reach[into * m_words + w] |= m_reach[from * m_words + w];
    }

    /// Puts the successors of a state into the pool.
    void call(std::uint32_t channel, std::uint32_t header, std::uint32_t state, bool extended) {
        const std::uint32_t end = channel / m_vcs, r = m_finder.router_of(end);
        route_header h = m_headers[header];
        const auto& hops = m_finder.hops(r, end - m_finder.first_port(r), channel % m_vcs, h, m_destination);
        const std::uint32_t onward = m_headers.number_of(h);
        if (m_waits)
            for (const last_hop& w : m_finder.last_hops())
                m_waits->ask(channel, (m_finder.ports() + m_finder.first_port(r) + w.port) * m_vcs, w.vcs,
                             m_finder.forks());
        for (const next_hop& w : hops) {
            const std::uint32_t first = (m_finder.first_port(w.router) + w.in) * m_vcs;
            if (!extended) note(channel, first, w.vcs);
            if (m_waits) m_waits->ask(channel, first, w.vcs, m_finder.forks());
            for (std::uint32_t v = 0; v < m_vcs; ++v) {
                if ((w.vcs >> v & 1) == 0) continue;
                m_pool.push_back({first + v, onward});
                if (w.escape) request(first + v, state, extended);
            }
        }
    }

    /// A dependency of `channel` on the VCs `mask` of the link whose VC 0 is `first`.
    void note(std::uint32_t channel, std::uint32_t first, vc_mask mask) {
        auto& outputs = m_outputs[channel];
        const auto at = std::lower_bound(outputs.begin(), outputs.end(), std::make_pair(first, vc_mask{0}));
        if (at != outputs.end() && at->first == first)
            at->second |= mask;
        else
            outputs.emplace(at, first, mask);
    }

    void request(std::uint32_t escape_channel, std::uint32_t state, bool extended) {
        auto& n = m_escape_number[escape_channel];
        if (n == none) {
            n = static_cast<std::uint32_t>(m_escape_channels.size());
            m_escape_channels.push_back(escape_channel);
        }
        if (extended) m_reach[state * m_words + n / 64] |= 1ULL << (n % 64);
    }

    const deadlock_question& m_question;
    const topology& m_net;
    std::uint32_t m_vcs;
    hop_finder m_finder;
    node_parties m_parties;
    std::string m_scope;

    /// For each channel: (VC 0 of a link, mask of its VCs) that packets on it may ask for next, in ascending
    /// order.
    std::vector<std::vector<std::pair<std::uint32_t, vc_mask>>> m_outputs;
    std::optional<branch_waits> m_waits;
    std::vector<std::uint32_t> m_escape_number;  ///< of each channel, or none
    std::vector<std::uint32_t> m_escape_channels;
    std::size_t m_words = 0;                ///< of a set of escape channels
    std::vector<std::uint64_t> m_extended;  ///< for each escape channel, the set that it depends on

    // Of the destination being explored:
    std::uint32_t m_destination = 0;
    state_table m_states;
    std::vector<std::uint8_t> m_colours;
    std::vector<std::uint64_t>
        m_reach;  ///< for each state, the set of escape channels asked for from there on
    header_table m_headers;
    std::vector<frame> m_path;
    std::vector<successor> m_pool;
};

/// Adds the cycle `report.cycle` to the text.
void add_cycle(deadlock_report& report) {
    constexpr std::size_t most_shown = 24;
    const std::size_t size = report.cycle.size();
    for (std::size_t i = 0; i < std::min(size, most_shown); ++i) report.text += report.cycle[i] + " -> ";
    if (size > most_shown) report.text += "... (" + number(size) + " channels) -> ";
    report.text += report.cycle.front();
}

void report_cycle(const explorer& from, const std::vector<std::uint32_t>& cycle, deadlock_report& report) {
    for (const auto c : cycle) report.cycle.push_back(from.channel_name(c));
    add_cycle(report);
}

/// Looks for a cycle of branches that wait for each other, in a network without a cycle of dependencies.
void decide_branches(const explorer& from, const deadlock_question& q, deadlock_report& report) {
    bool too_many = false;
    const auto cycle = from.waits()->find_cycle(too_many);
    if (too_many) {
        report.result = verdict::skipped;
        report.text = "skipped: too many branches of packets may wait for each other";
    } else if (cycle.empty()) {
        report.text += ", nor among branches of packets that wait for each other";
    } else {
        report.result = verdict::cycle;
        report.text = "packets that fork can deadlock, since " + q.branches_wait + ": ";
        for (const auto& place : cycle)
            report.cycle.push_back(place.is_output ? from.output_name(place.number)
                                                   : from.channel_name(place.number));
        add_cycle(report);
    }
}

/// Returns why VCs have no places of their own in routers that share buffers.
std::string lack_of_places(const deadlock_question& q) {
    if (q.reserved_by.empty())
        return "they do not state that each VC has places of its own (router_terms::sharing, "
               "reserved_places)";
    return q.reserved_by + " must be at least 1; with 0 no VC has places of its own";
}

/// `parts`: those whose nodes `from` stands for; null: it has all nodes.
void decide(explorer& from, const deadlock_question& q, const equal_parts* parts, deadlock_report& report) {
    const flat_graph all = from.all_dependencies();
    report.dependencies = all.to.size();
    auto cycle = find_cycle(all);
    if (cycle.empty() && parts != nullptr && !find_cycle(image_of(all, from.seen_as_one(*parts))).empty())
        throw deadlock_finding{verdict::skipped, "two parts leave it open"};
    if (cycle.empty() && !q.shares_buffers.empty()) {
        std::vector<std::uint32_t> port(all.first.size() - 1);
        for (std::uint32_t c = 0; c < port.size(); ++c) port[c] = c / q.vcs * q.vcs;
        cycle = find_cycle(image_of(all, port));
        if (!cycle.empty()) {
            report.result = verdict::unsafe;
            report.text = "routers of kind '" + q.shares_buffers + "' can deadlock: " + lack_of_places(q) +
                          ", so that packets of one VC can take those that another one waits for: ";
            return report_cycle(from, cycle, report);
        }
    }
    if (cycle.empty()) {
        report.result = verdict::acyclic;
        report.text = "free of deadlock: no cycle among " + number(report.channels) + " channels with " +
                      number(report.dependencies) + " dependencies" + from.scope();
        if (from.waits() != nullptr) decide_branches(from, q, report);
        return;
    }
    const std::string name = "routing function '" + q.routing->name() + "' ";
    if (!q.routing->needs_escape()) {
        report.result = verdict::cycle;
        report.text = name + "can deadlock: ";
        return report_cycle(from, cycle, report);
    }
    if (from.lacks_escape()) {
        report.result = verdict::unsafe;
        report.text = name + "can deadlock: " + from.without_escape();
        return;
    }
    if (!q.shares_buffers.empty()) {
        report.result = verdict::unsafe;
        report.text = name + "can deadlock: it rests on escape channels, which routers of kind '" +
                      q.shares_buffers + "' do not keep apart: " + lack_of_places(q) + ": ";
        return report_cycle(from, cycle, report);
    }
    if (!q.atomic_or_cut_through) {
        report.result = verdict::unsafe;
        report.text = name +
                      "can deadlock: it rests on escape channels, which need VCs that are reallocated "
                      "atomically ('router: {reallocation: atomic}') or cut-through switching ('router: "
                      "{switching: cut_through}'); in a VC that holds several packets of a wormhole network "
                      "one may be stuck behind another that cannot escape: ";
        return report_cycle(from, cycle, report);
    }
    const flat_graph extended = from.escape_dependencies();
    report.dependencies = extended.to.size();
    cycle = find_cycle(extended);
    if (cycle.empty()) {
        report.result = verdict::acyclic;
        report.text = "free of deadlock: no cycle among " + number(from.escape_channels().size()) +
                      " escape channels with " + number(report.dependencies) +
                      " direct and indirect dependencies" + from.scope();
        return;
    }
    for (auto& c : cycle) c = from.escape_channels()[c];
    report.result = verdict::cycle;
    report.text = name + "can deadlock among its escape channels: ";
    report_cycle(from, cycle, report);
}

}  // namespace

std::string broken(const deadlock_question& q, const std::string& how) {
    return "routing function '" + q.routing->name() + "' is broken: " + how;
}

deadlock_report check_among(const deadlock_question& question, node_parties parties, const char* scope,
                            const equal_parts* parts) {
    deadlock_report report;
    explorer from(question, std::move(parties), scope);
    report.channels = from.channels();
    try {
        decide(from, question, parts, report);
    } catch (const deadlock_finding& f) {
        report.result = f.result;
        report.text = f.result == verdict::broken ? broken(question, f.text) : f.text;
    }
    report.calls = from.calls();
    return report;
}

}  // namespace sare
