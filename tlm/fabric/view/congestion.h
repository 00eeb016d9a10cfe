// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/routing/congestion.h"

#include <deque>
#include <vector>

namespace sare {

class archive;
class network_state;

/// The queues of one router as adaptive routing sees them (congestion_view). Results are in flits, as in
/// congestion_view; they are the router's present state, except told(), which reads the congestion_board.
/// Numbers of ports and VCs are not checked.
class router_congestion final : public congestion_view {
  public:
    router_congestion(const network_state& net, std::uint32_t router) : m_net(net), m_router(router) {}

    cycle_t now() const override;
    std::uint32_t free(std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t used(std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t waiting(std::uint32_t port) const override;
    std::uint32_t held(std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t queue(std::uint32_t port) const override;
    std::uint32_t told(std::uint32_t router, std::uint32_t port) const override;

  private:
    const network_state& m_net;
    std::uint32_t m_router;
};

/// Lengths, in flits, of the queues of all output ports of a network, which all routers know a fixed number
/// of cycles later; see congestion_view::queue().
class congestion_board {
  public:
    /// `delay`: cycles until the length of a queue is known, 1 or more; `places`: number of output ports of
    /// all routers of the network. All queues are 0 until the first sample is known.
    congestion_board(std::uint32_t delay, std::size_t places) : m_delay(delay) {
        m_samples.push_back({0, std::vector<std::uint32_t>(places)});
    }
    /// Takes a sample of all queues before cycle `now` is run. `before`: last cycle that was run; nothing has
    /// changed since. All processes must call this together.
    void go_on(const network_state& net, cycle_t before, cycle_t now);
    /// Returns the length of the queue of an output port, in flits, at the end of cycle t - `delay`; cycle t
    /// is the `now` of the last go_on(). `place`: network_state::port_index() of the port.
    std::uint32_t told(std::size_t place) const { return m_samples.front().queues[place]; }
    void serialize(archive& a);

  private:
    struct sample {
        cycle_t at;                         ///< last cycle that was run before the sample was taken
        std::vector<std::uint32_t> queues;  ///< length of each queue in flits, by network_state::port_index()
        template <class Archive>
        void serialize(Archive& a) {
            a(at, queues);
        }
    };
    std::uint32_t m_delay;
    std::deque<sample> m_samples;  ///< samples in order of time; the first one is known now
};

}  // namespace sare
