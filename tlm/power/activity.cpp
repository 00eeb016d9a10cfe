// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/activity.h"

#include "tlm/router_api/class_vcs.h"
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare {
namespace {

double& of(event_counts& counts, power_event e) {
    return counts[place_of(e)];
}

}  // namespace

network_activity::network_activity(const reading& from, const class_vcs* shares)
    : classes(std::max<std::size_t>(1, from.out.class_loads.size())) {
    const run_result& out = from.out;
    routers.assign(from.map.routers(), std::vector<event_counts>(classes));
    nodes.assign(from.map.nodes(), std::vector<event_counts>(classes));
    links.assign(out.link_loads.size(), std::vector<crossing>(classes));
    find_lengths(from);
    for (std::size_t row = 0; row < links.size(); ++row) count_link(out, row, classes > 1 ? shares : nullptr);
    finish_routers();
    count_waits(from);
}

/// In the measured window; of one without packets, since the start.
void network_activity::find_lengths(const reading& from) {
    const run_result& out = from.out;
    const double node_cycles = from.window * static_cast<double>(from.map.nodes());
    const double of_all = out.packets.injected == 0 ? 1
                                                    : static_cast<double>(out.flits.injected) /
                                                          static_cast<double>(out.packets.injected);
    std::vector<double> flits(classes), packets(classes);
    for (std::size_t c = 0; c < out.class_loads.size(); ++c) {
        flits[c] = out.class_loads[c].injected_load * node_cycles;
        packets[c] = static_cast<double>(out.class_loads[c].injected);
    }
    if (out.class_loads.empty()) {
        for (const node_result& n : out.node_loads) packets[0] += static_cast<double>(n.injected);
        for (const link_result& l : out.link_loads)
            if (l.kind == "injection") flits[0] += static_cast<double>(l.flits);
    }
    double sum = 0;
    for (const double x : flits) sum += x;
    for (std::size_t c = 0; c < classes; ++c) {
        m_length.push_back(packets[c] > 0 && flits[c] > 0 ? flits[c] / packets[c] : std::max(1.0, of_all));
        m_share.push_back(sum > 0 ? flits[c] / sum : 1.0 / static_cast<double>(classes));
    }
}

/// A VC that several classes share, and the link of a node's NIC, carry what all of them inject.
void network_activity::count_link(const run_result& out, std::size_t row, const class_vcs* shares) {
    const link_result& l = out.link_loads[row];
    const auto add = [&](std::size_t c, double flits) { links[row][c].flits += flits; };
    const auto spread = [&](double flits) {
        for (std::size_t c = 0; c < classes; ++c) add(c, flits * m_share[c]);
    };
    if (shares == nullptr || l.vc_flits.empty()) {
        spread(static_cast<double>(l.flits));
    } else {
        for (std::uint32_t v = 0; v < l.vc_flits.size(); ++v)
            if (v < shares->first_shared() || shares->shared() == 0)
                add(shares->class_of(v), l.vc_flits[v]);
            else
                spread(l.vc_flits[v]);
    }
    for (std::size_t c = 0; c < classes; ++c) {
        crossing& x = links[row][c];
        x.heads = x.flits / m_length[c];
        if (l.kind == "injection") {
            of(nodes[l.from][c], power_event::inject) += x.flits;
            of(nodes[l.from][c], power_event::inject_head) += x.heads;
        } else {
            of(routers[l.from][c], power_event::buffer_read) += x.flits;
        }
        if (l.kind == "ejection") {
            of(nodes[l.to][c], power_event::eject) += x.flits;
            of(nodes[l.to][c], power_event::eject_head) += x.heads;
        } else {
            of(routers[l.to][c], power_event::buffer_write) += x.flits;
        }
    }
}

/// Every flit that is read has been given the switch, and leaves by the crossbar and a register; a credit
/// goes back for it.
void network_activity::finish_routers() {
    for (std::vector<event_counts>& of_router : routers)
        for (std::size_t c = 0; c < classes; ++c) {
            event_counts& n = of_router[c];
            const double flits = of(n, power_event::buffer_read), heads = flits / m_length[c];
            for (const power_event e : {power_event::sa_grant, power_event::sa_request, power_event::crossbar,
                                        power_event::output_register, power_event::credit})
                of(n, e) = flits;
            for (const power_event e :
                 {power_event::route_compute, power_event::va_grant, power_event::va_request})
                of(n, e) = heads;
        }
}

/// Packets that waited for nothing but their turn, by samples, have asked for the switch meanwhile.
void network_activity::count_waits(const reading& from) {
    const run_result& out = from.out;
    if (out.link_waits.size() != out.link_loads.size()) return;
    std::vector<double> waits(routers.size());
    for (std::size_t row = 0; row < out.link_loads.size(); ++row)
        if (out.link_loads[row].kind != "injection")
            waits[out.link_loads[row].from] += out.link_waits[row].turn;
    for (std::size_t r = 0; r < routers.size(); ++r) {
        double flits = 0;
        for (const event_counts& n : routers[r]) flits += n[place_of(power_event::sa_grant)];
        const double asked =
            waits[r] * from.window / from.map.clock(router_id(static_cast<std::uint32_t>(r)));
        if (flits <= 0 || !(asked > flits)) continue;
        for (event_counts& n : routers[r]) of(n, power_event::sa_request) *= asked / flits;
    }
}

}  // namespace sare
