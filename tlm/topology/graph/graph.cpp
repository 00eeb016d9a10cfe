// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/graph.h"

#include "tlm/topology/adjacency.h"
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/properties.h"

#include <algorithm>
#include <istream>
#include <map>
#include <optional>

namespace sare {
namespace {

constexpr std::uint32_t no_port = 0xffffffff;  ///< to be assigned

struct port_end {
    std::uint32_t router = 0, port = no_port;
};
struct node_line {
    std::uint32_t line, id;
    port_end at;
    link_attributes in, out;
};
struct link_line {
    std::uint32_t line;
    port_end from, to;
    link_attributes attributes;
    bool both;
    std::string name{};
};

/// What one side of a port is wired to.
struct side {
    port_peer peer;
    std::uint32_t line = 0;  ///< that said so; 0: free
};
struct port_record {
    side out, in;
    link_attributes link;
};
struct router_record {
    std::uint32_t declared = 0;  ///< line; 0: not declared
    std::uint32_t limit = 0;     ///< ports given; 0: none given
    std::uint32_t used = 0;      ///< first line that names it
    std::vector<port_record> ports;
    std::optional<spot> at;  ///< where pictures have it
};
struct exit_line {
    std::uint32_t line, node;
    port_end at;
};
struct node_record {
    port_end at, exit;
    link_attributes link;
    std::uint32_t line = 0;
};

class graph final : public topology {
  public:
    graph(std::vector<router_record> routers, std::vector<node_record> nodes) : m_nodes(std::move(nodes)) {
        m_first.push_back(0);
        for (auto& r : routers) {
            if (r.at) m_spots.push_back(*r.at);
            m_ports.insert(m_ports.end(), r.ports.begin(), r.ports.end());
            m_first.push_back(static_cast<std::uint32_t>(m_ports.size()));
        }
    }

    std::string name() const override { return "graph"; }
    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(m_nodes.size()); }
    std::uint32_t routers() const override { return static_cast<std::uint32_t>(m_first.size() - 1); }
    std::uint32_t ports(router_id r) const override { return m_first[r.value + 1] - m_first[r.value]; }
    port_peer peer(router_id r, port_id p) const override {
        return p.value < ports(r) ? at(r, p).out.peer : port_peer{};
    }
    port_peer source(router_id r, port_id p) const override {
        return p.value < ports(r) ? at(r, p).in.peer : port_peer{};
    }
    link_attributes link(router_id r, port_id p) const override { return at(r, p).link; }
    link_attributes injection_link(node_id n) const override { return m_nodes[n.value].link; }
    router_id router_of(node_id n) const override { return router_id(m_nodes[n.value].at.router); }
    port_id port_of(node_id n) const override { return port_id(m_nodes[n.value].at.port); }
    router_port ejection_of(node_id n) const override {
        const port_end& e = m_nodes[n.value].exit;
        return {router_id(e.router), port_id(e.port)};
    }
    std::unique_ptr<layout> picture() const override {
        return m_spots.empty() ? nullptr : std::make_unique<given_layout>(m_spots);
    }

  private:
    const port_record& at(router_id r, port_id p) const { return m_ports[m_first[r.value] + p.value]; }

    std::vector<std::uint32_t> m_first;
    std::vector<port_record> m_ports;
    std::vector<node_record> m_nodes;
    std::vector<spot> m_spots;  ///< of all routers, or of none
};

class parser {
  public:
    parser(std::istream& in, const std::string& file, const link_parameters& defaults)
        : m_reader(in, file, "sare-graph"), m_defaults(defaults) {}

    std::unique_ptr<topology> read() {
        while (m_reader.next()) {
            const auto word = m_reader.word(0);
            if (word == "router")
                router();
            else if (word == "node")
                node();
            else if (word == "exit")
                exit();
            else if (word == "link")
                link(true);
            else if (word == "arc")
                link(false);
            else
                m_reader.fail("unknown line '" + std::string(word) +
                              "'; one of: router, node, exit, link, arc");
        }
        check_routers();
        check_places();
        check_nodes();
        check_exits();
        for (const bool automatic : {false, true}) wire(automatic);
        for (auto& r : m_routers) r.ports.resize(std::max<std::size_t>({r.limit, r.ports.size(), 1}));
        auto net = std::make_unique<graph>(m_routers, m_by_id);
        check_connected(*net);
        net->set_names(std::move(m_names));
        return net;
    }

  private:
    static std::string text(std::uint32_t n) { return std::to_string(n); }

    router_record& named(std::uint32_t r) {
        if (r >= m_routers.size()) m_routers.resize(r + std::size_t{1});
        if (m_routers[r].used == 0) m_routers[r].used = m_reader.line();
        return m_routers[r];
    }

    /// A number, a name, or `number=name`, which gives it one. A new name alone takes the number behind all
    /// that there are.
    std::uint32_t number_of(place_kind what, std::string_view word, std::uint32_t most) {
        const auto equals = word.find('=');
        const bool by_name = equals == std::string_view::npos && place_names::is_name(word);
        if (const auto known = m_names.number(what, word); by_name && known) return *known;
        if (!by_name && place_names::is_like_name(word)) refuse_name(what, word, equals);
        std::uint32_t& next = what == place_kind::router ? m_next_router : m_next_node;
        const std::uint32_t n =
            by_name && next <= most
                ? next
                : m_reader.number(word.substr(0, equals), ("the " + std::string(to_string(what))).c_str(), 0,
                                  most);
        next = std::max(next, n + 1);
        if (by_name || equals != std::string_view::npos)
            give_name(what, n, word.substr(by_name ? 0 : equals + 1));
        return n;
    }

    void give_name(place_kind what, std::uint32_t n, std::string_view word) {
        const std::string name(word), kind = to_string(what);
        check_name(kind, name);
        const std::string& own = m_names.name(what, n);
        if (!own.empty() && own != name)
            m_reader.fail(kind + " " + text(n) + " is called '" + own + "' already, and not '" + name + "'");
        if (!m_names.set(what, n, name))
            m_reader.fail("'" + name + "' is the name of " + kind + " " + text(*m_names.number(what, name)) +
                          " already, and not of " + kind + " " + text(n));
    }

    void check_name(const std::string& kind, const std::string& name) const {
        if (!place_names::is_name(name)) m_reader.fail(place_names::problem_of_name(kind, name));
    }

    /// For a word that is neither a name nor a number with one.
    void refuse_name(place_kind what, std::string_view word, std::size_t equals) const {
        if (equals == std::string_view::npos)
            m_reader.fail(place_names::problem_of_name(to_string(what), std::string(word)));
        m_reader.fail("'" + std::string(word) +
                      "' must be a number and its name, such as 3=" + std::string(word.substr(0, equals)));
    }

    std::uint32_t router_number(std::string_view word) {
        return number_of(place_kind::router, word, most_routers - 1);
    }

    std::uint32_t node_number() {
        if (m_reader.size() < 2) m_reader.fail("the node is missing; write 'node NODE ROUTER'");
        return number_of(place_kind::node, m_reader.word(1), most_nodes - 1);
    }

    std::string router_text(std::uint32_t r) const { return m_names.text(place_kind::router, r); }
    std::string node_text(std::uint32_t n) const { return m_names.text(place_kind::node, n); }

    void no_more_than(std::size_t words) {
        if (m_reader.size() > words)
            m_reader.fail("unexpected '" + std::string(m_reader.word(words)) + "' at the end of the line");
    }

    void router() {
        const std::optional<spot> place = m_reader.take_position();
        no_more_than(3);
        if (m_reader.size() < 2) m_reader.fail("the router is missing");
        const std::uint32_t id = router_number(m_reader.word(1));
        auto& r = named(id);
        if (r.declared != 0)
            m_reader.fail(router_text(id) + " is given twice, first on line " + text(r.declared));
        r.declared = m_reader.line();
        r.at = place;
        r.limit = m_reader.size() > 2 ? m_reader.number(2, "the number of ports", 1, most_ports) : 0;
        m_declared = true;
    }

    /// Word i is a latency, in cycles or a time, and the next one cycles per flit or a bandwidth.
    link_attributes attributes(std::size_t i, link_attributes a) {
        if (const auto seconds = quantity(i, "the latency", "s", most_link_seconds)) {
            a.set_latency(1);
            a.picoseconds = link_picoseconds(*seconds);
            a.latency_follows = true;
        } else if (is_given(i)) {
            a.set_latency(m_reader.number(i, "the latency", 1, most_link_cycles));
        }
        if (const auto bandwidth = quantity(i + 1, "the bandwidth", "bit/s", most_bandwidth)) {
            a.set_cycles_per_flit(1);
            a.decibits_per_second = link_decibits_per_second(*bandwidth);
            a.rate_follows = true;
        } else if (is_given(i + 1)) {
            a.set_cycles_per_flit(m_reader.number(i + 1, "the cycles per flit", 1, most_link_cycles));
        }
        return a;
    }
    bool is_given(std::size_t i) const { return m_reader.size() > i && m_reader.word(i) != "-"; }
    std::optional<double> quantity(std::size_t i, const char* what, const char* unit, double most) const {
        if (!is_given(i)) return std::nullopt;
        const std::string word(m_reader.word(i));
        const auto found = config::to_quantity(word, unit);
        const std::size_t end = word.find_first_not_of("0123456789.");
        if (!found && end != 0 && end != std::string::npos)
            m_reader.fail(std::string(what) + " is " + word +
                          "; write a number, or one with a unit such as " +
                          (*unit == 's' ? "5ns" : "100Gbit/s"));
        if (found && !(*found > 0 && *found <= most))
            m_reader.fail(std::string(what) + " is " + word + "; it must be above 0 and at most " +
                          config::number_text(most) + " " + unit);
        return found;
    }

    void node() {
        no_more_than(8);
        node_line n{m_reader.line(), node_number(), {}, {}, {}};
        if (m_reader.size() < 3) m_reader.fail("the router is missing; write 'node NODE ROUTER'");
        n.at.router = router_number(m_reader.word(2));
        if (m_reader.size() > 3 && m_reader.word(3) != "-")
            n.at.port = m_reader.number(3, "the port", 0, most_ports - 1);
        n.in = attributes(4, m_defaults.node_link());
        n.out = attributes(6, n.in);
        named(n.at.router);
        m_nodes.push_back(n);
    }

    void exit() {
        no_more_than(4);
        if (m_reader.size() < 4) m_reader.fail("an exit is a node, a router and a port");
        exit_line e{m_reader.line(), node_number(), {}};
        e.at.router = router_number(m_reader.word(2));
        e.at.port = m_reader.number(3, "the port", 0, most_ports - 1);
        named(e.at.router);
        m_exits.push_back(e);
    }

    port_end end(std::size_t i) {
        if (m_reader.size() <= i) m_reader.fail("two routers are needed");
        const auto word = m_reader.word(i);
        const auto dot = word.find('.');
        if (dot != std::string_view::npos && place_names::is_like_name(word.substr(dot + 1)))
            m_reader.fail(place_names::problem_of_name("router", std::string(word)) +
                          "; behind a '.' stands the number of a port");
        port_end e{router_number(word.substr(0, dot)), no_port};
        if (dot != std::string_view::npos)
            e.port = m_reader.number(word.substr(dot + 1), "the port", 0, most_ports - 1);
        named(e.router);
        return e;
    }

    void link(bool both) {
        const std::string name = link_name();
        no_more_than(5);
        const port_end from = end(1), to = end(2);
        if (from.router == to.router) m_reader.fail(router_text(from.router) + " is linked to itself");
        m_links.push_back({m_reader.line(), from, to, attributes(3, m_defaults.link()), both, name});
        if (name.empty()) return;
        check_name("link", name);
        const auto [known, is_new] = m_named_links.emplace(name, m_links.size() - 1);
        const link_line& other = m_links[known->second];
        const bool way_back =
            !both && !other.both && from.router == other.to.router && to.router == other.from.router;
        if (!is_new && !way_back)
            m_reader.fail("'" + name + "' is the name of the link of line " + text(other.line) + " already");
    }

    /// Takes `name=NAME` from the end of the line; "" where it has none.
    std::string link_name() {
        constexpr std::string_view key = "name=";
        const std::string_view last = m_reader.word(m_reader.size() - 1);
        if (last.substr(0, key.size()) != key) return "";
        std::string name(last.substr(key.size()));
        m_reader.drop_last_word();
        return name.empty() ? "?" : name;  // which no link can be called
    }

    /// Where there are router lines, every router has one; numbers have no gaps.
    void check_routers() {
        for (std::uint32_t r = 0; r < m_routers.size(); ++r) {
            if (m_declared && m_routers[r].declared == 0 && m_routers[r].used != 0)
                m_reader.fail(m_routers[r].used, "unknown " + router_text(r) + ": it has no 'router' line");
            if (m_routers[r].used == 0)
                m_reader.fail(m_routers.back().used,
                              "router " + text(static_cast<std::uint32_t>(m_routers.size()) - 1) +
                                  " is named but router " + text(r) +
                                  " is not; routers are numbered from 0 without gaps");
        }
    }

    /// All routers have places of their own, or none has.
    void check_places() {
        std::map<std::pair<double, double>, std::uint32_t> taken;
        for (std::uint32_t r = 0; r < m_routers.size(); ++r) {
            const router_record& one = m_routers[r];
            if (one.at.has_value() != m_routers[0].at.has_value())
                m_reader.fail(one.declared, "positions ('at X Y') are given for some routers; " +
                                                router_text(one.at ? 0 : r) + " has none");
            if (!one.at) continue;
            const auto [other, is_new] = taken.emplace(std::make_pair(one.at->x, one.at->y), r);
            if (!is_new)
                m_reader.fail(one.declared,
                              router_text(r) + " is where " + router_text(other->second) + " is");
        }
    }

    void check_nodes() {
        if (m_nodes.empty()) m_reader.fail("no node; at least one 'node' line is needed");
        std::uint32_t last = 0;
        for (const auto& n : m_nodes) last = std::max(last, n.id);
        m_by_id.resize(last + std::size_t{1});
        for (const auto& n : m_nodes) {
            auto& record = m_by_id[n.id];
            if (record.line != 0)
                m_reader.fail(n.line,
                              node_text(n.id) + " is given twice, first on line " + text(record.line));
            record = {n.at, {}, n.in, n.line};
        }
        for (std::uint32_t id = 0; id < last; ++id)
            if (m_by_id[id].line == 0)
                m_reader.fail(m_by_id[last].line, "node " + text(last) + " is given but node " + text(id) +
                                                      " is not; nodes are numbered from 0 without gaps");
    }

    void check_exits() {
        for (const exit_line& e : m_exits) {
            if (e.node >= m_by_id.size()) m_reader.fail(e.line, node_text(e.node) + " has no 'node' line");
            auto& record = m_by_id[e.node];
            if (record.exit.port != no_port)
                m_reader.fail(e.line, "the exit of " + node_text(e.node) + " is given twice");
            record.exit = e.at;
        }
    }

    /// The port of `e`, made if it is not there yet; `e.port` is assigned where it is automatic: the lowest
    /// port whose wanted sides are free.
    port_record& port(port_end& e, bool out, bool in, std::uint32_t line) {
        auto& r = m_routers[e.router];
        const std::uint32_t limit = r.limit != 0 ? r.limit : most_ports;
        if (e.port == no_port) {
            e.port = 0;
            while (e.port < r.ports.size() &&
                   ((out && r.ports[e.port].out.line != 0) || (in && r.ports[e.port].in.line != 0)))
                ++e.port;
            if (e.port >= limit)
                m_reader.fail(line, router_text(e.router) + " has no free port left of its " + text(limit));
        }
        if (e.port >= limit)
            m_reader.fail(line, router_text(e.router) + " has no port " + text(e.port) + ": line " +
                                    text(r.declared) + " gives it " + text(limit));
        if (e.port >= r.ports.size()) r.ports.resize(e.port + std::size_t{1});
        auto& p = r.ports[e.port];
        for (const side* s : {out ? &p.out : nullptr, in ? &p.in : nullptr})
            if (s != nullptr && s->line != 0)
                m_reader.fail(line, "port " + text(e.port) + " of " + router_text(e.router) +
                                        " is used twice, first on line " + text(s->line));
        return p;
    }

    void connect(const port_end& from, const port_end& to, const link_line& l) {
        auto& p = m_routers[from.router].ports[from.port];
        p.out = {{port_peer::kind::router, to.router, to.port}, l.line};
        p.link = l.attributes;
        m_routers[to.router].ports[to.port].in = {{port_peer::kind::router, from.router, from.port}, l.line};
        if (!l.name.empty()) m_names.set_link(from.router, from.port, l.name);
    }

    /// Wires the lines whose ports are all given, or (automatic) the others, in the order of the file: nodes
    /// and links alike.
    void wire(bool automatic) {
        std::size_t n = 0, l = 0;
        while (n < m_nodes.size() || l < m_links.size()) {
            if (l == m_links.size() || (n < m_nodes.size() && m_nodes[n].line < m_links[l].line))
                wire_node(m_nodes[n++], automatic);
            else
                wire_link(m_links[l++], automatic);
        }
    }

    void wire_node(node_line& n, bool automatic) {
        if ((n.at.port == no_port) != automatic) return;
        node_record& record = m_by_id[n.id];
        const bool one_port = record.exit.port == no_port;
        const side to_node{{port_peer::kind::node, n.id, 0}, n.line};
        port(n.at, one_port, true, n.line).in = to_node;
        record.at = n.at;
        if (one_port) record.exit = n.at;
        port_record& p =
            one_port ? m_routers[n.at.router].ports[n.at.port] : port(record.exit, true, false, n.line);
        p.out = to_node;
        p.link = n.out;
    }

    /// A link with one port given and one automatic holds its given port from the first round on.
    void wire_link(link_line& l, bool automatic) {
        const bool waits = l.from.port == no_port || l.to.port == no_port;
        if (!automatic) {
            for (const auto& [e, out, in] :
                 {std::make_tuple(&l.from, true, l.both), std::make_tuple(&l.to, l.both, true)}) {
                if (e->port == no_port) continue;
                auto& p = port(*e, out, in, l.line);
                if (out) p.out.line = l.line;
                if (in) p.in.line = l.line;
            }
        } else if (waits) {
            if (l.from.port == no_port) port(l.from, true, l.both, l.line);
            if (l.to.port == no_port) port(l.to, l.both, true, l.line);
        }
        if (waits != automatic) return;
        connect(l.from, l.to, l);
        if (l.both) connect(l.to, l.from, l);
    }

    void check_connected(const topology& net) {
        if (!m_exits.empty()) return check_exits_are_reached(net);
        const auto lost = find_unreachable(net);
        if (!lost) return;
        const std::uint32_t stray = std::max(lost->from, lost->to);
        m_reader.fail(m_routers[stray].used, "the network is not connected: there is no way from " +
                                                 router_text(lost->from) + " to " + router_text(lost->to));
    }

    /// In networks of one-way stages routers need not reach each other; nodes must. Tried are the ways of
    /// node 0, to all and from all.
    void check_exits_are_reached(const topology& net) {
        std::vector<std::uint32_t> distance, queue;
        for (const auto way : {adjacency::direction::forward, adjacency::direction::backward}) {
            const bool forward = way == adjacency::direction::forward;
            const auto router = [&](std::uint32_t n, bool sends) {
                return sends ? net.router_of(node_id(n)).value : net.ejection_of(node_id(n)).router.value;
            };
            breadth_first(adjacency(net, way), router(0, forward), distance, queue);
            for (std::uint32_t n = 0; n < net.nodes(); ++n)
                if (distance[router(n, !forward)] == unreached)
                    m_reader.fail(m_by_id[n].line, "the network is not connected: there is no way from " +
                                                       node_text(forward ? 0 : n) + " to " +
                                                       node_text(forward ? n : 0));
        }
    }

    line_reader m_reader;
    link_parameters m_defaults;
    bool m_declared = false;
    std::vector<router_record> m_routers;
    std::vector<node_line> m_nodes;
    std::vector<exit_line> m_exits;
    std::vector<link_line> m_links;
    std::vector<node_record> m_by_id;
    place_names m_names;
    std::uint32_t m_next_router = 0, m_next_node = 0;  ///< behind the largest number that there is
    std::map<std::string, std::size_t> m_named_links;  ///< places in m_links
};

}  // namespace

std::unique_ptr<topology> read_graph(std::istream& in, const std::string& file,
                                     const link_parameters& defaults) {
    return parser(in, file, defaults).read();
}

}  // namespace sare
