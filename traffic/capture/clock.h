// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::capture {

/// Measures the nanoseconds that a thread has computed since its last event in the trace.
class stopwatch {
  public:
    /// Returns the stopwatch of the calling thread; it runs from the start of the thread.
    static stopwatch& mine();
    /// Chooses the clock of all stopwatches, by the environment variable SARE_TRACE_CLOCK: thread (default):
    /// processor time of the thread; process: processor time of all threads of the process; wall: real time.
    /// Prints a warning and takes thread for any other word. Also measures the time of reading the clock,
    /// which pause() subtracts.
    static void choose();

    void resume();        ///< starts counting: computation begins
    void pause();         ///< stops counting: computation has ended
    std::int64_t take();  ///< returns the nanoseconds counted since the last take()

  private:
    stopwatch();
    std::int64_t m_since;     ///< reading of the clock at the last resume(), in nanoseconds
    std::int64_t m_done = 0;  ///< nanoseconds counted
};

}  // namespace sare::capture
