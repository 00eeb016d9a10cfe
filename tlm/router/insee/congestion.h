// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// Global congestion control (GCC): how full the transit queues of the whole network are, measured every so
/// many cycles and told to all nodes out of band. All banks of a network share one.
class global_congestion {
  public:
    /// `places`: phits that fit into all transit queues.
    global_congestion(double limit, std::uint32_t interval, std::uint64_t places)
        : m_limit(static_cast<std::uint64_t>(limit * static_cast<double>(places))), m_interval(interval) {}

    /// At the start of a cycle of any router: the first call of a cycle measures.
    void look(cycle_t t) {
        if (t < m_next) return;
        m_stopped = m_phits > m_limit;
        m_next = (t / m_interval + 1) * m_interval;
    }
    bool stops_injection() const { return m_stopped; }
    void clear() {
        m_phits = 0;
        m_stopped = false;
        m_next = 0;
    }
    void enters() { ++m_phits; }
    void leaves() { --m_phits; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_phits, m_stopped, m_next);
    }

  private:
    std::uint64_t m_limit, m_phits = 0;
    std::uint32_t m_interval;
    bool m_stopped = false;
    cycle_t m_next = 0;
};

}  // namespace sare
