// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace sare {

class network_view;

/// Which input VCs wait for which between two cycles, and which of them wait for ever.
class wait_graph {
  public:
    /// An input VC.
    struct place {
        std::uint32_t router = 0, port = 0, vc = 0;
        bool operator==(const place& o) const { return router == o.router && port == o.port && vc == o.vc; }
    };
    enum class reason : std::uint8_t {
        vc_taken,  ///< every output VC that it may have is owned by another input VC or lacks credits
        no_room,   ///< it has an output VC, and no credits
        node       ///< it has an output VC to a node, and no credits
    };
    /// The flit at the front of an input VC that cannot go on before something else does. It can go on when
    /// any of the places in `on` has moved.
    struct wait {
        place who;
        reason why = reason::no_room;
        std::vector<place> on;
        std::optional<std::uint32_t> node;  ///< node that must consume, or whose injection must end
        std::uint32_t circle = 0;  ///< number of the circle of waits that it is part of, from 1; 0: none
        bool dead = false;         ///< true: whatever happens, nothing that it waits for can move
    };

    /// Looks at all routers of the network. Foreign blocks show no flits, and nothing waits in them.
    explicit wait_graph(const network_view& net);

    const std::vector<wait>& waits() const { return m_waits; }  ///< in order of router, port and VC
    /// Index of the wait of an input VC; none: it holds no flit, or its flit may go on.
    std::optional<std::size_t> at(const place& p) const;
    bool is_deadlocked() const;  ///< some wait is `dead`

  private:
    void look_at(const place& p);
    void wait_behind(wait& w, std::uint32_t port, std::uint32_t vc);
    bool may_settle(const place& from, std::uint32_t port, std::uint32_t vc, const place& to) const;
    void find_dead();
    void find_circles();
    std::size_t number(const place& p) const;

    const network_view& m_net;
    std::vector<std::size_t> m_first;   ///< number of a router's first input VC
    std::vector<std::uint32_t> m_wait;  ///< index in m_waits + 1, or 0; by number of the input VC
    std::vector<wait> m_waits;
    std::vector<bool> m_hopes;  ///< true: something on its way may end the wait; by index in m_waits
};

}  // namespace sare
