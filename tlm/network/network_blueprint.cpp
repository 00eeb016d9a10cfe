// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/network_blueprint.h"

#include "tlm/base/world.h"
#include "tlm/combining/combiner_network.h"
#include "tlm/combining/params.h"
#include "tlm/fabric/builder/network_builder.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/classes/class_routing.h"
#include "tlm/network/routes/rerouting.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/deadlock/fitting.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace sare {
namespace {

/// Throws the error for VCs that message classes cannot share.
[[noreturn]] void refuse_vcs(const experiment& e, std::uint32_t vcs, std::uint32_t classes) {
    const auto& kind = router_registry::instance().chosen(e.router);
    const auto parameters = kind.parameters();
    const bool can_have_more = std::any_of(parameters.begin(), parameters.end(),
                                           [](const config::parameter_doc& p) { return p.name == "vcs"; });
    const std::string many = fmt::format("{} message classes of this traffic", classes);
    if (!can_have_more)
        throw config::error(
            e.router.where(),
            fmt::format(
                "routers of kind {} have {}{}, which the {} cannot share; it needs another kind of routers",
                kind.name, vcs, (vcs == 1 ? " VC" : " VCs"), many));
    throw e.written.mistake(fmt::format("router.vcs is {}; it must be a multiple of the {}", vcs, many));
}

class_vcs share_vcs(const experiment& e, std::uint32_t vcs, std::uint32_t classes) {
    if (classes == 0) throw config::error(e.at, "a network has 1 message class at least, not 0");
    if (e.classes.vcs.empty() && vcs % classes != 0) refuse_vcs(e, vcs, classes);
    return e.classes.shares(vcs, classes);
}

/// Makes the function. The error for one that does not fit the network names those that do.
std::unique_ptr<routing_function> make_fitting(const experiment& e, const topology& map, std::uint32_t vcs) {
    try {
        return routing_registry::instance().make(e.routing, {&map, vcs});
    } catch (const config::error& problem) {
        if (fits(routing_registry::instance().chosen(e.routing).name, map)) throw;
        const std::string others = fitting_functions(map);
        throw config::error(problem.what() +
                            (others.empty() ? "" : "; functions that fit this network: " + others));
    }
}

/// Throws config::error for a network that combiners do not fit.
void check_combiners(const experiment& e, const topology& map, const router_plan& plan, bool alike) {
    const auto refuse = [&](const std::string& why) {
        throw config::error(e.sections.of<combining_params>().at, "'combining' does not go with " + why);
    };
    for (const auto& group : plan.groups())
        if (!group.terms.follows_network())
            refuse("routers of kind " + group.name + ", which route by themselves; take kind vc");
    if (!alike) refuse("'links.classes' and 'classes.vcs'; leave them out");
    if (!e.failures.empty() || has_bit_errors(map)) refuse("links that fail or err; sums would be lost");
    if (!e.sections.foreign_routers().empty()) refuse("routers in RTL, which know no ways to combiners");
    if (e.nic.retransmission != retransmission::none) refuse("'nic.retransmission'; leave it out");
}

std::unique_ptr<routing_function> make_routing(const experiment& e, const topology& map,
                                               const router_plan& plan, const class_vcs& shares,
                                               bool own_links) {
    const bool alike = shares.equal() && !own_links;
    if (const combiner_network* const combined = combiners_of(map)) {
        check_combiners(e, map, plan, alike);
        return route_to_combiners(make_fitting(e, combined->plain(), shares.own(0)), *combined,
                                  shares.own(0));
    }
    if (alike) return make_fitting(e, map, shares.own(0));
    const config::location at = own_links ? e.links.where() : e.classes.at;
    const std::string what = own_links ? "'links.classes'" : "'classes.vcs'";
    for (const auto& group : plan.groups())
        if (!group.terms.follows_network())
            throw config::error(
                at,
                what + " is for routers with VCs that a routing function chooses among; routers of kind " +
                    group.name + (own_links ? " have one way for all classes" : " have equal shares only"));
    if (!e.failures.empty())
        throw config::error(
            at, what + " and 'failures' do not go together: where links fail, message classes have " +
                    (own_links ? "the same links" : "equal shares of the VCs"));
    if (!own_links) return make_class_routing(e.routing, map, shares);
    const class_links links(e.links, map, shares.classes());
    return make_class_routing(e.routing, map, shares, &links);
}

/// Throws config::error for routing that forks packets in routers that do not.
void check_forks(const experiment& e, const routing_function& routing, const router_plan& plan) {
    if (!routing.forks()) return;
    for (const auto& group : plan.groups())
        if (!group.terms.forks)
            throw config::error(
                e.router.where(),
                fmt::format("routing.function is {}, by which packets fork; routers of kind {} send them by "
                            "one output only: take kind vc, and set router.forking",
                            routing.name(), group.name));
}

/// Returns a function that marks packets as well; null if routers do not mark.
std::unique_ptr<routing_function> make_marking(const experiment& e, const routing_function& routing,
                                               const router_plan& plan) {
    if (!e.marking.is_given()) return nullptr;
    if (!e.sections.foreign_routers().empty())
        throw e.written.mistake("'marking' is for the model's own routers, and some are RTL; leave out one");
    for (const auto& group : plan.groups())
        if (!group.terms.follows_network())
            throw config::error(e.router.where(),
                                fmt::format("routers of kind {} mark no packets; 'marking' is for kinds that "
                                            "ask a routing function, as vc",
                                            group.name));
    return std::make_unique<marking_routing>(routing, e.marking);
}

/// Returns deadlock_question::branches_wait for packets of up to `longest` flits.
std::string why_branches_wait(const router_plan& plan, std::uint32_t longest) {
    for (const auto& group : plan.groups()) {
        const router_terms& terms = group.terms;
        if (terms.forks_at_once && !terms.whole_packets)
            return "all branches of a packet wait where one has no room (synchronous forking; with "
                   "'router.switching: cut_through' a packet leaves only where each has room for all of it)";
        if (!terms.forks_at_once && longest > terms.depth)
            return fmt::format(
                "a packet of {} flits does not fit into a buffer of {}, so that one branch waits for another "
                "(take a router.depth of nic.max_packet_flits or more)",
                longest, terms.depth);
    }
    return "";
}

router_plan make_plan(const experiment& e, const topology& map) {
    if (e.fidelity != fidelity::flit)
        throw e.written.mistake(std::string("'fidelity' is ") + to_string(e.fidelity) +
                                ", which has no routers; this needs fidelity: flit");
    router_plan plan(e, map);
    plan.check_links(map, plan.with_packets(e.nic).max_packet_flits);
    return plan;
}

/// Returns the work that a cycle of one thread needs to be worth waiting for the others at its end (measured:
/// docs/performance.md).
thread_policy threads_of(const experiment& e) {
    if (e.all_threads) return {e.threads, 1, 0, e.threads};
    constexpr std::uint32_t routers = 256, packets = 64;
    constexpr double share = 0.6;  // less is better spent on another run
    return {e.threads, routers, packets, std::max(std::thread::hardware_concurrency(), 1U), share};
}

}  // namespace

network_blueprint::network_blueprint(const experiment& e, std::shared_ptr<const topology> map,
                                     std::uint32_t classes)
    : m_map(std::move(map)),
      m_classes(classes),
      m_plan(make_plan(e, *m_map)),
      m_shares(share_vcs(e, vcs(), classes)),
      m_own_links(any_link_of_classes(e.links)),
      m_routing(make_routing(e, *m_map, m_plan, m_shares, m_own_links)),
      m_marking(make_marking(e, *m_routing, m_plan)),
      m_nic(m_plan.with_packets(e.nic)) {
    check_forks(e, *m_routing, m_plan);
}

network_blueprint::~network_blueprint() = default;

bool network_blueprint::keeps_classes_apart() const {
    return std::all_of(m_plan.groups().begin(), m_plan.groups().end(), [this](const auto& g) {
        return g.terms.keeps_vcs_apart(m_nic.max_packet_flits) &&
               (m_shares.shared() == 0 || g.terms.requires_empty_buffer);
    });
}

deadlock_report network_blueprint::check_deadlock(const failure_schedule& failures,
                                                  std::uint64_t most_calls) const {
    deadlock_report report;
    const std::vector<std::string>& safety = m_plan.deadlock_free_by_design();
    if (safety.size() == 1 && !safety.front().empty()) {
        report.result = deadlock_report::verdict::by_design;
        report.text = "not needed: " + safety.front();
        return report;
    }
    deadlock_question q;
    q.network = &without_combiners(*m_map);
    const bool alike = m_shares.equal() && !m_own_links;
    const std::unique_ptr<routing_function> all = alike ? nullptr : all_classes(*m_routing, m_shares);
    q.routing = all ? all.get() : m_routing.get();
    q.vcs = all ? m_shares.vcs() : m_shares.own(0);
    q.atomic_or_cut_through = std::all_of(m_plan.groups().begin(), m_plan.groups().end(), [](const auto& g) {
        // A pause may come between the choice of an adaptive channel and the packet's leaving.
        return g.terms.requires_empty_buffer || (g.terms.whole_packets && !g.terms.pauses.pauses());
    });
    for (const auto& g : m_plan.groups())
        if (!g.terms.keeps_vcs_apart(m_nic.max_packet_flits)) {
            q.shares_buffers = g.model->kind();
            q.reserved_by = g.terms.pool != 0 ? "router.reserved" : "";
        }
    if (m_routing->forks()) q.branches_wait = why_branches_wait(m_plan, m_nic.max_packet_flits);
    q.deadlock_free_by_design = safety;
    q.most_calls = most_calls;
    report = sare::check_deadlock(q);
    if (!report.ok() || !failures.make_routing) return report;
    const deadlock_report after = check_after_failures(failures, q);
    if (after.result != deadlock_report::verdict::acyclic) report.result = after.result;
    report.text += "; " + after.text;
    return report;
}

failure_schedule network_blueprint::failures(const experiment& e, std::uint32_t classes) const {
    if (classes == 0 || vcs() % classes != 0) refuse_vcs(e, vcs(), classes);
    const bool asks = std::any_of(m_plan.groups().begin(), m_plan.groups().end(),
                                  [](const auto& g) { return !g.terms.routes_by_itself; });
    return make_failures(e, *m_map, *m_routing, asks ? vcs() / classes : 0);
}

partition_map network_blueprint::cut_for(world& all) const {
    const topology& map = *m_map;
    if (all.ranks() > map.routers())
        throw config::error(
            fmt::format("several processes cannot run this network: there are {}, and it has {}{}; start no "
                        "more than that",
                        all.ranks(), map.routers(), map.routers() == 1 ? " router" : " routers"));
    partition_map cut = cut_map(map, all.ranks());
    const std::uint64_t own = digest(cut);
    if (all.sum(std::uint64_t{all.of_first(own) != own}) != 0)
        throw config::error(
            "several processes cannot run this network: they do not cut it alike; start the same program, "
            "with "
            "the same libmetis, on all machines");
    return cut;
}

void network_blueprint::prepare(network_builder& builder, const experiment& e) const {
    builder.set_threads(threads_of(e));
    builder.set_routing(*m_map, m_marking ? *m_marking : *m_routing);
    if (!e.failures.empty()) builder.set_failures(failures(e, m_classes));
    if (has_bit_errors(*m_map)) builder.set_bit_errors(8 * m_nic.flit_bytes);
}

void network_blueprint::add_all(network_builder& builder) const {
    for (std::uint32_t r = 0; r < m_map->routers(); ++r)
        builder.add_router(m_plan.of(r).model, m_map->ports(router_id(r)), m_map->clock(router_id(r)));
    for (std::uint32_t n = 0; n < m_map->nodes(); ++n) builder.add_nic(m_nic);
    for_each_link(*m_map, [&](const link_end& from, const link_end& to) {
        builder.connect(from, to,
                        from.what == link_end::kind::nic
                            ? m_map->injection_link(node_id(from.id))
                            : m_map->link(router_id(from.id), port_id(from.port)));
    });
}

}  // namespace sare
