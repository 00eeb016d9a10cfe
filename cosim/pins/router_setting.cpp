// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/router_setting.h"

#include "cosim/cosim_params.h"
#include "cosim/pins/route_table.h"
#include "cosim/rtl/rtl_module.h"

#include "tlm/base/bits.h"
#include "tlm/combining/combiner_network.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/vc/model.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {
namespace {

bool is_in(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// A check of what the hardware supports, and the sentence of the error if it is not `met`.
struct demand {
    bool met;
    const char* otherwise;
};

/// Returns the parameter `name` of an arbiter `weighted`.
config::value weighted_parameter(const config::value& chosen, const char* name) {
    const config::value its = arbiter_registry::instance().resolve(chosen);
    return *its.find(name);
}

/// Returns the weight of each message class; the last weight given holds for all following classes. Null for
/// an arbiter that is not `weighted`.
config::value class_weights(const config::value& chosen, std::uint32_t classes) {
    if (config::name_of<arbiter>(chosen) != "weighted") return {};
    const config::value given = weighted_parameter(chosen, "weights");
    const std::vector<config::value>& all = config::to_list(given, "weights");
    std::vector<config::value> weights;
    for (std::size_t c = 0; c < classes; ++c) {
        weights.push_back(all[std::min(c, all.size() - 1)]);
        config::to_integer(weights.back(), "weights", 1, 65535);
    }
    return config::value::list(std::move(weights));
}

/// True if VCs share places of buffers, here or beyond an output port.
bool shares_places(const router_setting& s) {
    bool any = s.model.buffers == buffer_policy::shared;
    for (std::uint32_t q = 0; q < s.ports; ++q) any = any || s.pool_beyond(q) != 0;
    return any;
}

/// True if packets do not fork, or the router is as those are in which they may.
bool may_fork(const router_setting& s) {
    const router_params& p = s.model;
    const auto is = [](const config::value& chosen, const char* name) {
        return chosen.type() == config::value::kind::null || word_of(chosen) == name;
    };
    return !s.forks() || (!shares_places(s) && !p.lookahead && !p.speculative &&
                          is(p.va_allocator, "input_first") && is(p.sa_allocator, "input_first") &&
                          is(p.va_arbiter, "round_robin") && is(p.sa_arbiter, "round_robin"));
}

/// True if there is a place beyond each output port, and the same number of each VC in each pool.
bool has_places(const router_setting& s) {
    for (std::uint32_t q = 0; q < s.ports; ++q)
        if (s.depth_beyond(q) == 0 || s.pool_beyond(q) % s.model.vcs != 0) return false;
    return true;
}

/// True for an arbiter `weighted` that weighs inputs, which the RTL does not support.
bool weighs_inputs(const config::value& chosen) {
    return config::name_of<arbiter>(chosen) == "weighted" &&
           weighted_parameter(chosen, "by").text() != "class";
}

/// Returns the error for the first choice of the model that sare_pkg does not have; "" if it has all.
std::string unknown_choice(const router_params& model) {
    const config::value chosen = router_params::fields().write(model);
    const rtl_module rtl("sare_router");
    for (const rtl_module::parameter& p : rtl.parameters()) {
        const config::value* v = chosen.find(p.field);
        if (v == nullptr || p.words.empty() || is_in(p.words, word_of(*v))) continue;
        std::string all;
        for (const std::string& known : p.words)
            all += (all.empty() ? "" : known == p.words.back() ? " or " : ", ") + known;
        return "router." + p.field + " must be " + all;
    }
    return "";
}

/// Returns the number of a dateline rule in sare_pkg. Throws config::error for a rule that is not in RTL.
std::uint32_t dateline_number(const experiment& e, const std::string& rule) {
    if (rule == "trc") return 0;
    if (rule == "basic") return 1;
    if (rule == "none") return 3;
    throw config::error(e.sections.of<cosim_params>().at,
                        "routing.dateline must be trc, basic or none for a router in RTL, not " + rule);
}

/// Throws config::error for what the RTL does not support.
void check(const router_setting& s, const experiment& e) {
    if (const std::string problem = s.problem(); !problem.empty())
        throw e.written.mistake(problem + " for a router in RTL");
}

void set_grid(router_setting& s, const experiment& e, const grid_shape& grid) {
    s.sizes = grid.dims;
    s.one_way = grid.unidirectional;
    s.concentration = grid.concentration;
    s.wrap = 0;
    for (std::size_t d = 0; d < grid.wrap.size(); ++d) s.wrap |= (grid.wrap[d] ? 1u : 0u) << d;
    s.coord_width = index_bits(*std::max_element(grid.dims.begin(), grid.dims.end()));
    const config::value routing = routing_registry::instance().resolve(e.routing);
    const config::value* rule = routing.find("dateline");
    s.dateline = rule == nullptr ? 0 : dateline_number(e, rule->text());
    if (s.dims() > 8 || s.dest_bits() > 64)
        throw config::error(e.sections.of<cosim_params>().at,
                            "a router in RTL has at most 8 dimensions, and coordinates of 60 bits");
}

/// Throws config::error if a table is not enough: routing by table gives every packet all VCs of its class,
/// and one output port for a destination, whichever port it came in by.
void check_table(const router_setting& s, const experiment& e, const routing_context& at) {
    const route_table table = table_of(at, s.nodes, s.model.lookahead);
    if (!table.conflict.empty())
        throw config::error(e.sections.of<cosim_params>().at,
                            table.conflict +
                                (s.model.lookahead ? " (the port at the router that follows)" : "") +
                                "; sare_router has one table for all inputs: take routing.function dor or "
                                "table, or a router of your own with a table an input");
    const std::uint32_t all = (1u << (s.model.vcs / s.classes)) - 1;
    for (std::size_t n = 0; n < table.branches.size(); ++n)
        if (table.branches[n] != 0 && (table.candidates[n].vcs & first_vcs(s.model.vcs)) != all)
            throw config::error(e.sections.of<cosim_params>().at,
                                "this routing function is not in RTL; dor is, and what a table of one port a "
                                "destination can hold");
}

}  // namespace

std::uint32_t downstream_depth(const experiment& e, const router_plan& plan, std::uint32_t router,
                               const port_peer& to) {
    const router_terms& own = plan.terms(router);
    switch (to.what) {
        case port_peer::kind::none:
            return 0;
        case port_peer::kind::node:
            return ejection_places(own.mean_depth(), own.whole_packets, e.nic, e.nic.max_packet_flits);
        default:
            return plan.terms(to.id).depth;
    }
}

std::uint32_t router_setting::port_bits() const {
    return index_bits(ports);
}
std::uint32_t router_setting::vc_bits() const {
    return index_bits(model.vcs);
}
std::uint32_t router_setting::node_bits() const {
    return index_bits(nodes);
}
std::uint32_t router_setting::dest_bits() const {
    return table ? node_bits() : port_bits() + dims() * coord_width;
}

config::schema<router_setting> router_setting::fields() {
    using p = router_setting;
    config::schema<p> s;
    s.number("ports", &p::ports, 2, 16, "ports", "Ports.")
        .integers("out_depth", &p::out_depth, 0, 255, "flits",
                  "Places of a VC for itself beyond the output ports.")
        .integers("out_pool", &p::out_pool, 0, 65535, "flits",
                  "Places beyond the output ports that VCs share.")
        .number("classes", &p::classes, 1, 16, "classes", "Message classes, which share out the VCs evenly.")
        .number("credit_delay", &p::credit_out_delay, 0, 255, "cycles",
                "Cycles that a credit takes before the pins.")
        .number("credit_in_delay", &p::credit_in_delay, 0, 255, "cycles",
                "Cycles that a credit takes behind the pins.")
        .choice("routing", &p::table, {{"dor", false}, {"table", true}}, "In dimension order, or by table.")
        .number("nodes", &p::nodes, 2, 1024, "nodes", "Entries of the routing table.")
        .number("coord_width", &p::coord_width, 1, 16, "bits", "A coordinate.")
        .number("wrap", &p::wrap, 0, 255, "", "Dimensions that are rings, a bit each.")
        .flag("one_way", &p::one_way, "The rings have + links only.")
        .number("dateline", &p::dateline, 0, 3, "", "The rule, as sare_pkg numbers it.")
        .include(hardware_params::fields());
    return s;
}

config::value router_setting::values() const {
    config::value all = router_params::fields().write(model);
    const config::value own = fields().write(*this);
    for (const auto& [name, v] : own.entries()) all.set(name, v);
    all.set("dims", config::number(dims()));
    all.set("sa_weights", class_weights(model.sa_arbiter, classes));
    const std::vector<std::string> of_grids{"dims", "coord_width", "wrap", "one_way", "dateline"},
        of_tables{"nodes"};
    for (const std::string& unused : table ? of_grids : of_tables) all.set(unused, {});
    return all;
}

void router_setting::take(const config::value& some) {
    fields().read_declared(this, some);
    config::value others = some;
    for (const std::string& own : fields().names()) others.remove(own);
    router_params::fields().read_declared(&model, others);
}

std::string router_setting::problem() const {
    const router_params& p = model;
    const demand all[] = {
        {p.vcs <= 16, "router.vcs must be at most 16"},
        {p.depth >= 2 && p.depth <= 64, "router.depth must be from 2 to 64"},
        {p.buffers == buffer_policy::per_vc || p.reserved <= p.depth,
         "router.reserved must be at most router.depth"},
        {!shares_places(*this) || (!cut_through() && !atomic()),
         "with shared buffers, here or behind a link, router.switching must be wormhole and "
         "router.reallocation tail"},
        {has_places(*this), "out_depth 0 needs an out_pool, which is a multiple of router.vcs"},
        {may_fork(*this),
         "router.forking must be none, or go without lookahead, speculation and shared buffers, with "
         "allocators "
         "input_first and arbiters round_robin,"},
        {p.flow == overflow_rule::credits, "router.flow_control must be credits"},
        {p.wake == 0, "router.wake must be 0"},
        {p.pipelined, "router.pipelined must be true"},
        {p.iterations == 1, "router.iterations must be 1"},
        {p.input_speedup == 1 && p.output_speedup == 1, "router.input_speedup and output_speedup must be 1"},
        {p.credit_batch == 1, "router.credit_batch must be 1"},
        {p.selection != selection_policy::same_vc, "router.selection must not be same_vc"},
        {!memory_buffers || p.sa_delay != 0, "with cosim.memory_buffers router.sa_delay must be at least 1"},
        {!weighs_inputs(p.va_arbiter) && !weighs_inputs(p.sa_arbiter),
         "arbiters 'weighted' must weigh message classes (by: class)"},
    };
    for (const demand& d : all)
        if (!d.met) return d.otherwise;
    return unknown_choice(p);
}

std::vector<config::parameter_doc> documented_parameters() {
    std::vector<config::parameter_doc> known = router_setting::fields().describe(), all;
    for (const config::parameter_doc& d : router_params::fields().describe()) known.push_back(d);
    const rtl_module rtl("sare_router");
    for (const rtl_module::parameter& p : rtl.parameters()) {
        const auto its = [&p](const config::parameter_doc& d) { return d.name == p.field; };
        const auto found = std::find_if(known.begin(), known.end(), its);
        if (found == known.end()) continue;
        all.push_back(*found);
        if (!found->min) all.back().choices = p.words;
    }
    return all;
}

router_setting setting_of(const experiment& e, const router_plan& plan, std::uint32_t classes,
                          const routing_context& at) {
    router_setting s;
    s.model = vc_params(plan.model(at.router()), at.router(), "RTL", e.sections.of<cosim_params>().at);
    if (!at.forks()) s.model.forking = forking_rule::none;
    static_cast<hardware_params&>(s) = e.sections.of<cosim_params>();
    check(s, e);
    s.classes = classes;
    if (!e.classes.shares(s.model.vcs, classes).equal())
        throw config::error(e.classes.at,
                            "message classes must have as many VCs each for a router in RTL, and share none; "
                            "leave out 'classes.vcs'");
    if (any_link_of_classes(e.links))
        throw config::error(
            e.links.where(),
            "a router in RTL routes all message classes alike; leave out 'classes' of 'links'");
    s.credit_in_delay = s.model.credit_delay;
    const topology& map = at.map();
    if (combiners_of(map) != nullptr)
        throw config::error(e.sections.of<cosim_params>().at,
                            "a router in RTL knows no ways to combiners; leave out 'combining'");
    const router_id me(at.router());
    s.ports = map.ports(me);
    s.nodes = std::max(map.nodes(), 2u) * (at.forks() ? 2 : 1);
    if (s.ports < 2 || s.ports > 16)
        throw config::error(
            e.sections.of<cosim_params>().at,
            fmt::format("router {} has {} ports; in RTL a router has from 2 to 16", me.value, s.ports));
    for (std::uint32_t q = 0; q < s.ports; ++q) {
        const port_peer to = map.peer(me, port_id(q));
        const std::uint32_t places = downstream_depth(e, plan, me.value, to);
        const bool leads_on = places != 0;  // else any value will do
        s.out_pool.push_back(!leads_on                            ? s.model.pool()
                             : to.what == port_peer::kind::router ? plan.terms(to.id).pool
                                                                  : 0);
        s.out_depth.push_back((leads_on ? places : s.model.most_flits()) - s.out_pool[q]);
        if (s.out_depth[q] > 255)
            throw config::error(e.sections.of<cosim_params>().at,
                                fmt::format("buffers beyond a router in RTL hold at most 255 flits, not {} "
                                            "(nic.ejection_depth, nic.max_packet_flits)",
                                            s.out_depth[q]));
        if (to.what == port_peer::kind::router && plan.terms(to.id).credit_batch != 1)
            throw config::error(
                e.sections.of<cosim_params>().at,
                fmt::format("router {}, beside a router in RTL, must have credit_batch 1", to.id));
        if (map.link(me, port_id(q)).cycles_per_flit != 1)
            throw config::error(e.sections.of<cosim_params>().at,
                                "links of a router in RTL take a flit a cycle: cycles_per_flit must be 1");
    }
    check(s, e);
    const auto all_are = [](const std::vector<std::uint32_t>& all, std::uint32_t n) {
        return std::all_of(all.begin(), all.end(), [n](std::uint32_t one) { return one == n; });
    };
    if (all_are(s.out_depth, s.model.most_flits() - s.model.pool())) s.out_depth.clear();
    if (all_are(s.out_pool, s.model.pool())) s.out_pool.clear();
    const std::string function = routing_registry::instance().chosen(e.routing).name;
    s.table = function != "dor" || map.grid() == nullptr;
    if (s.table)
        check_table(s, e, at);
    else
        set_grid(s, e, *map.grid());
    return s;
}

}  // namespace sare::cosim
