// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/failure_params.h"

#include "tlm/base/rng.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace sare {
namespace {

using port = std::pair<std::uint32_t, std::uint32_t>;  // of a router

/// A link: its direction `there`, and `back` if it has two.
struct undirected_link {
    port there, back;
    bool two_ways;
};

/// Returns the router behind port p of router r; kind none if there is no router.
port_peer neighbour(const topology& map, std::uint32_t r, std::uint32_t p) {
    const port_peer to = map.peer(router_id(r), port_id(p));
    return to.what == port_peer::kind::router ? to : port_peer{};
}

std::vector<undirected_link> links_of(const topology& map) {
    std::vector<undirected_link> all;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to = neighbour(map, r, p);
            if (to.what == port_peer::kind::none) continue;
            const port_peer home =
                to.port < map.ports(router_id(to.id)) ? neighbour(map, to.id, to.port) : port_peer{};
            const bool two_ways = home.what != port_peer::kind::none && home.id == r && home.port == p;
            const port here{r, p}, there{to.id, to.port};
            if (!two_ways || here <= there) all.push_back({here, there, two_ways});
        }
    return all;
}

class planner {
  public:
    explicit planner(const topology& map) : m_map(map) {}

    failure plan(const failure_event& e) {
        failure f;
        f.at = e.at;
        std::set<port> ports;
        if (!e.between.empty()) add_between(e, ports);
        if (!e.router.empty()) add_routers(e, f.routers, ports);
        if (e.links > 0) add_share(e, ports);
        f.ports.assign(ports.begin(), ports.end());
        return f;
    }

  private:
    void check_router(std::uint32_t r, const failure_event& e) const {
        if (r >= m_map.routers())
            throw config::error(e.where, fmt::format("there is no router {}; the network has {}, 0 and up", r,
                                                     m_map.routers()));
    }

    void add_between(const failure_event& e, std::set<port>& ports) const {
        const std::uint32_t a = e.between[0], b = e.between[1];
        check_router(a, e);
        check_router(b, e);
        const std::size_t before = ports.size();
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
            for (std::uint32_t p = 0; p < m_map.ports(router_id(from)); ++p)
                if (const port_peer end = neighbour(m_map, from, p);
                    end.what != port_peer::kind::none && end.id == to)
                    ports.insert({from, p});
        if (ports.size() == before)
            throw config::error(e.where, "there is no link between " +
                                             m_map.names().text(place_kind::router, a) + " and " +
                                             m_map.names().text(place_kind::router, b));
    }

    void add_routers(const failure_event& e, std::vector<std::uint32_t>& routers,
                     std::set<port>& ports) const {
        if (!e.router.all) check_router(static_cast<std::uint32_t>(e.router.last()), e);
        for (std::uint32_t r = 0; r < m_map.routers(); ++r)
            if (e.router.contains(r)) routers.push_back(r);
        for (std::uint32_t r = 0; r < m_map.routers(); ++r)
            for (std::uint32_t p = 0; p < m_map.ports(router_id(r)); ++p) {
                const port_peer end = neighbour(m_map, r, p);
                if (end.what == port_peer::kind::none) continue;
                if (e.router.contains(r) || e.router.contains(end.id)) ports.insert({r, p});
            }
    }

    void add_share(const failure_event& e, std::set<port>& ports) const {
        std::vector<undirected_link> all = links_of(m_map);
        const auto wanted = static_cast<std::size_t>(std::llround(e.links * static_cast<double>(all.size())));
        rng random(e.seed, stream::failure, 0);
        for (std::size_t k = 0; k < wanted; ++k) {
            std::swap(all[k], all[k + random.below(static_cast<std::uint32_t>(all.size() - k))]);
            ports.insert(all[k].there);
            if (all[k].two_ways) ports.insert(all[k].back);
        }
    }

    const topology& m_map;
};

void check(const failure_event& e, const config::value& item) {
    const int said = !e.between.empty() + !e.router.empty() + (item.find("links") != nullptr);
    if (said != 1)
        throw config::error(item.where(),
                            "an entry of 'failures.events' says what fails: one of 'between: [0, 1]', "
                            "'router: 0', 'links: 0.01'");
    if (!e.between.empty() && e.between.size() != 2)
        throw config::error(e.where,
                            fmt::format("'between' has {} routers; it must have two", e.between.size()));
    if (item.find("seed") != nullptr && item.find("links") == nullptr)
        throw config::error(item.find("seed")->where(), "'seed' is for 'links', which are drawn by it");
}

}  // namespace

config::schema<failure_event> failure_event::fields() {
    using e = failure_event;
    config::schema<e> s;
    s.integers("between", &e::between, 0, static_cast<double>(most_routers - 1), "",
               "Two routers, by number or name: all links between them, both ways.")
        .of_places("router")
        .numbers("router", &e::router, "Or routers: each with all its links; its nodes are cut off.")
        .of_places("router")
        .number("links", &e::links, 0, 1, "",
                "Or the share of all links between routers that fails, both ways, drawn by 'seed'.")
        .number("seed", &e::seed, 0, 9.2e18, "", "Of that draw.")
        .number("at", &e::at, 0, 1e18, "cycles", "They carry nothing from this cycle on.");
    return s;
}

config::schema<failure_params> failure_params::fields() {
    using p = failure_params;
    config::schema<p> s;
    s.list("events", &p::events, "list of sections", failure_event::fields().describe(),
           "What fails, and when: 'between', 'router' or 'links', and 'at'.")
        .number("reroute", &p::reroute, 0, 1e9, "cycles", "From a failure until routing knows of it.");
    return s;
}

std::vector<failure_event> failure_params::read_events() const {
    std::vector<failure_event> all;
    if (empty()) return all;
    for (const config::value& item : config::to_list(events, "failures.events")) {
        failure_event e;
        e.where = item.where();
        failure_event::fields().read(item, e, "failures.events");
        check(e, item);
        all.push_back(std::move(e));
    }
    return all;
}

std::vector<failure> plan_failures(const failure_params& params, const topology& map) {
    std::vector<failure> all;
    planner plan(map);
    for (const failure_event& e : params.read_events()) all.push_back(plan.plan(e));
    std::stable_sort(all.begin(), all.end(), [](const failure& a, const failure& b) { return a.at < b.at; });
    return all;
}

}  // namespace sare
