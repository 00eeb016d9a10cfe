// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

class archive;
class network_view;
class world;

/// How flits follow one another at the switches of routers: samples of some cycles in a row, by which runs
/// do not get slower, each of a few routers. Routers of a slower clock are left out.
class switch_samples {
  public:
    explicit switch_samples(const network_view& net);

    void start(cycle_t now);
    void stop() { m_next = workload::never; }
    cycle_t next() const { return m_next; }
    void look(cycle_t now);
    void serialize(archive& a);
    void add_up(world& all);

    enum seen : std::uint8_t {
        flits,   ///< that outputs sent
        bursts,  ///< of them: by an output that sent none in the cycle before
        starts,  ///< of them: by an output VC that sent none in the cycle before
        lost,    ///< input VCs that bid for the switch and were not granted it
        kinds
    };
    /// So many a flit; below 0: no flit was seen.
    double of_a_flit(seen what) const {
        return m_seen[flits] == 0 ? -1
                                  : static_cast<double>(m_seen[what]) / static_cast<double>(m_seen[flits]);
    }

  private:
    /// An output VC as after a cycle: which input VC may send by it, and how many flits it sent.
    struct sender {
        std::uint32_t sent;
        std::uint16_t owner, credits;
    };
    void choose();
    void remember(std::vector<sender>& all) const;
    bool may_send(std::uint32_t router, const sender& s) const;
    void compare(const std::vector<sender>& now);

    const network_view& m_net;
    std::vector<std::uint32_t> m_routers, m_chosen;  ///< that may be looked at; of this sample
    std::vector<sender> m_last, m_before;            ///< as after the last cycle, and the one before it
    cycle_t m_next = workload::never, m_gap = 0;
    std::uint32_t m_phase = 0, m_samples = 0, m_turn = 0;
    std::array<std::uint64_t, kinds> m_seen{};
};

}  // namespace sare
