// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/multistage/multistage.h"

#include "tlm/topology/layout/layouts.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {

multistage::multistage(std::string name, const std::vector<stage_size>& sizes, const link_parameters& links)
    : m_name(std::move(name)),
      m_sizes(sizes),
      m_links(links),
      m_nodes(sizes.back().switches * sizes.back().outputs) {
    m_links.nodes_apart = true;
    for (const stage_size& s : m_sizes) {
        m_shape.stages.push_back({m_routers, 1, 0, s.outputs});
        m_routers += s.switches;
    }
}

std::unique_ptr<layout> multistage::picture() const {
    std::vector<std::uint32_t> stages;
    for (const stage_size& s : m_sizes) stages.push_back(s.switches);
    return std::make_unique<row_layout>(row_layout::kind::stages, std::move(stages));
}

std::uint32_t multistage::stage_of(std::uint32_t r) const {
    auto s = static_cast<std::uint32_t>(m_sizes.size()) - 1;
    while (r < m_shape.stages[s].first) --s;
    return s;
}

std::uint32_t multistage::ports(router_id r) const {
    const stage_size& size = m_sizes[stage_of(r.value)];
    return std::max(size.inputs, size.outputs);
}

port_peer multistage::peer(router_id r, port_id p) const {
    const std::uint32_t s = stage_of(r.value), outputs = m_sizes[s].outputs;
    if (p.value >= outputs) return {};
    const std::uint32_t row = (r.value - m_shape.stages[s].first) * outputs + p.value;
    if (s + 1 == m_sizes.size()) return {port_peer::kind::node, row, 0};
    const std::uint32_t to = onward(s, row), inputs = m_sizes[s + 1].inputs;
    return {port_peer::kind::router, m_shape.stages[s + 1].first + to / inputs, to % inputs};
}

port_peer multistage::source(router_id r, port_id p) const {
    const std::uint32_t s = stage_of(r.value), inputs = m_sizes[s].inputs;
    if (p.value >= inputs) return {};
    const std::uint32_t row = (r.value - m_shape.stages[s].first) * inputs + p.value;
    if (s == 0) return {port_peer::kind::node, enters(row), 0};
    const std::uint32_t from = back(s - 1, row), outputs = m_sizes[s - 1].outputs;
    return {port_peer::kind::router, m_shape.stages[s - 1].first + from / outputs, from % outputs};
}

router_port multistage::ejection_of(node_id n) const {
    const std::uint32_t outputs = m_sizes.back().outputs;
    return {router_id(m_shape.stages.back().first + n.value / outputs), port_id(n.value % outputs)};
}

/// From the first stage to the last.
void multistage::add_path(router_id from, router_id to, path_cost& sum) const {
    const auto last = static_cast<std::uint32_t>(m_sizes.size()) - 1;
    if (stage_of(from.value) != 0 || stage_of(to.value) != last) return topology::add_path(from, to, sum);
    sum.add(m_links.link(), last);
}

config::schema<kary_stages::parameters> kary_stages::parameters::fields() {
    config::schema<parameters> all;
    all.number("k", &parameters::k, 2, most_ports, "ports", "inputs of a switch, and as many outputs")
        .number("n", &parameters::n, 1, 24, "stages", "stages of k^(n-1) switches each, for k^n nodes")
        .include(link_fields());
    return all;
}

void kary_stages::parameters::check(const config::value& section, std::uint32_t extra) const {
    const auto at = sare::place(section, "n");
    const std::string sizes = fmt::format("'n' is {}{} stages of switches with {} inputs: more than ", n,
                                          extra != 0 ? fmt::format(" and {} extra", extra) : "", k);
    std::uint64_t switches = 1;  // of a stage
    for (std::uint32_t i = 1; i < n && switches * k <= most_nodes; ++i) switches *= k;
    if (switches * k > most_nodes) throw config::error(at, fmt::format("{}{} nodes", sizes, most_nodes));
    if (switches * (n + extra) > most_routers)
        throw config::error(at, fmt::format("{}{} routers", sizes, most_routers));
}

std::vector<multistage::stage_size> kary_stages::sizes(const parameters& p, std::uint32_t extra) {
    std::uint32_t switches = 1;
    for (std::uint32_t i = 1; i < p.n; ++i) switches *= p.k;
    return std::vector<stage_size>(p.n + extra, {switches, p.k, p.k});
}

kary_stages::kary_stages(std::string name, const parameters& p, std::uint32_t extra)
    : multistage(std::move(name), sizes(p, extra), p), m_k(p.k) {
    for (std::uint32_t i = 0, place = 1; i < p.n; ++i, place *= p.k) m_places.push_back(place);
    for (std::uint32_t i = 0, place = 1; i < extra; ++i, place *= p.k) set_way(i, place, 0);
    for (std::uint32_t i = 0; i < p.n; ++i) set_way(extra + i, m_places[p.n - 1 - i], p.k);
}

}  // namespace sare
