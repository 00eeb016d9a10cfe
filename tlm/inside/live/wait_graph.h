// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace sare {

class network_view;

/// Graph of the input VCs that wait for other input VCs between two cycles; finds those that wait for ever.
class wait_graph {
  public:
    /// An input VC: numbers of its router, port and VC.
    struct place {
        std::uint32_t router = 0, port = 0, vc = 0;
        bool operator==(const place& o) const { return router == o.router && port == o.port && vc == o.vc; }
    };
    /// Reasons why a flit cannot go on.
    enum class reason : std::uint8_t {
        vc_taken,  ///< every output VC that its packet may have is another packet's or lacks credits
        no_room,   ///< its packet has an output VC, which has no credits or is paused
        node       ///< its packet has an output VC to a node, which has no credits or is paused
    };
    /// The flit at the front of an input VC that cannot go on before another one does. It can go on when any
    /// of the input VCs in `on` has moved a flit.
    struct wait {
        place who;                          ///< input VC of the flit
        reason why = reason::no_room;       ///< reason of the wait
        std::vector<place> on;              ///< input VCs that it waits for
        std::optional<std::uint32_t> node;  ///< node that must consume a flit; nothing: none
        std::uint32_t circle = 0;  ///< number of the circle of waits that it is part of, from 1; 0: none
        bool dead = false;         ///< true: whatever happens, nothing that it waits for can move
    };

    /// Looks at all routers of `net`, which must outlive this object, between two cycles; later changes are
    /// not seen. Routers in RTL show no flits and no waits.
    explicit wait_graph(const network_view& net);

    const std::vector<wait>& waits() const { return m_waits; }  ///< waits by router, port and VC
    /// Returns the index in waits() of the wait of an input VC, which must exist (not checked); nothing: it
    /// is empty, or its flit may go on.
    std::optional<std::size_t> at(const place& p) const;
    bool is_deadlocked() const;  ///< true: some wait is `dead`

  private:
    void look_at(const place& p);
    void wait_behind(wait& w, std::uint32_t port, std::uint32_t vc);
    bool may_settle(const place& from, std::uint32_t port, std::uint32_t vc, const place& to) const;
    void find_dead();                          ///< sets wait::dead of all waits
    void find_circles();                       ///< sets wait::circle of all waits
    std::size_t number(const place& p) const;  ///< number of an input VC in the network

    const network_view& m_net;
    std::vector<std::size_t> m_first;   ///< number of each router's first input VC
    std::vector<std::uint32_t> m_wait;  ///< index in m_waits + 1; 0: none; by number of the input VC
    std::vector<wait> m_waits;          ///< see waits()
    std::vector<bool> m_hopes;  ///< true: a flit, credit or node may end the wait; by index in m_waits
};

}  // namespace sare
