// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/activity.h"

#include "tlm/power/level_times.h"
#include "tlm/power/switch_samples.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sare {
namespace {

double& of(event_counts& counts, power_event e) {
    return counts[place_of(e)];
}

double sum(const std::vector<event_counts>& classes, power_event e) {
    double all = 0;
    for (const event_counts& n : classes) all += n[place_of(e)];
    return all;
}

/// Adds `lost` requests to those that were granted, shared among the classes like the grants.
void add_lost(std::vector<event_counts>& classes, power_event requests, power_event grants, double lost) {
    const double granted = sum(classes, grants);
    for (event_counts& n : classes)
        if (granted > 0) of(n, requests) += lost * n[place_of(grants)] / granted;
}

/// Flits that come into each router, by origin.
class flows_in {
  public:
    flows_in(const run_result& out, std::size_t routers) : m_into(routers) {
        for (const link_result& l : out.link_loads) {
            if (l.kind == "ejection") continue;
            m_into[l.to].add(static_cast<double>(l.flits));
            m_from[{l.kind == "injection", l.from, l.to}].add(static_cast<double>(l.flits));
        }
    }
    /// Returns the probability that two flits of an output, from other ports, are of different inputs.
    double mixed_at(const link_result& l) const {
        const auto back = m_from.find({l.kind == "ejection", l.to, l.from});
        const flow all = m_into[l.from], own = back == m_from.end() ? flow{} : back->second;
        const double others = all.flits - own.flits;
        return others > 0 ? std::max(0.0, 1 - (all.squares - own.squares) / (others * others)) : 0;
    }

  private:
    /// Flits of one link, or of several.
    struct flow {
        double flits = 0, squares = 0;
        void add(double more) {
            flits += more;
            squares += more * more;
        }
    };
    std::vector<flow> m_into;                                               ///< by router
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, flow> m_from;  ///< by: is node, origin, router
};

}  // namespace

network_activity::network_activity(const reading& from, const class_vcs* shares,
                                   const switch_samples& samples, const level_times& times)
    : classes(std::max<std::size_t>(1, from.out.class_loads.size())), m_times(times) {
    const run_result& out = from.out;
    routers.assign(from.map.routers(), std::vector<event_counts>(classes));
    nodes.assign(from.map.nodes(), std::vector<event_counts>(classes));
    links.assign(out.link_loads.size(), std::vector<crossing>(classes));
    find_lengths(from);
    for (std::size_t row = 0; row < links.size(); ++row) count_link(out, row, classes > 1 ? shares : nullptr);
    finish_routers();
    count_waits(from, samples.of_a_flit(switch_samples::lost));
    count_where_idle(from, power_event::burst, samples.of_a_flit(switch_samples::bursts));
    count_where_idle(from, power_event::fill, samples.of_a_flit(switch_samples::fills));
    count_starts(samples.of_a_flit(switch_samples::starts));
    count_turns(from, samples);
    if (samples.exact()) take_exact(samples);
    count_nic_bursts(from);
}

/// Finds each class's mean packet length: in the window, or without packets in it since the start.
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

/// Counts flits of a link. A VC of several classes, and a NIC's link, carry what all of them inject.
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
            of(nodes[l.from][c], power_event::inject_beat) += x.flits - x.heads;
        } else {
            of(routers[l.from][c], power_event::buffer_read) += x.flits;
        }
        if (l.kind == "ejection") {
            of(nodes[l.to][c], power_event::eject) += x.flits;
            of(nodes[l.to][c], power_event::eject_head) += x.heads;
            of(nodes[l.to][c], power_event::eject_beat) += x.flits - x.heads;
        } else {
            of(routers[l.to][c], power_event::buffer_write) += x.flits;
        }
    }
}

/// Completes the events of routers: every flit that is read was given the switch, leaves by the crossbar and
/// a register, and a credit goes back for it.
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
            of(n, power_event::long_head) = std::max(0.0, std::min(heads, flits - heads));
        }
}

/// Counts as many as samples have seen, fewer a flit the busier the output; one a packet if nothing was seen.
void network_activity::count_where_idle(const reading& from, power_event e, double share) {
    const auto& all = from.out.link_loads;
    std::vector<double> idle(all.size());  // share of cycles
    double flits = 0, free_flits = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (all[row].kind == "injection") continue;
        const auto carried = static_cast<double>(all[row].flits);
        idle[row] = std::max(0.0, 1 - carried * m_times.period_of_router(all[row].from) / from.window);
        flits += carried;
        free_flits += carried * idle[row];
    }
    const double factor = free_flits > 0 ? share * flits / free_flits : 0;
    for (std::size_t row = 0; row < all.size(); ++row)
        for (std::size_t c = 0; c < classes && all[row].kind != "injection"; ++c)
            of(routers[all[row].from][c], e) +=
                idle[row] * (share < 0 ? links[row][c].heads : links[row][c].flits * factor);
}

/// Counts bursts of NICs: a packet has no breaks, and on busy links often follows the one before at once.
void network_activity::count_nic_bursts(const reading& from) {
    for (std::size_t row = 0; row < links.size(); ++row) {
        const link_result& l = from.out.link_loads[row];
        if (l.kind != "injection") continue;
        const double busy = static_cast<double>(l.flits) * m_times.period_of_node(l.from) / from.window;
        for (std::size_t c = 0; c < classes; ++c)
            of(nodes[l.from][c], power_event::inject_burst) += links[row][c].heads * std::max(0.0, 1 - busy);
    }
}

/// Counts starts: packets begin, or go on after cycles with another VC's flit or without a credit.
void network_activity::count_starts(double share) {
    double flits = 0, heads = 0;
    const auto of_all = [this](auto&& f) {
        for (std::vector<event_counts>& of_router : routers)
            for (event_counts& n : of_router) f(n);
    };
    of_all([&](const event_counts& n) {
        flits += n[place_of(power_event::buffer_read)];
        heads += n[place_of(power_event::va_grant)];
    });
    const double more = flits > heads ? std::max(0.0, share * flits - heads) / (flits - heads) : 0;
    of_all([&](event_counts& n) {
        const double first = of(n, power_event::va_grant);
        of(n, power_event::start) = first + more * (of(n, power_event::buffer_read) - first);
    });
}

/// Counts as many turns as samples have seen: more at outputs whose router gets flits evenly from its inputs
/// (the port's own excepted), as draws from equal inputs differ more often. If nothing was seen, heads turn.
void network_activity::count_turns(const reading& from, const switch_samples& samples) {
    const auto& all = from.out.link_loads;
    const flows_in in(from.out, routers.size());
    double flits = 0, heads = 0, expected = 0;
    std::vector<double> mixed(all.size());
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (all[row].kind == "injection") continue;
        mixed[row] = in.mixed_at(all[row]);
        flits += static_cast<double>(all[row].flits);
        expected += static_cast<double>(all[row].flits) * mixed[row];
        for (const crossing& x : links[row]) heads += x.heads;
    }
    const double seen = samples.turns_of_a_flit(flits > 0 ? heads / flits : 1),
                 factor = expected > 0 ? seen * flits / expected : 0;
    for (std::size_t row = 0; row < all.size(); ++row)
        for (std::size_t c = 0; c < classes && all[row].kind != "injection"; ++c)
            of(routers[all[row].from][c], power_event::turn) +=
                mixed[row] * (seen < 0 ? links[row][c].heads : links[row][c].flits * factor);
}

/// Takes the exact events of all routers.
void network_activity::take_exact(const switch_samples& samples) {
    using seen = switch_samples::seen;
    for (std::uint32_t r = 0; r < routers.size(); ++r) {
        for (event_counts& n : routers[r]) {
            const double flits = of(n, power_event::buffer_read);
            const auto so_many = [&](seen what) { return flits * samples.of_a_flit(r, what); };
            of(n, power_event::burst) = so_many(seen::bursts);
            of(n, power_event::start) = so_many(seen::starts);
            of(n, power_event::turn) = so_many(seen::turns);
            of(n, power_event::fill) = so_many(seen::fills);
            of(n, power_event::sa_request) = flits + so_many(seen::lost);
        }
    }
}

/// Counts requests that were not granted: the counted stalls, if there are any; else those of the switch, as
/// many a flit as the samples had, in proportion to the square of a router's grants.
void network_activity::count_waits(const reading& from, double lost) {
    const run_result& out = from.out;
    const figure_view lost_sa = out.column_of(scope::router, "stalls_switch"),
                      lost_va = out.column_of(scope::router, "stalls_va");
    double all = 0, squares = 0;
    for (const std::vector<event_counts>& r : routers) {
        const double here = sum(r, power_event::sa_grant);
        all += here;
        squares += here * here;
    }
    const double more = squares > 0 ? std::max(0.0, lost) * all / squares : 0;
    for (std::size_t r = 0; r < routers.size(); ++r) {
        const double clock = m_times.period_of_router(static_cast<std::uint32_t>(r)),
                     grants = sum(routers[r], power_event::sa_grant);
        add_lost(routers[r], power_event::sa_request, power_event::sa_grant,
                 lost_sa ? lost_sa.number(r) / clock : more * grants * grants);
        if (lost_va)
            add_lost(routers[r], power_event::va_request, power_event::va_grant, lost_va.number(r) / clock);
    }
}

}  // namespace sare
