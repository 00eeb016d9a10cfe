// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <memory>
#include <utility>

namespace sare {

/// A topology that answers as another one, which it owns: base class of topologies that change some
/// properties of another one.
class wrapped_topology : public topology {
  public:
    explicit wrapped_topology(std::unique_ptr<topology> map) : m_map(std::move(map)) {
        set_names(m_map->names());
    }

    std::string name() const override { return m_map->name(); }
    std::uint32_t nodes() const override { return m_map->nodes(); }
    std::uint32_t terminals() const override { return m_map->terminals(); }
    std::uint32_t routers() const override { return m_map->routers(); }
    std::uint32_t ports(router_id r) const override { return m_map->ports(r); }
    using topology::clock;
    clock_ratio clock(router_id r) const override { return m_map->clock(r); }
    const clock_region* region(router_id r) const override { return m_map->region(r); }
    const clock_region* region(node_id n) const override { return m_map->region(n); }
    part part_of(router_id r) const override {
        part of = m_map->part_of(r);
        if (of.network == m_map.get()) of.network = this;
        return of;
    }
    std::vector<router_setting> router_settings() const override { return m_map->router_settings(); }
    port_peer peer(router_id r, port_id p) const override { return m_map->peer(r, p); }
    port_peer source(router_id r, port_id p) const override { return m_map->source(r, p); }
    link_attributes link(router_id r, port_id p) const override { return m_map->link(r, p); }
    link_attributes injection_link(node_id n) const override { return m_map->injection_link(n); }
    router_id router_of(node_id n) const override { return m_map->router_of(n); }
    port_id port_of(node_id n) const override { return m_map->port_of(n); }
    router_port ejection_of(node_id n) const override { return m_map->ejection_of(n); }
    const network_shape* shape() const override { return m_map->shape(); }
    closed_forms known() const override { return m_map->known(); }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return m_map->node_classes();
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        m_map->add_path(from, to, sum);
    }
    std::unique_ptr<layout> picture() const override { return m_map->picture(); }

  protected:
    const topology& wrapped() const { return *m_map; }  ///< the topology given to the constructor

  private:
    std::unique_ptr<topology> m_map;
};

}  // namespace sare
