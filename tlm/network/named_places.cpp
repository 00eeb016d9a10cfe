// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/named_places.h"

#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// Reads names: a list begins at number 0, a map says the number of each name.
void read_names(place_kind what, const config::value& section, std::uint32_t count, place_names& all) {
    using kind = config::value::kind;
    const std::string key = std::string("names.") + to_string(what) + "s";
    const auto add = [&](std::uint32_t n, const config::value& v) {
        const std::string& name = config::to_text(v, key);
        if (!place_names::is_name(name))
            throw config::error(v.where(), place_names::problem_of_name(to_string(what), name));
        if (n >= count)
            throw config::error(v.where(), fmt::format("'{}' is for {} {}; the network has {}, 0 and up",
                                                       name, to_string(what), n, count));
        if (!all.set(what, n, name))
            throw config::error(v.where(),
                                fmt::format("'{}' is the name of {} {} already, and not of {} {}", name,
                                            to_string(what), *all.number(what, name), to_string(what), n));
    };
    if (section.type() == kind::null) return;
    if (section.type() == kind::list) {
        std::uint32_t n = 0;
        for (const config::value& v : section.items()) add(n++, v);
        return;
    }
    if (section.type() != kind::map)
        throw config::error(section.where(),
                            "'" + key + "' must be a list of names, or a map {0: cpu, 3: dram}");
    for (const auto& [number, v] : section.entries())
        add(static_cast<std::uint32_t>(config::to_integer(config::value::scalar(number, v.where()), key, 0,
                                                          static_cast<std::int64_t>(count) - 1)),
            v);
}

/// A key of an experiment whose value may name places: path to it; "*" is each item of a list or map.
struct naming_key {
    std::vector<std::string> path;
    place_kind what;
};

void add_keys(const std::vector<config::parameter_doc>& docs, const std::vector<std::string>& path,
              std::vector<naming_key>& all) {
    for (const config::parameter_doc& d : docs) {
        std::vector<std::string> inner = path;
        inner.push_back(d.name);
        if (!d.place.empty())
            all.push_back(
                {inner, d.place == to_string(place_kind::node) ? place_kind::node : place_kind::router});
        if (d.type != "section") inner.emplace_back("*");
        add_keys(d.section, inner, all);
    }
}

/// Keys of all sections, and of some parameters of traffic and routing, known once these have chosen.
std::vector<naming_key> naming_keys(const std::vector<config::parameter_doc>& docs) {
    std::vector<naming_key> all{{{"traffic", "pattern", "nodes"}, place_kind::node},
                                {{"traffic", "pairs", "*"}, place_kind::node},
                                {{"traffic", "first_node"}, place_kind::node},
                                {{"routing", "root"}, place_kind::router}};
    add_keys(docs, {}, all);
    return all;
}

class name_reader {
  public:
    explicit name_reader(const std::function<std::shared_ptr<const topology>()>& network)
        : m_network(network) {}

    config::value numbered(const config::value& v, const naming_key& key, std::size_t depth = 0) {
        using kind = config::value::kind;
        if (depth == key.path.size()) return number_of(v, key.what);
        if (v.type() == kind::list && key.path[depth] == "*") {
            std::vector<config::value> items;
            for (const config::value& item : v.items()) items.push_back(numbered(item, key, depth + 1));
            return config::value::list(std::move(items), v.where());
        }
        if (v.type() == kind::map && key.path[depth] == "*") {
            config::value all = v;
            for (const auto& [name, item] : v.entries()) all.set(name, numbered(item, key, depth + 1));
            return all;
        }
        const config::value* inner = v.type() == kind::map ? v.find(key.path[depth]) : nullptr;
        if (inner == nullptr) return v;
        config::value all = v;
        all.set(key.path[depth], numbered(*inner, key, depth + 1));
        return all;
    }

  private:
    /// Replaces a name, or each name of a list; other values are left to whoever reads the key.
    config::value number_of(const config::value& v, place_kind what) {
        if (v.type() == config::value::kind::list) {
            std::vector<config::value> items;
            for (const config::value& item : v.items()) items.push_back(number_of(item, what));
            return config::value::list(std::move(items), v.where());
        }
        if (v.type() != config::value::kind::scalar || !place_names::is_like_name(v.text())) return v;
        if (!m_map) m_map = m_network();
        const std::uint32_t count = what == place_kind::router ? m_map->routers() : m_map->nodes();
        return config::number(m_map->names().find(what, v.text(), count, v.where()), v.where());
    }

    const std::function<std::shared_ptr<const topology>()>& m_network;
    std::shared_ptr<const topology> m_map;
};

}  // namespace

config::schema<naming> naming::fields() {
    config::schema<naming> s;
    s.raw("routers", &naming::routers, "names of places",
          "Names of routers: a list from router 0 on, or a map such as {0: io, 5: cpu}.")
        .raw("nodes", &naming::nodes, "names of places", "Names of nodes, likewise.");
    return s;
}

place_names naming::over(const topology& map) const {
    place_names all = map.names();
    read_names(place_kind::router, routers, map.routers(), all);
    read_names(place_kind::node, nodes, map.nodes(), all);
    return all;
}

config::value with_numbers(const config::value& tree, const std::vector<config::parameter_doc>& docs,
                           const std::function<std::shared_ptr<const topology>()>& network) {
    name_reader reader(network);
    config::value all = tree;
    for (const naming_key& key : naming_keys(docs)) all = reader.numbered(all, key);
    return all;
}

}  // namespace sare
