// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/region/clock_regions.h"

#include "tlm/topology/link_parameters.h"
#include "tlm/topology/region/wrapped_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace sare {
namespace {

constexpr std::uint32_t no_region = 0xffffffff;

/// Another topology with a clock for some of its routers and NICs.
class regions final : public wrapped_topology {
  public:
    explicit regions(std::unique_ptr<topology> map)
        : wrapped_topology(std::move(map)),
          m_of_router(routers(), no_region),
          m_of_node(nodes(), no_region) {}

    void add(const region_params& p, double clock_seconds, cycle_t from) {
        const auto number = static_cast<std::uint32_t>(m_all.size());
        m_all.push_back({p.region(clock_seconds), p.synchroniser});
        m_all.back().its.clock = m_all.back().its.fastest_from(from);
        take(p, number, p.routers, place_kind::router, m_of_router);
        if (!p.rectangle.empty()) take(p, number, inside(p), place_kind::router, m_of_router);
        take(p, number, p.nodes, place_kind::node, m_of_node);
    }
    /// Gives the NICs that no domain names to the domains of their routers.
    void add_nics() {
        for (std::uint32_t n = 0; n < nodes(); ++n)
            if (m_of_node[n] == no_region) m_of_node[n] = m_of_router[router_of(node_id(n)).value];
    }

    using topology::clock;
    clock_ratio clock(router_id r) const override { return topology::clock(r); }
    const clock_region* region(router_id r) const override { return its(m_of_router[r.value]); }
    const clock_region* region(node_id n) const override { return its(m_of_node[n.value]); }
    link_attributes link(router_id r, port_id p) const override {
        const port_peer to = peer(r, p);
        const std::uint32_t own = m_of_router[r.value];
        return between(own,
                       to.what == port_peer::kind::router ? m_of_router[to.id]
                       : to.what == port_peer::kind::node ? m_of_node[to.id]
                                                          : own,
                       wrapped_topology::link(r, p));
    }
    link_attributes injection_link(node_id n) const override {
        return between(m_of_node[n.value], m_of_router[router_of(n).value],
                       wrapped_topology::injection_link(n));
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        topology::add_path(from, to, sum);
    }

  private:
    struct one_region {
        clock_region its;
        std::uint32_t synchroniser;
    };

    const clock_region* its(std::uint32_t number) const {
        return number == no_region ? nullptr : &m_all[number].its;
    }
    clock_ratio clock_of(std::uint32_t region) const {
        return region == no_region ? clock_ratio() : m_all[region].its.clock;
    }
    /// True if blocks of two regions have one clock, always.
    bool alike(std::uint32_t a, std::uint32_t b) const {
        const auto changes = [this](std::uint32_t r) {
            return r != no_region && m_all[r].its.changes_clock();
        };
        return a == b || (!changes(a) && !changes(b) && clock_of(a) == clock_of(b));
    }
    std::uint32_t synchroniser_of(std::uint32_t region) const {
        return region == no_region ? region_params().synchroniser : m_all[region].synchroniser;
    }
    link_attributes between(std::uint32_t writer, std::uint32_t reader, link_attributes a) const {
        a.clock = clock_of(writer);
        if (alike(writer, reader)) return a;
        a.synchroniser = synchroniser_of(reader);
        a.credit_synchroniser = synchroniser_of(writer);
        return a;
    }

    void take(const region_params& p, std::uint32_t number, const config::number_set& which, place_kind what,
              std::vector<std::uint32_t>& of) const {
        const auto count = static_cast<std::uint32_t>(of.size());
        if (!which.all && !which.empty() && which.last() >= count)
            throw config::error(
                p.at, fmt::format("domain '{}': there is no {} {}; the network has {}, 0 and up", p.name,
                                  to_string(what), which.last(), count));
        for (std::uint32_t k = 0; k < count; ++k) {
            if (!which.contains(k)) continue;
            if (of[k] != no_region && of[k] != number)
                throw config::error(p.at, fmt::format("{} is in the domains '{}' and '{}'; it has one clock",
                                                      names().text(what, k), m_all[of[k]].its.name, p.name));
            of[k] = number;
        }
    }

    /// Returns the routers of a rectangle.
    config::number_set inside(const region_params& p) const {
        const coordinate_shape* const grid = coordinates();
        const auto fails = [&](const std::string& why) {
            throw config::error(p.at, "domain '" + p.name + "': 'rectangle' " + why);
        };
        if (grid == nullptr) fails("is for networks whose routers have coordinates; name them by 'routers'");
        const auto& corners = p.rectangle;
        if (corners.size() != 2 || corners[0].size() != grid->dims.size() ||
            corners[1].size() != grid->dims.size())
            fails(
                fmt::format("is two opposite corners with a coordinate for each of the {} dimensions, such "
                            "as [[0, 0], [3, 1]]",
                            grid->dims.size()));
        config::number_set all;
        for (std::uint32_t r = 0; r < routers(); ++r) {
            bool in = true;
            for (std::size_t d = 0, rest = r; d < grid->dims.size(); rest /= grid->dims[d++]) {
                const auto [least, most] = std::minmax(corners[0][d], corners[1][d]);
                if (most >= grid->dims[d])
                    fails(fmt::format("has coordinate {} of dimension {}, which goes from 0 to {}", most, d,
                                      grid->dims[d] - 1));
                in = in && rest % grid->dims[d] >= least && rest % grid->dims[d] <= most;
            }
            if (in) all.ranges.push_back({r, r});
        }
        return all;
    }

    std::deque<one_region> m_all;                       ///< by number of the region
    std::vector<std::uint32_t> m_of_router, m_of_node;  ///< number of the region; no_region: none
};

}  // namespace

config::schema<region_params> region_params::fields() {
    using p = region_params;
    config::schema<p> s;
    s.numbers("routers", &p::routers, "Routers of the domain: all, numbers, names, ranges such as \"4-7\".")
        .of_places("router")
        .integer_rows("rectangle", &p::rectangle, 0, most_routers - 1, "",
                      "Or, on a grid, two opposite corners, such as [[0, 0], [3, 1]].")
        .numbers("nodes", &p::nodes, "Nodes whose NICs belong to it, beside those of its routers.")
        .of_places("node")
        .include(level_params::fields())
        .include(level_changes::fields())
        .number("synchroniser", &p::synchroniser, 1, most_synchroniser, "cycles of the domain",
                "Flip-flops in a row through which its blocks see what blocks of other clocks write.");
    return s;
}

std::vector<region_params> region_params::read(const config::value& section) {
    std::vector<region_params> all;
    if (section.type() == config::value::kind::null) return all;
    if (section.type() != config::value::kind::map)
        throw config::error(section.where(),
                            "'domains' is a map of names, such as 'domains: {cpu: {routers: 0-7, frequency: "
                            "500MHz}}'");
    for (const auto& [name, entry] : section.entries()) {
        region_params p;
        p.name = name;
        fields().read(entry, p, "domains." + name);
        p.locate(entry, "domain '" + name + "'");
        p.check_used(entry, "domain '" + name + "'");
        if (p.routers.empty() && p.rectangle.empty() && p.nodes.empty())
            throw config::error(p.at, "domain '" + name + "' is empty; name its 'routers' or 'nodes'");
        all.push_back(std::move(p));
    }
    return all;
}

clock_region region_params::region(double clock_seconds) const {
    const std::string whose = "domain '" + name + "'";
    const clock_level first = level(clock_seconds, whose);
    clock_region made{name, first.clock, {first}, {first.clock, first.clock, 0}, {}, {}, 0};
    apply(clock_seconds, whose, at, made);
    return made;
}

std::unique_ptr<topology> with_regions(std::unique_ptr<topology> map, const config::value& section,
                                       double clock_seconds, cycle_t from) {
    const std::vector<region_params> all = region_params::read(section);
    if (all.empty()) return map;
    for (std::uint32_t r = 0; r < map->routers(); ++r)
        if (map->clock(router_id(r)) != clock_ratio())
            throw config::error(section.where(),
                                fmt::format("router {} has clock {} by 'network', whose levels then give all "
                                            "clocks; leave 'domains' or those out",
                                            r, map->clock(router_id(r)).text()));
    auto made = std::make_unique<regions>(std::move(map));
    for (const region_params& p : all) made->add(p, clock_seconds, from);
    made->add_nics();
    return made;
}

std::vector<const clock_region*> regions_of(const topology& map) {
    std::vector<const clock_region*> all;
    const auto add = [&](const clock_region* its) {
        if (its != nullptr && std::find(all.begin(), all.end(), its) == all.end()) all.push_back(its);
    };
    for (std::uint32_t r = 0; r < map.routers(); ++r) add(map.region(router_id(r)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) add(map.region(node_id(n)));
    return all;
}

}  // namespace sare
