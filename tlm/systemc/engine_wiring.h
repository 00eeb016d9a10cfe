// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"
#include "tlm/systemc/protocol.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

class fabric;
class link;
class nic;
class router;
class router_model;
struct nic_params;

/// The register of a network's modules: its routers, links and NICs. At the end of elaboration the register
/// follows their bound sockets from block to block and makes wires of the fabric. Later only *foreign*
/// blocks, which are not Sare's own, are called through their sockets. Numbers of routers, nodes, ports and
/// VCs begin at 0.
class engine_wiring {
  public:
    /// `engine`: name of the engine in reports. `net` must outlive this object.
    engine_wiring(std::string engine, fabric& net) : m_engine(std::move(engine)), m_fabric(net) {}

    /// @name Registration: called by the constructors of the modules
    /// @{
    /// Adds a router with `ports` ports to the fabric and returns its number. `model`: kind and parameters;
    /// `clock`: period of the router's clock in network cycles (tlm/base/clock_ratio.h). Wrong arguments are
    /// a report "/sare/config".
    std::uint32_t add(router& r, std::shared_ptr<const router_model> model, std::uint32_t ports,
                      const clock_ratio& clock);
    /// Adds a NIC to the fabric and returns the number of its node. A flit_bytes that differs from the first
    /// NIC is a report "/sare/flit_bytes", any other wrong parameter a report "/sare/config".
    std::uint32_t add(nic& n, const nic_params& params);
    /// Registers a link, of which finish() makes a wire. Call it once for each link (not checked).
    void add(link& l);
    /// Registers `r` as the module of router r.id(), which the fabric has already.
    void join(router& r);
    /// Registers `n` as the module of the NIC of n.node(), which the fabric has already.
    void join(nic& n);
    /// @}
    /// Reserves the next router number for a foreign router with `ports` ports, for which there is no module,
    /// and returns that number. Wrong arguments are a report "/sare/config". Its neighbours take its buffers
    /// to be as deep as those of the default kind of router.
    std::uint32_t add_foreign_router(std::uint32_t ports);
    /// Reserves the next router number for a foreign router that behaves towards its neighbours as `model`
    /// does, and returns that number; errors as above. The neighbours have credits for the depth of `model`,
    /// and begin packets as its switching demands.
    std::uint32_t add_foreign_router(std::uint32_t ports, std::shared_ptr<const router_model> model);
    /// Adds a router to the fabric, with the next number, without a SystemC module; arguments and errors as
    /// for add().
    void add_bare_router(std::uint32_t ports, std::shared_ptr<const router_model> model, clock_ratio clock);
    /// Makes resets of single routers and NICs possible, which excludes the fast implementations of routers.
    /// Call it before elaboration ends.
    void allow_block_resets();

    /// Makes the wires of the fabric. Called once, at the end of elaboration. A socket that is bound wrongly
    /// or not at all, or a missing topology, is a report "/sare/elaboration".
    void finish();

    /// True if the router module is registered here, and not in another network.
    bool has(const router& r) const;
    /// True if the NIC module is registered here, and not in another network.
    bool has(const nic& n) const;
    /// Number of flits that a router has sent by an output VC, modulo 2^32: see cycle_engine::flits_sent().
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;

  private:
    void follow(flit_initiator_socket& out, const link_end& from);
    void follow(flit_target_socket& in);
    void connect(link& l);
    void note_sender(link& l, const link_end& to);
    std::optional<link_end> foreign_behind(const link_end& from) const;
    void check_map() const;
    void check_link(const link& l, const link_end& from, const link_end& to) const;
    void check_everything_is_bound() const;

    const std::string m_engine;      ///< name of the engine, for reports
    fabric& m_fabric;                ///< routers, links and NICs of the network
    std::vector<router*> m_routers;  ///< module of each router; null, or beyond the end, if there is none
    std::vector<nic*> m_nics;        ///< module of each node; null, or beyond the end, if there is none
    std::vector<bool> m_foreign_routers;  ///< true for each foreign router that was added with a model
    std::vector<link*> m_links;           ///< all links that are modules
    std::vector<std::vector<const link*>>
        /// Link at each output of foreign routers, by router and output port; null, or beyond the end, if
        /// there is none.
        m_foreign_outputs;
    std::uint32_t m_flit_bytes = 0;  ///< bytes of data in a flit of the first NIC; all must have the same
};

}  // namespace sare
