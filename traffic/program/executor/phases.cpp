// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/phases.h"

#include "tlm/api/other_ranks.h"
#include "tlm/base/world.h"

#include <algorithm>

namespace sare::traffic {

void phases::pass(std::int64_t mark, cycle_t now) {
    passage& p = m_marks.emplace(mark, passage{now, 0, 0}).first->second;
    p.last = now;
    ++p.count;
}

config::value phases::results(const program& of) const {
    config::value all = config::value::map({});
    for (const auto& [mark, p] : m_marks) {
        config::value one = config::value::map({});
        one.set("first_cycle", config::number(p.first));
        one.set("last_cycle", config::number(p.last));
        one.set("count", config::number(p.count));
        all.set(of.phase(mark), one);
    }
    return all;
}

void phases::add_up(world& all) {
    tell_first_rank(
        all, [&](archive& mine) { mine(m_marks); },
        [&](archive& theirs) {
            std::map<std::int64_t, passage> marks;
            theirs(marks);
            for (const auto& [mark, its] : marks) {
                const auto [at, is_new] = m_marks.emplace(mark, its);
                if (is_new) continue;
                passage& p = at->second;
                p.first = std::min(p.first, its.first);
                p.last = std::max(p.last, its.last);
                p.count += its.count;
            }
        });
}

}  // namespace sare::traffic
