// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

#include <algorithm>
#include <tuple>

/// Two trees of all tasks, each for half of the data; what is inside one tree is mostly a leaf of the other
/// (Sanders, Speck & Träff, Parallel Computing 35 (2009); these are the trees of NCCL's ncclGetDtree).
namespace sare::traffic {
namespace {

/// A binary tree of tasks 0 to `tasks` - 1 with root 0, in which odd tasks are leaves.
struct tree {
    std::uint32_t tasks;

    /// Returns the level of a task above the leaves: the number of its lowest bit; that of the root is above
    /// all.
    std::uint32_t level(std::uint32_t task) const {
        std::uint32_t bit = 0;
        while (std::uint64_t{1} << bit < tasks && (task >> bit & 1) == 0) ++bit;
        return bit;
    }
    std::uint32_t parent(std::uint32_t task) const {
        const std::uint32_t bit = std::uint32_t{1} << level(task), up = (task ^ bit) | bit << 1;
        return up < tasks ? up : task ^ bit;
    }
    std::vector<std::uint32_t> children(std::uint32_t task) const {
        std::vector<std::uint32_t> all;
        const std::uint32_t half = std::uint32_t{1} << level(task) >> 1;
        if (half == 0) return all;
        if (task != 0) all.push_back(task - half);
        for (std::uint32_t bit = half; bit != 0; bit >>= 1)
            if (task + bit < tasks) {
                all.push_back(task + bit);
                break;
            }
        return all;
    }
};

/// One of the two trees as a task sees it: `own` is its number there.
struct view {
    tree shape;
    std::uint32_t which, own;

    view(const collective& c, std::uint32_t task, std::uint32_t number)
        : shape{c.tasks}, which(number), own(moved(task, c.tasks - 1)) {}
    std::uint32_t task(std::uint32_t number) const { return moved(number, 1); }

  private:
    /// Counts from the other end in the second tree; with an odd number of tasks, one task further on.
    std::uint32_t moved(std::uint32_t x, std::uint32_t by) const {
        if (which == 0) return x;
        return shape.tasks % 2 == 0 ? shape.tasks - 1 - x : (x + by) % shape.tasks;
    }
};

/// The messages of a round: `sends` and `receives` are tasks and bytes.
struct messages {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> sends, receives;

    void put(steps& out) const {
        const std::size_t n = std::max(sends.size(), receives.size());
        for (std::size_t i = 0; i < n; ++i) {
            step s;
            if (i < sends.size()) std::tie(s.to, s.bytes) = sends[i];
            if (i < receives.size()) std::tie(s.from, s.from_bytes) = receives[i];
            s.wait = i + 1 == n;
            out.push_back(s);
        }
    }
};

/// Adds the messages of a task in a round: chunk k goes up from level v in round k + v, and down to it in the
/// round in which its parent, at level p, sends: k + 2 * level of the root - p.
void add_round(const collective& c, const view& v, std::int64_t round, messages& out) {
    const auto add = [&](auto& list, std::uint32_t number, std::int64_t chunk) {
        if (chunk >= 0 && chunk < c.chunks)
            list.emplace_back(v.task(number), part_of(part_of(c.bytes, 2, v.which), c.chunks,
                                                      static_cast<std::uint32_t>(chunk)));
    };
    const std::int64_t top = 2 * std::int64_t{v.shape.level(0)}, level = v.shape.level(v.own);
    if (v.own != 0) {
        const std::uint32_t up = v.shape.parent(v.own);
        add(out.sends, up, round - level);
        add(out.receives, up, round - top + v.shape.level(up));
    }
    for (const std::uint32_t child : v.shape.children(v.own)) {
        add(out.receives, child, round - v.shape.level(child));
        add(out.sends, child, round - top + level);
    }
}

}  // namespace

void allreduce_double_tree(const collective& c, std::uint32_t task, steps& out) {
    const view views[] = {{c, task, 0}, {c, task, 1}};
    const std::int64_t rounds = c.chunks + 2 * std::int64_t{tree{c.tasks}.level(0)} - 1;
    for (std::int64_t round = 0; round < rounds && c.tasks > 1; ++round) {
        messages now;
        for (const view& v : views) add_round(c, v, round, now);
        now.put(out);
    }
}

}  // namespace sare::traffic
