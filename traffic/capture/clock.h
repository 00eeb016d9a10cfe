// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::capture {

/// Nanoseconds of computation that a thread has done and that stand in no event yet.
class stopwatch {
  public:
    /// The calling thread's.
    static stopwatch& mine();
    /// What SARE_TRACE_CLOCK says: thread (the default: the thread's own time on a processor), process or
    /// wall. Measures what reading that clock takes, which is then subtracted.
    static void choose();

    void resume();  ///< computation begins
    void pause();   ///< computation has ended
    std::int64_t take();

  private:
    stopwatch();
    std::int64_t m_since, m_done = 0;
};

}  // namespace sare::capture
