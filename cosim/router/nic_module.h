// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/pin_router.h"
#include "cosim/scoreboard/violation_handler.h"
#include "tlm/network/foreign.h"
#include "tlm/systemc/mid_cycle.h"

namespace sare::cosim {

/// A pin_nic as a SystemC module behind Sare's flit sockets. Source queues and statistics stay with the
/// model's NIC; the pin_nic decides which flit leaves, in which cycle and on which VC, and takes the flits
/// that arrive. It is clocked like router_module.
class nic_module final : public foreign_block, private flit_fw_if, private flit_bw_if {
  public:
    nic_module(const sc_core::sc_module_name& name, const block_context& context);
    ~nic_module() override;

    const char* kind() const override { return "sare::cosim::nic_module"; }
    /// Prints name, kind and cycles.
    void dump(std::ostream& out = std::cout) const override;

    flit_target_socket& in(std::uint32_t port) override;
    flit_initiator_socket& out(std::uint32_t port) override;
    bool counts_pools() const override { return true; }

    /// Packets of the NIC's flits; the NIC is made with this table.
    const packet_table& packets() const { return m_packets; }
    /// Sets the NIC, before the simulation starts.
    void set_nic(std::unique_ptr<pin_nic> nic) { m_nic = std::move(nic); }
    /// Sets the handler: see router_module.
    void set_handler(violation_handler handler) { m_handler = std::move(handler); }
    std::uint64_t cycles() const { return m_cycles; }  ///< number of cycles that were run
    /// Ends the NIC after the last cycle: see router_module.
    void finish();

  private:
    /// The packet of a class that is leaving, or is first in its queue.
    struct leaving {
        bool known = false;
        std::uint32_t packet = 0;  ///< number in the packet_table
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
    std::vector<leaving> m_leaving;             ///< by class
    std::vector<std::optional<flit>> m_offers;  ///< by class
    std::vector<std::uint32_t> m_open;          ///< packet that is arriving, by VC
    std::uint32_t m_credits = 0;                ///< mask of the VCs whose credits have come in this cycle
    std::optional<flit_target_socket> m_in;
    std::optional<flit_initiator_socket> m_out;
    violation_handler m_handler;
    mid_cycle m_clock;
    std::uint64_t m_cycles = 0;   ///< number of cycles run
    std::uint64_t m_uids = 0;     ///< number of packets seen
    bool m_has_finished = false;  ///< true: finish() was called
};

}  // namespace sare::cosim
