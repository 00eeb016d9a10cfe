// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/script_host.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <pybind11/stl.h>

#include <optional>

/// Patterns, routing functions and governors in Python.
namespace sare::python {
namespace py = pybind11;
namespace {

class script_pattern final : public traffic::pattern {
  public:
    script_pattern(py::object its, const traffic::pattern_context& c)
        : m_its(std::move(its)), m_nodes(c.nodes), m_right(fmt::format("a node, 0 to {}", c.nodes - 1)) {
        m_its.tell("start", c.nodes, c.dims, c.seed);
        m_silent = m_its.overrides("silent");
    }
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        const auto to = m_its.ask<std::uint32_t>("destination", m_right, source, &random);
        if (to >= m_nodes)
            m_its.refuse("destination", fmt::format("gives node {}; nodes are 0 to {}", to, m_nodes - 1));
        return to;
    }
    bool silent(std::uint32_t source) const override {
        return m_silent && m_its.ask<bool>("silent", "True or False", source);
    }
    void serialize(archive& a) override { m_its.serialize(a); }

  private:
    script_object m_its;
    std::uint32_t m_nodes;
    const std::string m_right;  ///< words for what destination() must return
    bool m_silent = false;
};

class script_governor final : public level_governor {
  public:
    explicit script_governor(py::object its) : m_its(std::move(its)) {}
    std::uint32_t next_level(const domain_load& load) override {
        const auto level = m_its.ask<std::uint32_t>("next_level", "a level, from 0", load);
        if (level >= load.levels)
            m_its.refuse("next_level",
                         fmt::format("gives level {}; levels are 0 to {}", level, load.levels - 1));
        return level;
    }
    void serialize(archive& a) override { m_its.serialize(a); }

  private:
    script_object m_its;
};

/// The network as a routing function sees it.
struct network_of_routing {
    const topology* map;
    std::uint32_t vcs;
};

class script_routing final : public routing_function {
  public:
    script_routing(py::object its, const routing_context& c) : m_its(std::move(its)), m_map(*c.network) {
        m_its.tell("start", network_of_routing{c.network, c.vcs});
        m_name = m_its.ask<std::string>("name", "a text");
        m_candidates = m_its.get<std::uint32_t>("max_candidates");
        m_tabular = m_its.get<bool>("tabular");
        m_deterministic = m_its.get<bool>("deterministic");
        m_needs_escape = m_its.get<bool>("needs_escape");
        m_begins = m_its.overrides("begin");
        m_headers = m_its.overrides("every_header");
    }
    std::string name() const override { return m_name; }
    std::uint32_t max_candidates() const override { return m_candidates; }
    bool tabular() const override { return m_tabular; }
    bool deterministic() const override { return m_deterministic; }
    bool needs_escape() const override { return m_needs_escape; }
    void begin(route_header& header, rng& random) const override {
        if (!m_begins) return;
        m_its.call(
            "begin", [](const py::object&) {}, &header, &random);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        if (!m_headers) return out.push_back(plain);
        for (const route_header& h :
             m_its.ask<std::vector<route_header>>("every_header", "a list of headers", plain))
            out.push_back(h);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
               route_set& out) const override {
        using way = std::tuple<std::uint32_t, std::uint32_t, bool>;
        const auto ways = m_its.ask<std::vector<way>>(
            "_route", "a port, or a list of ways: ports, (port, mask of VCs) or (port, mask, escape)", r, in,
            in_vc, &header);
        if (ways.empty() || ways.size() > m_candidates)
            m_its.refuse(
                "route",
                fmt::format("gives {} ways at router {}; it may give 1 to max_candidates, which is {}",
                            ways.size(), r, m_candidates));
        for (const auto& [port, vcs, escape] : ways) {
            if (port >= m_map.ports(router_id(r)))
                m_its.refuse("route", fmt::format("gives port {} at router {}; its ports are 0 to {}", port,
                                                  r, m_map.ports(router_id(r)) - 1));
            out.add(port, vcs, escape);
        }
    }

  private:
    script_object m_its;
    const topology& m_map;
    std::string m_name;
    std::uint32_t m_candidates = 1;
    bool m_tabular = false, m_deterministic = true, m_needs_escape = false, m_begins = false,
         m_headers = false;
};

}  // namespace

std::unique_ptr<traffic::pattern> script_host::make(const traffic::script& s,
                                                    const traffic::pattern_context& c) {
    return with_object(s, "Pattern",
                       [&](py::object its) { return std::make_unique<script_pattern>(std::move(its), c); });
}

std::unique_ptr<routing_function> script_host::make(const traffic::script& s, const routing_context& c) {
    return with_object(s, "RoutingFunction",
                       [&](py::object its) { return std::make_unique<script_routing>(std::move(its), c); });
}

std::unique_ptr<level_governor> script_host::make(const traffic::script& s) {
    return with_object(s, "Governor",
                       [](py::object its) { return std::make_unique<script_governor>(std::move(its)); });
}

void bind_routing(py::module_& m) {
    using net = network_of_routing;
    py::class_<net>(m, "RoutedNetwork")
        .def_property_readonly("routers", [](const net& n) { return n.map->routers(); })
        .def_property_readonly("nodes", [](const net& n) { return n.map->nodes(); })
        .def_readonly("vcs", &net::vcs)
        .def_property_readonly("dims",
                               [](const net& n) {
                                   const auto* const grid = n.map->coordinates();
                                   return grid == nullptr ? std::vector<std::uint32_t>()
                                                          : std::vector<std::uint32_t>(grid->dims.begin(),
                                                                                       grid->dims.end());
                               })
        .def(
            "ports", [](const net& n, std::uint32_t r) { return n.map->ports(router_id(r)); },
            py::arg("router"))
        .def(
            "peer",
            [](const net& n, std::uint32_t r,
               std::uint32_t p) -> std::optional<std::tuple<std::string, std::uint32_t, std::uint32_t>> {
                const port_peer peer = n.map->peer(router_id(r), port_id(p));
                if (peer.what == port_peer::kind::none) return std::nullopt;
                return std::tuple(peer.what == port_peer::kind::node ? "node" : "router", peer.id, peer.port);
            },
            py::arg("router"), py::arg("port"))
        .def(
            "router_of",
            [](const net& n, std::uint32_t node) { return n.map->ejection_of(node_id(node)).router.value; },
            py::arg("node"))
        .def(
            "port_of",
            [](const net& n, std::uint32_t node) { return n.map->ejection_of(node_id(node)).port.value; },
            py::arg("node"));
    py::class_<domain_load>(m, "DomainLoad")
        .def_readonly("now", &domain_load::now)
        .def_readonly("level", &domain_load::level)
        .def_readonly("levels", &domain_load::levels)
        .def_readonly("occupancy", &domain_load::occupancy)
        .def_readonly("utilisation", &domain_load::utilisation);
    py::class_<route_header>(m, "Header")
        .def_readonly("source", &route_header::source)
        .def_readonly("destination", &route_header::destination)
        .def_readwrite("via", &route_header::via)
        .def_readwrite("state", &route_header::state)
        .def_readwrite("phase", &route_header::phase)
        .def_readonly("vc_base", &route_header::vc_base)
        .def("copy", [](const route_header& h) { return h; });
}

}  // namespace sare::python
