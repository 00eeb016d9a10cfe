// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/foreign_network.h"

#include "tlm/config/schema.h"
#include "tlm/topology/graph/line_reader.h"
#include "tlm/topology/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace sare {
namespace {

/// Throws for a word that is one of `known` but for a typing error; files may have words of their own.
void refuse_misspelt(const std::string& word, const std::string& what, const std::vector<std::string>& known,
                     const config::location& at) {
    const bool is_known = std::find(known.begin(), known.end(), word) != known.end();
    if (const std::string near = is_known ? "" : config::nearest(word, known); !near.empty())
        throw config::error(at, fmt::format("{} '{}'; did you mean '{}'?", what, word, near));
}

bool is_node(const foreign_network::vertex& v) {
    static const std::vector<std::string> nodes = {"host", "node", "server", "terminal", "endpoint"};
    for (const char* key : {"type", "kind"})
        if (const auto a = v.about.find(key); a != v.about.end()) {
            refuse_misspelt(a->second, std::string("unknown ") + key, nodes, v.at);
            if (std::find(nodes.begin(), nodes.end(), a->second) != nodes.end()) return true;
        }
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
            throw config::error(
                e.at,
                fmt::format("node '{}' has a second link; the first is on line {}. A node has one link here",
                            name, known->at.line));
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
        for (const auto& [key, text] : e.about)
            refuse_misspelt(key, "unknown attribute", {"latency", "delay", "cycles_per_flit", "bandwidth"},
                            e.at);
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

}  // namespace

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

}  // namespace sare
