// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/recorder.h"

#include <ostream>

namespace sare::traffic {

/// Writers of the files that show a recorder's record, each in one pass over it.
class views {
  public:
    explicit views(const recorder& r) : m(r) {}

    /// Writes lines "task,begin,end,state", in order of end.
    void timeline(std::ostream& out) const;
    /// Writes lines "task,cycle,phase".
    void marks(std::ostream& out) const;
    /// Writes a trace for Paje's tools, such as pj_dump: https://github.com/schnorr/pajeng.
    void paje(std::ostream& out) const;
    /// Writes a trace for Perfetto: tasks, their operations, states, marks and messages.
    void perfetto(std::ostream& out) const;

  private:
    /// Calls `f` for every event in order. Events `state` are different: of several of a task in a cycle only
    /// the last is passed on, behind the other events of the cycle, and only if the state has changed.
    template <class F>
    void for_each(F f) const;
    cycle_t end() const { return std::min(m.m_end, m.m_when.end()); }

    const recorder& m;
};

}  // namespace sare::traffic
