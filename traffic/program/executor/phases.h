// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <map>

namespace sare::traffic {

/// The cycles at which the first and the last task passed each mark.
class phases {
  public:
    /// Notes that a task passes a mark.
    void pass(std::int64_t mark, cycle_t now);
    bool empty() const { return m_marks.empty(); }
    /// Returns {name: {first_cycle: 1, last_cycle: 2, count: 3}}, by the program's names of its marks.
    config::value results(const program& of) const;
    /// Adds up the passages of all processes.
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
