// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class network_view;
class world;

/// How many of the flits that outputs send are the first of a burst: samples of two cycles in a row, by which
/// runs do not get slower. Routers of a slower clock are left out.
class burst_samples {
  public:
    explicit burst_samples(const network_view& net);

    void start(cycle_t now);
    void stop() { m_next = workload::never; }
    cycle_t next() const { return m_next; }
    void look(cycle_t now);
    void serialize(archive& a);
    void add_up(world& all);

    /// Of all flits; below 0: none was seen.
    double share() const {
        return m_flits == 0 ? -1 : static_cast<double>(m_first) / static_cast<double>(m_flits);
    }

  private:
    std::vector<std::uint32_t> sent_now() const;

    const network_view& m_net;
    std::vector<std::uint32_t> m_routers;         ///< that are looked at
    std::vector<std::uint32_t> m_before, m_last;  ///< sent, by output; m_last: in the cycle before
    cycle_t m_next = workload::never, m_gap = 0;
    std::uint32_t m_phase = 0, m_samples = 0;
    std::uint64_t m_flits = 0, m_first = 0;
};

}  // namespace sare
