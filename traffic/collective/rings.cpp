// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "traffic/collective/collective.h"

#include <fmt/format.h>

#include <algorithm>

/// Rings of parts: a reduce-scatter by rings, an all-gather, or an all-reduce as both behind each other.
namespace sare::traffic {
namespace {

/// The tasks whose numbers agree but for one digit, which is their place in the ring: `size` tasks, `stride`
/// apart.
struct ring {
    std::uint32_t stride, size;
};
/// A share of all data that goes through the phases by itself, `delay` phases behind the first share.
struct lane {
    std::uint32_t number, lanes;  ///< number of the share, of how many
    std::uint32_t delay;
    bool backwards;
};
/// A way once round every ring of a level. `reduces`: a part that arrives is added to the task's own.
struct phase {
    ring along;
    bool reduces;
};

/// Returns the bytes of a lane's share of the blocks of the tasks first, first + apart, first + 2 apart, ...
std::uint64_t bytes_of(const collective& c, std::uint32_t first, std::uint32_t apart, const lane& l) {
    const auto tasks_below = [&](std::uint64_t end) {
        return end > first ? (end - first + apart - 1) / apart : 0;
    };
    std::uint64_t sum = 0;
    if (c.what == op::allreduce)
        sum = tasks_below(c.tasks) * (c.bytes / c.tasks) + tasks_below(c.bytes % c.tasks);
    else if (c.counts == nullptr)
        sum = tasks_below(c.tasks) * c.bytes;
    else
        for (std::uint64_t t = first; t < c.tasks; t += apart) sum += (*c.counts)[t];
    return part_of(sum, l.lanes, l.number);
}

/// Returns step s, from 0 to size - 2, of a task in a phase. A part is on the way from the task behind its
/// own to its own, or from its own on.
step step_of(const collective& c, std::uint32_t task, const phase& p, const lane& l, std::uint32_t s) {
    const auto [stride, size] = p.along;
    const std::uint32_t own = task / stride % size;
    const auto place = [&, n = size](std::uint32_t behind) {
        return (own + (l.backwards ? behind : n - behind % n)) % n;
    };
    const auto other = [&, apart = stride](std::uint32_t at) { return task - own * apart + at * apart; };
    const auto part = [&, apart = stride, n = size](std::uint32_t at) {
        return bytes_of(c, task % apart + at * apart, apart * n, l);
    };
    const std::uint32_t first = s + (p.reduces ? 1 : 0);
    return {other(place(size - 1)), part(place(first)), other(place(1)), part(place(first + 1)), true};
}

std::vector<phase> phases_of(const collective& c, const std::vector<std::uint32_t>& sizes) {
    std::vector<phase> inwards, all;
    std::uint32_t stride = 1;
    for (const std::uint32_t size : sizes) {
        inwards.push_back({{stride, size}, true});
        stride *= size;
    }
    if (c.what == op::allreduce || c.what == op::reduce_scatter) all = inwards;
    if (c.what == op::reduce_scatter) return all;
    for (auto p = inwards.rbegin(); p != inwards.rend(); ++p) all.push_back({p->along, false});
    return all;
}

/// Takes all lanes through the phases. The steps of lanes that are under way at a time go together.
void go_round(const collective& c, std::uint32_t task, const std::vector<std::uint32_t>& sizes,
              const std::vector<lane>& lanes, steps& out) {
    const std::vector<phase> phases = phases_of(c, sizes);
    const std::uint32_t longest = *std::max_element(sizes.begin(), sizes.end());
    std::vector<step> together;
    for (std::uint32_t round = 0; round < phases.size() + lanes.back().delay; ++round)
        for (std::uint32_t s = 0; s + 1 < longest; ++s) {
            together.clear();
            for (const lane& l : lanes) {
                if (round < l.delay || round - l.delay >= phases.size()) continue;
                const phase& p = phases[round - l.delay];
                if (s + 1 < p.along.size) together.push_back(step_of(c, task, p, l, s));
            }
            for (step& each : together) {
                each.wait = &each == &together.back();
                out.push_back(each);
            }
        }
}

/// Returns the sizes of the levels for the tasks of `c`, from inside.
std::vector<std::uint32_t> levels_of(const collective& c) {
    std::vector<std::uint32_t> sizes;
    if (c.levels != nullptr) sizes = level_sizes(*c.levels);
    if (sizes.empty()) {
        sizes.push_back(1);
        for (std::uint32_t k = 2; std::uint64_t{k} * k <= c.tasks; ++k)
            if (c.tasks % k == 0) sizes[0] = k;
    }
    std::uint32_t left = c.tasks;
    for (const std::uint32_t size : sizes) {
        if (left % size != 0)
            throw config::error(
                c.levels->where(),
                fmt::format(
                    "'levels' is [{}], whose product does not divide the {} tasks of a hierarchical {}",
                    joined(sizes), c.tasks, op_name(c.what)));
        left /= size;
    }
    if (left > 1) sizes.push_back(left);
    return sizes;
}

}  // namespace

void one_ring(const collective& c, std::uint32_t task, steps& out) {
    go_round(c, task, {c.tasks}, {{0, 1, 0, false}}, out);
}

void two_rings(const collective& c, std::uint32_t task, steps& out) {
    go_round(c, task, {c.tasks}, {{0, 2, 0, false}, {1, 2, 0, true}}, out);
}

void rings_by_level(const collective& c, std::uint32_t task, steps& out) {
    std::vector<lane> lanes;
    for (std::uint32_t k = 0; k < c.chunks; ++k) lanes.push_back({k, c.chunks, k, false});
    go_round(c, task, levels_of(c), lanes, out);
}

}  // namespace sare::traffic
