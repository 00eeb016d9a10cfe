// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_groups.h"

#include <fmt/format.h>

#include <algorithm>

/// Groups of processes, each process's own.
namespace sare::traffic {

void dumpi_groups::make_group(std::uint32_t process, const dumpi_making& making) {
    state& s = m_states[process];
    if (making.how == dumpi_making::window) {
        s.windows[making.made] = making.from;
        return;
    }
    given_group made = group_from(process, making);
    if (made.processes == nullptr) made.why = making.text() + ": " + made.why;
    s.groups[making.made] = std::move(made);
}

dumpi_groups::given_group dumpi_groups::group_of(std::uint32_t process, std::int64_t name) const {
    const auto& known = m_states[process].groups;
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    return {nullptr, fmt::format("no call of the file has made group {}", name)};
}

dumpi_groups::given_group dumpi_groups::group_from(std::uint32_t process, const dumpi_making& making) {
    if (making.how == dumpi_making::group_of || making.how == dumpi_making::remote_group_of)
        return side_group(process, making.from, making.how == dumpi_making::remote_group_of);
    if (making.how == dumpi_making::window_group) {
        const auto& windows = m_states[process].windows;
        const auto found = windows.find(making.from);
        if (found == windows.end())
            return {nullptr, fmt::format("no call of the file has made window {}", making.from)};
        return side_group(process, found->second, false);
    }
    const given_group old = group_of(process, making.from);
    if (old.processes == nullptr) return old;
    if (making.how <= dumpi_making::group_difference) {
        const given_group second = group_of(process, making.other);
        return second.processes == nullptr ? second : of_two(*old.processes, *second.processes, making.how);
    }
    const bool inside =
        making.how == dumpi_making::group_incl || making.how == dumpi_making::group_range_incl;
    if (making.how < dumpi_making::group_range_incl) return of_ranks(*old.processes, making.list, inside);
    std::vector<std::int64_t> ranks;
    for (std::size_t k = 0; k + 2 < making.list.size(); k += 3) {
        const std::int64_t from = making.list[k], to = making.list[k + 1], step = making.list[k + 2];
        if (step == 0) return {nullptr, "the step of a range is 0"};
        for (std::int64_t r = from; step > 0 ? r <= to : r >= to; r += step) {
            ranks.push_back(r);
            if (ranks.size() > old.processes->size()) break;  // one is out of range, or there twice
        }
    }
    return of_ranks(*old.processes, ranks, inside);
}

dumpi_groups::given_group dumpi_groups::side_group(std::uint32_t process, std::int64_t communicator,
                                                   bool remote) {
    const given from = communicator_of(process, communicator);
    if (from.number == unknown) return {nullptr, from.why};
    if (!is_between(from.number)) {
        if (remote) return {nullptr, fmt::format("communicator {} has no remote group", communicator)};
        return {keep(all_of(from.number)), ""};
    }
    const entry& between = at(from.number);
    const bool first = between.all.rank(process) < between.first_side;
    return {keep(all_of(between.sides[first == remote ? 1 : 0])), ""};
}

dumpi_groups::given_group dumpi_groups::of_two(const members& a, const members& b, dumpi_making::kind how) {
    const std::set<std::uint32_t> in_a(a.begin(), a.end()), in_b(b.begin(), b.end());
    members made;
    for (const auto p : a)
        if (how == dumpi_making::group_union ||
            (how == dumpi_making::group_intersection) == (in_b.count(p) > 0))
            made.push_back(p);
    if (how == dumpi_making::group_union)
        for (const auto p : b)
            if (in_a.count(p) == 0) made.push_back(p);
    return {keep(std::move(made)), ""};
}

/// Returns a group of the ranks, in their order, or of the others.
dumpi_groups::given_group dumpi_groups::of_ranks(const members& old, const std::vector<std::int64_t>& ranks,
                                                 bool inside) {
    std::vector<bool> named(old.size());
    members made;
    for (const auto r : ranks) {
        if (r < 0 || r >= static_cast<std::int64_t>(old.size()))
            return {nullptr,
                    fmt::format("rank {} is out of range; the group has {} processes", r, old.size())};
        const auto rank = static_cast<std::size_t>(r);
        if (named[rank]) return {nullptr, fmt::format("rank {} is named twice", r)};
        named[rank] = true;
        made.push_back(old[rank]);
    }
    if (!inside) {
        made.clear();
        for (std::size_t r = 0; r < old.size(); ++r)
            if (!named[r]) made.push_back(old[r]);
    }
    return {keep(std::move(made)), ""};
}

}  // namespace sare::traffic
