// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/routes/rerouting.h"

#include "tlm/network/failure_params.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/surviving_network.h"

#include <fmt/format.h>

#include <string>

namespace sare {
namespace {

config::value routing_section(const std::string& function, const std::string& parameter = "") {
    config::value s = config::value::map({{"function", config::value::scalar(function)}});
    if (!parameter.empty()) s.set(parameter, config::value::scalar("true"));
    return s;
}

/// Returns the function after a failure: a new up_down, whose root may be dead; for tables and adaptive
/// functions one that goes everywhere. A function with an escape needs routers for it.
config::value section_after(const routing_function& before, std::uint32_t vcs) {
    if (before.needs_escape() && vcs > 1) return routing_section("up_down_escape");
    return before.deterministic() ? routing_section("up_down") : routing_section("up_down", "adaptive");
}

}  // namespace

failure_schedule make_failures(const experiment& e, const topology& map, const routing_function& routing,
                               std::uint32_t vcs) {
    failure_schedule all;
    all.events = plan_failures(e.failures, map);
    all.reroute = e.failures.reroute;
    all.open = e.failures.open;
    if (vcs == 0) return all;
    if (!routing.goes_round_failures())
        throw config::error(e.failures.at,
                            "'failures' says that links fail, and routing function '" + routing.name() +
                                "' cannot go round them; up_down, table and adaptive ones such as duato can");
    all.make_routing = [section = section_after(routing, vcs), vcs](const topology& left) {
        return routing_registry::instance().make(section, {&left, vcs});
    };
    return all;
}

deadlock_report check_after_failures(const failure_schedule& all, const deadlock_question& question) {
    deadlock_report report;
    surviving_network left(*question.network);
    for (std::size_t k = 0; k < all.events.size(); ++k) {
        for (const auto& [r, p] : all.events[k].ports) left.fail(r, p);
        for (const std::uint32_t r : all.events[k].routers) left.fail_router(r);
        // Those of one cycle are told together.
        if (k + 1 < all.events.size() && all.events[k + 1].at == all.events[k].at) continue;
        left.find_parts();
        const auto routing = all.make_routing(left);
        deadlock_question q = question;
        q.network = &left;
        q.routing = routing.get();
        q.reaches = [&left](std::uint32_t from, std::uint32_t to) { return left.reaches(from, to); };
        report = check_deadlock(q);
        report.text = fmt::format("after the failures of cycle {}: {}", all.events[k].at, report.text);
        if (!report.ok()) return report;
    }
    return report;
}

bool has_bit_errors(const topology& map) {
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            if (map.link(router_id(r), port_id(p)).bit_error_rate > 0) return true;
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        if (map.injection_link(node_id(n)).bit_error_rate > 0) return true;
    return false;
}

}  // namespace sare
