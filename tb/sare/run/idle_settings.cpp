// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/idle_settings.h"

#include "tlm/network/failure_params.h"
#include "tlm/network/router_plan.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/registry.h"
#include "tlm/stats/log/observation_params.h"
#include "tlm/stats/results.h"

#include <fmt/format.h>

namespace sare::cli {
namespace {

/// A parameter of a section that counts only beside a certain value of another, or beside any but `unless`.
struct requirement {
    const char *section, *key, *other, *needed, *unless;
};
constexpr requirement requirements[] = {
    {"router", "headroom", "flow_control", "pfc", nullptr},
    {"router", "xon_offset", "flow_control", "pfc", nullptr},
    {"router", "alpha", "flow_control", "pfc", nullptr},
    {"router", "reserved", "buffers", "shared", nullptr},
    {"nic", "window", "retransmission", "go_back_n", nullptr},
    {"nic", "time_out", "retransmission", "go_back_n", nullptr},
    {"nic", "attempts", "retransmission", "go_back_n", nullptr},
    {"nic", "acknowledge", "retransmission", "go_back_n", nullptr},
    {"nic", "acknowledge_delay", "acknowledge", "ideal", nullptr},
    {"network", "link_idle", "link_wake", "1 or more", "0"},
};

std::string text_at(const config::value* section, const char* key) {
    const config::value* const v = section == nullptr ? nullptr : section->find(key);
    return v == nullptr ? "" : config::flow_style(*v);
}

/// Returns the section with the default of each parameter.
config::value usual(const std::string& section, const config::value& given) {
    if (section == "nic") return nic_params::fields().write(nic_params{});
    if (section == "router")
        return router_registry::instance().resolve(
            config::value::scalar(router_registry::instance().chosen(given).name));
    return config::value::map({{"link_idle", config::number(0)}});
}

}  // namespace

std::vector<std::string> idle_settings(const experiment& e) {
    const config::value all = e.resolved();
    std::vector<std::string> lines;
    for (const requirement& c : requirements) {
        const config::value* const section = all.find(c.section);
        const std::string text = text_at(section, c.key), other = text_at(section, c.other);
        if (text.empty() || (c.unless != nullptr ? other != c.unless : other == c.needed)) continue;
        const config::value by_default = usual(c.section, *section);
        if (text != text_at(&by_default, c.key))
            lines.push_back(fmt::format("'{}.{}' has no effect: it is for '{}.{}: {}'", c.section, c.key,
                                        c.section, c.other, c.needed));
    }
    for (const router_exception& x : router_exception::read(e.routers))
        if (x.changes.entries().empty())
            lines.push_back(x.at.at.text() +
                            ": this entry of 'routers' changes nothing; write keys of 'router' in it");
    return lines;
}

std::vector<std::string> late_settings(const experiment& e, const run_result& r) {
    std::vector<std::string> lines;
    const cycle_t from = e.sections.of<observation_params>().from;
    if (from >= r.cycles && from != 0)
        lines.push_back(fmt::format(
            "'observe.from' is {}, and the run ended after {} cycles: nothing was observed", from, r.cycles));
    if (e.failures.empty()) return lines;
    for (const failure_event& f : e.failures.read_events())
        if (f.at >= r.cycles)
            lines.push_back(fmt::format("{}: nothing fails in cycle {}: the run ended after {} cycles",
                                        f.where.text(), f.at, r.cycles));
    return lines;
}

}  // namespace sare::cli
