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

/// The modules of a network: every router, link and NIC registers here. When their sockets have been bound,
/// they are followed once, from block to block, and become wires of the fabric; only what is not ours is
/// called through its socket later.
class engine_wiring {
  public:
    /// `engine`: what reports call it. Both outlive this.
    engine_wiring(std::string engine, fabric& net) : m_engine(std::move(engine)), m_fabric(net) {}

    /// @name Registration, by the modules' constructors
    /// @{
    std::uint32_t add(router& r, std::shared_ptr<const router_model> model, std::uint32_t ports,
                      std::uint32_t clock);
    std::uint32_t add(nic& n, const nic_params& params);
    void add(link& l);
    /// Of what the fabric has already.
    void join(router& r);
    void join(nic& n);
    /// @}
    /// The number, in the order of routers, of one that is not ours: the map counts it, but no router module
    /// is made.
    std::uint32_t add_foreign_router(std::uint32_t ports);
    /// The same for one that keeps to the terms of `model`: what sends into it has credits for its depth, and
    /// begins packets as its switching wants it.
    std::uint32_t add_foreign_router(std::uint32_t ports, std::shared_ptr<const router_model> model);
    /// Numbered, and without a module.
    void add_bare_router(std::uint32_t ports, std::shared_ptr<const router_model> model, std::uint32_t clock);
    /// Single blocks can be reset, so that no router is a fast one.
    void allow_block_resets();

    /// At the end of elaboration, once. What is bound wrongly, or not at all, is a report
    /// "/sare/elaboration".
    void finish();

    bool has(const router& r) const;
    bool has(const nic& n) const;
    /// See cycle_engine::flits_sent().
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

    const std::string m_engine;
    fabric& m_fabric;
    std::vector<router*> m_routers;       ///< by number; null, or none at the end, where there is no module
    std::vector<nic*> m_nics;             ///< likewise
    std::vector<bool> m_foreign_routers;  ///< by router: a foreign block that keeps to its parameters
    std::vector<link*> m_links;
    std::vector<std::vector<const link*>>
        m_foreign_outputs;  ///< by router and port, as far as there are any: of routers that are not ours
    std::uint32_t m_flit_bytes = 0;  ///< of the first NIC
};

}  // namespace sare
