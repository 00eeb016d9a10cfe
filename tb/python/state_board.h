// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"

#include <cstdint>
#include <vector>

namespace sare::python {

/// State of the routers in arrays of [router, port, VC], of which Python's arrays are views. Routers keep
/// their state packed for speed, so arrays that were asked for once are filled here whenever the network has
/// moved. Ports that a router does not have are zeros.
class state_board {
  public:
    explicit state_board(const network_view& net);

    std::uint32_t routers() const { return m_routers; }
    std::uint32_t ports() const { return m_ports; }  ///< most ports of a router
    std::uint32_t vcs() const { return m_vcs; }      ///< VCs of a port
    std::uint32_t nodes() const { return m_nodes; }

    /// @name Arrays; one that was asked for is kept up to date
    /// @{
    const std::uint16_t* queues();    ///< flits in the input VC
    const std::uint16_t* credits();   ///< known free places beyond the output VC
    const std::uint32_t* sent();      ///< flits sent by the output VC, modulo 2^32
    const std::uint32_t* waiting();   ///< messages in its source queue, by node
    const std::uint64_t* injected();  ///< flits that the node has injected so far, by node
    const std::uint64_t* consumed();  ///< flits that the node has consumed so far, by node
    /// @}
    /// Takes counted waits, in cycles, by input port, router by router (live_network::stalls()). Returns them
    /// as an array of [router, port]. Not after freeze().
    const std::uint64_t* take_stalls(const std::vector<std::uint64_t>& waits);
    /// Updates the arrays, after the network has moved.
    void refresh();
    /// Forgets the network, which is gone: the arrays stay as they are.
    void freeze() { m_net = nullptr; }

  private:
    void gather_inputs();
    void gather_outputs();
    void gather_nodes();
    template <class F>
    void for_each_vc(F f) const;

    const network_view* m_net;  ///< null: the network is gone
    std::uint32_t m_routers, m_ports = 0, m_vcs, m_nodes;
    /// True: an array of these was asked for. Outputs: credits and sent; at nodes: waiting and the last two.
    bool m_inputs = false, m_outputs = false, m_at_nodes = false;
    std::vector<std::uint16_t> m_queues, m_credits;
    std::vector<std::uint32_t> m_sent, m_waiting;
    std::vector<std::uint64_t> m_injected, m_consumed, m_stalls;
};

}  // namespace sare::python
