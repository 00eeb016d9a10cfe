// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/crossing/async_fifo.h"
#include "tlm/systemc/foreign_block.h"
#include "tlm/systemc/mid_cycle.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace sare {

struct router_terms;

/// A flit on its way from one network to another.
struct crossing_flit {
    bool head = false, tail = false;  ///< true: first flit of its packet; true: last flit of its packet
    message what;                     ///< message to be sent in the other network; set in a head only
};

/// A module in the place of the NIC of a node, which then stands for another network. Messages to the node go
/// to the other network by a crossing, and messages from the crossing are sent from this node. The gateway
/// buffers as many flits as its router has credits for, and writes at most a flit of each message class to
/// the crossing in a cycle. The node has no traffic of its own.
class gateway final : public foreign_block, private flit_fw_if, private flit_bw_if {
  public:
    /// Function that says where a packet that has come to this gateway goes on to. Its argument is the
    /// packet's message, with the length of the packet as `flits`. It returns a message with the destination
    /// and the tag for the other network, or nothing if the packet ends here. The result's source, class,
    /// length and tag bit cycle_engine::bridge_tag are not used. Packets of a memory bridge (bridge_tag) end
    /// here without a call.
    using onward = function<std::optional<message>(const message&)>;

    /// Takes the place of the NIC of node `node` of the network of `engine`, which must outlive the gateway.
    /// The NIC's module must exist and must not be bound. Reports the SystemC error "/sare/crossing" for an
    /// unknown node, and if message classes share VCs or do not all have the same number of VCs. At the end
    /// of elaboration the same error comes if no crossing joins the gateway, or its router has the injection
    /// queues of nodes inside. It also comes if the NIC pads packets, or its longest packet is shorter than
    /// the other network's.
    gateway(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t node);
    ~gateway() override;

    const char* kind() const override { return "sare::gateway"; }
    /// Prints to `out` name, kind, node, the other gateway, the number of flits that wait here for the
    /// crossing, and the packets that are being sent into the network.
    void dump(std::ostream& out = std::cout) const override;

    /// Returns the socket for flits from the router; out() returns the socket for flits to the router. `port`
    /// is not used.
    flit_target_socket& in(std::uint32_t port = 0) override;
    flit_initiator_socket& out(std::uint32_t port = 0) override;
    /// Returns both sockets, which are to be bound to the router's port.
    flit_port port() { return {out(), in()}; }
    /// Returns the engine of the gateway's own network.
    cycle_engine& engine() const { return m_engine; }
    /// Returns the number of the node whose NIC the gateway replaces.
    std::uint32_t node() const { return m_node; }
    /// Sets the function, not an empty one, that says where packets go on to. The default takes the low 32
    /// bits of the message's tag as the destination, and keeps the tag. A destination that the other network
    /// does not have is reported as the SystemC error "/sare/crossing", and the packet ends here.
    void set_onward(onward way) { m_onward = std::move(way); }

    /// @name Called by the crossing
    /// @{
    using fifos = std::vector<async_fifo<crossing_flit>>;
    /// Joins the gateway to `other`, the gateway of the other network, by the FIFOs of each direction, one
    /// for each message class; `other` and the FIFOs must outlive the gateway. A second call replaces the
    /// first.
    void join(gateway& other, fifos& to_other, fifos& from_other);
    /// True after join().
    bool is_joined() const { return m_other != nullptr; }
    /// True if no flit waits in the gateway for a place in a FIFO.
    bool empty() const;
    /// Wakes the gateway in cycle `at` of its own engine, from which on a FIFO has a flit to read or a place
    /// to write to; workload::never: does nothing.
    void wake_in(cycle_t at);
    /// @}

  private:
    /// Flits that have come from the network on one VC and are to go to the other network.
    struct arriving {
        std::deque<crossing_flit> flits;  ///< flits that wait for a place in the FIFO
        /// True: the packet that is arriving ends here, so that its flits are dropped.
        bool ends_here = false;
    };
    /// Packet of one message class that is being sent into the network, flit by flit.
    struct leaving {
        bool is_under_way = false;  ///< false: no packet of the class is sent now
        /// VC of the packet; its length in flits; number of its flits sent so far.
        std::uint32_t vc = 0, flits = 0, sent = 0;
        std::uint32_t last_vc = 0;  ///< VC of the last packet of the class
    };

    tlm::tlm_sync_enum nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    void end_of_elaboration() override;
    /// Returns why the gateway does not fit its network, as a text for users; "" if it fits.
    std::string wrong_with_network() const;
    /// SystemC process of a cycle: writes flits to the FIFOs, and sends at most one flit into the network.
    void step();
    bool has_to_write(std::uint32_t message_class) const;
    void write_one(std::uint32_t message_class, cycle_t now);
    bool send_one(std::uint32_t message_class, cycle_t now);
    bool begin(std::uint32_t message_class, const message& what, cycle_t now);
    /// Returns flit f as a flit of the other network. Sets `ends_here` at a head.
    crossing_flit taken(const flit& f, const packet& header, bool& ends_here);
    /// Returns the first VC of a message class.
    std::uint32_t first_vc(std::uint32_t message_class) const { return message_class * m_vcs_of_class; }

    cycle_engine& m_engine;
    const std::uint32_t m_node, m_vcs_of_class;  ///< number of the node; VCs of each class
    onward m_onward;                             ///< says where packets go on to: set_onward()
    gateway* m_other = nullptr;                  ///< gateway of the other network; null before join()
    fifos *m_to_other = nullptr, *m_from_other = nullptr;
    std::optional<flit_target_socket> m_in;
    std::optional<flit_initiator_socket> m_out;
    mid_cycle m_clock;
    std::vector<arriving> m_arriving;       ///< flits that have come from the network, by VC
    std::vector<std::uint32_t> m_crossing;  ///< VC whose packet is crossing, or crossed last; by class
    std::vector<bool> m_within;  ///< true: that VC's packet (m_crossing) has not crossed as a whole; by class
    std::vector<std::uint32_t> m_credits;  ///< free places in the router's input buffer, by VC
    std::vector<leaving> m_leaving;        ///< packet that is being sent into the network, by class
    std::uint32_t m_next_class = 0;  ///< class that may send a flit into the network first in the next cycle
    std::uint32_t m_depth = 0;       ///< most flits in the router's input buffer of one VC
    /// Properties of the router, from the end of elaboration on; null before.
    std::unique_ptr<const router_terms> m_terms;
    std::uint32_t m_cycles_per_flit = 1;  ///< cycles that a flit keeps the link to the router busy
    cycle_t m_link_free = 0;              ///< first cycle in which the link takes a flit
};

}  // namespace sare
