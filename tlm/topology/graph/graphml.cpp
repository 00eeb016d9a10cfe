// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/xml/xml.h"
#include "tlm/topology/graph/foreign_network.h"

/// GraphML: keys, and one graph of nodes and edges with data by key.
namespace sare {
namespace {

class graphml_reader {
  public:
    foreign_network read(const config::xml_element& root) {
        if (root.name != "graphml")
            throw config::error(root.at, "<graphml> is expected, not <" + root.name + ">");
        const config::xml_element* graph = nullptr;
        for (const auto& e : root.children) {
            if (e.name == "key") {
                const auto name = e.attributes.find("attr.name");
                m_keys[e.attribute("id")] = name != e.attributes.end() ? name->second : e.attribute("id");
            } else if (e.name == "graph") {
                if (graph != nullptr) throw config::error(e.at, "a second <graph>; only one is read");
                graph = &e;
            }
        }
        if (graph == nullptr) throw config::error(root.at, "<graphml> has no <graph>");
        for (const auto& e : graph->children)
            if (e.name == "node") vertex(e);
        const auto usual = graph->attributes.find("edgedefault");
        m_both = usual == graph->attributes.end() || usual->second != "directed";
        for (const auto& e : graph->children) {
            if (e.name == "edge") edge(e);
            if (e.name == "hyperedge") throw config::error(e.at, "a hyperedge, which no link can be");
        }
        return std::move(m_net);
    }

  private:
    foreign_network::attributes data_of(const config::xml_element& of) const {
        foreign_network::attributes all;
        for (const auto& e : of.children) {
            if (e.name == "graph") throw config::error(e.at, "a graph within a node is not read");
            if (e.name != "data") continue;
            const auto key = m_keys.find(e.attribute("key"));
            if (key != m_keys.end()) all[key->second] = e.text;
        }
        return all;
    }
    void vertex(const config::xml_element& e) {
        const std::string& id = e.attribute("id");
        if (!m_known.emplace(id, m_net.vertices.size()).second)
            throw config::error(e.at, "node '" + id + "' is given twice");
        foreign_network::attributes about = data_of(e);
        const auto label = about.find("label");
        m_net.vertices.push_back({label != about.end() ? label->second : id, e.at, about});
    }
    void edge(const config::xml_element& e) {
        const auto way = e.attributes.find("directed");
        const bool both = way == e.attributes.end() ? m_both : way->second == "false";
        m_net.edges.push_back({end(e, "source"), end(e, "target"), both, e.at, data_of(e)});
    }
    std::uint32_t end(const config::xml_element& e, const char* key) const {
        const auto known = m_known.find(e.attribute(key));
        if (known == m_known.end()) throw config::error(e.at, "there is no node '" + e.attribute(key) + "'");
        return static_cast<std::uint32_t>(known->second);
    }

    std::map<std::string, std::string> m_keys;
    std::map<std::string, std::size_t> m_known;
    bool m_both = true;
    foreign_network m_net;
};

}  // namespace

foreign_network read_graphml(const std::string& text, const std::string& file) {
    return graphml_reader().read(config::read_xml(text, file));
}

}  // namespace sare
