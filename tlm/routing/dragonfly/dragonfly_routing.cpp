// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_routing.h"

#include "tlm/topology/link_parameters.h"

#include <algorithm>

namespace sare {
namespace {

/// Divides `vcs` VCs into `count` classes of equal size, the lowest of which has what is left over.
std::vector<vc_mask> local_classes(std::uint32_t count, std::uint32_t vcs) {
    const std::uint32_t each = vcs / count, lowest = vcs - (count - 1) * each;
    std::vector<vc_mask> classes{vc_classes(0, lowest).all};
    for (std::uint32_t first = lowest; first < vcs; first += each)
        classes.push_back(vc_classes(first, each).all);
    return classes;
}

}  // namespace

/// Returns as many VCs as there are classes of local links.
vc_need dragonfly_routing::need_of(detours allowed) {
    switch (allowed) {
        case detours::none:
            return {2, "one for the local links of each of the two groups on a way"};
        case detours::at_first:
            return {3, "one for the local links of each of the three groups on a way through another group"};
        default:
            return {4,
                    "two for the local links of the source's group, which a packet may take one after the "
                    "other, and one for each of the two other groups on a way"};
    }
}

dragonfly_routing::dragonfly_routing(std::string name, const routing_context& context,
                                     const config::value& section, detours allowed)
    : m_name(std::move(name)) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const dragonfly_shape*>(net.shape());
    if (shape == nullptr)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name + ", which needs a dragonfly, not a " + net.name());
    m_shape = *shape;
    m_copies = m_shape.links_of_pair();
    check_vcs(section, context, m_name, need_of(allowed));
    const bool direct = allowed == detours::none;
    const std::uint32_t vcs = context.vcs;
    const vc_classes all(0, vcs);
    m_all = all.all;
    m_global[0] = all.low;
    m_global[1] = direct ? all.all : all.high;
    const std::vector<vc_mask> local = local_classes(need_of(allowed).vcs, vcs);
    m_local[2] = local.back();
    m_local[1] = local[local.size() - 2];
    if (!direct) m_local[0] = local[local.size() - 3];
    m_minimal_local = allowed == detours::late ? local[0] : m_local[1];

    for (std::uint32_t r = 0; r < net.routers(); ++r) m_positions.push_back({r / m_shape.a, r % m_shape.a});
    m_nodes = node_attachments(net);
    for (std::uint32_t l = 0; l < m_shape.a * m_shape.h; ++l)
        m_links.push_back({l / m_shape.h, m_shape.a - 1 + l % m_shape.h});
    m_paths.resize(1);
    for (std::uint32_t via = 0; via < (direct ? 1 : m_shape.g + 1); ++via)
        for (std::uint32_t copy = 0; copy < m_copies; ++copy) m_paths.push_back({via - 1, copy});
}

void dragonfly_routing::route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
                              route_set& out) const {
    const node_attachment& to = m_nodes[h.destination];
    if (r == to.router) return out.add(to.port, m_all);
    const position &here = m_positions[r], &end = m_positions[to.router];
    if (here.group == end.group)
        return out.add(dragonfly_shape::local_port(here.x, end.x), h.state == 0 ? m_all : m_local[2]);
    const path& on = m_paths[h.state];
    const bool detour = on.via != none && here.group != on.via;
    const global_port& link = link_to(here.group, detour ? on.via : end.group, on.copy);
    if (here.x != link.x)
        out.add(dragonfly_shape::local_port(here.x, link.x), detour           ? m_local[0]
                                                             : on.via == none ? m_minimal_local
                                                                              : m_local[1]);
    else
        out.add(link.port, m_global[detour ? 0 : 1]);
}

std::uint32_t dragonfly_routing::hops(std::uint32_t state, const position& from, const position& to) const {
    const path& on = m_paths[state];
    std::uint32_t group = from.group, x = from.x, all = 0;
    for (const std::uint32_t next : {on.via, to.group}) {
        if (next == none || next == group) continue;
        all += x == link_to(group, next, on.copy).x ? 1 : 2;
        x = link_to(next, group, on.copy).x;
        group = next;
    }
    return x == to.x ? all : all + 1;
}

std::uint16_t dragonfly_routing::draw_minimal(const route_header& h, rng& random) const {
    const position &from = home(h.source), &to = home(h.destination);
    if (from.group == to.group) return 0;
    if (m_copies == 1) return minimal(0);
    std::uint32_t fewest = 3, paths = 0;
    for (std::uint32_t copy = 0; copy < m_copies; ++copy) {
        const std::uint32_t n = hops(minimal(copy), from, to);
        if (n < fewest) paths = 0;
        if (n <= fewest) ++paths, fewest = n;
    }
    std::uint32_t draw = random.below(paths), copy = 0;
    while (hops(minimal(copy), from, to) != fewest || draw-- != 0) ++copy;
    return minimal(copy);
}

std::uint16_t dragonfly_routing::draw_detour(const route_header& h, rng& random) const {
    const std::uint32_t i = home(h.source).group, j = home(h.destination).group;
    if (i == j || m_shape.g < 3) return draw_minimal(h, random);
    // The groups but these two, counted from 0.
    std::uint32_t via = random.below(m_shape.g - 2);
    via += via >= std::min(i, j) ? 1 : 0;
    via += via >= std::max(i, j) ? 1 : 0;
    return through(via, m_copies == 1 ? 0 : random.below(m_copies));
}

void dragonfly_routing::add_headers(const route_header& plain, std::uint32_t via,
                                    std::vector<route_header>& out) const {
    for (std::uint32_t copy = 0; copy < m_copies; ++copy) {
        out.push_back(plain);
        out.back().state = through(via, copy);
    }
}

void dragonfly_routing::every_minimal(const route_header& plain, std::vector<route_header>& out) const {
    const position &from = home(plain.source), &to = home(plain.destination);
    out.push_back(plain);
    if (from.group == to.group) return;
    out.pop_back();
    std::uint32_t fewest = 3;
    for (std::uint32_t copy = 0; copy < m_copies; ++copy)
        fewest = std::min(fewest, hops(minimal(copy), from, to));
    for (std::uint32_t copy = 0; copy < m_copies; ++copy) {
        if (hops(minimal(copy), from, to) != fewest) continue;
        out.push_back(plain);
        out.back().state = minimal(copy);
    }
}

void dragonfly_routing::every_detour(const route_header& plain, std::vector<route_header>& out) const {
    const position &from = home(plain.source), &to = home(plain.destination);
    if (from.group == to.group) return;
    // Up to the group between a path does not depend on the destination, from its link on not on the source:
    // so the first node of each group tries all groups, the other ones a group or two next to the
    // destination's; over all destinations these are all groups, too.
    const std::uint32_t g = m_shape.g, before = (to.group + g - 1) % g, after = (to.group + 1) % g;
    const bool first = plain.source == from.group * m_shape.a * m_shape.p;
    for (std::uint32_t via = 0; via < g; ++via)
        if (via != from.group && via != to.group && (first || via == before || via == after))
            add_headers(plain, via, out);
}

void dragonfly_routing::every_way_round(const route_header& plain, std::vector<route_header>& out) const {
    const std::uint32_t from = home(plain.source).group, to = home(plain.destination).group;
    if (from == to || m_shape.g < 3) return every_minimal(plain, out);
    for (std::uint32_t via = 0; via < m_shape.g; ++via)
        if (via != from && via != to) add_headers(plain, via, out);
}

}  // namespace sare
