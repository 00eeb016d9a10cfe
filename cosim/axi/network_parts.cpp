// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/network_parts.h"

#include "cosim/axi/model/manager_model.h"
#include "cosim/axi/model/nic_model.h"
#include "cosim/axi/model/subordinate_model.h"
#include "cosim/axi/rtl/bridge_rtl.h"
#include "cosim/axi/rtl/nic_rtl.h"
#include "cosim/cosim_params.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/experiment.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::axi {
namespace {

[[noreturn]] void refuse(const experiment& e, const std::string& why) {
    throw config::error(e.sections.of<cosim::cosim_params>().at, "AXI nodes: " + why);
}

[[noreturn]] void refuse_again(const experiment& e, std::uint32_t node) {
    refuse(e, fmt::format("node {} is one already; it is a manager or a subordinate, once", node));
}

}  // namespace

void network_parts::add_manager(std::uint32_t node, const manager_params& params, bridge_kind kind) {
    if (m_managers.count(node) + m_subordinates.count(node) != 0) refuse_again(m_experiment, node);
    m_managers.insert({node, {params, kind, nullptr}});
}

void network_parts::add_subordinate(std::uint32_t node, const subordinate_params& params, bridge_kind kind) {
    if (m_managers.count(node) + m_subordinates.count(node) != 0) refuse_again(m_experiment, node);
    m_subordinates.insert({node, {params, kind, nullptr}});
}

/// Throws unless all nodes are in the network, with the same pins and headers.
template <class Parts>
void network_parts::check_nodes(const Parts& parts, std::uint32_t nodes) const {
    const format& f = m_managers.empty() ? m_subordinates.begin()->second.params.widths
                                         : m_managers.begin()->second.params.widths;
    for (const auto& [node, one] : parts) {
        if (node >= nodes) refuse(m_experiment, fmt::format("node {}, and the network has {}", node, nodes));
        const rtl_parameters wanted = f.parameters(), has = one.params.widths.parameters();
        for (std::size_t k = 0; k < has.size(); ++k)
            if (has[k] != wanted[k])
                refuse(m_experiment,
                       fmt::format("node {} has {} {}, and another one {}; all nodes have the same", node,
                                   has[k].first, has[k].second, wanted[k].second));
    }
}

void network_parts::check_beats(std::uint32_t node, const char* what, std::uint32_t has,
                                std::uint32_t longest) const {
    if (has < longest)
        refuse(m_experiment, fmt::format("node {} has {} {}; a burst of max_beats {} wants as many at least",
                                         node, what, has, longest));
}

void network_parts::check(std::uint32_t nodes) const {
    check_nodes(m_managers, nodes);
    check_nodes(m_subordinates, nodes);
    for (const auto& [node, m] : m_managers) {
        check_beats(node, "read_beats", m.params.read_beats, m.params.max_beats);
        check_beats(node, "write_beats", m.params.write_beats, m.params.max_beats);
        for (const region& r : m.params.map)
            if (m_subordinates.count(r.node) == 0)
                refuse(m_experiment, fmt::format("node {} maps addresses to node {}, which is no subordinate",
                                                 node, r.node));
    }
    for (const auto& [node, s] : m_subordinates)
        check_beats(node, "read_beats", s.params.read_beats, s.params.max_beats);
}

foreign_maker network_parts::maker() {
    foreign_maker m;
    m.nic = [this](const auto& name, const block_context& context) { return make(name, context); };
    return m;
}

std::shared_ptr<cosim::rtl_library> network_parts::library(cosim::rtl_request request) const {
    request.speed = m_speed;
    return cosim::rtl_library::get(request);
}

std::unique_ptr<node_nic> network_parts::make_nic(const block_context& context, const format& f,
                                                  bridge_kind kind) {
    if (context.engine.net().view().classes() != f.request_classes + 1)
        refuse(
            m_experiment,
            fmt::format(
                "the network has {} message classes; bridges with RequestClasses {} want one more than that",
                context.engine.net().view().classes(), f.request_classes));
    const std::uint32_t width = m_experiment.sections.of<cosim::cosim_params>().flit_width;
    if (width != f.flit_width)
        refuse(m_experiment,
               fmt::format("cosim.flit_width is {}; the bridges have FlitWidth {}", width, f.flit_width));
    if (context.map.nodes() > std::uint64_t{1} << f.node_width)
        refuse(m_experiment,
               fmt::format("NodeWidth {} is too small for {} nodes", f.node_width, context.map.nodes()));
    const cosim::node_routing_context around(context.map, context.routing, context.node);
    const cosim::router_setting s =
        cosim::setting_of(m_experiment, context.plan, context.engine.net().view().classes(), around);
    const std::uint32_t port = context.map.port_of(node_id(context.node)).value;
    auto model = std::make_unique<nic_model>(s.model, s.classes, s.depth_beyond(port), m_experiment.nic);
    if (kind == bridge_kind::model) return model;
    auto rtl = std::make_unique<nic_rtl>(s, around, port, m_experiment.nic,
                                         [this](const cosim::rtl_request& r) { return library(r); });
    if (kind == bridge_kind::rtl) return rtl;
    return paired<node_nic_pair, node_nic>(fmt::format("NIC {}", context.node), std::move(model),
                                           std::move(rtl));
}

template <class Pair, class Pins>
std::unique_ptr<Pins> network_parts::paired(const std::string& name, std::unique_ptr<Pins> model,
                                            std::unique_ptr<Pins> rtl) {
    auto pair = std::make_unique<Pair>(name, std::move(model), std::move(rtl));
    m_pairs.push_back(pair.get());
    return pair;
}

std::unique_ptr<manager_bridge> network_parts::make_bridge(const manager_part& p, std::uint32_t node) {
    auto model = std::make_unique<manager_model>(p.params, node);
    if (p.kind == bridge_kind::model) return model;
    auto rtl = std::make_unique<manager_rtl>(p.params, node, *library(p.params.request()));
    if (p.kind == bridge_kind::rtl) return rtl;
    return paired<bridge_pair<manager_bridge>, manager_bridge>(fmt::format("node {}", node), std::move(model),
                                                               std::move(rtl));
}

std::unique_ptr<subordinate_bridge> network_parts::make_bridge(const subordinate_part& p,
                                                               std::uint32_t node) {
    auto model = std::make_unique<subordinate_model>(p.params);
    if (p.kind == bridge_kind::model) return model;
    auto rtl = std::make_unique<subordinate_rtl>(p.params, *library(p.params.request()));
    if (p.kind == bridge_kind::rtl) return rtl;
    return paired<bridge_pair<subordinate_bridge>, subordinate_bridge>(fmt::format("node {}", node),
                                                                       std::move(model), std::move(rtl));
}

std::unique_ptr<foreign_block> network_parts::make(const sc_core::sc_module_name& name,
                                                   const block_context& context) {
    if (!m_checked) check(context.map.nodes());
    m_checked = true;
    const auto manager = m_managers.find(context.node);
    const auto subordinate = m_subordinates.find(context.node);
    if (manager == m_managers.end() && subordinate == m_subordinates.end()) return nullptr;
    if (!m_board) m_board = std::make_unique<payload_board>(context.engine);
    if (manager != m_managers.end()) return make_node(name, context, manager->second);
    return make_node(name, context, subordinate->second);
}

template <class Part>
std::unique_ptr<foreign_block> network_parts::make_node(const sc_core::sc_module_name& name,
                                                        const block_context& context, Part& p) {
    auto module = std::make_unique<std::remove_pointer_t<decltype(p.module)>>(
        name, context, *m_board, make_nic(context, p.params.widths, p.kind), make_bridge(p, context.node),
        p.params.widths.data_width);
    module->set_handler(m_handler);
    p.module = module.get();
    return module;
}

std::optional<cosim::divergence> network_parts::first_divergence() const {
    std::optional<cosim::divergence> first;
    for (const cosim::comparison* pair : m_pairs) first = cosim::earlier(first, pair->first_divergence());
    return first;
}

std::string network_parts::first_difference() const {
    const auto first = first_divergence();
    return first ? first->text() : "";
}

}  // namespace sare::axi
