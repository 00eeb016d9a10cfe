// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/routing/congestion.h"

#include <deque>
#include <vector>

namespace sare {

class archive;
class network_state;

/// A router as routing sees it: asked of its bank when routing asks, so that nothing is kept.
class router_congestion final : public congestion_view {
  public:
    router_congestion(const network_state& net, std::uint32_t router) : m_net(net), m_router(router) {}

    std::uint32_t free(std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t used(std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t waiting(std::uint32_t port) const override;
    std::uint32_t queue(std::uint32_t port) const override;
    std::uint32_t told(std::uint32_t router, std::uint32_t port) const override;

  private:
    const network_state& m_net;
    std::uint32_t m_router;
};

/// The queues of all routers, told to all with a delay.
class congestion_board {
  public:
    /// `delay`: cycles, at least 1; `places`: output ports of the network. Nothing waits in the beginning.
    congestion_board(std::uint32_t delay, std::size_t places) : m_delay(delay) {
        m_samples.push_back({0, std::vector<std::uint32_t>(places)});
    }
    /// In cycle `now`, before it: the network is as it was after cycle `before`, and has been since.
    void go_on(const network_state& net, cycle_t before, cycle_t now);
    std::uint32_t told(std::size_t place) const { return m_samples.front().queues[place]; }
    void serialize(archive& a);

  private:
    struct sample {
        cycle_t at;  ///< after this cycle
        std::vector<std::uint32_t> queues;
        template <class Archive>
        void serialize(Archive& a) {
            a(at, queues);
        }
    };
    std::uint32_t m_delay;
    std::deque<sample> m_samples;  ///< the first is what is told now
};

}  // namespace sare
