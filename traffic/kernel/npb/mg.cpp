// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/npb/size.h"

#include <fmt/format.h>

#include <array>

namespace sare::traffic::variants::npb_mg {
namespace {

constexpr std::uint32_t axes = 3;
constexpr std::uint64_t word = 8;  // bytes

/// Multigrid V-cycles on a periodic cube of 2^levels points a side, as NPB 3 has them: tasks, a power of two,
/// have boxes of it. On coarse grids with less points a side than tasks the last of each group of tasks alone
/// has one, and its neighbours are the last ones of the groups beside it. Its operations are NPB's count, 58
/// a point and cycle, shared out among the steps by what their loops do at a point.
class npb_mg final : public kernel {
  public:
    npb_mg(const npb_parameters& p, std::uint32_t tasks, const config::location& where)
        : kernel("npb_mg", tasks, p) {
        constexpr std::uint32_t levels[] = {5, 7, 8, 8, 9, 10, 11}, cycles[] = {4, 4, 4, 20, 20, 50, 50};
        m_levels = levels[static_cast<std::size_t>(p.size)];
        if ((tasks & (tasks - 1)) != 0)
            throw config::error(
                where, fmt::format("'npb_mg' runs on a power of two of tasks, and there are {}", tasks));
        std::uint32_t log = 0;
        while (1U << log < tasks) ++log;
        if (log > axes * m_levels)
            throw config::error(
                where,
                fmt::format("'npb_mg' has no point for each of {} tasks; take a larger 'size'", tasks));
        const std::uint32_t x = log / 3, y = (log - x) / 2;
        m_parts = {1U << x, 1U << y, 1U << (log - x - y)};
        plan(cycles[static_cast<std::size_t>(p.size)]);
    }

  protected:
    bool at(std::uint32_t task, std::uint32_t& k, operation& o) const override {
        for (; k / places < m_steps.size(); ++k) {
            const step& s = m_steps[k / places];
            const std::uint32_t place = k % places;
            if (s.what == step::kind::norm ? place < 2 && reduce(o)
                : place == 0               ? compute(task, s, o)
                                           : exchange(task, s, place - 1, o))
                return true;
        }
        return false;
    }

  private:
    /// A step of all tasks: a loop over the points of a level, then the messages between their boxes.
    struct step {
        enum class kind { border, expand, norm };  ///< border: six sides; expand: to tasks that join in
        kind what = kind::border;
        std::uint32_t level = 0;
        double operations = 0;     ///< operations at each of `points`
        std::uint32_t points = 0;  ///< number of points of a level
    };
    static constexpr std::uint32_t sides = 5;  ///< places of an axis: two receives, two sends, a wait
    static constexpr std::uint32_t places = 1 + axes * sides;

    using kind = step::kind;

    void plan(std::uint32_t cycles) {
        constexpr double residual = 15, smoother = 16, restriction = 24, prolongation = 20;  // at a point
        const auto add = [this](kind what, std::uint32_t level, double operations, std::uint32_t points) {
            m_steps.push_back({what, level, operations, points});
        };
        const std::uint32_t top = m_levels;
        add(kind::border, top, residual, top);
        add(kind::norm, top, 0, top);
        const std::size_t first = m_steps.size();
        for (std::uint32_t k = top; k > 1; --k) add(kind::border, k - 1, restriction, k - 1);
        add(kind::border, 1, smoother, 1);
        for (std::uint32_t k = 2; k <= top; ++k) {
            add(kind::expand, k, prolongation, k - 1);
            add(kind::border, k, residual, k);
            add(kind::border, k, smoother, k);
        }
        add(kind::border, top, residual, top);
        const std::vector<step> cycle(m_steps.begin() + static_cast<std::ptrdiff_t>(first), m_steps.end());
        double sum = 0;
        for (const step& s : cycle) sum += s.operations * points_of(s.points);
        m_scale = 58 * points_of(top) / sum;
        for (std::uint32_t c = 1; c < cycles; ++c) m_steps.insert(m_steps.end(), cycle.begin(), cycle.end());
        add(kind::norm, top, 0, top);
    }
    static double points_of(std::uint32_t level) {
        return static_cast<double>(std::uint64_t{1} << axes * level);
    }

    /// Returns the number of tasks of an axis between points of a level; 1 at least.
    std::uint32_t stride(std::uint32_t axis, std::uint32_t level) const {
        return std::max(1U, m_parts[axis] >> level);
    }
    std::uint32_t place_of(std::uint32_t task, std::uint32_t axis) const {
        return (axis == 0   ? task
                : axis == 1 ? task / m_parts[0]
                            : task / m_parts[0] / m_parts[1]) %
               m_parts[axis];
    }
    /// Returns the points of a task along an axis.
    std::uint64_t width(std::uint32_t task, std::uint32_t axis, std::uint32_t level) const {
        const std::uint64_t points = std::uint64_t{1} << level;
        if (points >= m_parts[axis]) return points / m_parts[axis];
        return (place_of(task, axis) + 1) % stride(axis, level) == 0 ? 1 : 0;
    }
    std::uint64_t points(std::uint32_t task, std::uint32_t level) const {
        return width(task, 0, level) * width(task, 1, level) * width(task, 2, level);
    }
    std::uint32_t neighbour(std::uint32_t task, std::uint32_t axis, std::uint32_t level,
                            bool forwards) const {
        const std::uint32_t n = m_parts[axis], here = place_of(task, axis), far = stride(axis, level) % n;
        const std::uint32_t there = (here + (forwards ? far : n - far)) % n;
        const std::uint32_t one = axis == 0 ? 1 : axis == 1 ? m_parts[0] : m_parts[0] * m_parts[1];
        return task + there * one - here * one;
    }

    bool compute(std::uint32_t task, const step& s, operation& o) const {
        const std::uint64_t here = points(task, s.points);
        if (here == 0) return false;
        o.what = op::compute;
        o.flops = m_scale * s.operations * static_cast<double>(here);
        return true;
    }
    static bool reduce(operation& o) {
        o.what = op::allreduce;
        o.bytes = word;
        return true;
    }

    /// Makes the exchange of an axis: messages go forwards, then backwards, and are received in that order.
    /// An axis with one task has none.
    bool exchange(std::uint32_t task, const step& s, std::uint32_t place, operation& o) const {
        const std::uint32_t axis = place / sides, what = place % sides;
        if (m_parts[axis] == 1) return false;
        bool takes = points(task, s.level) != 0, gives = takes;
        if (s.what == kind::expand) {
            // Of tasks with a point here, those that have one on the coarser level tell the ones beside them.
            const bool fewer = (1U << (s.level - 1)) < m_parts[axis];
            const bool coarse = width(task, axis, s.level - 1) != 0;
            takes = fewer && !coarse && width(task, axis, s.level) != 0;
            gives = fewer && coarse;
        }
        const bool forwards = what % 2 == 0;
        if (what == 4) return (takes || gives) && wait_all(o);
        const std::uint64_t size = bytes(task, s, axis, forwards);
        if (what < 2) return takes && start_receive(o, neighbour(task, axis, s.level, !forwards), size);
        return gives && start_send(o, neighbour(task, axis, s.level, forwards), size);
    }
    /// Returns the bytes of a side of a box: with the ghosts of the axes before, which have come; when tasks
    /// join in, all of it, and forwards two layers.
    std::uint64_t bytes(std::uint32_t task, const step& s, std::uint32_t axis, bool forwards) const {
        const bool expands = s.what == kind::expand;
        std::uint64_t all = expands && forwards ? 2 * word : word;
        for (std::uint32_t a = 0; a < axes; ++a)
            if (a != axis) all *= width(task, a, s.level) + (expands || a < axis ? 2 : 0);
        return all;
    }

    std::uint32_t m_levels = 0;
    std::array<std::uint32_t, axes> m_parts{};  ///< number of tasks of each axis
    std::vector<step> m_steps;
    double m_scale = 1;
};

const config::registration<workload, const workload_context&> registered{
    "npb_mg",
    "Kernel: MG of the NAS Parallel Benchmarks: V-cycles on a cube of 32 (S), 128 (W), 256 (A, B), 512 (C), "
    "1,024 (D) or 2,048 (E) points a side, 4 (S, W, A), 20 (B, C) or 50. 'bytes' and 'compute' mean nothing.",
    npb_fields(), run_kernel<npb_mg, npb_parameters>};

}  // namespace
}  // namespace sare::traffic::variants::npb_mg
