// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/dumpi_groups.h"

#include <algorithm>
#include <tuple>

namespace sare::traffic {

bool makes_communicator(const dumpi_call& call, dumpi_making& making) {
    const auto& v = call.values;
    switch (call.function) {
        case dumpi_function::comm_dup:
            making = {dumpi_making::dup, v[0], v[1], 0, 0};
            return true;
        case dumpi_function::comm_split:
            making = {dumpi_making::split, v[0], v[3], v[1], v[2]};
            return true;
        case dumpi_function::cart_create: {
            std::int64_t members = 1;
            for (const auto n : call.arrays[0]) members = n > 0 && members < INT32_MAX ? members * n : 0;
            making = {dumpi_making::cart, v[0], v[3], members, 0};
            return true;
        }
        case dumpi_function::comm_create:
        case dumpi_function::intercomm_merge:
        case dumpi_function::cart_sub:
            making = {dumpi_making::other, v[call.function == dumpi_function::cart_sub ? 1 : 0], v[2], 0, 0};
            return true;
        case dumpi_function::graph_create:
            making = {dumpi_making::other, v[1], v[4], 0, 0};
            return true;
        case dumpi_function::intercomm_create:
            making = {dumpi_making::other, v[0], v[5], 0, 0};
            return true;
        default:
            return false;
    }
}

dumpi_groups::dumpi_groups(const std::vector<std::vector<dumpi_making>>& makings)
    : m_made(makings.size()), m_states(makings.size()) {
    for (std::uint32_t p = 0; p < makings.size(); ++p) {
        m_states[p].known[dumpi_comm_world] = 0;
        m_ready.push_back(p);
    }
    // To make one is collective: a process goes on when the communicator that it waits for is there.
    while (!m_ready.empty()) {
        const std::uint32_t p = m_ready.back();
        m_ready.pop_back();
        if (m_made[p].size() < makings[p].size()) arrive(p, makings[p][m_made[p].size()]);
    }
    // All now: their numbers must not depend on which process uses its own first.
    for (std::uint32_t p = 0; p < makings.size(); ++p) {
        m_made[p].resize(makings[p].size(), unknown);
        self(p);
    }
    m_states.clear();
    m_meetings.clear();
}

std::uint32_t dumpi_groups::add(std::vector<std::uint32_t> tasks) {
    m_all.emplace_back(std::move(tasks));
    return static_cast<std::uint32_t>(m_all.size());
}

std::uint32_t dumpi_groups::self(std::uint32_t process) {
    const auto [at, added] = m_selves.try_emplace(process, 0);
    if (added) at->second = add({process});
    return at->second;
}

std::vector<std::uint32_t> dumpi_groups::members(std::uint32_t number) const {
    std::vector<std::uint32_t> all;
    if (number == 0)
        for (std::uint32_t p = 0; p < m_states.size(); ++p) all.push_back(p);
    else
        for (std::uint32_t r = 0; r < at(number).size(); ++r) all.push_back(at(number).task(r));
    return all;
}

void dumpi_groups::give(std::uint32_t process, std::int64_t name, std::uint32_t number) {
    m_made[process].push_back(number);
    m_states[process].known[name] = number;
    m_ready.push_back(process);
}

void dumpi_groups::arrive(std::uint32_t process, const dumpi_making& making) {
    state& s = m_states[process];
    if (making.from == dumpi_comm_self) {
        give(process, making.made, self(process));
        return;
    }
    const auto from = s.known.find(making.from);
    if (from == s.known.end() || from->second == unknown || making.how == dumpi_making::other) {
        give(process, making.made, unknown);
        return;
    }
    const std::uint32_t number = from->second;
    const auto key = std::pair{number, s.calls[number]++};
    meeting& m = m_meetings[key];
    m.there.emplace_back(process, &making);
    const std::size_t size = number == 0 ? m_states.size() : at(number).size();
    if (m.there.size() < size) return;
    const meeting all = std::move(m);
    m_meetings.erase(key);
    close(number, all);
}

void dumpi_groups::close(std::uint32_t number, const meeting& m) {
    const auto how = m.there[0].second->how;
    const bool agreed =
        std::all_of(m.there.begin(), m.there.end(), [&](const auto& t) { return t.second->how == how; });
    if (agreed && how == dumpi_making::split) {
        close_split(number, m);
        return;
    }
    std::vector<std::uint32_t> all = members(number);
    const std::int64_t claimed = m.there[0].second->color;
    if (how == dumpi_making::cart && claimed > 0 && claimed < static_cast<std::int64_t>(all.size()))
        all.resize(static_cast<std::size_t>(claimed));
    const std::uint32_t made = agreed ? add(std::move(all)) : unknown;
    for (const auto& [process, making] : m.there) give(process, making->made, made);
}

/// By color; in each by key, and by rank in the old one.
void dumpi_groups::close_split(std::uint32_t number, const meeting& m) {
    std::map<std::uint32_t, std::uint32_t> rank;
    const std::vector<std::uint32_t> old = members(number);
    for (std::uint32_t r = 0; r < old.size(); ++r) rank[old[r]] = r;
    using place = std::tuple<std::int64_t, std::int64_t, std::uint32_t, const dumpi_making*>;
    std::vector<place> order;
    for (const auto& [process, making] : m.there) {
        if (making->made == dumpi_comm_null)
            give(process, making->made, unknown);
        else
            order.emplace_back(making->color, making->key, rank[process], making);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t from = 0; from < order.size();) {
        std::size_t to = from;
        std::vector<std::uint32_t> tasks;
        while (to < order.size() && std::get<0>(order[to]) == std::get<0>(order[from]))
            tasks.push_back(old[std::get<2>(order[to++])]);
        const std::uint32_t made = add(tasks);
        for (std::size_t i = from; i < to; ++i)
            give(old[std::get<2>(order[i])], std::get<3>(order[i])->made, made);
        from = to;
    }
}

}  // namespace sare::traffic
