// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/lost_pieces.h"
#include "tlm/fabric/network_state.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sare {

/// Takes packets out of a whole network before a cycle, wherever their flits are: on links, in routers, half
/// in their NIC. Of what is left nothing moves: every flit that is taken out gives its credit back at once,
/// and credits that are on their way stay there. Kinds of routers that can_reset() blocks only. Several
/// processes make the same calls, each for what it has.
class packet_removal {
  public:
    using end = link_end;

    explicit packet_removal(network_state& net);

    /// @name What is lost
    /// @{
    /// At router `at`: that it is counted by.
    void add(std::uint32_t packet, std::uint32_t at) { add(packet, drop_location{at}); }
    /// Those that a router or NIC has flits of, or that have a VC of it.
    void add_those_in(const link_end& block);
    void add_those_on_links_of(const link_end& block);
    void add_those_on_link_from(std::uint32_t router, std::uint32_t port);
    /// Those that have an output VC of a port.
    void add_those_that_hold(std::uint32_t router, std::uint32_t port);
    /// @}
    /// Takes their flits and VCs out, before cycle `t`.
    void take_out(cycle_t t);
    /// After that: counts them by `cause`; their workload will be told.
    void drop(const char* cause);
    void run(cycle_t t, const char* cause) {
        take_out(t);
        drop(cause);
    }
    /// Flits of a message that have not been injected, and never will be: until tell_withdrawn(), by which
    /// its workload will be told. next_node(): of another node, wherever that is.
    void withdraw(std::uint32_t message, std::uint32_t flits, const char* cause);
    void next_node() {
        if (m_pieces) m_pieces->count_order();
    }
    void tell_withdrawn(const char* cause);

  private:
    struct link {
        end from, to;
        wire flits;  ///< where they are read
    };

    /// Calls f(plane, vc, packet) for the flits of a link.
    void add(std::uint32_t packet, const drop_location& at) { m_lost.emplace(packet, lost_at{at, m_step}); }
    template <class F>
    void for_each_flit(const link& l, const F& f) const;
    void take_off(const link& l);
    void take_out_of(std::uint32_t r);
    std::uint32_t take_out_of_nics(std::uint32_t packet);
    std::vector<ended_packet> in_order_of_sources();
    void give_credit(const link_end& to, std::uint32_t vc);
    std::uint32_t router_of(const link_end& block) const {
        return block.what == end::kind::router ? block.id : m_net.router_of(block.id);
    }
    bool is_lost(std::uint32_t packet) const { return m_lost.count(packet) != 0; }

    network_state& m_net;
    cycle_t m_t = 0;
    std::vector<link> m_links;
    std::vector<std::vector<end>> m_sources;  ///< by router and port: what sends to it
    lost_packets m_lost;
    std::uint32_t m_step = 0;             ///< call that finds them
    std::optional<lost_pieces> m_pieces;  ///< where several processes run the network
};

}  // namespace sare
