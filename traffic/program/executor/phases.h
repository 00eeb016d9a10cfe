// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <map>

namespace sare::traffic {

/// The cycles at which the first and the last task passed each mark of a program.
class phases {
  public:
    /// Counts the passage of a task through the mark with number `mark` in cycle `now`; calls come in the
    /// order of cycles.
    void pass(std::int64_t mark, cycle_t now);
    /// Returns true if no mark was passed.
    bool empty() const { return m_marks.empty(); }
    /// Returns a map with an entry for each mark that was passed, {NAME: {first_cycle: 1, last_cycle: 2,
    /// count: 3}}: the first and the last cycle in which a task passed it, and the number of passages. NAME
    /// is the result of program::phase().
    config::value results(const program& of) const;
    /// Adds the passages of all processes to the record of rank 0. All processes must call it together.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_marks);
    }

  private:
    struct passage {
        cycle_t first = 0, last = 0;
        std::uint64_t count = 0;
    };
    std::map<std::int64_t, passage> m_marks;
};

}  // namespace sare::traffic
