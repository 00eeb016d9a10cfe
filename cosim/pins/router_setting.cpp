// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/router_setting.h"

#include "cosim/cosim_params.h"
#include "cosim/pins/route_table.h"

#include "tlm/network/classes/class_links.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/vc/model.h"
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare::cosim {
namespace {

std::string sized(std::uint32_t bits, std::uint64_t value) {
    return std::to_string(bits) + "'d" + std::to_string(value);
}

/// One check of what the hardware can be: where it fails, the sentence of the error.
struct demand {
    bool met;
    const char* otherwise;
};

/// The policies in RTL, by their numbers in sare_pkg.
const std::vector<std::string> arbiters{"round_robin", "matrix", "priority", "weighted"},
    allocators{"input_first", "output_first", "wavefront"};

bool is_in(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}
std::string number_of(const std::vector<std::string>& names, const std::string& name) {
    return std::to_string(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Throws for a policy that is not among them.
void check_policies(const experiment& e, const char* what, const std::vector<std::string>& names,
                    const std::vector<std::string>& chosen) {
    for (const std::string& name : chosen) {
        if (is_in(names, name)) continue;
        std::string all;
        for (const std::string& known : names)
            all += (all.empty() ? "" : known == names.back() ? " or " : ", ") + known;
        throw config::error(e.sections.of<cosim_params>().at,
                            std::string(what) + " must be " + all + " for a router in RTL");
    }
}

/// Of an arbiter `weighted`: its parameter `name`.
config::value weighted_parameter(const config::value& chosen, const char* name) {
    const config::value its = arbiter_registry::instance().resolve(chosen);
    return *its.find(name);
}

/// The weights of message classes as sare_router has them: 16 bits each, that of class 0 lowest. The last one
/// holds for all that follow.
std::string weights_of(const config::value& chosen, std::uint32_t classes) {
    const config::value given = weighted_parameter(chosen, "weights");
    const std::vector<config::value>& all = config::to_list(given, "weights");
    std::string hex;
    for (std::uint32_t c = classes; c-- > 0;) {
        const auto weight =
            config::to_integer(all[std::min<std::size_t>(c, all.size() - 1)], "weights", 1, 65535);
        for (int shift = 12; shift >= 0; shift -= 4) hex += "0123456789abcdef"[weight >> shift & 15];
    }
    return std::to_string(16 * classes) + "'h" + hex;
}

/// Weights of inputs are not in RTL.
void check_weights(const experiment& e, const config::value& chosen) {
    if (config::name_of<arbiter>(chosen) != "weighted") return;
    if (weighted_parameter(chosen, "by").text() != "class")
        throw config::error(e.sections.of<cosim_params>().at,
                            "arbiters 'weighted' must weigh message classes (by: class) for a router in RTL");
}

void check_router(const experiment& e, const router_params& p) {
    const demand all[] = {
        {p.depth >= 2 && p.depth <= 64, "router.depth must be from 2 to 64"},
        {p.switching != switching_mode::store_and_forward,
         "router.switching must be wormhole or cut_through"},
        {p.pipelined, "router.pipelined must be true"},
        {p.iterations == 1, "router.iterations must be 1"},
        {p.input_speedup == 1 && p.output_speedup == 1, "router.input_speedup and output_speedup must be 1"},
        {p.credit_batch == 1, "router.credit_batch must be 1"},
        {p.selection != selection_policy::same_vc, "router.selection must not be same_vc"},
        {!e.sections.of<cosim_params>().memory_buffers || p.sa_delay != 0,
         "with cosim.memory_buffers router.sa_delay must be at least 1"},
    };
    for (const demand& d : all)
        if (!d.met)
            throw config::error(e.sections.of<cosim_params>().at,
                                std::string(d.otherwise) + " for a router in RTL");
    check_policies(e, "arbiters", arbiters,
                   {config::name_of<arbiter>(p.va_arbiter), config::name_of<arbiter>(p.sa_arbiter)});
    check_weights(e, p.va_arbiter);
    check_weights(e, p.sa_arbiter);
    check_policies(e, "allocators", allocators,
                   {config::name_of<allocator>(p.va_allocator), config::name_of<allocator>(p.sa_allocator)});
}

/// The number by which sare_pkg knows a dateline rule.
std::uint32_t dateline_number(const experiment& e, const std::string& rule) {
    if (rule == "trc") return 0;
    if (rule == "basic") return 1;
    if (rule == "none") return 3;
    throw config::error(e.sections.of<cosim_params>().at,
                        "routing.dateline must be trc, basic or none for a router in RTL, not " + rule);
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

/// Routing by table gives every packet all VCs of its class, whichever port it has come by.
void check_table(const router_setting& s, const experiment& e, const routing_context& at) {
    const route_table table = table_of(at, s.model.lookahead);
    if (!table.conflict.empty())
        throw config::error(e.sections.of<cosim_params>().at,
                            table.conflict +
                                (s.model.lookahead ? " (the port at the router that follows)" : "") +
                                "; sare_router has one table for all inputs: take routing.function "
                                "dor or table, or a router of your own with a table an input");
    const std::uint32_t all = (1u << (s.model.vcs / s.classes)) - 1;
    for (const route_candidate& c : table.candidates)
        if (c.vcs != all)
            throw config::error(e.sections.of<cosim_params>().at,
                                "this routing function is not in RTL; dor is, and what a table of "
                                "one port a destination can hold");
}

}  // namespace

std::uint32_t downstream_depth(const experiment& e, const router_plan& plan, std::uint32_t router,
                               const port_peer& to) {
    const router_terms& own = plan.terms(router);
    switch (to.what) {
        case port_peer::kind::none:
            return 0;
        case port_peer::kind::node:
            return ejection_places(own.depth, own.whole_packets, e.nic, e.nic.max_packet_flits);
        default:
            return plan.terms(to.id).depth;
    }
}

std::uint32_t index_bits(std::uint32_t n) {
    std::uint32_t bits = 1;
    while (bits < 32 && (std::uint64_t{1} << bits) < n) ++bits;
    return bits;
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

std::vector<std::pair<std::string, std::string>> router_setting::rtl_parameters() const {
    const auto number = [](auto n) { return std::to_string(static_cast<std::uint32_t>(n)); };
    const auto flag = [](bool b) { return std::string(b ? "1'b1" : "1'b0"); };
    const router_params& p = model;
    std::vector<std::pair<std::string, std::string>> all{
        {"Ports", number(ports)},
        {"Vcs", number(p.vcs)},
        {"Depth", number(p.depth)},
        {"FlitWidth", number(flit_width)},
        {"Classes", number(classes)},
        {"Switching", number(p.switching)},
        {"RcDelay", number(p.rc_delay)},
        {"VaDelay", number(p.va_delay)},
        {"SaDelay", number(p.sa_delay)},
        {"StDelay", number(p.st_delay)},
        {"InputRegister", flag(p.input_register)},
        {"Lookahead", flag(p.lookahead)},
        {"Speculative", flag(p.speculative)},
        {"Reallocation", number(p.reallocation)},
        {"VaAllocator", number_of(allocators, config::name_of<allocator>(p.va_allocator))},
        {"SaAllocator", number_of(allocators, config::name_of<allocator>(p.sa_allocator))},
        {"VaArbiter", number_of(arbiters, config::name_of<arbiter>(p.va_arbiter))},
        {"SaArbiter", number_of(arbiters, config::name_of<arbiter>(p.sa_arbiter))},
        {"MemoryBuffers", flag(memory_buffers)},
        {"ClockGating", flag(clock_gating)},
        {"CreditDelay", number(credit_out_delay)},
        {"CreditInDelay", number(credit_in_delay)},
        {"Routing", number(table)},
    };
    if (config::name_of<arbiter>(p.sa_arbiter) == "weighted")
        all.push_back({"SaWeights", weights_of(p.sa_arbiter, classes)});
    if (table) {
        all.push_back({"Nodes", number(nodes)});
    } else {
        all.push_back({"Dims", number(dims())});
        all.push_back({"CoordWidth", number(coord_width)});
        all.push_back({"Wrap", sized(dims(), wrap)});
        all.push_back({"OneWay", flag(one_way)});
        all.push_back({"Dateline", number(dateline)});
    }
    if (!out_depth.empty()) {
        static const char* digits = "0123456789abcdef";
        std::string hex;
        for (std::uint32_t q = ports; q-- > 0;) {
            hex += digits[out_depth[q] >> 4];
            hex += digits[out_depth[q] & 15];
        }
        all.push_back({"OutDepth", std::to_string(8 * ports) + "'h" + hex});
    }
    return all;
}

std::string router_setting::text() const {
    std::string all;
    for (const auto& [name, value] : rtl_parameters()) all += (all.empty() ? "" : " ") + name + "=" + value;
    return all;
}

router_setting setting_of(const experiment& e, const router_plan& plan, std::uint32_t classes,
                          const routing_context& at) {
    router_setting s;
    s.model = vc_params(plan.model(at.router()), at.router(), "RTL", e.sections.of<cosim_params>().at);
    check_router(e, s.model);
    s.classes = classes;
    if (!e.classes.shares(s.model.vcs, classes).equal())
        throw config::error(e.classes.at,
                            "message classes must have as many VCs each for a router in RTL, and "
                            "share none; leave out 'classes.vcs'");
    if (any_link_of_classes(e.links))
        throw config::error(e.links.where(),
                            "a router in RTL routes all message classes alike; leave out 'classes' "
                            "of 'links'");
    s.flit_width = e.sections.of<cosim_params>().flit_width;
    s.memory_buffers = e.sections.of<cosim_params>().memory_buffers;
    s.clock_gating = e.sections.of<cosim_params>().clock_gating;
    s.credit_in_delay = s.model.credit_delay;
    const topology& map = at.map();
    const router_id me(at.router());
    s.ports = map.ports(me);
    s.nodes = std::max(map.nodes(), 2u);
    if (s.ports < 2 || s.ports > 16)
        throw config::error(e.sections.of<cosim_params>().at, "router " + std::to_string(me.value) + " has " +
                                                                  std::to_string(s.ports) +
                                                                  " ports; in RTL a router has from 2 to 16");
    for (std::uint32_t q = 0; q < s.ports; ++q) {
        const port_peer to = map.peer(me, port_id(q));
        const std::uint32_t places = downstream_depth(e, plan, me.value, to);
        s.out_depth.push_back(places != 0 ? places : s.model.depth);
        if (s.out_depth[q] > 255)
            throw config::error(e.sections.of<cosim_params>().at,
                                "buffers beyond a router in RTL hold at most 255 flits, not " +
                                    std::to_string(s.out_depth[q]) +
                                    " (nic.ejection_depth, nic.max_packet_flits)");
        if (to.what == port_peer::kind::router && plan.terms(to.id).credit_batch != 1)
            throw config::error(
                e.sections.of<cosim_params>().at,
                "router " + std::to_string(to.id) + ", beside a router in RTL, must have credit_batch 1");
        if (map.link(me, port_id(q)).cycles_per_flit != 1)
            throw config::error(e.sections.of<cosim_params>().at,
                                "links of a router in RTL take a flit a cycle: cycles_per_flit must be 1");
    }
    const auto same = [&](std::uint32_t d) { return d == s.model.depth; };
    if (std::all_of(s.out_depth.begin(), s.out_depth.end(), same)) s.out_depth.clear();
    const std::string function = routing_registry::instance().chosen(e.routing).name;
    s.table = function != "dor" || map.grid() == nullptr;
    if (s.table)
        check_table(s, e, at);
    else
        set_grid(s, e, *map.grid());
    return s;
}

}  // namespace sare::cosim
