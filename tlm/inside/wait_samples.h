// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/statistic.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

class network_view;

/// Which links are waited for, and by packets that came by which: samples of all input VCs at the ends of
/// intervals, which every run takes. A sample asks each router once, so that runs do not get slower by it
/// (docs/congestion.md#how-it-is-found).
///
/// Links are numbered: those of the outputs of routers in order, then those from nodes.
class wait_samples final : public statistic {
  public:
    /// What the packet at the front of an input VC, or of a source queue, lacks to cross the link next.
    enum cause : std::uint8_t {
        vc,      ///< every VC of the link that it might have is another packet's
        credit,  ///< room beyond
        turn,    ///< nothing but its turn: it may go in the next cycles
        causes
    };
    struct link_waits {
        std::array<std::uint64_t, causes> by{};
        std::uint64_t blocked = 0;  ///< of all those: nothing moves until there is room beyond
        std::uint64_t all() const { return by[vc] + by[credit] + by[turn]; }
    };

    /// `processes`: that run the network together; null: there is one.
    explicit wait_samples(const network_view& net, world* processes = nullptr);

    void start(cycle_t now) override;
    void sample(cycle_t now) override;
    void serialize(archive& a) override;
    void add_up(world& all) override;

    /// That the samples stand for; 0: there was none. Waits are cycles, too: a sample's count for all since
    /// the one before.
    std::uint64_t cycles() const { return m_cycles; }
    std::uint32_t links() const { return static_cast<std::uint32_t>(m_links.size()); }
    std::uint32_t link_from(std::uint32_t router, std::uint32_t port) const {
        return m_first_port[router] + port;
    }
    std::uint32_t link_of_node(std::uint32_t node) const { return m_first_port.back() + node; }
    const link_waits& waits_for(std::uint32_t link) const { return m_links[link]; }
    /// Packets that have come in by an input port and wait for an output port.
    std::uint64_t waits_between(std::uint32_t router, std::uint32_t in, std::uint32_t out) const {
        return m_turns[m_first_turn[router] + std::size_t{in} * ports(router) + out];
    }
    std::uint32_t ports(std::uint32_t router) const {
        return m_first_port[router + 1] - m_first_port[router];
    }

  private:
    struct wait {
        cause why;
        bool blocked;
    };
    void sample_router(std::uint32_t router);
    void sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc);
    void sample_node(std::uint32_t node);
    void note(std::uint32_t link, const wait& w);
    void note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w);

    const network_view& m_net;
    world* m_world;
    std::uint32_t m_vcs;
    std::vector<std::uint32_t> m_first_port;  ///< by router, and the number of all
    std::vector<std::size_t> m_first_turn;    ///< by router
    std::vector<link_waits> m_links;
    std::vector<std::uint64_t> m_turns;  ///< by router, input and output port
    std::uint64_t m_cycles = 0;
    cycle_t m_last = 0, m_next = 0;  ///< sample
    std::uint64_t m_weight = 0;      ///< of the present one
    std::uint64_t m_waiting = 0;     ///< packets, in that one
};

}  // namespace sare
