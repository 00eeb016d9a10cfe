// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/twisted_torus.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

struct twisted_parameters : grid_parameters {
    std::vector<std::vector<std::int32_t>> twist;
    std::uint32_t degree = 0;
    std::vector<std::int32_t> jump;
    bool unidirectional = false;
};

constexpr std::int32_t most_twist = 65535;

config::schema<twisted_parameters> twisted_fields() {
    using p = twisted_parameters;
    config::schema<p> all;
    all.include(grid_fields())
        .integer_rows("twist", &p::twist, -most_twist, most_twist, "routers",
                      "a row for each dimension d: how far crossing its wrap link moves a packet along each "
                      "dimension e, modulo its size; none: not at all")
        .number("degree", &p::degree, 0, 63, "",
                "with jump, in place of twist: the wrap links of dimension d move along dimension d + "
                "degree, modulo their number; 0: twist holds")
        .integers("jump", &p::jump, -most_twist, most_twist, "routers",
                  "how far those of each dimension move")
        .flag("unidirectional", &p::unidirectional, "links lead only to the + neighbour");
    return all;
}

/// The twist that degree and jump stand for.
std::vector<std::vector<std::int32_t>> from_jump(const twisted_parameters& p, const config::value& section) {
    const std::size_t count = p.dims.size();
    if (!p.twist.empty())
        throw config::error(place(section, "twist"),
                            "'twist' and 'degree' are both given; one of them says how links are twisted");
    if (p.degree % count == 0)
        throw config::error(
            place(section, "degree"),
            fmt::format("'degree' is {} with {} dimensions: a dimension cannot be twisted along itself",
                        p.degree, count));
    if (p.jump.size() != count)
        throw config::error(
            place(section, "jump"),
            fmt::format("'jump' has {} numbers for {} dimensions; give one for each", p.jump.size(), count));
    std::vector<std::vector<std::int32_t>> twist(count, std::vector<std::int32_t>(count, 0));
    for (std::size_t d = 0; d < count; ++d) twist[d][(d + p.degree) % count] = p.jump[d];
    return twist;
}

void check_twist(const twisted_parameters& p, const config::value& section) {
    const auto at = place(section, "twist");
    const std::size_t count = p.dims.size();
    const bool square =
        p.twist.size() == count &&
        std::all_of(p.twist.begin(), p.twist.end(), [&](const auto& row) { return row.size() == count; });
    if (!square)
        throw config::error(
            at, fmt::format("'twist' must have {} rows of {} numbers, one for each dimension", count, count));
    for (std::size_t d = 0; d < count; ++d)
        if (p.twist[d][d] != 0)
            throw config::error(
                at, fmt::format(
                        "'twist' moves along dimension {} at its own wrap link; the diagonal must be 0", d));
}

topology* make_twisted_torus(const twisted_parameters& given, const config::value& section) {
    twisted_parameters p = given;
    const std::size_t count = p.dims.size();
    if (count != 0 && p.degree != 0) p.twist = from_jump(p, section);
    if (p.degree == 0 && !p.jump.empty())
        throw config::error(place(section, "jump"), "'jump' is given without 'degree', from 1 up");
    if (p.twist.empty()) p.twist.assign(count, std::vector<std::int32_t>(count, 0));
    check_twist(p, section);
    twisted_shape shape;
    shape.dims = p.dims;
    shape.concentration = p.concentration;
    shape.unidirectional = p.unidirectional;
    for (const auto& row : p.twist) {
        shape.twist.emplace_back();
        for (std::size_t e = 0; e < row.size(); ++e) {
            const auto k = static_cast<std::int32_t>(p.dims[e]);
            shape.twist.back().push_back(static_cast<std::uint32_t>((row[e] % k + k) % k));
        }
    }
    return new twisted_torus(shape, p, section);
}

const config::registration<topology> registered_twisted_torus{
    "twisted_torus", "A torus whose wrap links also move a packet along other dimensions.", twisted_fields(),
    make_twisted_torus};

}  // namespace

bool twisted_shape::commutes() const {
    for (std::size_t d = 0; d < twist.size(); ++d)
        for (std::size_t e = 0; e < twist.size(); ++e) {
            const auto& onward = twist[e];
            if (twist[d][e] != 0 && std::any_of(onward.begin(), onward.end(), [](auto t) { return t != 0; }))
                return false;
        }
    return true;
}

twisted_torus::twisted_torus(const twisted_shape& shape, const link_parameters& links,
                             const config::value& section)
    : coordinate_network("twisted_torus", shape, links, section), m_shape(shape) {}

std::optional<std::uint32_t> twisted_torus::neighbour(std::uint32_t r, std::uint32_t d, bool negative) const {
    const auto& dims = m_shape.dims;
    const std::uint32_t c = r / stride(d) % dims[d], last = dims[d] - 1;
    if (c != (negative ? 0 : last)) return negative ? r - stride(d) : r + stride(d);
    std::uint32_t to = negative ? r + last * stride(d) : r - last * stride(d);
    for (std::uint32_t e = 0; e < dims.size(); ++e) {
        const std::uint32_t from = r / stride(e) % dims[e], t = m_shape.twist[d][e];
        const std::uint32_t moved = (from + (negative ? dims[e] - t : t)) % dims[e];
        if (e != d) to = to - from * stride(e) + moved * stride(e);
    }
    if (to == r) return std::nullopt;
    return to;
}

std::vector<std::pair<node_id, std::uint32_t>> twisted_torus::node_classes() const {
    if (!m_shape.commutes()) return {};
    return {{node_id(0), nodes()}};
}

/// Exact, by a search. Where all routers see the same network one is for all, from router 0 to where the way
/// leads from there: going back below 0 in a dimension that moves along others moves back along them.
void twisted_torus::add_path(router_id from, router_id to, path_cost& sum) const {
    if (!m_shape.commutes()) return coordinate_network::add_path(from, to, sum);
    const auto& dims = m_shape.dims;
    std::vector<std::uint32_t> c(dims.size());
    for (std::uint32_t d = 0; d < dims.size(); ++d)
        c[d] = (to.value / stride(d) % dims[d] + dims[d] - from.value / stride(d) % dims[d]) % dims[d];
    for (std::uint32_t d = 0; d < dims.size(); ++d) {
        if (to.value / stride(d) % dims[d] >= from.value / stride(d) % dims[d]) continue;
        for (std::uint32_t e = 0; e < dims.size(); ++e)
            c[e] = (c[e] + dims[e] - m_shape.twist[d][e]) % dims[e];
    }
    std::uint32_t offset = 0;
    for (std::uint32_t d = 0; d < dims.size(); ++d) offset += c[d] * stride(d);
    coordinate_network::add_path(router_id(0), router_id(offset), sum);
}

closed_forms twisted_torus::known() const {
    // The rectangular twisted torus, 2a x a with a twist of a (Camara et al., 2010).
    const auto& dims = m_shape.dims;
    if (m_shape.unidirectional || dims.size() != 2) return {};
    const double a = dims[1];
    if (dims[0] != 2 * dims[1] || m_shape.twist[1][0] != dims[1] || m_shape.twist[0][1] != 0) return {};
    return {dims[1], (4 * a * a - 1) / (6 * a), std::nullopt};
}

}  // namespace sare
