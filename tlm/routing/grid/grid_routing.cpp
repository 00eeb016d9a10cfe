// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// A function, for schemas of other files are made before this file's objects.
const std::vector<std::pair<std::string, dateline_rule>>& datelines() {
    static const std::vector<std::pair<std::string, dateline_rule>> all{
        {"trc", dateline_rule::trc},
        {"basic", dateline_rule::basic},
        {"improved", dateline_rule::improved},
        {"ahead", dateline_rule::ahead},
        {"improved_ahead", dateline_rule::improved_ahead},
        {"none", dateline_rule::none}};
    return all;
}

}  // namespace

const char* name_of(dateline_rule rule) {
    for (const auto& [name, r] : datelines())
        if (r == rule) return name.c_str();
    return "?";
}

config::schema<ring_parameters> tie_fields() {
    config::schema<ring_parameters> fields;
    fields.choice(
        "ties", &ring_parameters::ties,
        {{"random", tie_rule::random}, {"positive", tie_rule::positive}, {"negative", tie_rule::negative}},
        "way round a ring when both are equally long; random: drawn for each packet at its source");
    return fields;
}

config::schema<ring_parameters> dateline_fields() {
    config::schema<ring_parameters> fields;
    fields.choice("dateline", &ring_parameters::dateline, datelines(),
                  "use of the two halves of the VCs against deadlock round a ring; meshes need none");
    return fields;
}

config::schema<ring_parameters> ring_fields() {
    return dateline_fields().include(tie_fields());
}

void check_one_way(dateline_rule rule, const config::value& section) {
    if (rule == dateline_rule::basic || rule == dateline_rule::improved)
        throw config::error(place(section, "dateline"),
                            std::string("'dateline' is ") + name_of(rule) +
                                "; round one-way links packets may cross the wrap link after any part of the "
                                "ring, and only trc, ahead and improved_ahead keep them from deadlock");
}

grid_routing::grid_routing(std::string name, const routing_context& context, const config::value& section,
                           const ring_parameters& rules)
    : m_vcs(0, std::min(context.vcs, most_vcs)), m_name(std::move(name)), m_rules(rules) {
    const topology& net = *context.network;
    const grid_shape* grid = net.grid();
    if (grid == nullptr)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name +
                                ", which needs a mesh, torus, ring or hypercube, not a " + net.name());
    m_count = static_cast<std::uint32_t>(grid->dims.size());
    m_concentration = grid->concentration;
    m_node_port = grid->router_ports();
    m_reciprocal = ((std::uint64_t{1} << 36) + m_concentration - 1) / m_concentration;
    m_one_way = grid->unidirectional;
    for (std::uint32_t d = 0; d < m_count; ++d) {
        const std::uint32_t k = grid->dims[d];
        const bool ring = grid->wrap[d] && k > 1;
        m_dimensions.push_back(
            {static_cast<std::uint16_t>(k - 1), ring, static_cast<std::uint8_t>(m_one_way ? d : 2 * d)});
        m_rings = m_rings || ring;
        m_random_ties = m_random_ties || (ring && !m_one_way && k % 2 == 0 && rules.ties == tie_rule::random);
    }
    if (m_rings && m_one_way) check_one_way(m_rules.dateline, section);

    m_coordinates.resize(std::size_t{net.routers()} * m_count);
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        std::uint32_t rest = r;
        for (std::uint32_t d = 0; d < m_count; ++d) {
            m_coordinates[std::size_t{r} * m_count + d] = static_cast<std::uint16_t>(rest % grid->dims[d]);
            rest /= grid->dims[d];
        }
    }
}

void grid_routing::need_two_dimensions(const config::value& section) const {
    if (m_count != 2)
        throw config::error(
            place(section, "function"),
            fmt::format("'function' is {}, which needs 2 dimensions; the network has {}", m_name, m_count));
}

void grid_routing::need_mesh(const config::value& section) const {
    if (m_rings)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name + ", which needs a mesh; the network has wrap links");
}

void grid_routing::need_dimensions(const config::value& section, std::uint32_t most) const {
    if (m_rings && m_count > most)
        throw config::error(place(section, "function"),
                            fmt::format("'function' is {}, which takes at most {} dimensions where there are "
                                        "wrap links; the network has {}",
                                        m_name, most, m_count));
}

std::uint32_t grid_routing::ways(const std::uint16_t* from, const std::uint16_t* to,
                                 std::uint32_t negative_ties) const {
    std::uint32_t all = 0;
    for (std::uint32_t d = 0; d < m_count; ++d) {
        if (!m_dimensions[d].ring || from[d] == to[d]) continue;
        const std::uint32_t s = from[d], t = to[d], size = m_dimensions[d].last + 1U;
        const std::uint32_t up = t > s ? t - s : t + size - s;  // links in the + direction
        const bool tie = 2 * up == size;
        const bool negative = !m_one_way && (tie ? negative_ties >> d & 1 : 2 * up > size);
        const bool crosses = negative ? t > s : t < s;
        all |= (static_cast<std::uint32_t>(negative) | static_cast<std::uint32_t>(crosses) << 1) << (2 * d);
    }
    return all;
}

std::uint32_t grid_routing::ties(const std::uint16_t* from, const std::uint16_t* to) const {
    std::uint32_t all = 0;
    for (std::uint32_t d = 0; d < m_count; ++d) {
        const std::uint32_t size = m_dimensions[d].last + 1U;
        const std::uint32_t apart = from[d] > to[d] ? from[d] - to[d] : to[d] - from[d];
        if (m_dimensions[d].ring && !m_one_way && 2 * apart == size) all |= 1U << d;
    }
    return all;
}

}  // namespace sare
