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

/// A flit on its way between two networks.
struct crossing_flit {
    bool head = false, tail = false;  ///< first flit of its packet; last flit of its packet
    message what;                     ///< set in a head only: the message that is sent in the other network
};

/// A node of a network that stands for another network, in the place of its NIC. Messages to it cross over,
/// by a crossing, and what comes from the crossing is sent from this node. It buffers as many flits as its
/// router has credits for, and writes a flit of each class to the crossing in a cycle. The node has no
/// traffic of its own.
class gateway final : public foreign_block, private flit_fw_if, private flit_bw_if {
  public:
    /// Given a message that has come to this gateway (in truth one packet of it: `flits` is the packet's
    /// length), returns a message with the destination and the tag that it gets in the other network, or
    /// nothing if it ends here. The result's source, class and length are not used.
    using onward = function<std::optional<message>(const message&)>;

    /// Takes the place of the NIC of `node`, whose module must exist and must not be bound. Reports
    /// "/sare/crossing" for an unknown node, or if the message classes have not equally many VCs.
    gateway(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t node);
    ~gateway() override;

    const char* kind() const override { return "sare::gateway"; }
    /// Prints name, kind, node, the other gateway, the number of flits that wait in it for the crossing, and
    /// the packets that leave it.
    void dump(std::ostream& out = std::cout) const override;

    flit_target_socket& in(std::uint32_t port = 0) override;
    flit_initiator_socket& out(std::uint32_t port = 0) override;
    /// Both sockets, to be bound to the router's port.
    flit_port port() { return {out(), in()}; }
    /// Engine of its own network.
    cycle_engine& engine() const { return m_engine; }
    /// Number of the node whose place it takes.
    std::uint32_t node() const { return m_node; }
    /// Sets the function that says where messages go on to. By default that is the node whose number is in
    /// the low 32 bits of the message's tag, and the tag stays. An unknown node is reported as
    /// "/sare/crossing", and the message ends here.
    void set_onward(onward way) { m_onward = std::move(way); }

    /// @name Called by the crossing
    /// @{
    using fifos = std::vector<async_fifo<crossing_flit>>;
    /// Joins it to the gateway of the other network, by one FIFO for each message class and direction; all of
    /// these must outlive it.
    void join(gateway& other, fifos& to_other, fifos& from_other);
    /// True after join().
    bool is_joined() const { return m_other != nullptr; }
    /// True if no flit waits in it for a place in a FIFO.
    bool empty() const;
    /// Notes that from cycle `at` of its own engine on there is something to read, or a place to write to;
    /// workload::never: neither.
    void wake_in(cycle_t at);
    /// @}

  private:
    /// Flits that have come from the network on one VC.
    struct arriving {
        std::deque<crossing_flit> flits;  ///< flits that wait for a place in the FIFO
        bool ends_here = false;           ///< true: the packet that is coming ends here
    };
    /// A packet of a class that is sent into the network, flit by flit.
    struct leaving {
        bool is_under_way = false;                  ///< false: no packet of the class is sent now
        std::uint32_t vc = 0, flits = 0, sent = 0;  ///< its VC; its length in flits; flits of it sent so far
        std::uint32_t last_vc = 0;                  ///< VC of the last packet of the class
    };

    tlm::tlm_sync_enum nb_transport_fw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& payload, flit_phase&, sc_core::sc_time&) override;
    void end_of_elaboration() override;
    std::string wrong_with_network() const;
    void step();
    bool has_to_write(std::uint32_t message_class) const;
    void write_one(std::uint32_t message_class, cycle_t now);
    bool send_one(std::uint32_t message_class, cycle_t now);
    bool begin(std::uint32_t message_class, const message& what, cycle_t now);
    crossing_flit taken(const flit& f, const packet& header, bool& ends_here);
    std::uint32_t first_vc(std::uint32_t message_class) const { return message_class * m_vcs_of_class; }

    cycle_engine& m_engine;
    const std::uint32_t m_node, m_vcs_of_class;
    onward m_onward;
    gateway* m_other = nullptr;
    fifos *m_to_other = nullptr, *m_from_other = nullptr;
    std::optional<flit_target_socket> m_in;
    std::optional<flit_initiator_socket> m_out;
    mid_cycle m_clock;
    std::vector<arriving> m_arriving;       ///< flits that have come from the network, by VC
    std::vector<std::uint32_t> m_crossing;  ///< VC whose packet crosses, or crossed last; by class
    std::vector<bool> m_within;            ///< true: that packet has not crossed with all its flits; by class
    std::vector<std::uint32_t> m_credits;  ///< free places in the router's input buffer, by VC
    std::vector<leaving> m_leaving;        ///< packet that is being sent, by class
    std::uint32_t m_next_class = 0;        ///< class that is asked first in the next cycle
    std::uint32_t m_depth = 0;             ///< flits that the router's buffer of one VC holds
    /// Terms of the router: depth, switching; null before elaboration ends.
    std::unique_ptr<const router_terms> m_terms;
    std::uint32_t m_cycles_per_flit = 1;
    cycle_t m_link_free = 0;  ///< first cycle in which the link takes a flit
};

}  // namespace sare
