// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/layout/layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sare {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double between_planes = 2.4;  ///< with room for stubs and a name
constexpr double between_groups = 2.5;
constexpr double page = 1.4;  ///< width of a picture over its height, about

double radius(std::uint32_t n, double apart) {
    return n > 1 ? apart / 2 / std::sin(pi / n) : 0;
}

/// Turned clockwise.
point turned(point a, double angle) {
    return {a.x * std::cos(angle) + a.y * std::sin(angle), a.y * std::cos(angle) - a.x * std::sin(angle)};
}

double nearest(std::vector<spot> spots) {
    std::sort(spots.begin(), spots.end(), [](const spot& a, const spot& b) { return a.x < b.x; });
    double least = std::numeric_limits<double>::infinity();
    for (auto a = spots.begin(); a != spots.end(); ++a)
        for (auto b = a + 1; b != spots.end() && b->x - a->x < least; ++b)
            least = std::min(least, std::hypot(b->x - a->x, b->y - a->y));
    return std::isfinite(least) ? least : 1;
}

}  // namespace

given_layout::given_layout(std::vector<spot> spots) : m_spots(std::move(spots)) {
    const double unit = nearest(m_spots);
    for (spot& s : m_spots) s = {s.x / unit, s.y / unit, s.group};
}

point on_circle(std::uint32_t i, std::uint32_t n, double apart) {
    return turned({0, radius(n, apart)}, 2 * pi * i / n);
}

double degrees(point direction) {
    const double angle = std::atan2(direction.y, direction.x) * 180 / pi;
    return angle < 0 ? angle + 360 : angle;
}

spot circle_layout::of(router_id r) const {
    const point at = on_circle(r.value, m_routers, 1);
    return {at.x, at.y, 0};
}

circle_of_groups::circle_of_groups(std::uint32_t groups, std::uint32_t routers_each, namer name)
    : m_groups(groups),
      m_each(routers_each),
      m_apart(2 * radius(routers_each, 1) + between_groups),
      m_name(std::move(name)) {}

spot circle_of_groups::of(router_id r) const {
    const std::uint32_t group = r.value / m_each;
    const point centre = on_circle(group, m_groups, m_apart);
    const point at = turned(on_circle(r.value % m_each, m_each, 1), 2 * pi * group / m_groups);
    return {centre.x + at.x, centre.y + at.y, group};
}

row_layout::row_layout(kind what, std::vector<std::uint32_t> routers)
    : m_kind(what), m_routers(std::move(routers)) {
    m_width = *std::max_element(m_routers.begin(), m_routers.end());
    const auto rows = static_cast<double>(m_routers.size());
    m_step = std::max(2.0, what == kind::levels ? m_width / page / rows : m_width * page / rows / 2);
}

spot row_layout::of(router_id r) const {
    std::uint32_t row = 0, i = r.value;
    for (; i >= m_routers[row]; ++row) i -= m_routers[row];
    const double along = (i + 0.5) * m_width / m_routers[row];
    if (m_kind == kind::levels) return {along, row * m_step, row};
    return {row * m_step, m_width - along, row};
}

std::string row_layout::group_name(std::uint32_t group) const {
    return (m_kind == kind::levels ? "level " : "stage ") + std::to_string(group);
}

plane_layout::plane_layout(const std::vector<std::uint32_t>& dims, double skew) : m_dims(dims), m_skew(skew) {
    m_dims.resize(std::max<std::size_t>(dims.size(), 2), 1);
    for (std::size_t d = 2; d < m_dims.size(); ++d) m_planes *= m_dims[d];
    const double width = m_dims[0] + between_planes, height = m_dims[1] + between_planes;
    const double square = std::ceil(std::sqrt(m_planes * height / width * page));  // so many in a row, about
    const auto rows = static_cast<std::uint32_t>(std::ceil(m_planes / square));
    m_across = (m_planes + rows - 1) / rows;
    // Of several further dimensions, the first ones make the rows.
    if (m_dims.size() < 4 || m_dims[2] > page * square) return;
    m_across = 1;
    for (std::size_t d = 2; d < m_dims.size() && m_across * m_dims[d] <= page * square; ++d)
        m_across *= m_dims[d];
}

spot plane_layout::of(router_id r) const {
    const std::uint32_t x = r.value % m_dims[0], y = r.value / m_dims[0] % m_dims[1];
    const std::uint32_t plane = r.value / m_dims[0] / m_dims[1];
    const point up = step(1);
    // Planes are read as text is, from the top left.
    return {plane % m_across * (m_dims[0] - 1 + between_planes) + x + y * up.x,
            y * up.y - plane / m_across * (m_dims[1] - 1 + between_planes), plane};
}

std::string plane_layout::group_name(std::uint32_t group) const {
    std::string text;
    for (std::size_t d = 2; d < m_dims.size(); group /= m_dims[d++])
        text += fmt::format("{}{}={}", d > 2 ? " c" : "c", d, group % m_dims[d]);
    return text;
}

point plane_layout::step(std::uint32_t d) const {
    if (d == 0) return {1, 0};
    if (d == 1) return {m_skew, std::sqrt(1 - m_skew * m_skew)};
    // Between those of a plane: in the first and the second quarter in turn.
    const auto further = static_cast<std::uint32_t>(m_dims.size()) - 2;
    const std::uint32_t slots = (further + 1) / 2, slot = (d - 2) / 2;
    const double angle = pi / 2 * (d % 2 + (slot + 1.0) / (slots + 1.0));
    return {std::cos(angle), std::sin(angle)};
}

spot folded_layout::of(router_id r) const {
    spot at;
    double size = 1;  // of what is folded out
    for (std::uint32_t rest = r.value, d = 0; rest != 0; rest >>= 1, ++d) {
        if (rest & 1) (d % 2 == 0 ? at.x : at.y) += size;
        if (d % 2 == 1) size = 2 * size + 0.5;
    }
    return at;
}

}  // namespace sare
