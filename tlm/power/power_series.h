// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/state/archive.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Flits that each router sent, by intervals of one length in the measured window, the last of which may be
/// shorter. When there are too many, neighbours are joined.
class power_series {
  public:
    power_series(cycle_t length, std::size_t most) : m_length(length), m_most(most / 2 * 2) {}

    /// `flits`: flits sent since the start, by router, modulo 2^32.
    void start(cycle_t now, std::vector<std::uint32_t> flits) {
        m_begin = m_start = now;
        m_before = std::move(flits);
        m_runs = true;
    }
    cycle_t next() const { return m_runs ? m_begin + m_length : workload::never; }
    void end_interval(cycle_t now, const std::vector<std::uint32_t>& flits);
    void stop() { m_runs = false; }
    bool runs() const { return m_runs; }

    std::size_t size() const { return m_ends.size(); }
    cycle_t begin(std::size_t i) const { return i == 0 ? m_start : m_ends[i - 1]; }
    cycle_t end(std::size_t i) const { return m_ends[i]; }
    const std::vector<std::uint32_t>& flits(std::size_t i) const { return m_flits[i]; }
    cycle_t length() const { return m_length; }

    void serialize(archive& a);
    void add_up(world& all);

  private:
    void join_pairs();

    cycle_t m_length;
    std::size_t m_most;
    bool m_runs = false;
    cycle_t m_start = 0, m_begin = 0;
    std::vector<std::uint32_t> m_before;
    std::vector<cycle_t> m_ends;
    std::vector<std::vector<std::uint32_t>> m_flits;
};

}  // namespace sare
