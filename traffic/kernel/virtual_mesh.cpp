// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/virtual_mesh.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {
namespace {

constexpr std::uint64_t most_tasks = 16777216;

/// Returns sizes whose product is `tasks`: each the least factor not below the root that is left.
std::vector<std::uint32_t> equal_sizes(std::uint32_t tasks, std::uint32_t dimensions) {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t left = dimensions; left > 0; --left) {
        const auto enough = [&](std::uint64_t size) {
            std::uint64_t product = 1;
            for (std::uint32_t d = 0; d < left && product < tasks; ++d) product *= size;
            return product >= tasks;
        };
        std::uint32_t size = 1;
        while (!enough(size) || tasks % size != 0) ++size;
        sizes.push_back(size);
        tasks /= size;
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
}

std::uint64_t product_of(const std::vector<std::uint32_t>& dims) {
    std::uint64_t product = 1;
    for (const auto n : dims) product = std::min(product * n, most_tasks + 1);
    return product;
}

}  // namespace

const config::schema<grid_parameters>& grid_fields() {
    using p = grid_parameters;
    static const auto fields =
        config::schema<p>()
            .include(kernel_fields())
            .number("dimensions", &p::dimensions, 1, 8, "", "of the tasks, where 'dims' does not say it")
            .integers("dims", &p::dims, 1, static_cast<double>(most_tasks), "tasks",
                      "by dimension, 0 varying fastest; none: as equal as can be, the largest first");
    return fields;
}

const config::schema<neighbour_parameters>& neighbour_fields() {
    using p = neighbour_parameters;
    static const auto fields = config::schema<p>()
                                   .include(grid_fields())
                                   .flag("torus", &p::torus, "the last of a row has the first as neighbour")
                                   .flag("diagonals", &p::diagonals,
                                         "neighbours differ by at most 1 in every dimension; else in one");
    return fields;
}

virtual_mesh::virtual_mesh(const grid_parameters& p, std::uint32_t tasks, bool torus,
                           const config::location& where)
    : m_dims(p.dims.empty() ? equal_sizes(tasks, p.dimensions) : p.dims), m_torus(torus) {
    if (m_dims.size() > 8) throw config::error(where, "'dims' has more than 8 dimensions");
    if (product_of(m_dims) > most_tasks)
        throw config::error(where, fmt::format("'dims' make more than the {} tasks at most", most_tasks));
    if (product_of(m_dims) != tasks)
        throw config::error(
            where,
            fmt::format("'dims' must be those of {} tasks (their product); leave out 'tasks' or 'dims'",
                        tasks));
}

virtual_mesh::offset virtual_mesh::along(std::uint32_t dimension, bool forwards) const {
    offset way(m_dims.size());
    way[dimension] = forwards ? 1 : -1;
    return way;
}

std::vector<virtual_mesh::offset> virtual_mesh::ways(bool diagonals) const {
    std::vector<offset> all;
    std::uint32_t count = 1;
    for (std::size_t d = 0; d < m_dims.size(); ++d) count *= 3;
    for (std::uint32_t i = 1; i < count; ++i) {
        offset way;
        std::uint32_t rest = i;
        for (std::size_t d = 0; d < m_dims.size(); ++d, rest /= 3)
            way.push_back(rest % 3 == 2 ? -1 : static_cast<int>(rest % 3));
        const auto zeros = std::count(way.begin(), way.end(), 0);
        if (diagonals || zeros + 1 == static_cast<std::ptrdiff_t>(m_dims.size())) all.push_back(way);
    }
    return all;
}

std::uint32_t virtual_mesh::go(std::uint32_t task, const offset& way, int sign) const {
    std::uint32_t rest = task, stride = 1, to = 0;
    for (std::size_t d = 0; d < m_dims.size(); ++d) {
        const std::uint32_t n = m_dims[d];
        std::uint32_t c = rest % n;
        rest /= n;
        if (way[d] != 0) {
            if (m_torus && (n == 1 || (n == 2 && way[d] < 0))) return none;
            const bool up = way[d] * sign > 0;
            if (!m_torus && c == (up ? n - 1 : 0)) return none;
            c = up ? (c + 1 == n ? 0 : c + 1) : (c == 0 ? n - 1 : c - 1);
        }
        to += c * stride;
        stride *= n;
    }
    return to;
}

std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& given, std::uint32_t dimensions,
                                    const config::location& where) {
    if (given.size() == 1) return std::vector<std::uint64_t>(dimensions, given[0]);
    if (given.size() != dimensions)
        throw config::error(
            where,
            fmt::format("'cells' must have {} numbers, one by dimension of the tasks, or one for all; not {}",
                        dimensions, given.size()));
    return {given.begin(), given.end()};
}

std::uint64_t surface(const std::vector<std::uint64_t>& cells, const virtual_mesh::offset& way) {
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < cells.size(); ++d)
        count = std::min(count * (way[d] == 0 ? cells[d] : 1), 10 * most_message_bytes);
    return count;
}

std::uint32_t task_count(const grid_parameters& p, const workload_context& c) {
    if (p.tasks == 0 && !p.dims.empty()) return static_cast<std::uint32_t>(product_of(p.dims));
    return task_count(static_cast<const kernel_parameters&>(p), c);
}

}  // namespace sare::traffic
