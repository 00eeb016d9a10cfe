// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/express_mesh.h"

#include "tlm/topology/coordinate_network.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::express_mesh {
namespace {

struct express_parameters : grid_parameters {
    std::vector<std::uint32_t> express{3};
    bool everywhere = true;
    std::uint32_t express_latency = 1;
};

class express_mesh final : public coordinate_network {
  public:
    express_mesh(const char* name, const express_shape& shape, const express_parameters& p,
                 const config::value& section)
        : coordinate_network(name, shape, p, section), m_shape(shape), m_latency(p.express_latency) {}

    const network_shape* shape() const override { return &m_shape; }
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t axis,
                                           bool negative) const override {
        const auto count = static_cast<std::uint32_t>(m_shape.dims.size());
        const std::uint32_t d = axis % count, k = m_shape.dims[d], c = r / stride(d) % k;
        const bool is_express = axis >= count;
        const bool there = is_express ? m_shape.leads_on(d, c, negative) : negative ? c > 0 : c + 1 < k;
        if (!there) return std::nullopt;
        const std::uint32_t step = stride(d) * (is_express ? m_shape.express[d] : 1);
        return negative ? r - step : r + step;
    }
    link_attributes link(router_id r, port_id p) const override {
        link_attributes a = coordinate_network::link(r, p);
        const bool is_express = p.value < m_shape.router_ports() &&
                                m_shape.axis(p.value) >= static_cast<std::uint32_t>(m_shape.dims.size());
        if (is_express && m_latency != 1) a.set_latency(m_latency);
        return a;
    }
    std::unique_ptr<layout> picture() const override {
        std::vector<std::vector<std::uint32_t>> along;
        for (std::uint32_t axis = 0; axis < m_shape.axes(); ++axis)
            along.push_back({axis % static_cast<std::uint32_t>(m_shape.dims.size())});
        return std::make_unique<coordinate_layout>(*this, m_shape, std::move(along));
    }

  private:
    express_shape m_shape;
    std::uint32_t m_latency;
};

config::schema<express_parameters> fields() {
    using p = express_parameters;
    config::schema<p> all;
    all.integers("express", &p::express, 0, 65536, "routers",
                 "length of the express links of each dimension, or one for all; 0: a dimension has none")
        .flag("everywhere", &p::everywhere,
              "express links begin at every router (ruche network); false: at multiples of their length "
              "(express cube)")
        .number("express_latency", &p::express_latency, 1, most_link_cycles, "cycles",
                "time of a flit on an express link; 1: as on the others")
        .include(grid_fields());
    return all;
}

topology* make(const char* name, const express_parameters& p, const config::value& section) {
    express_shape shape;
    shape.dims = p.dims;
    shape.concentration = p.concentration;
    shape.more_axes = static_cast<std::uint32_t>(p.dims.size());
    shape.everywhere = p.everywhere;
    shape.express = p.express;
    if (shape.express.size() == 1) shape.express.assign(p.dims.size(), p.express.front());
    if (shape.express.size() != p.dims.size())
        throw config::error(
            place(section, "express"),
            fmt::format("'express' has {} lengths for {} dimensions; give one for each, or one for all",
                        p.express.size(), p.dims.size()));
    for (const std::uint32_t length : shape.express)
        if (length == 1)
            throw config::error(place(section, "express"),
                                "'express' has a length of 1, that of the other links; give 2 or more, or 0");
    bool any = false;  // 0 in all dimensions asks for a plain mesh
    for (std::size_t d = 0; d < p.dims.size(); ++d) any = any || shape.express[d] < p.dims[d];
    if (!any)
        throw config::error(
            place(section, "express"),
            fmt::format("'express' is {}, and no dimension has more routers; take a length below "
                        "that of a dimension, {} at most",
                        *std::min_element(shape.express.begin(), shape.express.end()),
                        *std::max_element(p.dims.begin(), p.dims.end()) - 1));
    return new express_mesh(name, shape, p, section);
}

struct express_network : config::registration<topology> {
    express_network(const char* name, const char* sentence)
        : registration(name, sentence, fields(),
                       [name](const express_parameters& p, const config::value& section) {
                           return make(name, p, section);
                       }) {}
};

const express_network registered[] = {
    {"express_mesh", "A mesh with express links, which pass some routers, beside the others."},
    {"ruche", "Another name of express_mesh."}};

}  // namespace
}  // namespace sare::variants::express_mesh
