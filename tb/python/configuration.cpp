// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/python_value.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/topology/topology.h"

#include <pybind11/stl.h>

/// Reads experiments, and returns their networks as lists.
namespace sare::python {
namespace py = pybind11;
namespace {

/// Returns what is wrong with a key; "" if it is known.
std::string key_error(const std::string& key, const std::string& section,
                      const std::vector<std::string>& known) {
    const config::value one = config::value::map({{key, config::value::nothing({section, 0, 0})}});
    try {
        config::check_keys(one, section, known);
    } catch (const config::error& problem) {
        return problem.what();
    }
    return "";
}

using vertex = std::pair<std::string, std::uint32_t>;

py::object position_of(const topology& map, std::uint32_t r) {
    const auto* const grid = map.coordinates();
    if (grid == nullptr) return py::none();
    py::list all;
    for (const std::uint32_t size : grid->dims) {
        all.append(r % size);
        r /= size;
    }
    return all;
}

py::list vertices_of(const topology& map) {
    py::list all;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        all.append(py::make_tuple("router", r, map.names().name(place_kind::router, r), position_of(map, r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        all.append(py::make_tuple("node", n, map.names().name(place_kind::node, n), py::none()));
    return all;
}

py::tuple edge(const vertex& from, std::uint32_t port, const vertex& to, std::uint32_t to_port,
               const link_attributes& a) {
    return py::make_tuple(from, port, to, to_port, a.latency, a.cycles_per_flit);
}

py::list edges_of(const topology& map) {
    py::list all;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer peer = map.peer(router_id(r), port_id(p));
            if (peer.what == port_peer::kind::none) continue;
            const bool node = peer.what == port_peer::kind::node;
            all.append(edge({"router", r}, p, {node ? "node" : "router", peer.id}, peer.port,
                            map.link(router_id(r), port_id(p))));
        }
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        all.append(edge({"node", n}, 0, {"router", map.router_of(node_id(n)).value},
                        map.port_of(node_id(n)).value, map.injection_link(node_id(n))));
    return all;
}

py::dict network_of(const py::dict& tree, const std::string& folder) {
    const auto map = experiment::read(to_value(tree, ""), folder).make_map();
    return py::dict(py::arg("name") = map->name(), py::arg("vertices") = vertices_of(*map),
                    py::arg("edges") = edges_of(*map));
}

}  // namespace

void bind_configuration(py::module_& m) {
    m.def("key_error", key_error, py::arg("key"), py::arg("section"), py::arg("known"));
    m.def(
        "parse",
        [](const std::string& text, const std::string& name) {
            return from_value(config::parse_document(text, name));
        },
        py::arg("text"), py::arg("name"));
    m.def(
        "check_tree",
        [](const py::dict& tree, const std::string& folder) { experiment::read(to_value(tree, ""), folder); },
        py::arg("tree"), py::arg("folder"));
    m.def("edges", network_of, py::arg("tree"), py::arg("folder"));
}

}  // namespace sare::python
