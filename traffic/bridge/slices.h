// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <algorithm>

namespace sare::traffic {

/// The way in which computers and network are synchronised, slice of time by slice.
enum class synchronisation {
    /// Computers and network run each slice one after the other; frames arrive at the begin of a slice. (This
    /// is how INSEE simulates full systems.)
    slices,
    /// The computers run a slice while the network runs the slice before it; frames arrive at the begin of a
    /// slice.
    parallel,
    /// Frames arrive at their exact time if the access latency is long enough, else as early as possible.
    /// Computers and network run at the same time if the access latency is at least two slices.
    lookahead
};

/// The arithmetic of slices. Slice k is the time from k * quantum up to, but not including, (k + 1) *
/// quantum. At its begin the network, which has run up to there, lets the computers run.
class slices {
  public:
    slices() = default;
    /// `quantum`: picoseconds of a slice; `least_access_latency`: smallest access latency of all peers, in
    /// picoseconds.
    slices(synchronisation mode, picoseconds quantum, picoseconds least_access_latency)
        : m_mode(mode),
          m_quantum(quantum),
          m_ahead(mode == synchronisation::parallel ||
                  (mode == synchronisation::lookahead && least_access_latency >= 2 * quantum)) {}

    /// Returns true if the computers run one slice ahead of the network, while the network runs the slice
    /// before.
    bool run_at_once() const { return m_ahead; }
    picoseconds quantum() const { return m_quantum; }  ///< picoseconds of a slice
    /// Returns the time, in picoseconds, at which a slice begins.
    picoseconds begin(std::uint64_t slice) const { return slice * m_quantum; }

    /// Returns the time at which a frame that the network delivers at `arrival` reaches its computer.
    /// `access_latency`: access latency of the computer's peer; `free`: time up to which the computer may
    /// already run. The result minus (arrival + access_latency) is the frame's false delay, an error of the
    /// synchronisation. All times are in picoseconds.
    picoseconds due(picoseconds arrival, picoseconds access_latency, picoseconds free) const {
        const picoseconds right = arrival + access_latency;
        const picoseconds at =
            m_mode == synchronisation::lookahead ? right : (right + m_quantum - 1) / m_quantum * m_quantum;
        return std::max(at, free);
    }
    /// Returns the largest possible false delay, in picoseconds, of frames to a peer with this access
    /// latency.
    picoseconds worst_false_delay(picoseconds access_latency) const {
        const picoseconds window = m_ahead ? 2 * m_quantum : m_quantum;
        if (m_mode == synchronisation::lookahead)
            return window > access_latency ? window - access_latency : 0;
        return std::max(m_quantum, window > access_latency ? window - access_latency : 0);
    }

  private:
    synchronisation m_mode = synchronisation::slices;
    picoseconds m_quantum = 1;
    bool m_ahead = false;  ///< result of run_at_once()
};

}  // namespace sare::traffic
