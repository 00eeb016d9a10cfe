// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_groups.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {

dumpi_groups::dumpi_groups(const std::vector<std::vector<dumpi_making>>& makings)
    : m_made(makings.size()), m_states(makings.size()) {
    // All now: their numbers must not depend on which process uses its own first.
    for (std::uint32_t p = 0; p < makings.size(); ++p) {
        m_states[p].communicators[dumpi_comm_world] = {0, ""};
        m_states[p].communicators[dumpi_comm_self] = {add({p}), ""};
        m_states[p].groups[dumpi_group_empty] = {keep({}), ""};
        m_ready.push_back(p);
    }
    // To make one is collective: a process goes on when the communicator that it waits for is there.
    while (!m_ready.empty()) {
        const std::uint32_t p = m_ready.back();
        m_ready.pop_back();
        while (m_made[p].size() < makings[p].size()) {
            const dumpi_making& making = makings[p][m_made[p].size()];
            if (making.makes_communicator()) {
                arrive(p, making);
                break;
            }
            make_group(p, making);
            m_made[p].emplace_back();
        }
    }
    report_waiting(makings);
    m_states.clear();
    m_meetings.clear();
    m_sides.clear();
    m_lists.clear();
}

/// Notes for each process that waits for ever what it waits for.
void dumpi_groups::report_waiting(const std::vector<std::vector<dumpi_making>>& makings) {
    std::map<std::uint32_t, std::string> waits;
    for (const auto& [key, m] : m_meetings) {
        members missing = all_of(m.from);
        for (const auto& [process, making] : m.there)
            missing.erase(std::find(missing.begin(), missing.end(), process));
        for (const auto& [process, making] : m.there)
            waits[process] = fmt::format("{} waits for process {}", making->text(), missing.front());
    }
    for (const auto& [key, m] : m_sides)
        for (const auto& [process, making] : m.there)
            waits[process] = fmt::format("{} waits for process {}", making->text(), std::get<2>(key));
    for (std::uint32_t p = 0; p < makings.size(); ++p)
        m_made[p].resize(makings[p].size(), {unknown, waits[p] + ", which never comes"});
}

std::uint32_t dumpi_groups::add(members processes) {
    m_all.push_back({listed_tasks(std::move(processes)), 0, {0, 0}, std::nullopt});
    return static_cast<std::uint32_t>(m_all.size());
}

/// Adds an intercommunicator. First is the side whose rank 0 has the lower number, as MPICH and Open MPI
/// merge two that are both low or both high.
std::uint32_t dumpi_groups::add(members one, members other) {
    if (other[0] < one[0]) std::swap(one, other);
    const auto size = static_cast<std::uint32_t>(one.size());
    members all = one;
    all.insert(all.end(), other.begin(), other.end());
    const std::uint32_t sides[] = {add(std::move(one)), add(std::move(other))};
    m_all.push_back({listed_tasks(std::move(all)), size, {sides[0], sides[1]}, std::nullopt});
    return static_cast<std::uint32_t>(m_all.size());
}

dumpi_groups::members dumpi_groups::all_of(std::uint32_t number) const {
    members all;
    if (number == 0)
        for (std::uint32_t p = 0; p < m_states.size(); ++p) all.push_back(p);
    else
        for (std::uint32_t r = 0; r < at(number).all.size(); ++r) all.push_back(at(number).all.task(r));
    return all;
}

std::array<dumpi_groups::members, 2> dumpi_groups::sides_of(std::uint32_t number) const {
    return {all_of(at(number).sides[0]), all_of(at(number).sides[1])};
}

dumpi_groups::given dumpi_groups::communicator_of(std::uint32_t process, std::int64_t name) const {
    if (name == dumpi_comm_null) return {unknown, "communicator 1 is MPI_COMM_NULL"};
    const auto& known = m_states[process].communicators;
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    return {unknown, fmt::format("no call of the file has made communicator {}", name)};
}

void dumpi_groups::give(const arrival& to, std::uint32_t number, const std::string& why) {
    const auto& [process, making] = to;
    const given g{number, number == unknown ? making->text() + ": " + why : ""};
    m_made[process].push_back(g);
    if (making->made != dumpi_comm_null) m_states[process].communicators[making->made] = g;
    m_ready.push_back(process);
}

void dumpi_groups::give_all(const meeting& m, std::uint32_t number, const std::string& why) {
    for (const auto& each : m.there) give(each, number, why);
}

void dumpi_groups::arrive(std::uint32_t process, const dumpi_making& making) {
    const given from = communicator_of(process, making.from);
    if (from.number == unknown)
        give({process, &making}, unknown, from.why);
    else
        join(process, making, from.number);
}

void dumpi_groups::join(std::uint32_t process, const dumpi_making& making, std::uint32_t from) {
    const auto key = std::pair{from, m_states[process].calls[from]++};
    meeting& m = m_meetings[key];
    m.from = from;
    m.there.emplace_back(process, &making);
    const std::size_t size = from == 0 ? m_states.size() : at(from).all.size();
    if (m.there.size() < size) return;
    meeting all = std::move(m);
    m_meetings.erase(key);
    std::sort(all.there.begin(), all.there.end());
    close(all);
}

void dumpi_groups::close(const meeting& m) {
    const auto& [process, making] = m.there[0];
    for (const auto& [p, theirs] : m.there)
        if (theirs->how != making->how) {
            give_unknown(m, fmt::format("process {} calls {}, process {} {}", process, making->text(), p,
                                        theirs->text()));
            return;
        }
    switch (making->how) {
        case dumpi_making::dup:
            close_dup(m);
            break;
        case dumpi_making::create:
            close_create(m);
            break;
        case dumpi_making::split:
            close_split(m);
            break;
        case dumpi_making::intercomm_create:
            close_side(m);
            break;
        case dumpi_making::intercomm_merge:
            close_merge(m);
            break;
        case dumpi_making::cart:
            close_cart(m);
            break;
        case dumpi_making::cart_sub:
            close_sub(m);
            break;
        default:
            close_graph(m);
    }
}

}  // namespace sare::traffic
