// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_groups.h"

#include <fmt/format.h>

#include <algorithm>

/// The communicators that calls of several processes make together. Those of a meeting are in order of their
/// numbers.
namespace sare::traffic {

void dumpi_groups::close_dup(const meeting& m) {
    std::uint32_t made = 0;
    if (is_between(m.from)) {
        auto [one, other] = sides_of(m.from);
        made = add(std::move(one), std::move(other));
    } else {
        made = add(all_of(m.from));
        if (m.from != 0) m_all[made - 1].grid = at(m.from).grid;
    }
    give_all(m, made);
}

/// Makes a communicator for each group that is named; they share no process.
void dumpi_groups::close_create(const meeting& m) {
    std::map<std::uint32_t, const members*> named;  // by those that are in theirs
    std::map<std::uint32_t, std::string> unnamed;   // by those that got one from a group that is not known
    for (const auto& [process, making] : m.there) {
        if (making->made == dumpi_comm_null) continue;
        const given_group g = group_of(process, making->other);
        if (g.processes == nullptr)
            unnamed[process] = g.why;
        else if (std::find(g.processes->begin(), g.processes->end(), process) == g.processes->end())
            unnamed[process] = fmt::format("the process is not in group {}", making->other);
        else
            named[process] = g.processes;
    }
    if (is_between(m.from)) {
        close_create_between(m, named);
        return;
    }
    std::map<const members*, std::uint32_t> made;
    std::map<const members*, std::string> wrong;
    for (const auto& [process, group] : named) {
        if (made.count(group) + wrong.count(group) > 0) continue;
        const std::string what = wrong_with(*group, named);
        if (what.empty())
            made[group] = add(*group);
        else
            wrong[group] = what;
    }
    for (const auto& each : m.there) {
        const auto group = named.find(each.first);
        if (group == named.end())
            give(each, unknown, unnamed.count(each.first) > 0 ? unnamed[each.first] : "MPI_COMM_NULL");
        else if (const auto number = made.find(group->second); number != made.end())
            give(each, number->second);
        else
            give(each, unknown, wrong[group->second]);
    }
}

/// Returns what is wrong with a group: all that are in it must have named it.
std::string dumpi_groups::wrong_with(const members& group,
                                     const std::map<std::uint32_t, const members*>& named) const {
    for (const auto process : group) {
        const auto theirs = named.find(process);
        if (theirs == named.end() || theirs->second != &group)
            return fmt::format("process {} is in the group, but does not name it", process);
    }
    return "";
}

/// Makes a communicator of a group of each side.
void dumpi_groups::close_create_between(const meeting& m,
                                        const std::map<std::uint32_t, const members*>& named) {
    std::array<const members*, 2> group = {nullptr, nullptr};
    std::string wrong;
    for (const auto& [process, theirs] : named) {
        const bool first = at(m.from).all.rank(process) < at(m.from).first_side;
        const members*& its = group[first ? 0 : 1];
        if (its != nullptr && its != theirs) wrong = "a side of the intercommunicator names two groups";
        its = theirs;
        if (wrong.empty()) wrong = wrong_with(*theirs, named);
    }
    if (wrong.empty() && (group[0] == nullptr || group[1] == nullptr))
        wrong = "a side of the intercommunicator names no group that is known";
    const std::uint32_t made = wrong.empty() ? add(*group[0], *group[1]) : unknown;
    for (const auto& each : m.there) {
        const bool in = named.count(each.first) > 0;
        give(each, in ? made : unknown, in ? wrong : "the process is in no group that is known");
    }
}

/// Splits by color; sorts each part by key, then by rank in the old one.
void dumpi_groups::close_split(const meeting& m) {
    const members old = all_of(m.from);
    std::map<std::uint32_t, std::uint32_t> rank;
    for (std::uint32_t r = 0; r < old.size(); ++r) rank[old[r]] = r;
    part parts;
    for (const auto& each : m.there)
        if (each.second->made == dumpi_comm_null)
            give(each, unknown, "MPI_COMM_NULL");
        else
            parts[each.second->color].push_back(each);
    const std::uint32_t first_side = m.from == 0 ? 0 : at(m.from).first_side;
    for (auto& [color, there] : parts) {
        std::sort(there.begin(), there.end(), [&](const arrival& a, const arrival& b) {
            return std::pair{a.second->key, rank[a.first]} < std::pair{b.second->key, rank[b.first]};
        });
        std::array<members, 2> sides;
        for (const auto& [process, making] : there)
            sides[rank[process] < first_side ? 0 : 1].push_back(process);
        std::uint32_t made = unknown;
        if (first_side == 0)
            made = add(std::move(sides[1]));
        else if (!sides[0].empty() && !sides[1].empty())
            made = add(std::move(sides[0]), std::move(sides[1]));
        for (const auto& each : there)
            give(each, made, "the other side of the intercommunicator has no process of this color");
    }
}

/// Returns the first members by rank, or as MPI_Comm_rank says if they may be reordered and all have asked.
dumpi_groups::members dumpi_groups::first_of(const meeting& m, std::uint64_t count) const {
    members all = all_of(m.from);
    all.resize(static_cast<std::size_t>(count));
    members said(all.size(), unknown);
    for (const auto& [process, making] : m.there) {
        if (making->made == dumpi_comm_null) continue;
        const std::int64_t r = making->said_rank;
        if (making->key == 0 || r < 0 || r >= static_cast<std::int64_t>(said.size()) ||
            said[static_cast<std::size_t>(r)] != unknown)
            return all;
        said[static_cast<std::size_t>(r)] = process;
    }
    return std::find(said.begin(), said.end(), unknown) == said.end() ? said : all;
}

void dumpi_groups::close_cart(const meeting& m) {
    const std::uint64_t room = all_of(m.from).size();
    std::uint64_t count = 1;
    std::vector<std::uint32_t> grid;
    for (const auto n : m.there[0].second->list) {
        count = n > 0 && count <= room ? count * static_cast<std::uint64_t>(n) : 0;
        grid.push_back(static_cast<std::uint32_t>(n));
    }
    if (count == 0 || count > room || is_between(m.from)) {
        give_unknown(m, fmt::format("the grid does not fit the {} processes", room));
        return;
    }
    const std::uint32_t made = add(first_of(m, count));
    m_all[made - 1].grid = std::move(grid);
    give_all(m, made);
}

/// Makes communicators of processes that agree in the coordinates left out; row-major order is that of ranks.
void dumpi_groups::close_sub(const meeting& m) {
    const auto& grid = m.from == 0 ? std::nullopt : at(m.from).grid;
    const auto& kept = m.there[0].second->list;
    if (!grid || grid->size() != kept.size()) {
        give_unknown(m, fmt::format("communicator {} is no grid of {} dimensions", m.there[0].second->from,
                                    kept.size()));
        return;
    }
    std::map<std::uint64_t, members> parts;
    std::vector<std::uint32_t> lengths;
    for (std::size_t d = 0; d < grid->size(); ++d)
        if (kept[d] != 0) lengths.push_back((*grid)[d]);
    for (std::uint32_t r = 0; r < at(m.from).all.size(); ++r) {
        std::uint64_t where = 0;
        std::uint32_t rest = r, block = at(m.from).all.size();
        for (std::size_t d = 0; d < grid->size(); ++d) {
            block /= (*grid)[d];
            if (kept[d] == 0) where = where * (*grid)[d] + rest / block;
            rest %= block;
        }
        parts[where].push_back(at(m.from).all.task(r));
    }
    std::map<std::uint32_t, std::uint32_t> made;
    for (const auto& [where, processes] : parts) {
        const std::uint32_t number = add(processes);
        m_all[number - 1].grid = lengths;
        for (const auto p : processes) made[p] = number;
    }
    for (const auto& each : m.there) give(each, made[each.first]);
}

void dumpi_groups::close_graph(const meeting& m) {
    const std::int64_t nodes = m.there[0].second->color;
    const std::size_t room = all_of(m.from).size();
    if (nodes < 1 || nodes > static_cast<std::int64_t>(room) || is_between(m.from))
        give_unknown(m, fmt::format("the graph does not fit the {} processes", room));
    else
        give_all(m, add(first_of(m, static_cast<std::uint64_t>(nodes))));
}

/// Merges the sides, low before high.
void dumpi_groups::close_merge(const meeting& m) {
    if (!is_between(m.from)) {
        give_unknown(m, "the communicator is no intercommunicator");
        return;
    }
    auto [one, other] = sides_of(m.from);
    std::map<std::uint32_t, bool> high;
    for (const auto& [process, making] : m.there) high[process] = making->color != 0;
    if (high[one[0]] && !high[other[0]]) std::swap(one, other);
    one.insert(one.end(), other.begin(), other.end());
    give_all(m, add(std::move(one)));
}

/// Closes one side of an intercommunicator: its leader's record says who the leader of the other is.
void dumpi_groups::close_side(const meeting& m) {
    const members all = all_of(m.from);
    const std::int64_t leader = m.there[0].second->color;
    if (leader < 0 || leader >= static_cast<std::int64_t>(all.size()) || is_between(m.from)) {
        give_unknown(m, fmt::format("leader {} is out of range", leader));
        return;
    }
    const std::uint32_t own = all[static_cast<std::size_t>(leader)];
    const auto record =
        std::find_if(m.there.begin(), m.there.end(), [&](const arrival& a) { return a.first == own; });
    const dumpi_making& making = *record->second;
    const given peers = communicator_of(own, making.other);
    if (peers.number == unknown) {
        give_unknown(m, peers.why);
        return;
    }
    members reached = all_of(peers.number);
    if (is_between(peers.number)) {
        const bool first = at(peers.number).all.rank(own) < at(peers.number).first_side;
        reached = all_of(at(peers.number).sides[first ? 1 : 0]);
    }
    if (making.key < 0 || making.key >= static_cast<std::int64_t>(reached.size())) {
        give_unknown(m, fmt::format("remote leader {} is out of range", making.key));
        return;
    }
    const std::uint32_t remote = reached[static_cast<std::size_t>(making.key)];
    const auto waiting = m_sides.find({peers.number, remote, own, making.tag});
    if (waiting == m_sides.end()) {
        m_sides[{peers.number, own, remote, making.tag}] = m;
        return;
    }
    const meeting other = std::move(waiting->second);
    m_sides.erase(waiting);
    const std::uint32_t made = add(all, all_of(other.from));
    give_all(m, made);
    give_all(other, made);
}

}  // namespace sare::traffic
