// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/region/clock_regions.h"

#include "tlm/topology/link_parameters.h"
#include "tlm/topology/region/wrapped_topology.h"

#include <cmath>
#include <cstdlib>
#include <deque>
#include <numeric>
#include <optional>

namespace sare {
namespace {

/// Bounds of a fraction, by which the number of any cycle times any of them stays below 2^64.
constexpr std::uint32_t most_edges = 4000, most_cycles = 10'000, most_period = 1000;
constexpr std::uint32_t no_region = 0xffffffff;

/// Another topology with a clock for some of its routers and NICs.
class regions final : public wrapped_topology {
  public:
    explicit regions(std::unique_ptr<topology> map)
        : wrapped_topology(std::move(map)),
          m_of_router(routers(), no_region),
          m_of_node(nodes(), no_region) {}

    void add(const region_params& p, double clock_seconds) {
        const auto number = static_cast<std::uint32_t>(m_all.size());
        m_all.push_back({{p.name, p.ratio(clock_seconds), p.voltage}, p.synchroniser});
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
    std::uint32_t synchroniser_of(std::uint32_t region) const {
        return region == no_region ? region_params().synchroniser : m_all[region].synchroniser;
    }
    link_attributes between(std::uint32_t writer, std::uint32_t reader, link_attributes a) const {
        a.clock = clock_of(writer);
        if (a.clock == clock_of(reader)) return a;
        a.synchroniser = synchroniser_of(reader);
        a.credit_synchroniser = synchroniser_of(writer);
        return a;
    }

    void take(const region_params& p, std::uint32_t number, const config::number_set& which, place_kind what,
              std::vector<std::uint32_t>& of) const {
        const auto count = static_cast<std::uint32_t>(of.size());
        if (!which.all && !which.empty() && which.last() >= count)
            throw config::error(p.at, {"domain '", p.name, "': there is no ", to_string(what), " ",
                                       which.last(), "; the network has ", count, ", 0 and up"});
        for (std::uint32_t k = 0; k < count; ++k) {
            if (!which.contains(k)) continue;
            if (of[k] != no_region && of[k] != number)
                throw config::error(p.at, {names().text(what, k), " is in the domains '",
                                           m_all[of[k]].its.name, "' and '", p.name, "'; it has one clock"});
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
            fails("is two opposite corners with a coordinate for each of the " +
                  std::to_string(grid->dims.size()) + " dimensions, such as [[0, 0], [3, 1]]");
        config::number_set all;
        for (std::uint32_t r = 0; r < routers(); ++r) {
            bool in = true;
            for (std::size_t d = 0, rest = r; d < grid->dims.size(); rest /= grid->dims[d++]) {
                const auto [least, most] = std::minmax(corners[0][d], corners[1][d]);
                if (most >= grid->dims[d])
                    fails("has coordinate " + std::to_string(most) + " of dimension " + std::to_string(d) +
                          ", which goes from 0 to " + std::to_string(grid->dims[d] - 1));
                in = in && rest % grid->dims[d] >= least && rest % grid->dims[d] <= most;
            }
            if (in) all.ranges.push_back({r, r});
        }
        return all;
    }

    std::deque<one_region> m_all;                       ///< by number of the region
    std::vector<std::uint32_t> m_of_router, m_of_node;  ///< number of the region; no_region: none
};

/// Returns cycles / edges; none if a number of the reduced fraction is too large.
std::optional<clock_ratio> fraction(std::uint64_t cycles, std::uint64_t edges) {
    if (edges == 0) return std::nullopt;
    const std::uint64_t common = std::gcd(cycles, edges);
    cycles /= common, edges /= common;
    if (cycles > most_cycles || edges > most_edges) return std::nullopt;
    return clock_ratio(static_cast<std::uint32_t>(cycles), static_cast<std::uint32_t>(edges));
}

/// Reads "3", "1.5" or "3/2"; none if the text is nothing of the kind.
std::optional<clock_ratio> to_ratio(const std::string& text) {
    constexpr double steps = 1000;
    char* end = nullptr;
    const double first = std::strtod(text.c_str(), &end), most = 1e9;
    double edges = 1;
    if (end != text.c_str() && *end == '/') edges = std::strtod(end + 1, &end);
    if (end == text.c_str() || *end != '\0' || !(first > 0 && first < most && edges > 0 && edges < most))
        return std::nullopt;
    const double cycles = first * steps, parts = edges * steps;
    if (cycles != std::round(cycles) || parts != std::round(parts)) return std::nullopt;
    return fraction(static_cast<std::uint64_t>(cycles), static_cast<std::uint64_t>(parts));
}

/// Returns the clock of `hertz` in a network whose cycles take `seconds`; none: as fraction().
std::optional<clock_ratio> to_ratio(double hertz, double seconds) {
    constexpr std::uint64_t femtoseconds = 1'000'000'000'000'000;  // of a second
    const double edges = std::round(seconds * femtoseconds) * std::round(hertz);
    if (edges < 1 || edges > 1e18) return std::nullopt;
    return fraction(femtoseconds, static_cast<std::uint64_t>(edges));
}

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
        .text("frequency", &p::frequency, "Frequency of its clock, such as 500MHz; left out: by 'clock'.")
        .text("clock", &p::clock,
              "Network cycles in one of its cycles, such as 2 or 3/2; left out: the network's clock.")
        .number("voltage", &p::voltage, 0, 100, "V", "Its supply, for 'power'; 0: that of the network.")
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
        p.at = p.clock_at = entry.where();
        fields().read(entry, p, "domains." + name);
        if (!p.frequency.empty() && !p.clock.empty())
            throw config::error(p.at, "domain '" + name + "' has 'frequency' and 'clock'; give one of them");
        for (const char* const key : {"frequency", "clock"})
            if (const config::value* const given = entry.find(key)) p.clock_at = given->where();
        if (p.routers.empty() && p.rectangle.empty() && p.nodes.empty())
            throw config::error(p.at, "domain '" + name + "' is empty; name its 'routers' or 'nodes'");
        all.push_back(std::move(p));
    }
    return all;
}

clock_ratio region_params::ratio(double clock_seconds) const {
    if (frequency.empty() && clock.empty()) return {};
    const std::string is = "domain '" + name + "': " + (clock.empty() ? "'frequency'" : "'clock'") + " is '" +
                           (clock.empty() ? frequency : clock) + "'; ";
    const auto hertz = config::to_quantity(frequency, "Hz");
    if (clock.empty() && !(hertz && *hertz >= 1))
        throw config::error(clock_at, is + "it must be one with its unit, such as 500MHz");
    const std::optional<clock_ratio> found =
        clock.empty() ? to_ratio(*hertz, clock_seconds) : to_ratio(clock);
    const double period = found ? found->period() : clock.empty() ? 1 / (*hertz * clock_seconds) : 1;
    if (period < 1 - 1e-9)
        throw config::error(clock_at,
                            is + (clock.empty() ? "the network's clock is slower; take 'clock_period: " +
                                                      config::number_text(1e12 / *hertz) + "ps'"
                                                : "it must be 1 or more, as no clock is faster than "
                                                  "the network's"));
    if (!found || period > most_period)
        throw config::error(clock_at, {is, "its period must be from 1 to ", most_period,
                                       " network cycles, as a fraction of at most ", most_cycles, "/",
                                       most_edges, ", such as 2 or 3/2"});
    return *found;
}

std::unique_ptr<topology> with_regions(std::unique_ptr<topology> map, const config::value& section,
                                       double clock_seconds) {
    const std::vector<region_params> all = region_params::read(section);
    if (all.empty()) return map;
    for (std::uint32_t r = 0; r < map->routers(); ++r)
        if (map->clock(router_id(r)) != clock_ratio())
            throw config::error(section.where(),
                                {"router ", r, " has clock ", map->clock(router_id(r)).text(),
                                 " by 'network', whose levels then give all clocks; leave "
                                 "'domains' or those out"});
    auto made = std::make_unique<regions>(std::move(map));
    for (const region_params& p : all) made->add(p, clock_seconds);
    made->add_nics();
    return made;
}

}  // namespace sare
