// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"
#include "cosim/scoreboard/violation_handler.h"
#include "tlm/network/foreign.h"
#include "tlm/systemc/mid_cycle.h"

#include <optional>

namespace sare::cosim {

/// A pin_router as a SystemC module behind Sare's flit sockets, in the place of a router. It is clocked once
/// in each cycle of the network, in the middle, when all flits and credits that arrive in the cycle have been
/// handed over; flits and credits that it sends are on its links from this cycle on. So a block with the
/// timing of the model's router has that timing in the network, too.
class router_module final : public foreign_block {
  public:
    /// `context`: the router, and the network around it, which must outlive the module.
    router_module(const sc_core::sc_module_name& name, const block_context& context);
    ~router_module() override;

    const char* kind() const override { return "sare::cosim::router_module"; }
    /// Prints the module as sc_object::dump() does, the number of cycles, and the flits that have left it.
    void dump(std::ostream& out = std::cout) const override;

    flit_target_socket& in(std::uint32_t port) override;
    flit_initiator_socket& out(std::uint32_t port) override;
    bool counts_pools() const override { return m_counts_pools; }
    std::vector<std::pair<pins_of_port, pins_of_port>> pins() const override { return m_pins; }

    /// Returns the packets of the block's flits by number; the block must be made with this table.
    const packet_table& packets() const { return m_packets; }
    /// Sets the block, which the module then owns; call once, before the simulation starts.
    void set_block(std::unique_ptr<pin_router> block) { m_block = std::move(block); }
    /// Makes counts_pools() true: the block counts the places of buffers that VCs share at the other ends of
    /// its links. Call before links are connected.
    void set_counts_pools() { m_counts_pools = true; }
    /// Sets the function that is called with each exception of the block, after which the simulation goes on,
    /// in this cycle without flits and credits from the block. Without a handler, an error is reported to
    /// SystemC, which ends the simulation.
    void set_handler(violation_handler handler) { m_handler = std::move(handler); }
    std::uint64_t cycles() const { return m_cycles; }  ///< number of cycles run so far
    /// Calls finish() of the block, which runs `final` blocks of RTL; an error goes to the handler. Later
    /// calls do nothing; the end of the simulation makes the call too.
    void finish();

  private:
    struct port_sockets;

    void end_of_simulation() override { finish(); }
    port_sockets& at(std::uint32_t port);
    template <class Pins>
    pins_of_port seen(const Pins& p) const;
    void flit_arrived(std::uint32_t port, const flit& f, const packet& header);
    void step();
    std::uint32_t branches_of(const input_channel& in, route_header route) const;
    std::uint32_t begin_branch(std::uint32_t port, carried_packet& p);
    void send(std::uint32_t port, flit f);
    void give_credits(std::uint32_t port, std::uint32_t vcs);

    cycle_engine& m_engine;
    std::uint32_t m_router;  ///< number of the router
    bool m_forks;            ///< true: packets may fork
    std::unique_ptr<pin_router> m_block;
    std::vector<std::unique_ptr<port_sockets>> m_ports;
    packet_table m_packets;
    /// m_open: number in m_packets of the packet that is arriving, by [port][VC]; m_leaving: number that the
    /// network has for the packet that is leaving.
    std::vector<std::vector<std::uint32_t>> m_open, m_leaving;
    std::vector<port_in> m_in;                                  ///< inputs of this cycle, by port
    std::vector<port_out> m_out;                                ///< outputs of the cycle run last, by port
    std::vector<std::pair<pins_of_port, pins_of_port>> m_pins;  ///< see pins()
    violation_handler m_handler;
    mid_cycle m_clock;
    std::uint64_t m_cycles = 0;   ///< number of cycles run
    std::uint64_t m_uids = 0;     ///< number of packets that have come in so far
    bool m_has_finished = false;  ///< true: finish() was called
    bool m_counts_pools = false;  ///< result of counts_pools()
};

}  // namespace sare::cosim
