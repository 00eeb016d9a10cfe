// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/network/foreign.h"
#include "tlm/network/network_blueprint.h"
#include "tlm/systemc/modules.h"
#include "tlm/topology/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace sare {

/// A network as a SystemC module: it makes the modules of an experiment's topology and binds them. With up to
/// `most_bound` routers, of at most 32 nodes in the mean, sockets bind every port to a link module. In larger
/// networks links are only wires of the fabric, and a router or NIC gets a module when it is first asked for.
/// (65,536 routers with all modules and sockets take 22 s and 2.3 GB to elaborate.) Both behave the same,
/// cycle for cycle.
class network : public sc_core::sc_module {
  public:
    /// Default of `bound_limit`: most routers of a network with link modules.
    static constexpr std::uint32_t most_bound = 1024;

    /// `map`: topology of `e`, which may be shared. `classes`: number of message classes of the traffic.
    /// `bound_limit`: most routers with which sockets bind every port to a link module, if there are at most
    /// 32 times as many nodes. `maker` is called for every router, and for every NIC of this process; null
    /// result: the model's own block. `processes`: processes that run the network together, each with modules
    /// only for its own routers and nodes, and links that are only wires; null: one process. Whatever does
    /// not fit is reported as the SystemC error
    /// "/sare/config".
    network(const sc_core::sc_module_name& name, const experiment& e, std::shared_ptr<const topology> map,
            std::uint32_t classes, std::uint32_t bound_limit = most_bound,
            const foreign_maker& maker = foreign_maker(), world* processes = nullptr);
    /// Makes the topology of `e` and a network of it in this process alone. Reports an error for sections
    /// that only class simulation uses, such as nic.retransmission, and a warning for a section 'traffic'.
    network(const sc_core::sc_module_name& name, const experiment& e, std::uint32_t classes,
            std::uint32_t bound_limit = most_bound, const foreign_maker& maker = foreign_maker());
    ~network() override;

    const char* kind() const override { return "sare::network"; }
    /// Prints name and kind, the topology, whether links are modules, and the engine.
    void dump(std::ostream& out = std::cout) const override;

    /// Returns the engine of the network, which has the clock and the fabric; cycle_engine::set_workload()
    /// gives it a workload.
    cycle_engine& engine() { return m_engine; }
    const topology& map() const { return *m_map; }
    const network_blueprint& blueprint() const { return m_blueprint; }
    const routing_function& routing() const { return m_blueprint.routing(); }
    const router_plan& plan() const { return m_blueprint.plan(); }
    /// Returns the failures that `e` describes; `e` must be the experiment of the constructor. `classes`:
    /// number of message classes. Throws config::error if `classes` does not divide the VCs.
    failure_schedule failures(const experiment& e, std::uint32_t classes) const {
        return m_blueprint.failures(e, classes);
    }
    /// Returns the processes that run the network together; null: this process runs the whole network.
    world* processes() const { return m_world; }
    /// Returns the module of router `r`; call before the simulation starts. Reports the error
    /// "/sare/elaboration" if there is no such router, if a foreign block has its place, or if another
    /// process runs it; throws std::out_of_range if reports do not throw.
    router& router_module(std::uint32_t r);
    /// Returns the module of the NIC of node `n`, with the conditions and errors of router_module().
    nic& nic_module(std::uint32_t n);
    /// Returns the foreign block in the place of a router; null: the model's own router is there.
    const foreign_block* foreign_router(std::uint32_t r) const {
        return r < m_foreign_routers.size() ? m_foreign_routers[r].get() : nullptr;
    }
    /// True if sockets bind every port to a link module; false: links are only wires of the fabric.
    bool bound() const { return m_bound; }

  private:
    void make_modules(const foreign_maker& maker);
    void make_nic(std::uint32_t n, const foreign_maker& maker);
    void make_router(std::uint32_t r, const foreign_maker& maker);
    flit_initiator_socket& out_of(const link_end& e);
    flit_target_socket& in_of(const link_end& e);
    foreign_block* foreign_at(const link_end& e) const;
    void connect_all();
    void check_is_here(const link_end& e, const link_end& foreign) const;
    void connect(const link_end& from, const link_end& to, const link_attributes& attributes);

    std::shared_ptr<const topology> m_map;
    world* m_world;
    const network_blueprint m_blueprint;
    cycle_engine m_engine;
    bool m_bound;
    bool m_late = false;                             ///< true: a module is made when it is first asked for
    std::vector<std::unique_ptr<router>> m_routers;  ///< null: there is no module, or none was asked for yet
    std::vector<std::unique_ptr<foreign_block>> m_foreign_routers;  ///< null: the router is the model's own
    std::vector<std::unique_ptr<nic>> m_nics;
    std::vector<std::unique_ptr<foreign_block>> m_foreign_nics;  ///< null: the NIC is the model's own
    std::vector<std::unique_ptr<link>> m_links;
};

}  // namespace sare
