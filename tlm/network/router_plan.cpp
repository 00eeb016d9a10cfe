// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/router_plan.h"

#include "tlm/network/experiment.h"
#include "tlm/network/routes/own_routing.h"
#include "tlm/router/agreement.h"
#include "tlm/router_api/purpose.h"
#include "tlm/router_api/registry.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sare {
namespace {

const router_registry& kinds() {
    return router_registry::instance();
}

/// Returns the kind and the parameters that differ from `usual`, or from the kind's defaults if `usual` has
/// another.
std::string name_of(const config::value& section, const config::value& usual) {
    const std::string kind = kinds().chosen(section).name;
    const bool same_kind = kinds().chosen(usual).name == kind;
    const config::value all = kinds().resolve(section);
    const config::value other = kinds().resolve(same_kind ? usual : config::value::scalar(kind));
    std::string name = kind;
    for (const auto& [key, v] : all.entries())
        if (const config::value* o = other.find(key); o == nullptr || flow_style(*o) != flow_style(v))
            name += ", " + key + " " + flow_style(v);
    return name;
}

}  // namespace

std::vector<router_exception> router_exception::read(const config::value& list) {
    std::vector<router_exception> all;
    if (list.type() == config::value::kind::null) return all;
    for (const config::value& item : config::to_list(list, "routers")) {
        const bool is_map = item.type() == config::value::kind::map;
        const config::value* at = is_map ? item.find("at") : nullptr;
        if (at == nullptr)
            throw config::error(
                item.where(),
                "an entry of 'routers' says which: '{at: [0, \"4-7\"], ...}' or '{at: all, ...}'");
        router_exception x;
        x.at = config::to_number_set(*at, "at");
        x.at.at = at->where();
        x.changes = item;
        x.changes.remove("at");
        all.push_back(std::move(x));
    }
    return all;
}

std::vector<router_exception> router_exception::of(const topology& map) {
    std::vector<router_exception> all;
    for (router_setting& s : map.router_settings()) {
        router_exception x;
        x.at.ranges = std::move(s.at);
        x.at.at = s.changes.where();
        x.changes = std::move(s.changes);
        all.push_back(std::move(x));
    }
    return all;
}

config::value router_exception::applied_to(const config::value& section) const {
    config::value all = section;
    const std::string& key = kinds().selector();
    const bool names_kind = changes.find(key) != nullptr;
    if (names_kind && kinds().chosen(changes).name != kinds().chosen(section).name)
        all = config::value::map({}, changes.where());
    else if (section.type() == config::value::kind::scalar)
        all = config::value::map({{key, section}}, section.where());
    for (const auto& [name, v] : changes.entries()) all.set(name, v);
    return all;
}

config::value router_section(const config::value& router, const std::vector<router_exception>& exceptions) {
    config::value section = router;
    for (const router_exception& x : exceptions)
        if (x.at.all) section = x.applied_to(section);
    return section;
}

router_plan::router_plan(const experiment& e, const topology& map)
    : m_at(e.router.where().file.empty() ? e.at : e.router.where()), m_exceptions(router_exception::of(map)) {
    const std::uint32_t routers = map.routers();
    for (router_exception& x : router_exception::read(e.routers)) m_exceptions.push_back(std::move(x));
    m_group_of.assign(routers, add(e.router));
    m_entry_of.assign(routers, no_entry);
    for (std::uint32_t x = 0; x < m_exceptions.size(); ++x) {
        config::number_set at = m_exceptions[x].at;
        if (at.all) at.ranges = {{0, routers - 1}};
        if (at.last() >= routers)
            throw config::error(at.at, fmt::format("there is no router {}; the network has {}, 0 and up",
                                                   at.last(), routers));
        for (const auto& [first, last] : at.ranges) apply(x, first, last);
    }
    drop_unused();
    const config::value usual = router_section(e.router, m_exceptions);
    for (std::uint32_t s = 0; s < m_groups.size(); ++s) m_groups[s].name = name_of(m_sections[s], usual);
    look_at_levels(e, map);
    find_packet();
}

void router_plan::apply(std::uint32_t exception, std::uint32_t first, std::uint32_t last) {
    std::uint32_t from = m_group_of[first], to = changed(from, exception);
    for (std::uint32_t r = first; r <= last; ++r) {
        if (m_group_of[r] != from) to = changed(from = m_group_of[r], exception);
        m_group_of[r] = to;
        m_entry_of[r] = exception;
    }
}

/// Returns the group that an exception makes of a group.
std::uint32_t router_plan::changed(std::uint32_t which, std::uint32_t exception) {
    const auto [known, is_new] = m_changed.try_emplace({which, exception}, 0);
    if (is_new) known->second = add(m_exceptions[exception].applied_to(m_sections[which]));
    return known->second;
}

std::uint32_t router_plan::add(const config::value& section) {
    const auto next = static_cast<std::uint32_t>(m_groups.size());
    const auto [known, is_new] = m_by_text.try_emplace(flow_style(kinds().resolve(section)), next);
    if (is_new) {
        m_sections.push_back(section);
        m_groups.push_back({kinds().make(section), {}, {}});
        m_groups.back().terms = m_groups.back().model->terms();
    }
    return known->second;
}

/// Orders groups by their first routers, without unused ones.
void router_plan::drop_unused() {
    constexpr std::uint32_t unused = 0xffffffff;
    std::vector<std::uint32_t> number(m_groups.size(), unused);
    std::vector<group> groups;
    std::vector<config::value> sections;
    for (std::uint32_t& s : m_group_of) {
        if (number[s] == unused) {
            number[s] = static_cast<std::uint32_t>(groups.size());
            groups.push_back(m_groups[s]);
            sections.push_back(m_sections[s]);
        }
        s = number[s];
    }
    m_groups = std::move(groups);
    m_sections = std::move(sections);
}

/// Throws unless the kind of a router, with its parameters, is for its network.
void router_plan::check_suits(std::uint32_t router, const topology& map) const {
    const topology& level = *map.part_of(router_id(router)).network;
    const auto suits = [&](const router_model& m) {
        const auto* purpose = dynamic_cast<const router_purpose*>(&m);
        return purpose == nullptr || purpose->suits(map, level);
    };
    if (suits(model(router))) return;
    std::string others;
    for (const auto& [name, kind] : kinds().variants()) {
        const auto plain = kinds().make(config::value::map({{"kind", config::value::scalar(name)}}));
        if (suits(*plain)) others += (others.empty() ? "" : ", ") + name;
    }
    throw config::error(place_of(router), "router kind " + model(router).kind() + " is for " +
                                              dynamic_cast<const router_purpose&>(model(router)).made_for() +
                                              ", and not for " + level.name() +
                                              (&level == &map ? "" : " in " + map.name()) +
                                              "; kinds for that: " + others);
}

/// Checks that a network, or each level of one, has one routing function: the section 'routing', or what the
/// kind of all its routers brings.
void router_plan::look_at_levels(const experiment& e, const topology& map) {
    const std::vector<level_routing> levels = own_routing(e);
    std::vector<bool> seen(levels.size());
    m_safety.resize(levels.size());
    for (std::uint32_t r = 0; r < m_group_of.size(); ++r) {
        const std::uint32_t at = map.part_of(router_id(r)).level;
        if (!seen[at] || m_group_of[r] != m_group_of[r - 1]) check_suits(r, map);
        if (const std::uint32_t ports = map.ports(router_id(r)); ports > terms(r).most_ports)
            throw config::error(
                place_of(r),
                fmt::format("router {} has {} ports; one of kind {} has at most {}, one of kind vc {}", r,
                            ports, model(r).kind(), terms(r).most_ports, most_ports));
        const config::value own = model(r).own_routing(levels[at].topology);
        if (own.type() != config::value::kind::null && flow_style(own) != flow_style(levels[at].own))
            throw config::error(
                place_of(r),
                fmt::format(
                    "router {} is of kind {}, which brings its own routing ({}), but a network has one: "
                    "choose this kind in 'router', with 'at: all', or for a level of a hierarchy",
                    r, model(r).kind(), flow_style(own)));
        const std::string safety = model(r).deadlock_free_by_design();
        m_safety[at] = !seen[at] || m_safety[at] == safety ? safety : "";
        seen[at] = true;
    }
}

void router_plan::find_packet() {
    const std::uint32_t* first = nullptr;
    for (std::uint32_t r = 0; r < m_group_of.size(); ++r) {
        const std::uint32_t& packet = terms(r).packet;
        if (packet == 0) continue;
        if (first == nullptr) first = &packet;
        if (*first != packet)
            throw config::error(place_of(r), fmt::format("router {} has packets of {} phits, and others of "
                                                         "{}; 'packet' must be the same in the whole network",
                                                         r, packet, *first));
    }
    m_packet = first == nullptr ? 0 : *first;
}

bool router_plan::deflects() const {
    return std::any_of(m_groups.begin(), m_groups.end(), [](const group& g) { return g.terms.deflects; });
}

nic_params router_plan::with_packets(const nic_params& given) const {
    nic_params all = given;
    if (m_packet == 0) return all;
    all.max_packet_flits = m_packet;
    all.pad = true;
    return all;
}

config::location router_plan::place_of(std::uint32_t router) const {
    return m_entry_of[router] == no_entry ? m_at : m_exceptions[m_entry_of[router]].changes.where();
}

config::number_set router_plan::routers_of(std::uint32_t which) const {
    config::number_set all;
    for (std::uint32_t r = 0; r < m_group_of.size(); ++r) {
        if (m_group_of[r] != which) continue;
        if (all.ranges.empty() || all.ranges.back().second + 1 != r) all.ranges.emplace_back(r, r);
        all.ranges.back().second = r;
    }
    return all;
}

/// Throws for an exception that needs larger buffers; the kind checks the section 'router' itself.
void router_plan::check_depth(std::uint32_t router, std::uint32_t max_packet) const {
    const router_terms& own = terms(router);
    if (own.packet != 0) return;  // its packets have a length of their own, and its buffers places for them
    if (m_entry_of[router] == no_entry || !own.whole_packets || own.depth >= max_packet) return;
    throw config::error(place_of(router),
                        fmt::format("router {} switches by whole packets, and its buffers have depth {}; "
                                    "they must hold packets of {} flits (nic.max_packet_flits)",
                                    router, own.depth, max_packet));
}

void router_plan::check_links(const topology& map, std::uint32_t max_packet) const {
    for (std::uint32_t r = 0; r < m_group_of.size(); ++r) check_depth(r, max_packet);
    std::set<std::pair<std::uint32_t, std::uint32_t>> agreed;
    for (std::uint32_t r = 0; r < m_group_of.size() && m_groups.size() > 1; ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to = map.peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::router || m_group_of[r] == m_group_of[to.id] ||
                agreed.count({m_group_of[r], m_group_of[to.id]}) != 0)
                continue;
            const std::string problem = disagreement({r, terms(r)}, {to.id, terms(to.id)}, max_packet);
            if (!problem.empty()) {
                const bool later = m_entry_of[r] != no_entry &&
                                   (m_entry_of[to.id] == no_entry || m_entry_of[r] > m_entry_of[to.id]);
                throw config::error(place_of(later ? r : to.id), problem);
            }
            agreed.emplace(m_group_of[r], m_group_of[to.id]);
        }
}

}  // namespace sare
