// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/builder/link_timing.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sare {

/// Lays out the planes of a network whose routers are made, and wires its blocks. Used once, by
/// network_builder.
class wiring {
  public:
    explicit wiring(network_state& net) : m_net(net), m_timing(net) {}
    void run();

  private:
    using end = link_end;
    using direction = link_timing::direction;

    void number_endpoints();
    void settle_nodes();
    std::uint32_t endpoint_of(std::uint32_t router) const;
    std::uint32_t needed_reach(const clock_domain& here) const;
    void lay_out_planes();
    std::uint32_t inbox_counts() const;
    void place_crossings();
    void wire_nic(const connection& c, const wire& w, const wire_extras& x);
    bool is_inside(const connection& c) const;
    void wire_inside(const connection& c);
    std::pair<wire, wire_extras> begin_of(const direction& d, const end& reader, bool has_flits);
    std::pair<wire, wire_extras> begin_of(const direction& d, std::pair<wire, wire_extras> reader,
                                          bool has_flits);
    std::uint16_t add_sleeper(const connection& c);
    void wire_writer(const connection& c);
    void wire_reader(const connection& c);
    void build_wires();

    network_state& m_net;
    const link_timing m_timing;
    std::vector<std::uint32_t> m_inboxes_of_crossings;  ///< and of cuts, in the order of build_wires()
    std::size_t m_next_crossing = 0;                    ///< of these
};

}  // namespace sare
