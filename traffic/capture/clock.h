// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::capture {

/// A count of the nanoseconds that a thread has computed since its last event in the trace.
class stopwatch {
  public:
    /// Returns the calling thread's stopwatch.
    static stopwatch& mine();
    /// Chooses the clock that SARE_TRACE_CLOCK names: thread (the default: the thread's own time on a
    /// processor), process or wall. Measures the time of reading that clock, which is then subtracted.
    static void choose();

    void resume();        ///< goes on: computation begins
    void pause();         ///< stops: computation has ended
    std::int64_t take();  ///< returns the count, in ns, and sets it to 0

  private:
    stopwatch();
    std::int64_t m_since;     ///< reading of the clock at the last resume(), in ns
    std::int64_t m_done = 0;  ///< count, in ns
};

}  // namespace sare::capture
