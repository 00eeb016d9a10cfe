// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/collectives.h"

namespace sare::traffic {

std::uint32_t collectives::begin(std::uint32_t task, const operation& o, const communicator& group) {
    const std::uint32_t slot = m_runs.take();
    run& r = m_runs[slot];
    r.group = &group;
    r.call = count_call(task, o.communicator);
    r.at = 0;
    r.all.clear();
    collective c;
    c.what = o.what;
    c.tasks = group.size();
    c.root = o.root;
    c.bytes = o.bytes;
    if (!o.counts.empty()) c.counts = &o.counts;
    if (!o.receive_counts.empty()) c.receive_counts = &o.receive_counts;
    const std::uint32_t rank = group.rank(task);
    if (rank == 0) ++m_counts[o.what];
    m_choice.of(o.what).expand(c, rank, r.all);
    return slot;
}

std::int64_t collectives::count_call(std::uint32_t task, std::uint32_t group) {
    if (group == 0) return ++m_called[task];
    return ++m_called_in[std::uint64_t{group} << 32 | task];
}

const step* collectives::next(std::uint32_t slot) {
    run& r = m_runs[slot];
    if (r.at == r.all.size()) return nullptr;
    r.now = r.all[r.at++];
    if (r.now.to != step::no_task) r.now.to = r.group->task(r.now.to);
    if (r.now.from != step::no_task) r.now.from = r.group->task(r.now.from);
    return &r.now;
}

config::value collectives::results() const {
    config::value all = config::value::map({});
    for (const auto& [what, count] : m_counts) {
        config::value one = config::value::map({});
        one.set("count", config::value::scalar(std::to_string(count)));
        one.set("algorithm", config::value::scalar(m_choice.of(what).name));
        all.set(op_name(what), one);
    }
    return all;
}

}  // namespace sare::traffic
