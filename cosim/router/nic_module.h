// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/pin_router.h"
#include "cosim/scoreboard/violation_handler.h"
#include "tlm/network/foreign.h"
#include "tlm/systemc/mid_cycle.h"

namespace sare::cosim {

/// A pin_nic as a SystemC module behind Sare's flit sockets, in the place of a node's NIC. Source queues and
/// statistics stay with the model's NIC; the pin_nic decides which flit leaves, when, and on which VC, and
/// takes the flits that arrive. It is clocked as a router_module is, in the middle of each cycle.
class nic_module final : public foreign_block, private flit_fw_if, private flit_bw_if {
  public:
    /// `context`: the node, and the network around it, which must outlive the module.
    nic_module(const sc_core::sc_module_name& name, const block_context& context);
    ~nic_module() override;

    const char* kind() const override { return "sare::cosim::nic_module"; }
    /// Prints the module as sc_object::dump() does, and the number of cycles.
    void dump(std::ostream& out = std::cout) const override;

    flit_target_socket& in(std::uint32_t port) override;
    flit_initiator_socket& out(std::uint32_t port) override;
    bool counts_pools() const override { return true; }

    /// Returns the packets of the NIC's flits by number; the pin_nic must be made with this table.
    const packet_table& packets() const { return m_packets; }
    /// Sets the NIC, which the module then owns; call once, before the simulation starts.
    void set_nic(std::unique_ptr<pin_nic> nic) { m_nic = std::move(nic); }
    /// Sets the function that is called with each rtl_error of the NIC, after which the simulation goes on;
    /// other exceptions are not caught. Without a handler, an error is reported to SystemC, which ends the
    /// simulation.
    void set_handler(violation_handler handler) { m_handler = std::move(handler); }
    std::uint64_t cycles() const { return m_cycles; }  ///< number of cycles run so far
    /// Calls finish() of the NIC, which runs `final` blocks of RTL; an error goes to the handler. Later calls
    /// do nothing; the end of the simulation makes the call too.
    void finish();

  private:
    /// The packet of a message class that is leaving or, if none is, the first one in its source queue.
    struct leaving {
        /// True: there is such a packet.
        bool known = false;
        std::uint32_t packet = 0;  ///< its number in the packet_table
        /// Place in the packet of the flit that leaves next.
        std::uint16_t sequence = 0;
    };

    tlm::tlm_sync_enum nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    void end_of_simulation() override { finish(); }
    void step();
    std::optional<flit> next_flit(std::uint32_t message_class);
    void flit_left(std::uint32_t message_class, cycle_t now);
    void send(flit f);
    void give_credits(std::uint32_t vcs);

    cycle_engine& m_engine;
    std::uint32_t m_node;
    std::unique_ptr<pin_nic> m_nic;
    packet_table m_packets;
    std::vector<leaving> m_leaving;             ///< packet of each message class
    std::vector<std::optional<flit>> m_offers;  ///< flit that each message class offers in this cycle
    std::vector<std::uint32_t> m_open;          ///< number of the packet that is arriving on each VC
    std::uint32_t m_credits = 0;  ///< VCs that get a credit in this cycle, as a mask with VC 0 in bit 0
    std::optional<flit_target_socket> m_in;
    std::optional<flit_initiator_socket> m_out;
    violation_handler m_handler;
    mid_cycle m_clock;
    std::uint64_t m_cycles = 0;   ///< number of cycles run
    std::uint64_t m_uids = 0;     ///< number of packets that have left or arrived so far
    bool m_has_finished = false;  ///< true: finish() was called
};

}  // namespace sare::cosim
