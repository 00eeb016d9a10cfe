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
    /// `net`: the network, which must outlive the object, or freeze() must be called before it is gone.
    explicit state_board(const network_view& net);

    std::uint32_t routers() const { return m_routers; }  ///< number of routers
    std::uint32_t ports() const { return m_ports; }      ///< largest number of ports of a router
    std::uint32_t vcs() const { return m_vcs; }          ///< number of VCs of a port
    std::uint32_t nodes() const { return m_nodes; }      ///< number of nodes

    /// @name Arrays, by [router, port, VC] unless another index is said; valid as long as this object. An
    /// array that was asked for once is updated by each refresh()
    /// @{
    const std::uint16_t* queues();    ///< number of flits in the buffer of the input VC
    const std::uint16_t* credits();   ///< number of credits of the output VC
    const std::uint32_t* sent();      ///< number of flits sent by the output VC, modulo 2^32
    const std::uint32_t* waiting();   ///< number of messages in the source queue, by [node]
    const std::uint64_t* injected();  ///< number of flits that the node has injected so far, by [node]
    const std::uint64_t* consumed();  ///< number of flits that the node has consumed so far, by [node]
    /// @}
    /// Copies the counts `waits` of waiting cycles, by input port, router by router (live_network::stalls()),
    /// into an array of [router, port], and returns that. Must not be called after freeze() (not checked).
    const std::uint64_t* take_stalls(const std::vector<std::uint64_t>& waits);
    /// Updates all arrays that were asked for; call after cycles have been run. Does nothing after freeze().
    void refresh();
    /// Forgets the network, which is about to be deleted; the arrays then keep their last values.
    void freeze() { m_net = nullptr; }

  private:
    void gather_inputs();
    void gather_outputs();
    void gather_nodes();
    template <class F>
    void for_each_vc(F f) const;

    const network_view* m_net;  ///< null: the network is gone
    std::uint32_t m_routers, m_ports = 0, m_vcs, m_nodes;
    /// True: an array of this group was asked for. m_inputs: queues; m_outputs: credits and sent; m_at_nodes:
    /// waiting, injected and consumed.
    bool m_inputs = false, m_outputs = false, m_at_nodes = false;
    std::vector<std::uint16_t> m_queues, m_credits;
    std::vector<std::uint32_t> m_sent, m_waiting;
    std::vector<std::uint64_t> m_injected, m_consumed, m_stalls;
};

}  // namespace sare::python
