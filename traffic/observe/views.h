// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/recorder.h"

#include <ostream>

namespace sare::traffic {

/// The files that are made of what was recorded, in one pass over it.
class views {
  public:
    explicit views(const recorder& r) : m(r) {}

    /// task, begin, end, state: in order of end.
    void timeline(std::ostream& out) const;
    /// task, cycle, phase.
    void marks(std::ostream& out) const;
    /// For pj_dump and its kin: https://github.com/schnorr/pajeng.
    void paje(std::ostream& out) const;
    /// For Perfetto: tasks, their operations, states, marks and messages.
    void perfetto(std::ostream& out) const;

  private:
    /// Every event in order; of the states of a task in a cycle only the last, after the other events of the
    /// cycle, and none that does not change it.
    template <class F>
    void for_each(F f) const;
    cycle_t end() const { return std::min(m.m_end, m.m_when.end()); }

    const recorder& m;
};

}  // namespace sare::traffic
