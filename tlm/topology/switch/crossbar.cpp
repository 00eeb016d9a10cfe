// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/link_parameters.h"

namespace sare::variants::crossbar {
namespace {

struct crossbar_parameters : link_parameters {
    std::uint32_t n = 16;
};

/// One router; node i is on port i.
class crossbar final : public topology {
  public:
    explicit crossbar(const crossbar_parameters& p) : m_nodes(p.n), m_link(apart(p).node_link()) {}

    std::string name() const override { return "crossbar"; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return 1; }
    std::uint32_t ports(router_id) const override { return m_nodes; }
    port_peer peer(router_id, port_id p) const override {
        if (p.value >= m_nodes) return {};
        return {port_peer::kind::node, p.value, 0};
    }
    link_attributes link(router_id, port_id) const override { return m_link; }
    link_attributes injection_link(node_id) const override { return m_link; }
    router_id router_of(node_id) const override { return router_id(0); }
    port_id port_of(node_id n) const override { return port_id(n.value); }
    closed_forms known() const override { return {0U, 0.0, std::nullopt}; }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), m_nodes}};
    }
    void add_path(router_id, router_id, path_cost&) const override {}
    std::unique_ptr<layout> picture() const override { return std::make_unique<circle_layout>(1); }

  private:
    static crossbar_parameters apart(crossbar_parameters p) {
        p.nodes_apart = true;
        return p;
    }

    std::uint32_t m_nodes;
    link_attributes m_link;
};

config::schema<crossbar_parameters> crossbar_fields() {
    config::schema<crossbar_parameters> fields;
    fields
        .number("n", &crossbar_parameters::n, 1, most_routers - 1, "nodes",
                "nodes, each on a port of the one router: at most 1024 where fidelity is flit")
        .include(link_fields());
    return fields;
}

topology* make_crossbar(const crossbar_parameters& p, const config::value&) {
    return new crossbar(p);
}

const config::registration<topology> registered{
    "crossbar",
    "One router with a node on every port: the yardstick for transport without contention on the way.",
    crossbar_fields(), make_crossbar};

}  // namespace
}  // namespace sare::variants::crossbar
