// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/state/text_archive.h"
#include "traffic/program/executor/executor.h"

#include <algorithm>

/// What several processes have found, each of its tasks: rank 0 has it all then.
namespace sare::traffic {

void collectives::add_up(world& all) {
    std::vector<std::uint64_t> counts(op_count);
    for (const auto& [what, count] : m_counts) counts[static_cast<std::size_t>(what)] = count;
    all.sum(counts.data(), counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k] != 0) m_counts[static_cast<op>(k)] = counts[k];
}

void executor::add_up(world& all) {
    all.sum_members(m_tasks, &task::operations, &task::messages, &task::bytes, &task::computed,
                    &task::overhead, &task::blocked, &task::finish);
    m_end = all.most(m_end);
    add_up_marks(all);
    m_protocol->add_up(all);
    m_collectives.add_up(all);
    m_program->add_up(all);
}

void executor::add_up_marks(world& all) {
    text_writer mine;
    mine(m_marks);
    const std::vector<std::string> texts = all.gather(mine.text());
    for (std::size_t rank = 1; rank < texts.size(); ++rank) {
        std::map<std::int64_t, passage> marks;
        text_reader theirs(texts[rank]);
        theirs(marks);
        for (const auto& [mark, its] : marks) {
            const auto [at, is_new] = m_marks.emplace(mark, its);
            if (is_new) continue;
            passage& p = at->second;
            p.first = std::min(p.first, its.first);
            p.last = std::max(p.last, its.last);
            p.count += its.count;
        }
    }
}

double executor::progress() const {
    const double done = m_program->progress();
    return m_here == 0 ? done : std::min(1.0, done * static_cast<double>(m_tasks.size()) / m_here);
}

}  // namespace sare::traffic
