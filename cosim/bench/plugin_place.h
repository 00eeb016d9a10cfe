// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"
#include "cosim/random/router_bench.h"
#include "cosim/router/plugin.h"
#include "tlm/network/network_blueprint.h"

namespace sare::cosim {

/// A router of one's own (a library) and its place in an experiment's network, for tests at its pins without
/// that network.
class plugin_place {
  public:
    /// `router`: number of the router. Throws config::error, placed at the section `cosim`, if `e` names no
    /// library for the router or has no such router, or if routing is not deterministic. Also throws if no
    /// packet comes to the router whose route depends on its header alone.
    plugin_place(experiment e, std::uint32_t router);

    const pins::router_facts& facts() const { return m_plugin.facts(); }  ///< properties of the router
    const routing_context& around() const { return *m_around; }           ///< place and routes of the router
    /// Returns ports, VCs, buffers and longest packet, in the form that router_bench and case_traffic take;
    /// other parameters have no meaning.
    const router_setting& setting() const { return m_setting; }
    /// Returns the parameters of the network's NICs.
    const nic_params& nic() const { return m_net.nic(); }
    /// Returns all kinds of packets that the network can bring to the router and whose route at it depends on
    /// the header alone.
    const std::vector<packet_flow>& flows() const { return m_flows; }
    /// Returns the number of the router in its network.
    std::uint32_t router() const { return m_around->router(); }
    /// Makes the router with its scoreboard, see make_plugin_router(); the initial state is drawn by the
    /// experiment's seed. `packets` and this object must outlive it.
    plugin_router make(const packet_table& packets, const second_router& second) const;
    /// Sets the experiment's seed, by which make() draws the initial state.
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

/// Returns the numbers of the routers whose place the library of `e` fits, among those in cosim.replace, or
/// if that is empty, among all. Throws config::error, that of the last router tried, if there is none.
std::vector<std::uint32_t> possible_routers(const experiment& e);

/// Returns an experiment, as YAML, for the library `file`: a mesh of 4x4 routers, or a row of 4 for routers
/// of less than 5 ports. It has the VCs and depth that the library needs. Throws as the constructor of
/// router_plugin does.
std::string experiment_of_library(const std::string& file);

}  // namespace sare::cosim
