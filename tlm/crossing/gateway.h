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
    bool head = false, tail = false;  ///< first and last flit of its packet
    message what;                     ///< only of a head: message of the network that it goes to
};

/// A node of a network that stands for another network, in the place of its NIC: messages to it go over a
/// crossing, and arrivals from the crossing are sent from it. It buffers as many flits as its router has
/// credits for, and takes a flit a cycle and class from there. The node has no traffic of its own.
class gateway final : public foreign_block, private flit_fw_if, private flit_bw_if {
  public:
    /// Returns, for a message that has come to this gateway (here a packet: `flits` is the packet's),
    /// destination and tag in the other network; nothing if it ends here. Source, class and flits of the
    /// result are ignored.
    using onward = function<std::optional<message>(const message&)>;

    /// Takes the place of the NIC of `node`, whose module exists and is not bound.
    gateway(const sc_core::sc_module_name& name, cycle_engine& engine, std::uint32_t node);
    ~gateway() override;

    const char* kind() const override { return "sare::gateway"; }
    /// Prints name, kind, and the flits that wait in it and leave it.
    void dump(std::ostream& out = std::cout) const override;

    flit_target_socket& in(std::uint32_t port = 0) override;
    flit_initiator_socket& out(std::uint32_t port = 0) override;
    flit_port port() { return {out(), in()}; }
    cycle_engine& engine() const { return m_engine; }
    std::uint32_t node() const { return m_node; }
    /// Sets the function. By default a message goes to the node in the low 32 bits of its tag, and keeps it.
    void set_onward(onward way) { m_onward = std::move(way); }

    /// @name For the crossing
    /// @{
    using fifos = std::vector<async_fifo<crossing_flit>>;
    /// Joins it to the gateway of the other network, by FIFOs for each message class that outlive it.
    void join(gateway& other, fifos& to_other, fifos& from_other);
    bool is_joined() const { return m_other != nullptr; }
    /// True if no flit waits in it for a place in the FIFO.
    bool empty() const;
    /// Notes that there is something to read, or a place to write to, from cycle `at` on.
    void wake_in(cycle_t at);
    /// @}

  private:
    /// Flits that have come on a VC, and whether their packet ends here.
    struct arriving {
        std::deque<crossing_flit> flits;
        bool ends_here = false;
    };
    /// A packet that is sent, flit by flit.
    struct leaving {
        bool is_under_way = false;                  ///< false: no packet of the class is sent now
        std::uint32_t vc = 0, flits = 0, sent = 0;  ///< its VC, its flits, and those sent so far
        std::uint32_t last_vc = 0;                  ///< VC of the packet before
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
    std::vector<arriving> m_arriving;       ///< by VC
    std::vector<std::uint32_t> m_crossing;  ///< VC whose packet crosses, or crossed last, by class
    std::vector<bool> m_within;             ///< true: more of that packet is to come; by class
    std::vector<std::uint32_t> m_credits;   ///< credits of the router, by VC
    std::vector<leaving> m_leaving;         ///< by class
    std::uint32_t m_next_class = 0;
    std::uint32_t m_depth = 0;
    std::unique_ptr<const router_terms> m_terms;
    std::uint32_t m_cycles_per_flit = 1;
    cycle_t m_link_free = 0;
};

}  // namespace sare
