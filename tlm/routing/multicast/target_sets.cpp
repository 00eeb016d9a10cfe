// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/target_sets.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

using nodes = std::vector<std::uint32_t>;

/// Draws `count` of the nodes but `source`.
nodes draw_random(const topology& net, std::uint32_t source, std::uint32_t count, rng& random) {
    nodes all(net.nodes());
    std::iota(all.begin(), all.end(), 0);
    std::swap(all[source], all.back());
    all.pop_back();
    for (std::uint32_t n = 0; n < count; ++n)
        std::swap(all[n], all[n + random.below(static_cast<std::uint32_t>(all.size()) - n)]);
    all.resize(count);
    return all;
}

/// A box of routers along the dimensions of a network with coordinates.
struct box {
    std::vector<std::uint32_t> first, size;  ///< lowest coordinate, and number of routers, by dimension

    /// Returns the box that holds router r alone.
    static box around(const coordinate_shape& shape, std::uint32_t r) {
        box one;
        for (const std::uint32_t d : shape.dims) {
            one.first.push_back(r % d);
            r /= d;
        }
        one.size.assign(one.first.size(), 1);
        return one;
    }
    bool has(const coordinate_shape& shape, std::uint32_t r) const {
        const box its = around(shape, r);
        for (std::size_t d = 0; d < first.size(); ++d)
            if (its.first[d] - first[d] >= size[d]) return false;  // below first[d] it wraps round
        return true;
    }
};

/// Makes a box `routers` long along dimension d, at a random place.
void widen(box& some, const coordinate_shape& shape, std::size_t d, std::uint32_t routers, rng& random) {
    some.first[d] = random.below(shape.dims[d] - routers + 1);
    some.size[d] = routers;
}

nodes nodes_in(const topology& net, const coordinate_shape& shape, const box& some, std::uint32_t source) {
    nodes inside;
    for (std::uint32_t n = 0; n < net.nodes(); ++n)
        if (n != source && some.has(shape, net.router_of(node_id(n)).value)) inside.push_back(n);
    return inside;
}

void check(const topology& net, const target_parameters& p, const config::value& section) {
    const auto refuse = [&](const char* key, const std::string& why) {
        throw config::error(place(section, key), why);
    };
    if (p.set == target_set::random && p.fan_out >= net.nodes())
        refuse("fan_out", fmt::format("'fan_out' is {}; a node has {} others", p.fan_out, net.nodes() - 1));
    if (!p.sources.all && (p.sources.empty() || p.sources.last() >= net.nodes()))
        refuse("sources", fmt::format("'sources' must be nodes of the network, which has {}", net.nodes()));
    if (p.set == target_set::random || p.set == target_set::all) return;
    const coordinate_shape* const shape = net.coordinates();
    const bool plane = p.set == target_set::rectangle;
    if (shape == nullptr || shape->dims.size() < (plane ? 2U : 1U))
        refuse("set", std::string("'set: ") + (plane ? "rectangle" : "row") +
                          "' needs routers with coordinates" + (plane ? " along 2 dimensions" : "") +
                          ", as a mesh has");
    if (plane && (p.width > shape->dims[0] || p.height > shape->dims[1]))
        refuse(p.width > shape->dims[0] ? "width" : "height",
               fmt::format("a rectangle of {} x {} routers does not fit; there are {} x {}", p.width,
                           p.height, shape->dims[0], shape->dims[1]));
}

nodes targets_of(const topology& net, const target_parameters& p, std::uint32_t source) {
    rng random(p.seed, stream::routing, source);
    if (p.set == target_set::random) return draw_random(net, source, p.fan_out, random);
    if (p.set == target_set::all) return draw_random(net, source, net.nodes() - 1, random);
    const coordinate_shape& shape = *net.coordinates();
    box its = box::around(shape, net.router_of(node_id(source)).value);
    widen(its, shape, 0, p.set == target_set::row ? shape.dims[0] : p.width, random);
    if (p.set == target_set::rectangle) widen(its, shape, 1, p.height, random);
    return nodes_in(net, shape, its, source);
}

}  // namespace

config::schema<target_parameters> target_fields() {
    using P = target_parameters;
    config::schema<P> all;
    all.choice(
           "set", &P::set,
           {{"random", target_set::random},
            {"rectangle", target_set::rectangle},
            {"row", target_set::row},
            {"all", target_set::all}},
           "targets of a source: some nodes, a rectangle of routers at a random place in its plane, its row "
           "along dimension 0, or all other nodes")
        .number("fan_out", &P::fan_out, 1, 1 << 24, "nodes", "number of targets of a random set")
        .number("width", &P::width, 1, 65535, "routers", "side of a rectangle along dimension 0")
        .number("height", &P::height, 1, 65535, "routers", "side of a rectangle along dimension 1")
        .numbers("sources", &P::sources, "nodes that have targets")
        .of_places("node")
        .number("seed", &P::seed, 0, 9.2e18, "", "of random sets and places");
    return all;
}

std::vector<nodes> draw_targets(const topology& net, const target_parameters& p,
                                const config::value& section) {
    check(net, p, section);
    std::vector<nodes> all(net.nodes());
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        if (!p.sources.contains(n)) continue;
        all[n] = targets_of(net, p, n);
        std::sort(all[n].begin(), all[n].end());
    }
    return all;
}

}  // namespace sare
