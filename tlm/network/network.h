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

/// The network composer: a topology and a routing function become modules. Up to `most_bound` routers every
/// port is bound to a link module by its sockets; beyond that, links exist only as wires of the fabric, and a
/// router or NIC becomes a module when it is first asked for (65,536 routers with all modules and sockets
/// take 22 s and 2.3 GB to elaborate). The two behave the same, cycle for cycle.
class network : public sc_core::sc_module {
  public:
    static constexpr std::uint32_t most_bound = 1024;

    /// `map`: that of `e`, which may be shared. `classes`: message classes of the traffic. `maker` is asked
    /// for every router. `processes`: that run the network together, each some of its routers and nodes, of
    /// which alone it has modules; null: this one runs it all. What does not fit together is a report
    /// "/sare/config".
    network(const sc_core::sc_module_name& name, const experiment& e, std::shared_ptr<const topology> map,
            std::uint32_t classes, std::uint32_t bound_limit = most_bound,
            const foreign_maker& maker = foreign_maker(), world* processes = nullptr);
    /// The same with a map of its own.
    network(const sc_core::sc_module_name& name, const experiment& e, std::uint32_t classes,
            std::uint32_t bound_limit = most_bound, const foreign_maker& maker = foreign_maker());
    ~network() override;

    const char* kind() const override { return "sare::network"; }
    /// Name, kind and its parts.
    void dump(std::ostream& out = std::cout) const override;

    cycle_engine& engine() { return m_engine; }
    const topology& map() const { return *m_map; }
    const network_blueprint& blueprint() const { return m_blueprint; }
    const routing_function& routing() const { return m_blueprint.routing(); }
    const router_plan& plan() const { return m_blueprint.plan(); }
    /// Of the experiment that it was made of. Throws config::error for `classes` that do not divide its VCs.
    failure_schedule failures(const experiment& e, std::uint32_t classes) const {
        return m_blueprint.failures(e, classes);
    }
    /// Null: this process runs all of it.
    world* processes() const { return m_world; }
    /// Before the simulation starts. One that there is not, or in whose place another block stands, is a
    /// report "/sare/elaboration".
    router& router_module(std::uint32_t r);
    nic& nic_module(std::uint32_t n);
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
    bool m_late = false;                             ///< modules are made when they are asked for
    std::vector<std::unique_ptr<router>> m_routers;  ///< null where it has no module
    std::vector<std::unique_ptr<foreign_block>> m_foreign_routers;  ///< null where nothing does
    std::vector<std::unique_ptr<nic>> m_nics;
    std::vector<std::unique_ptr<foreign_block>> m_foreign_nics;  ///< null where nothing does
    std::vector<std::unique_ptr<link>> m_links;
};

}  // namespace sare
