// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock.h"

#include "tlm/routing/deadlock_cycle.h"

#include <algorithm>
#include <unordered_map>

namespace sare {
namespace {

using verdict = deadlock_report::verdict;

/// Ends the exploration with a verdict.
struct finding {
    verdict result;
    std::string text;
};

std::string number(std::uint64_t n) {
    return std::to_string(n);
}

/// Numbers states (channel, header) as they come up; emptied for each destination without freeing.
class state_table {
  public:
    void clear() {
        ++m_epoch;
        m_count = 0;
    }
    std::uint32_t size() const { return m_count; }
    /// The number of `key`; `fresh` tells whether it is new.
    std::uint32_t number_of(std::uint64_t key, bool& fresh) {
        if (2 * (std::size_t{m_count} + 1) > m_slots.size()) grow();
        slot& s = find(key);
        fresh = s.epoch != m_epoch;
        if (fresh) s = {key, m_epoch, m_count++};
        return s.number;
    }

  private:
    struct slot {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, number = 0;
    };
    slot& find(std::uint64_t key) {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t i = (key * 0x9e3779b97f4a7c15ULL) >> m_shift;  // Fibonacci hashing: the high bits
        while (m_slots[i].epoch == m_epoch && m_slots[i].key != key) i = (i + 1) & mask;
        return m_slots[i];
    }
    void grow() {
        std::vector<slot> old(2 * m_slots.size());
        old.swap(m_slots);
        --m_shift;
        for (const slot& s : old)
            if (s.epoch == m_epoch) find(s.key) = s;
    }
    std::vector<slot> m_slots = std::vector<slot>(1024);
    std::uint32_t m_shift = 64 - 10;  ///< 64 - log2 of the slots
    std::uint32_t m_epoch = 0, m_count = 0;
};

/// A channel is numbered by the router, input port and VC that it ends at.
class explorer {
  public:
    explicit explorer(const deadlock_question& q) : m_question(q), m_net(*q.network), m_vcs(q.vcs) {
        for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
            m_first_port.push_back(static_cast<std::uint32_t>(m_router.size()));
            for (std::uint32_t p = 0; p < m_net.ports(router_id(r)); ++p) m_router.push_back(r);
        }
        m_first_port.push_back(static_cast<std::uint32_t>(m_router.size()));
        for (std::uint32_t i = 0; i < m_router.size(); ++i) {
            const port_id p(i - m_first_port[m_router[i]]);
            m_peer.push_back(m_net.peer(router_id(m_router[i]), p));
            m_plugged += m_net.source(router_id(m_router[i]), p).what != port_peer::kind::none;
        }
        m_escape_number.assign(m_router.size() * m_vcs, none);
        choose_parties();
    }

    std::uint64_t channels() const { return m_plugged * m_vcs; }
    /// What stands for all nodes: "" or "in one line of each dimension, which stands for all".
    const std::string& scope() const { return m_scope; }
    std::uint64_t calls() const { return m_calls; }
    bool lacks_escape() const { return !m_without_escape.empty(); }
    const std::string& without_escape() const { return m_without_escape; }

    /// All dependencies between channels.
    flat_graph all_dependencies() {
        m_outputs.assign(m_router.size() * m_vcs, {});
        explore(false);
        flat_graph graph;
        for (std::uint32_t c = 0; c < m_outputs.size(); ++c) {
            std::sort(m_outputs[c].begin(), m_outputs[c].end());
            for (const auto& [first, mask] : m_outputs[c])
                for (std::uint32_t v = 0; v < m_vcs; ++v)
                    if (mask >> v & 1) graph.to.push_back(first + v);
            graph.first.push_back(graph.to.size());
        }
        return graph;
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

    std::string channel_name(std::uint32_t c) const {
        const std::uint32_t end = c / m_vcs, r = m_router[end];
        const auto from = m_net.source(router_id(r), port_id(end - m_first_port[r]));
        if (from.what == port_peer::kind::node) return "n" + number(from.id) + ".vc" + number(c % m_vcs);
        return "r" + number(from.id) + ".p" + number(from.port) + ".vc" + number(c % m_vcs);
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct successor {
        std::uint32_t channel, header;
    };
    struct frame {
        std::uint32_t state, channel, next,
            stop;  ///< successors next to stop of m_pool are still to be visited
    };
    enum colour : std::uint8_t { open, done };

    /// Nodes, of which each sends to each.
    void choose_parties() {
        std::vector<std::uint32_t> nodes;
        const bool routers_only = m_question.routing->knows_routers_only();
        std::vector<bool> seen(m_net.routers());
        for (std::uint32_t n = 0; n < m_net.nodes(); ++n) {
            const std::uint32_t r = m_net.router_of(node_id(n)).value;
            if (routers_only && seen[r]) continue;
            seen[r] = true;
            nodes.push_back(n);
        }
        const grid_shape* const grid = m_net.grid();
        if (grid == nullptr || !m_question.routing->finishes_dimensions_in_order()) {
            m_parties.push_back(std::move(nodes));
            return;
        }
        std::uint32_t stride = 1;
        for (const std::uint32_t size : grid->dims) {
            std::vector<std::uint32_t> line;
            for (const std::uint32_t n : nodes) {
                const std::uint32_t r = m_net.router_of(node_id(n)).value;
                if (r % stride == 0 && r / stride < size) line.push_back(n);
            }
            m_parties.push_back(std::move(line));
            stride *= size;
        }
        if (grid->dims.size() > 1)
            m_scope = " on the lines looked at, one of each dimension, which stands for all others";
    }

    /// One destination is about as much work as another, so the first one tells whether it is too much. In
    /// the first pass of two, escapes are to come, which are gone through by more ways.
    void explore(bool extended) {
        const std::uint64_t times = m_question.routing->needs_escape() && !extended ? 4 : 1;
        std::uint64_t destinations = 0;
        for (const auto& party : m_parties) destinations += party.size();
        m_limit = m_calls + m_question.most_calls / std::max<std::uint64_t>(destinations * times, 1);
        for (const auto& party : m_parties)
            for (const std::uint32_t d : party) {
                send_to(d, party, extended);
                m_limit = 2 * m_question.most_calls;
            }
    }

    void send_to(std::uint32_t d, const std::vector<std::uint32_t>& sources, bool extended) {
        m_destination = d;
        m_states.clear();
        m_headers.clear();
        m_header_numbers.clear();
        m_colours.clear();
        m_reach.clear();
        std::vector<route_header> headers;
        for (const std::uint32_t s : sources) {
            if (m_question.reaches && !m_question.reaches(s, d)) continue;
            headers.clear();
            route_header plain;
            plain.source = s;
            plain.destination = d;
            m_question.routing->every_header(plain, headers);
            const std::uint32_t r = m_net.router_of(node_id(s)).value;
            const std::uint32_t port = m_first_port[r] + m_net.port_of(node_id(s)).value;
            for (const auto& h : headers) {
                const std::uint32_t number_of_header = intern(h);
                for (std::uint32_t v = 0; v < m_vcs; ++v)
                    follow(port * m_vcs + v, number_of_header, extended);
            }
        }
    }

    /// Headers are told apart by what route() may read (see routing.h), not by their source.
    std::uint32_t intern(const route_header& h) {
        const std::uint64_t key = std::uint64_t{h.via} << 24 | std::uint64_t{h.state} << 8 | h.phase;
        const auto [place, fresh] =
            m_header_numbers.try_emplace(key, static_cast<std::uint32_t>(m_headers.size()));
        if (fresh) m_headers.push_back(h);
        return place->second;
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
                throw finding{verdict::broken, "packets for node " + number(m_destination) +
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

    [[noreturn]] void broken(std::uint32_t r, const std::string& what) const {
        throw finding{verdict::broken,
                      "at router " + number(r) + " a packet for node " + number(m_destination) + " " + what};
    }

    /// Calls route() for a state and puts its successors into the pool.
    void call(std::uint32_t channel, std::uint32_t header, std::uint32_t state, bool extended) {
        const std::uint32_t end = channel / m_vcs, r = m_router[end];
        if (++m_calls > m_limit)
            throw finding{verdict::skipped, "skipped: more than " + number(m_question.most_calls) +
                                                " routing decisions to follow"};
        route_header h = m_headers[header];
        route_set out;
        m_question.routing->route(r, end - m_first_port[r], channel % m_vcs, h, out);
        if (out.size == 0) broken(r, "has no way on");
        const std::uint32_t onward = intern(h);
        bool escape = false;
        for (std::uint32_t i = 0; i < out.size; ++i) {
            const route_candidate& c = out.candidates[i];
            const auto port = [&c] { return "by port " + number(c.port); };
            if (m_first_port[r] + c.port >= m_first_port[r + 1])
                broken(r, "leaves " + port() + ", which is not there");
            const port_peer& to = m_peer[m_first_port[r] + c.port];
            if (to.what == port_peer::kind::none) broken(r, "leaves " + port() + ", which is not plugged");
            if (to.what == port_peer::kind::node) {
                if (to.id != m_destination) broken(r, "is given to node " + number(to.id));
                escape = true;
                continue;
            }
            if (c.vcs == 0 || c.vcs >> m_vcs != 0)
                broken(r, "leaves " + port() + " on VCs that are not there");
            escape = escape || c.escape;
            const std::uint32_t first = (m_first_port[to.id] + to.port) * m_vcs;
            if (!extended) note(channel, first, c.vcs);
            for (std::uint32_t v = 0; v < m_vcs; ++v) {
                if ((c.vcs >> v & 1) == 0) continue;
                m_pool.push_back({first + v, onward});
                if (c.escape) request(first + v, state, extended);
            }
        }
        if (!escape && m_without_escape.empty())
            m_without_escape = "at router " + number(r) + " a packet for node " + number(m_destination) +
                               " has no escape channel";
    }

    /// A dependency of `channel` on the VCs `mask` of the link whose VC 0 is `first`.
    void note(std::uint32_t channel, std::uint32_t first, std::uint32_t mask) {
        auto& outputs = m_outputs[channel];
        for (auto& [known, vcs] : outputs)
            if (known == first) {
                vcs |= mask;
                return;
            }
        outputs.emplace_back(first, mask);
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
    std::vector<std::uint32_t> m_first_port;            ///< of each router, in the arrays over all ports
    std::vector<std::uint32_t> m_router;                ///< of each port
    std::vector<port_peer> m_peer;                      ///< of each port
    std::uint64_t m_plugged = 0;                        ///< input ports with a link
    std::vector<std::vector<std::uint32_t>> m_parties;  ///< see choose_parties()
    std::string m_scope;
    std::uint64_t m_calls = 0, m_limit = 0;
    std::string m_without_escape;

    /// For each channel: (VC 0 of a link, mask of its VCs) that packets on it may ask for next.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> m_outputs;
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
    std::vector<route_header> m_headers;
    std::unordered_map<std::uint64_t, std::uint32_t> m_header_numbers;
    std::vector<frame> m_path;
    std::vector<successor> m_pool;
};

void tell_cycle(const explorer& from, const std::vector<std::uint32_t>& cycle, deadlock_report& report) {
    constexpr std::size_t most_shown = 24;
    for (const auto c : cycle) report.cycle.push_back(from.channel_name(c));
    for (std::size_t i = 0; i < std::min(cycle.size(), most_shown); ++i)
        report.text += report.cycle[i] + " -> ";
    if (cycle.size() > most_shown) report.text += "... (" + number(cycle.size()) + " channels) -> ";
    report.text += report.cycle.front();
}

void decide(explorer& from, const deadlock_question& q, deadlock_report& report) {
    const flat_graph all = from.all_dependencies();
    report.dependencies = all.to.size();
    auto cycle = find_cycle(all);
    if (cycle.empty()) {
        report.result = verdict::acyclic;
        report.text = "free of deadlock: no cycle among " + number(report.channels) + " channels with " +
                      number(report.dependencies) + " dependencies" + from.scope();
        return;
    }
    const std::string name = "routing function '" + q.routing->name() + "' ";
    if (!q.routing->needs_escape()) {
        report.result = verdict::cycle;
        report.text = name + "can deadlock: ";
        return tell_cycle(from, cycle, report);
    }
    if (from.lacks_escape()) {
        report.result = verdict::unsafe;
        report.text = name + "can deadlock: " + from.without_escape();
        return;
    }
    if (!q.atomic_or_cut_through) {
        report.result = verdict::unsafe;
        report.text =
            name +
            "can deadlock: it rests on escape channels, which need VCs that are reallocated atomically or "
            "cut-through switching; in a VC that holds several packets of a wormhole network one may be "
            "stuck behind another that cannot escape: ";
        return tell_cycle(from, cycle, report);
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
    tell_cycle(from, cycle, report);
}

deadlock_report check_whole(const deadlock_question& question) {
    deadlock_report report;
    explorer from(question);
    report.channels = from.channels();
    try {
        decide(from, question, report);
    } catch (const finding& f) {
        report.result = f.result;
        report.text = f.result == verdict::broken
                          ? "routing function '" + question.routing->name() + "' is broken: " + f.text
                          : f.text;
    }
    report.calls = from.calls();
    return report;
}

/// One part after the other; the first that is not free of deadlock says so.
deadlock_report check_parts(const deadlock_question& question,
                            const std::vector<routing_function::part>& parts) {
    deadlock_report all;
    all.result = deadlock_report::verdict::acyclic;
    all.text = "free of deadlock, as packets pass from part to part in an order and each part is: ";
    const char* separator = "";
    for (const auto& p : parts) {
        if (p.level < question.own_safety.size() && !question.own_safety[p.level].empty()) {
            all.text += separator + p.name + ": " + question.own_safety[p.level];
            separator = "; ";
            if (all.result == verdict::acyclic) all.result = verdict::by_design;
            continue;
        }
        deadlock_question one = question;
        one.network = p.network;
        one.routing = p.function;
        one.vcs = p.vcs;
        one.most_calls = question.most_calls - all.calls;
        deadlock_report report = check_whole(one);
        all.channels += report.channels;
        all.dependencies += report.dependencies;
        all.calls += report.calls;
        if (!report.ok()) {
            report.text = p.name + ": " + report.text;
            return report;
        }
        if (report.result == verdict::skipped) all.result = report.result;
        all.text += separator + p.name + ": " + report.text;
        separator = "; ";
    }
    if (all.result == verdict::skipped) all.text = "not checked in all of its parts: " + all.text;
    return all;
}

}  // namespace

deadlock_report check_deadlock(const deadlock_question& question) {
    const std::vector<routing_function::part> parts = question.routing->parts();
    return parts.empty() ? check_whole(question) : check_parts(question, parts);
}

}  // namespace sare
