// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge.h"
#include "cosim/axi/checker.h"
#include "cosim/axi/model/payload_board.h"
#include "cosim/axi/node_nic.h"
#include "cosim/axi/rtl/signals.h"
#include "cosim/scoreboard/violation_handler.h"
#include "tlm/network/foreign.h"

namespace sare::axi {

/// A node whose NIC serves an AXI bridge, as a foreign_block with a clock of its own. The rising edge of the
/// clock ends a cycle of the network: there must be one in every cycle, between the begins of two cycles, as
/// with an sc_clock of the engine's period that starts half a period late. A missing edge, and a rule of AXI
/// that is broken at the pins, are reported as an error "/sare/cosim". The interfaces are protected, since
/// they have virtual bases, which the destructors of derived nodes end.
class axi_node : public foreign_block, protected flit_fw_if, protected flit_bw_if {
  public:
    sc_core::sc_in<bool> clock{"clock"};  ///< clock of the node; one rising edge in each cycle

    const char* kind() const override { return "sare::axi::axi_node"; }
    /// Prints the module as sc_object::dump() does, and the flits between NIC and link.
    void dump(std::ostream& out = std::cout) const override;
    flit_target_socket& in(std::uint32_t port) override;
    flit_initiator_socket& out(std::uint32_t port) override;
    bool counts_pools() const override { return true; }
    /// Sets the function that is called instead of an error report, with a cycle that counts from 1; after
    /// its first call the node does nothing more. An empty function: errors are reported.
    void set_handler(cosim::violation_handler handler) { m_handler = std::move(handler); }
    /// Checker of the node's AXI pins, with its counts of reads and writes.
    const pin_checker& rules() const { return m_rules; }

  protected:
    /// `context`: the node, and the network around it; `board`: data of packets, must outlive the module;
    /// `data_width`: number of data bits of a beat.
    axi_node(const sc_core::sc_module_name& name, const block_context& context, payload_board& board,
             std::unique_ptr<node_nic> nic, std::uint32_t data_width);
    /// Checks the pins of manager (`f`) and subordinate (`b`) in the cycle that ends. Throws
    /// std::runtime_error for the first rule that is broken in the run.
    void check(const forward_pins& f, const backward_pins& b);
    /// Returns the flit that the bridge has to send, and sets `message_class` to its message class in the
    /// network (responses have the last class). The flit is not valid if there is none.
    virtual leaving_flit leaving(std::uint32_t& message_class) const = 0;
    /// Ends the bridge's cycle. `sent`: the flit of leaving() was taken. Returns the message classes, as a
    /// mask with class 0 in bit 0, of which the bridge takes the flit that `nic` has received.
    virtual std::uint32_t end_cycle(bool sent, const node_nic& nic) = 0;
    /// Calls finish() of the bridge.
    virtual void finish() = 0;

  private:
    tlm::tlm_sync_enum nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    void end_of_simulation() override;
    void edge();
    /// Calls does(); a std::runtime_error of it is reported to SystemC.
    template <class Does>
    void reported(const Does& does);
    void step();
    void begin(const leaving_flit& f, std::uint32_t message_class);
    bool offer(const leaving_flit& f, std::uint32_t message_class);
    void put_on_link();

    /// A flit: number of its packet in the network, and its place in the packet, from 0.
    struct flit_number {
        std::uint32_t packet;
        std::uint16_t sequence;
    };
    cycle_engine& m_engine;
    const std::uint32_t m_node;
    payload_board& m_board;
    std::unique_ptr<node_nic> m_nic;
    pin_checker m_rules;
    cosim::violation_handler m_handler;
    bool m_is_broken = false;               ///< true: m_handler was told of an error
    std::vector<bool> m_open;               ///< true: a packet has begun and not ended; by message class
    std::vector<std::uint32_t> m_sequence;  ///< place in its packet of the flit that leaves next; by message
                                            ///< class
    std::vector<std::optional<node_nic::offer>> m_offers;  ///< flit offered in this cycle; by message class
    std::deque<flit_number> m_on_the_way;  ///< flits that have left the NIC's queues and are not on the link
                                           ///< yet
    std::optional<cycle_t> m_last_edge;    ///< cycle of the last clock edge; nothing: there was none
    std::uint32_t m_credits = 0;  ///< VCs that get a credit in this cycle, as a mask with VC 0 in bit 0
    std::optional<flit_target_socket> m_in;
    std::optional<flit_initiator_socket> m_out;
};

/// The node of an AXI manager: a module with its NIC and bridge; owned by the network
/// (network_parts::maker()).
class manager_node final : public axi_node {
  public:
    sc_core::sc_in<forward_pins> from_manager{"from_manager"};  ///< AXI pins that the manager drives
    sc_core::sc_out<backward_pins> to_manager{"to_manager"};    ///< AXI pins that the bridge drives

    manager_node(const sc_core::sc_module_name& name, const block_context& context, payload_board& board,
                 std::unique_ptr<node_nic> nic, std::unique_ptr<manager_bridge> bridge,
                 std::uint32_t data_width);
    const char* kind() const override { return "sare::axi::manager_node"; }
    manager_bridge& bridge() { return *m_bridge; }

  private:
    leaving_flit leaving(std::uint32_t& message_class) const override;
    std::uint32_t end_cycle(bool sent, const node_nic& nic) override;
    void finish() override { m_bridge->finish(); }
    void start_of_simulation() override;

    std::unique_ptr<manager_bridge> m_bridge;
    const std::uint32_t m_responses;  ///< message class of responses
};

/// The node of an AXI subordinate: a module with its NIC and bridge; owned by the network
/// (network_parts::maker()).
class subordinate_node final : public axi_node {
  public:
    sc_core::sc_out<forward_pins> to_subordinate{"to_subordinate"};  ///< AXI pins that the bridge drives
    /// AXI pins that the subordinate drives.
    sc_core::sc_in<backward_pins> from_subordinate{"from_subordinate"};

    subordinate_node(const sc_core::sc_module_name& name, const block_context& context, payload_board& board,
                     std::unique_ptr<node_nic> nic, std::unique_ptr<subordinate_bridge> bridge,
                     std::uint32_t data_width);
    const char* kind() const override { return "sare::axi::subordinate_node"; }
    subordinate_bridge& bridge() { return *m_bridge; }

  private:
    leaving_flit leaving(std::uint32_t& message_class) const override;
    std::uint32_t end_cycle(bool sent, const node_nic& nic) override;
    void finish() override { m_bridge->finish(); }
    void start_of_simulation() override;

    std::unique_ptr<subordinate_bridge> m_bridge;
    const std::uint32_t m_responses;  ///< message class of responses
};

}  // namespace sare::axi
