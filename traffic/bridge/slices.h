// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <algorithm>

namespace sare::traffic {

/// The way in which computers and network are synchronised.
enum class synchronisation {
    /// Computers and network run a slice in turn; frames arrive at the begin of the next slice (INSEE's
    /// full-system simulation).
    slices,
    /// Computers run one slice ahead of the network, both at the same time; frames arrive at the begin of a
    /// slice.
    parallel,
    /// Frames arrive at their exact time, if the access latency is long enough for that.
    lookahead
};

/// The arithmetic of slices. Slice k is the time [k quantum, (k + 1) quantum); at its begin the network,
/// which has run up to there, lets the computers run.
class slices {
  public:
    slices() = default;
    /// `least_access_latency`: smallest access latency of all peers.
    slices(synchronisation mode, picoseconds quantum, picoseconds least_access_latency)
        : m_mode(mode),
          m_quantum(quantum),
          m_ahead(mode == synchronisation::parallel ||
                  (mode == synchronisation::lookahead && least_access_latency >= 2 * quantum)) {}

    /// True if the computers run a slice ahead of the network, at the same time as it.
    bool run_at_once() const { return m_ahead; }
    picoseconds quantum() const { return m_quantum; }                           ///< time of a slice
    picoseconds begin(std::uint64_t slice) const { return slice * m_quantum; }  ///< time at which it begins

    /// Returns the time at which a frame that the network delivers at `arrival` reaches its computer. `free`:
    /// time up to which the computer may already run. The difference to arrival + access_latency is the
    /// frame's false delay, an error of the synchronisation.
    picoseconds due(picoseconds arrival, picoseconds access_latency, picoseconds free) const {
        const picoseconds right = arrival + access_latency;
        const picoseconds at =
            m_mode == synchronisation::lookahead ? right : (right + m_quantum - 1) / m_quantum * m_quantum;
        return std::max(at, free);
    }
    /// Returns the longest possible false delay.
    picoseconds worst_false_delay(picoseconds access_latency) const {
        const picoseconds window = m_ahead ? 2 * m_quantum : m_quantum;
        if (m_mode == synchronisation::lookahead)
            return window > access_latency ? window - access_latency : 0;
        return std::max(m_quantum, window > access_latency ? window - access_latency : 0);
    }

  private:
    synchronisation m_mode = synchronisation::slices;
    picoseconds m_quantum = 1;
    bool m_ahead = false;  ///< see run_at_once()
};

}  // namespace sare::traffic
