// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"
#include "cosim/random/router_bench.h"
#include "cosim/router/plugin.h"
#include "tlm/network/network_blueprint.h"

namespace sare::cosim {

/// Place of a router of one's own in an experiment's network, without that network around it.
class plugin_place {
  public:
    /// Throws config::error, placed at the section cosim, if `e` names no library or has no router of that
    /// number, and if packets have a route here that depends on more than their header's directions.
    plugin_place(experiment e, std::uint32_t router);

    const pins::router_facts& facts() const { return m_plugin.facts(); }
    const routing_context& around() const { return *m_around; }
    /// Ports, VCs, buffers and longest packet, in the form in which traffic at pins takes them.
    const router_setting& setting() const { return m_setting; }
    /// NICs of the network.
    const nic_params& nic() const { return m_net.nic(); }
    /// All packets that the network can bring here.
    const std::vector<packet_flow>& flows() const { return m_flows; }
    /// Number of the router in its network.
    std::uint32_t router() const { return m_around->router(); }
    /// Makes the router, see make_plugin_router(); its initial state is that of the experiment's seed.
    plugin_router make(const packet_table& packets, const second_router& second) const;
    /// Sets the seed of the initial state.
    void set_seed(std::uint64_t seed) { m_experiment.seed = seed; }

  private:
    void find_flows();
    void follow(const route_header& begun, std::uint32_t vcs);

    experiment m_experiment;
    router_plugin m_plugin;
    network_blueprint m_net;
    std::unique_ptr<network_routing_context> m_around;
    router_setting m_setting;
    std::vector<packet_flow> m_flows;
};

/// Returns the routers of the experiment that its library can be: those in cosim.replace, or else all.
/// Throws the error of the last one if it can be none.
std::vector<std::uint32_t> possible_routers(const experiment& e);

/// Returns an experiment, as YAML, for a library alone: a mesh of 4x4 (a row of 4 for routers of less than 5
/// ports) with its VCs and depth.
std::string experiment_of_library(const std::string& file);

}  // namespace sare::cosim
