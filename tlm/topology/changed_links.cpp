// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/changed_links.h"

#include "tlm/base/joined.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/region/wrapped_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

namespace sare {
namespace {

constexpr std::uint32_t most_classes = 16;

/// Another topology's, but for the attributes of some links.
class changed_links final : public wrapped_topology {
  public:
    explicit changed_links(std::unique_ptr<topology> map) : wrapped_topology(std::move(map)) {}

    void change(const link_exception& x) {
        if (x.between.empty() && x.name.empty()) return change_nodes(x);
        for (const auto& [r, p] : x.links_of(*this)) m_links[{r.value, p.value}] = changed(link(r, p), x);
        m_between = true;
    }

    void make_cycles(const cycle_rule& rule) { m_rule = rule; }
    /// Throws config::error, at what `x` says of times, where these cannot be cycles of its links.
    void check(const link_exception& x, const cycle_rule& rule) const {
        if (x.seconds <= 0 && x.bandwidth <= 0) return;
        const cycle_rule its{rule.clock_seconds, rule.flit_bits, x.times_at};
        if (x.between.empty() && x.name.empty())
            for_nodes(x, [&](std::uint32_t n) { its.in_cycles(injection_link(node_id(n))); });
        else
            for (const auto& [r, p] : x.links_of(*this)) its.in_cycles(link(r, p));
    }

    link_attributes link(router_id r, port_id p) const override {
        const auto found = m_links.find({r.value, p.value});
        return final_form(found != m_links.end() ? found->second : wrapped_topology::link(r, p));
    }
    link_attributes injection_link(node_id n) const override {
        const auto found = m_injection.find(n.value);
        return final_form(found != m_injection.end() ? found->second : wrapped_topology::injection_link(n));
    }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        if (m_between || m_rule)
            topology::add_path(from, to, sum);
        else
            wrapped_topology::add_path(from, to, sum);
    }

  private:
    static link_attributes changed(link_attributes a, const link_exception& x) {
        if (x.latency != 0) a.set_latency(x.latency);
        if (x.cycles_per_flit != 0) a.set_cycles_per_flit(x.cycles_per_flit);
        if (x.width != 0) a.set_cycles_per_flit(cycles_of_flit(a.flit_phits, x.width));
        if (x.bit_error_rate >= 0) a.bit_error_rate = x.bit_error_rate;
        if (x.idle != 0) a.idle = x.idle;
        if (x.wake != 0) a.wake = x.wake;
        if (x.seconds > 0) {
            a.picoseconds = link_picoseconds(x.seconds);
            a.latency_follows = x.latency == 0;
        }
        if (x.bandwidth > 0) {
            a.decibits_per_second = link_decibits_per_second(x.bandwidth);
            a.rate_follows = x.cycles_per_flit == 0 && x.width == 0;
        }
        return a;
    }

    void change_nodes(const link_exception& x) {
        if (!x.node.all && x.node.last() >= nodes())
            throw config::error(x.at, fmt::format("there is no node {}; the network has {}, 0 and up",
                                                  x.node.last(), nodes()));
        for_nodes(x, [&](std::uint32_t n) {
            const auto [r, p] = ejection_of(node_id(n));
            m_injection[n] = changed(injection_link(node_id(n)), x);
            m_links[{r.value, p.value}] = changed(link(r, p), x);
        });
    }
    template <class Change>
    void for_nodes(const link_exception& x, const Change& change) const {
        auto ranges = x.node.ranges;
        if (x.node.all) ranges = {{0, nodes() - 1}};
        for (const auto& [first, last] : ranges)
            for (std::uint32_t n = first; n <= last; ++n) change(n);
    }

    link_attributes final_form(const link_attributes& a) const { return m_rule ? m_rule->in_cycles(a) : a; }

    std::optional<cycle_rule> m_rule;
    std::map<std::pair<std::uint32_t, std::uint32_t>, link_attributes> m_links;  ///< by router and port
    std::map<std::uint32_t, link_attributes> m_injection;                        ///< by node
    bool m_between = false;  ///< routers, some have changed: the formula for paths no longer holds
};

void check_router(std::uint32_t r, const topology& map, const link_exception& x) {
    if (r >= map.routers())
        throw config::error(
            x.at, fmt::format("there is no router {}; the network has {}, 0 and up", r, map.routers()));
}

/// All links from one router to another.
void add_ways(const topology& map, std::uint32_t from, std::uint32_t to, std::vector<router_port>& all) {
    for (std::uint32_t p = 0; p < map.ports(router_id(from)); ++p) {
        const port_peer end = map.peer(router_id(from), port_id(p));
        if (end.what == port_peer::kind::router && end.id == to) all.push_back({router_id(from), port_id(p)});
    }
}

std::string neighbours(const topology& map, std::uint32_t r) {
    std::set<std::uint32_t> all;
    for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
        if (const port_peer end = map.peer(router_id(r), port_id(p)); end.what == port_peer::kind::router)
            all.insert(end.id);
    if (all.empty()) return "no router";
    return joined(all, ", ", [&map](std::uint32_t n) {
        const std::string& name = map.names().name(place_kind::router, n);
        return name.empty() ? std::to_string(n) : name;
    });
}

/// `pattern`: * stands for any text.
bool is_like(std::string_view name, std::string_view pattern) {
    if (pattern.empty()) return name.empty();
    if (pattern[0] != '*')
        return !name.empty() && name[0] == pattern[0] && is_like(name.substr(1), pattern.substr(1));
    for (std::size_t k = 0; k <= name.size(); ++k)
        if (is_like(name.substr(k), pattern.substr(1))) return true;
    return false;
}

std::vector<router_port> links_called(const topology& map, const link_exception& x) {
    std::vector<router_port> all;
    std::string one;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const std::string& its = map.names().link(r, p);
            if (its.empty()) continue;
            if (one.empty()) one = its;
            if (is_like(its, x.name)) all.push_back({router_id(r), port_id(p)});
        }
    if (all.empty())
        throw config::error(x.at,
                            "no link is called '" + x.name + "'; " +
                                (one.empty() ? "this network's links have no names, which an edge list gives"
                                             : "there is '" + one + "', for one"));
    return all;
}

}  // namespace

std::vector<router_port> link_exception::links_of(const topology& map) const {
    if (!name.empty()) return links_called(map, *this);
    check_router(between[0], map, *this);
    check_router(between[1], map, *this);
    std::vector<router_port> all;
    add_ways(map, between[0], between[1], all);
    add_ways(map, between[1], between[0], all);
    if (!all.empty()) return all;
    const auto text = [&map](std::uint32_t r) { return map.names().text(place_kind::router, r); };
    throw config::error(at, "there is no link between " + text(between[0]) + " and " + text(between[1]) +
                                "; " + text(between[0]) + " is linked to " + neighbours(map, between[0]));
}

config::schema<link_exception> link_exception::fields() {
    using x = link_exception;
    config::schema<x> s;
    s.integers("between", &x::between, 0, static_cast<double>(most_routers - 1), "",
               "Two routers, by number or name: all links between them, both ways.")
        .of_places("router")
        .text("name", &x::name,
              "Or the name that an edge list gives to links between routers; * stands for any text.")
        .numbers("node", &x::node, "Or nodes: the links with their routers, both ways.")
        .of_places("node")
        .number("latency", &x::latency, 1, most_link_cycles, "cycles",
                "Time of a flit on the link; left out: as the topology has it.")
        .number("cycles_per_flit", &x::cycles_per_flit, 1, most_link_cycles, "cycles",
                "Time between two flits; left out: as the topology has it.")
        .number(
            "width", &x::width, 1, most_phits, "phits per cycle",
            "A flit takes network.flit_phits / width cycles, rounded up; left out: as the topology has it.")
        .number("bit_error_rate", &x::bit_error_rate, 0, most_bit_error_rate, "",
                "Of each bit, of which a flit has 8 x nic.flit_bytes; left out: as the topology has it.")
        .number("wake", &x::wake, 1, most_wake_cycles, "cycles",
                "The link can sleep, and a flit waits so long until it is awake; left out: as the topology "
                "has it.")
        .number("idle", &x::idle, 1, most_link_cycles, "cycles",
                "A link that can sleep does when it has carried nothing for so long; left out: as the "
                "topology has it.")
        .number("seconds", &x::seconds, 0, most_link_seconds, "s, in whole ps",
                "Latency as a time, of which cycles are made; left out: as the topology has it.")
        .number("bandwidth", &x::bandwidth, 0, most_bandwidth, "bit/s, in whole tenths",
                "Of which the cycles of a flit are made; left out: as the topology has it.")
        .integers("classes", &x::classes, 0, most_classes - 1, "",
                  "Message classes that a link between routers carries; left out: all.");
    return s;
}

std::vector<link_exception> link_exception::read(const config::value& list) {
    std::vector<link_exception> all;
    if (list.type() == config::value::kind::null) return all;
    for (const config::value& item : config::to_list(list, "links")) {
        link_exception x;
        const config::value* which = nullptr;
        int said = 0;
        for (const char* key : {"between", "name", "node"})
            if (const config::value* const given = item.find(key)) {
                which = given;
                ++said;
            }
        if (said != 0) fields().read(item, x, "links");
        if (said != 1)
            throw config::error(item.where(),
                                "an entry of 'links' says which: either '{between: [0, 1], ...}', two "
                                "routers, or '{name: wide, ...}', or '{node: 0, ...}'");
        x.at = which->where();
        if (const config::value* const classes = item.find("classes")) x.classes_at = classes->where();
        for (const char* key : {"seconds", "bandwidth"})
            if (const config::value* const given = item.find(key)) x.times_at = given->where();
        const config::value* const between = item.find("between");
        if (between != nullptr && x.between.size() != 2)
            throw config::error(x.at,
                                fmt::format("'between' has {} routers; it must have two", x.between.size()));
        if (x.width != 0 && x.cycles_per_flit != 0)
            throw config::error(
                item.where(),
                "an entry of 'links' has either 'width' or 'cycles_per_flit', which says the same");
        if (x.latency == 0 && x.cycles_per_flit == 0 && x.width == 0 && x.bit_error_rate < 0 && x.idle == 0 &&
            x.wake == 0 && x.seconds == 0 && x.bandwidth == 0 && x.classes.empty())
            throw config::error(
                item.where(),
                "an entry of 'links' says what is different: 'latency', 'width', 'cycles_per_flit', "
                "'bit_error_rate', 'wake', 'idle', 'seconds', 'bandwidth', 'classes'");
        if (!x.classes.empty() && item.find("node") != nullptr)
            throw config::error(x.classes_at,
                                "'classes' is for links between routers; those of nodes carry all classes");
        all.push_back(std::move(x));
    }
    return all;
}

namespace {

/// Calls `see` with every link, those of nodes too.
template <class See>
void see_links(const topology& map, const See& see) {
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            if (map.peer(router_id(r), port_id(p)).what != port_peer::kind::none)
                see(map.link(router_id(r), port_id(p)));
    for (std::uint32_t n = 0; n < map.nodes(); ++n) see(map.injection_link(node_id(n)));
}

std::string short_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
}

/// Throws config::error for cycles that are more than a tenth off what they are made of.
void check_cycles(std::uint64_t cycles, double exact, const std::string& what, const std::string& cure,
                  const config::location& at) {
    if (cycles <= most_link_cycles && std::abs(static_cast<double>(cycles) - exact) <= 0.1 * exact) return;
    throw config::error(at, fmt::format("{} in {} cycles; flits have whole ones from 1 to {}: {}", what,
                                        short_text(exact), most_link_cycles, cure));
}

}  // namespace

link_attributes cycle_rule::in_cycles(link_attributes a) const {
    const double cycle = clock_seconds * a.clock.period();
    if (a.latency_follows) {
        const double seconds = static_cast<double>(a.picoseconds) * 1e-12, exact = seconds / cycle;
        const auto cycles = static_cast<std::uint64_t>(std::max(1.0, std::round(exact)));
        if (a.picoseconds != 0)
            check_cycles(cycles, exact, "a link crosses its latency of " + short_text(seconds) + " s",
                         "choose another 'clock_period', or give the latency in cycles", at);
        a.latency = static_cast<std::uint32_t>(cycles);
    }
    if (a.rate_follows) {
        const double bits = static_cast<double>(a.decibits_per_second) / 10,
                     exact = flit_bits / (bits * cycle);
        const auto cycles = static_cast<std::uint64_t>(std::max(1.0, std::ceil(exact - 0.01)));
        const std::string bytes = std::to_string(flit_bits / 8),
                          fitting = config::number_text(std::max(1.0, std::floor(bits * cycle / 8 + 1e-6))),
                          clock = config::number_text(std::round(flit_bits / bits / a.clock.period() * 1e12));
        check_cycles(cycles, exact,
                     "a link of " + short_text(bits) + " bit/s carries a flit of " + bytes + " bytes",
                     "such as with 'nic.flit_bytes: " + fitting + "' or 'clock_period: " + clock + "ps'", at);
        a.cycles_per_flit = static_cast<std::uint32_t>(cycles);
    }
    a.set_latency(a.latency);  // in cycles for good
    a.set_cycles_per_flit(a.cycles_per_flit);
    return a;
}

std::string cycle_rule::text(const topology& map) const {
    std::set<std::string> all;
    see_links(map, [&](const link_attributes& a) {
        const link_attributes made = in_cycles(a);
        const double cycle = clock_seconds * a.clock.period();
        if (a.latency_follows)
            all.insert(short_text(static_cast<double>(a.picoseconds) * 1e-3) +
                       " ns: " + short_text(made.latency) + (made.latency == 1 ? " cycle" : " cycles") +
                       ", " + short_text(made.latency * cycle * 1e9) + " ns");
        if (a.rate_follows)
            all.insert(short_text(static_cast<double>(a.decibits_per_second) / 10) + " bit/s: a flit in " +
                       short_text(made.cycles_per_flit) + (made.cycles_per_flit == 1 ? " cycle" : " cycles") +
                       ", " + short_text(flit_bits / (made.cycles_per_flit * cycle)) + " bit/s");
    });
    return joined(all, "; ");
}

std::unique_ptr<topology> with_changed_links(std::unique_ptr<topology> map, const config::value& exceptions,
                                             const std::optional<cycle_rule>& rule) {
    const std::vector<link_exception> all = link_exception::read(exceptions);
    if (all.empty() && !rule) return map;
    auto with = std::make_unique<changed_links>(std::move(map));
    for (const link_exception& x : all) with->change(x);
    if (!rule) return with;
    // The last that changes a link holds.
    for (auto x = all.rbegin(); x != all.rend(); ++x) with->check(*x, *rule);
    with->make_cycles(*rule);
    see_links(*with, [](const link_attributes&) {});  // throws for those that cannot be
    return with;
}

}  // namespace sare
