// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/recorder.h"

#include <ostream>

namespace sare::traffic {

/// Writers of the files that show what a recorder has stored. Each reads all events once.
class views {
  public:
    /// `r` must live as long as the object, and be closed before a file is written.
    explicit views(const recorder& r) : m(r) {}

    /// Writes a header and lines "task,begin,end,state", in the order of the ends.
    void timeline(std::ostream& out) const;
    /// Writes a header and lines "task,cycle,phase", one for each mark that a task passes.
    void marks(std::ostream& out) const;
    /// Writes a trace for Paje's tools, such as pj_dump: https://github.com/schnorr/pajeng.
    void paje(std::ostream& out) const;
    /// Writes a trace for Perfetto: states, operations and marks of tasks, and messages.
    void perfetto(std::ostream& out) const;

  private:
    /// Calls `f` for every event in order. Of the events `state` of a task in a cycle, `f` gets only the
    /// last, after the other events of the cycle, if it changes the task's state.
    template <class F>
    void for_each(F f) const;
    cycle_t end() const { return std::min(m.m_end, m.m_when.end()); }

    const recorder& m;
};

}  // namespace sare::traffic
