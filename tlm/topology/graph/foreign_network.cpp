// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/foreign_network.h"

#include "tlm/config/schema.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/place_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

namespace sare {
namespace {

bool is_node(const foreign_network::vertex& v) {
    static const std::set<std::string> nodes = {"host", "node", "server", "terminal", "endpoint"};
    for (const char* key : {"type", "kind"})
        if (const auto a = v.about.find(key); a != v.about.end() && nodes.count(a->second) != 0) return true;
    return false;
}

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

/// Writes the lines of an edge list.
class edge_list_writer {
  public:
    edge_list_writer(const foreign_network& net, std::uint32_t concentration)
        : m_net(net),
          m_concentration(concentration),
          m_number(net.vertices.size()),
          m_link(net.vertices.size()) {}

    std::string text() {
        m_out << "sare-graph 1\n";
        for (std::size_t i = 0; i < m_net.vertices.size(); ++i)
            if (!is_node(m_net.vertices[i])) router(i);
        for (const auto& e : m_net.edges) edge(e);
        for (std::size_t i = 0; i < m_net.vertices.size(); ++i)
            if (is_node(m_net.vertices[i])) node(i);
        if (m_nodes == 0)
            for (std::uint32_t n = 0; n < m_routers * m_concentration; ++n)
                m_out << "node " << n << ' ' << n / m_concentration << '\n';
        return m_out.str();
    }

  private:
    void from(const config::location& at) { m_out << line_mark << at.line << '\n'; }

    /// Returns "number=name", or the number alone of a vertex whose name is no name here, or another's.
    std::string named(std::size_t i, std::uint32_t number, std::set<std::string>& taken) {
        std::string name = m_net.vertices[i].name;
        m_number[i] = number;
        for (char& c : name)
            if (!place_names::is_name("_" + std::string(1, c))) c = '_';
        const bool good = place_names::is_name(name) && taken.insert(name).second;
        return std::to_string(number) + (good ? "=" + name : "");
    }
    void router(std::size_t i) {
        from(m_net.vertices[i].at);
        m_out << "router " << named(i, m_routers++, m_router_names) << '\n';
    }

    /// A link of a node is kept for its `node` line.
    void edge(const foreign_network::edge& e) {
        const bool from_node = is_node(m_net.vertices[e.from]), to_node = is_node(m_net.vertices[e.to]);
        if (!from_node && !to_node) {
            from(e.at);
            m_out << (e.both ? "link " : "arc ") << m_number[e.from] << ' ' << m_number[e.to] << words(e)
                  << '\n';
            return;
        }
        const std::uint32_t own = from_node ? e.from : e.to, router = from_node ? e.to : e.from;
        const std::string& name = m_net.vertices[own].name;
        if (from_node && to_node)
            throw config::error(e.at, "nodes '" + name + "' and '" + m_net.vertices[router].name +
                                          "' are linked to each other; a node is linked to a router");
        const foreign_network::edge*& known = m_link[own];
        if (known != nullptr && !(known->from == e.to && known->to == e.from && !known->both && !e.both))
            throw config::error(e.at, "node '" + name + "' has a second link; the first is on line " +
                                          std::to_string(known->at.line) + ". A node has one link here");
        if (known == nullptr) known = &e;
    }
    void node(std::size_t i) {
        const foreign_network::vertex& v = m_net.vertices[i];
        if (m_link[i] == nullptr) throw config::error(v.at, "node '" + v.name + "' has no link to a router");
        from(m_link[i]->at);
        const std::uint32_t router = m_link[i]->from == i ? m_link[i]->to : m_link[i]->from;
        m_out << "node " << named(i, m_nodes++, m_node_names) << ' ' << m_number[router];
        const std::string link = words(*m_link[i]);
        m_out << (link.empty() ? "" : " -") << link << '\n';
    }

    /// Returns latency and cycles of a flit behind each other, as an edge list has them.
    static std::string words(const foreign_network::edge& e) {
        const auto value = [&e](const char* key, const char* unit) -> std::string {
            const auto found = e.about.find(key);
            if (found == e.about.end()) return "";
            const std::string word = without_blanks(found->second);
            if (*unit != 0 && !config::to_quantity(word, unit))
                throw config::error(e.at, "'" + std::string(key) + "' is '" + found->second +
                                              "'; it needs a unit, such as " +
                                              (*unit == 's' ? "1us" : "100Gbit/s"));
            return " " + word;
        };
        std::string latency = value("latency", ""), cycles = value("cycles_per_flit", "");
        if (latency.empty()) latency = value("delay", "s");
        if (cycles.empty()) cycles = value("bandwidth", "bit/s");
        return latency.empty() && !cycles.empty() ? " -" + cycles : latency + cycles;
    }

    const foreign_network& m_net;
    const std::uint32_t m_concentration;
    std::ostringstream m_out;
    std::vector<std::uint32_t> m_number;               ///< number of each vertex as a router or node
    std::vector<const foreign_network::edge*> m_link;  ///< link of each vertex that is a node
    std::uint32_t m_routers = 0, m_nodes = 0;
    std::set<std::string> m_router_names, m_node_names;
};

/// The lines of a topology of HPCC.
class hpcc_lines {
  public:
    hpcc_lines(const std::string& text, const std::string& file) : m_in(text), m_at{file, 0, 1} {}

    foreign_network read() {
        const std::uint32_t nodes = 1U << 24;
        next("three numbers: nodes, switches and links", 3);
        const std::uint32_t all = number(0, nodes), switches = number(1, all), links = number(2, 1U << 26);
        foreign_network net;
        for (std::uint32_t i = 0; i < all; ++i)
            net.vertices.push_back({"h" + std::to_string(i), m_at, {{"type", "host"}}});
        next("the numbers of the switches", switches);
        for (std::uint32_t i = 0; i < switches; ++i) {
            const std::uint32_t s = number(i, all - 1);
            net.vertices[s] = {"s" + std::to_string(s), m_at, {}};
        }
        for (std::uint32_t i = 0; i < links; ++i) {
            next("a link: two nodes, rate, delay and error rate", 5);
            if (std::strtod(m_words[4].c_str(), nullptr) > 0)
                throw config::error(m_at,
                                    "the error rate is " + m_words[4] + "; it is read only where it is 0");
            net.edges.push_back({number(0, all - 1),
                                 number(1, all - 1),
                                 true,
                                 m_at,
                                 {{"bandwidth", m_words[2]}, {"delay", m_words[3]}}});
        }
        return net;
    }

  private:
    void next(const std::string& what, std::size_t words) {
        std::string line;
        for (m_words.clear(); m_words.empty() && std::getline(m_in, line); ++m_at.line) {
            std::istringstream in(line);
            m_words.assign(std::istream_iterator<std::string>(in), {});
        }
        if (m_words.size() != words)
            throw config::error(m_at, "a topology of HPCC has here " + what + "; there are " +
                                          std::to_string(m_words.size()) + " words");
    }
    std::uint32_t number(std::size_t i, std::uint32_t most) const {
        return static_cast<std::uint32_t>(
            config::to_integer(config::value::scalar(m_words[i], m_at), "number", 0, most));
    }

    std::istringstream m_in;
    config::location m_at;
    std::vector<std::string> m_words;
};

}  // namespace

foreign_network read_hpcc(const std::string& text, const std::string& file) {
    return hpcc_lines(text, file).read();
}

std::string edge_list_of(const foreign_network& net, std::uint32_t concentration) {
    return edge_list_writer(net, concentration).text();
}

std::string as_edge_list(std::string text, const std::string& file, std::uint32_t concentration) {
    std::istringstream in(text);
    std::string word;
    for (std::string rest; in >> word && word[0] == '#'; word.clear()) std::getline(in, rest);
    for (const char* dot : {"graph", "digraph", "strict", "//", "/*"})
        if (word.rfind(dot, 0) == 0) return edge_list_of(read_dot(text, file), concentration);
    if (word[0] == '<') return edge_list_of(read_graphml(text, file), concentration);
    if (std::isdigit(static_cast<unsigned char>(word[0])))
        return edge_list_of(read_hpcc(text, file), concentration);
    return text;
}

namespace {

struct graph_parameters : link_parameters {
    std::string file;
    std::uint32_t concentration = 1;
};

config::schema<graph_parameters> graph_fields() {
    config::schema<graph_parameters> fields;
    fields
        .text("file", &graph_parameters::file,
              "edge list, GraphML, DOT, or a topology file of HPCC; a relative name is taken from the folder "
              "of "
              "the configuration file")
        .number("concentration", &graph_parameters::concentration, 1, most_ports, "",
                "nodes at each router of a file of others that has no nodes")
        .include(link_fields());
    return fields;
}

std::unique_ptr<topology> make_graph(const graph_parameters& p, const config::value& section) {
    std::string path;
    const auto file = open_input(section, "file", p.file, path);
    std::istringstream in(as_edge_list({std::istreambuf_iterator<char>(*file), {}}, path, p.concentration));
    return read_graph(in, path, p);
}

const config::registration<topology> registered_graph{
    "graph", "Any network, from a file of its links; the link parameters hold for lines that give none.",
    graph_fields(), make_graph};

}  // namespace
}  // namespace sare
