// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/collectives.h"

#include "tlm/base/world.h"
#include "tlm/state/archive.h"

namespace sare::traffic {

std::uint32_t collectives::begin(std::uint32_t task, const operation& o, const communicator& group) {
    const std::uint32_t slot = m_runs.take();
    run& r = m_runs[slot];
    r.group = &group;
    r.of = o.communicator;
    r.call = count_call(task, o.communicator);
    r.rank = group.rank(task);
    r.at = 0;
    r.counts = o.counts;
    r.receive_counts = o.receive_counts;
    r.what = {o.what, group.size(), o.root, o.bytes, nullptr, nullptr};
    if (r.rank == 0) ++m_counts[o.what];
    expand(r);
    return slot;
}

void collectives::expand(run& r) const {
    r.what.counts = r.counts.empty() ? nullptr : &r.counts;
    r.what.receive_counts = r.receive_counts.empty() ? nullptr : &r.receive_counts;
    r.some.restart(r.at, window);
    m_choice.expand(r.what, r.rank, r.some);
}

std::int64_t collectives::count_call(std::uint32_t task, std::uint32_t group) {
    if (group == 0) return ++m_called[task];
    return ++m_called_in[std::uint64_t{group} << 32 | task];
}

const step* collectives::next(std::uint32_t number) {
    run& r = m_runs[number];
    if (r.at == r.some.count()) return nullptr;
    if (r.at != 0 && r.at % window == 0) expand(r);
    r.now = r.some[r.at++ % window];
    if (r.now.to < step::network) r.now.to = r.group->task(r.now.to);
    if (r.now.from < step::network) r.now.from = r.group->task(r.now.from);
    return &r.now;
}

network_call collectives::in_network(std::uint32_t number) {
    using kind = network_call::kind;
    const run& r = m_runs[number];
    const auto [group, is_new] = m_groups.try_emplace(r.of, 0);
    if (is_new) {
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t k = 0; k < r.group->size(); ++k) nodes.push_back((*m_node_of)[r.group->task(k)]);
        group->second = m_network->open(nodes);
    }
    const bool forks = m_choice.of(r.what.what).carrier == collective_carrier::multicast;
    const kind what = r.what.what == op::bcast    ? (forks ? kind::multicast : kind::copy_to_all)
                      : r.what.what == op::reduce ? kind::sum_to_one
                                                  : kind::sum_to_all;
    return {group->second, r.call, what, r.rank, r.what.root, r.what.bytes, 0};
}

void collectives::add_up(world& all) {
    std::vector<std::uint64_t> counts(op_count);
    for (const auto& [what, count] : m_counts) counts[static_cast<std::size_t>(what)] = count;
    all.sum(counts.data(), counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k)
        if (counts[k] != 0) m_counts[static_cast<op>(k)] = counts[k];
}

void collectives::serialize(archive& a, const std::function<const communicator&(std::uint32_t)>& group) {
    a(m_runs, m_called, m_called_in, m_counts, m_groups);
    for (std::uint32_t k = 0; a.reads() && k < m_runs.slots(); ++k) m_runs[k].group = &group(m_runs[k].of);
}

config::value collectives::results() const {
    config::value all = config::value::map({});
    for (const auto& [what, count] : m_counts) {
        config::value one = config::value::map({});
        one.set("count", config::number(count));
        one.set("algorithm", config::value::scalar(m_choice.of(what).name));
        all.set(op_name(what), one);
    }
    return all;
}

}  // namespace sare::traffic
