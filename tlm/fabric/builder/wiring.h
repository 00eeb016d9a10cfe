// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/builder/link_timing.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Lays out the planes of a network, the memory through which blocks exchange flits and credits, and wires
/// its blocks to them. Used once, by network_builder::finish(), when the router banks are made.
class wiring {
  public:
    explicit wiring(network_state& net) : m_net(net), m_timing(net) {}
    /// Lays out and wires everything. Throws config::error if links and blocks do not fit together.
    void run();

  private:
    using end = link_end;
    using direction = link_timing::direction;

    void number_endpoints();
    void settle_nodes();
    std::uint32_t endpoint_of(std::uint32_t router) const;
    bool has_crossings() const;
    std::uint32_t needed_reach(const clock_domain& here) const;
    cycle_t look_ahead() const;
    void lay_out_planes();
    void make_checks();
    bank_check* check_of(std::uint32_t router) const;
    std::uint32_t inbox_counts() const;
    void place_crossings();
    void wire_nic(const connection& c, const wire& w, const wire_extras& x);
    bool is_inside(const connection& c) const;
    void wire_inside(const connection& c);
    std::uint16_t pool_at(const connection& c) const;
    pause_rule pauses_at(const connection& c) const;
    [[noreturn]] static void refuse_pauses(const connection& c, const std::string& why);
    std::pair<wire, wire_extras> begin_of(const direction& d, const end& reader, bool has_flits);
    std::pair<wire, wire_extras> begin_of(const direction& d, std::pair<wire, wire_extras> reader,
                                          bool has_flits);
    std::uint16_t add_sleeper(const connection& c);
    void wire_writer(const connection& c);
    void wire_reader(const connection& c);
    void build_wires();

    network_state& m_net;
    const link_timing m_timing;
    /// Index of the first word that each crossing and cut has in a plane, in the order in which build_wires()
    /// visits them.
    std::vector<std::uint32_t> m_inboxes_of_crossings;
    std::size_t m_next_crossing = 0;  ///< index of the next crossing or cut to be wired
};

}  // namespace sare
