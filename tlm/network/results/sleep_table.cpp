// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/sleep_table.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/stats/table.h"
#include "tlm/topology/properties.h"

#include <cstdio>

namespace sare {
namespace {

const table_form sleep_form{sleep_file, link_columns() + R"(
    asleep: count in cycles. In which it slept, of the whole run.
    share: number. Of the run's cycles, six digits of it.
    wakings: count. How often it woke.
)"};

std::string six_digits(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

/// Counts of links that can sleep, of cycles asleep, and of wakings.
struct slept {
    std::uint64_t can = 0, cycles = 0, wakings = 0;
};

/// Returns them in the order of the map's links. Each process knows the links that begin in its part.
std::vector<slept> sleep_of_links(const network_view& net, cycle_t cycles, world* processes) {
    std::vector<slept> all;
    for_each_link(*net.map(), [&](const link_end& from, const link_end&) {
        const link_sleep* link = net.sleeper_of(from);
        all.push_back(link == nullptr ? slept{} : slept{1, link->cycles_asleep(cycles), link->wakings()});
    });
    if (processes != nullptr) processes->sum_members(all, &slept::can, &slept::cycles, &slept::wakings);
    return all;
}

}  // namespace

std::string sleep_table(const network_view& net, cycle_t cycles, world* processes) {
    using kind = link_end::kind;
    if (!any_link_sleeps(*net.map())) return "";
    const std::vector<slept> links = sleep_of_links(net, cycles, processes);
    table rows(sleep_form);
    auto link = links.begin();
    for_each_link(*net.map(), [&](const link_end& from, const link_end& to) {
        const slept& s = *link++;
        if (s.can == 0) return;
        const char* what = from.what == kind::nic ? "injection"
                           : to.what == kind::nic ? "ejection"
                                                  : "router";
        rows.row(from.id, from.port, to.id, to.port, what, s.cycles,
                 six_digits(static_cast<double>(s.cycles) / static_cast<double>(cycles)), s.wakings);
    });
    return rows.text();
}

}  // namespace sare
