// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/recorder.h"

#include <ostream>

namespace sare::traffic {

/// The files that are made of the record, each in one pass over it.
class views {
  public:
    explicit views(const recorder& r) : m(r) {}

    /// Writes lines "task,begin,end,state", in order of end.
    void timeline(std::ostream& out) const;
    /// Writes lines "task,cycle,phase".
    void marks(std::ostream& out) const;
    /// Writes a trace for pj_dump and its kin: https://github.com/schnorr/pajeng.
    void paje(std::ostream& out) const;
    /// Writes a trace for Perfetto: tasks, their operations, states, marks and messages.
    void perfetto(std::ostream& out) const;

  private:
    /// Calls `f` for every event in order; of a task's states in a cycle only for the last, after the other
    /// events of the cycle, and only if it is a change.
    template <class F>
    void for_each(F f) const;
    cycle_t end() const { return std::min(m.m_end, m.m_when.end()); }

    const recorder& m;
};

}  // namespace sare::traffic
