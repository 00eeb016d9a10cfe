// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/latency_estimate.h"

#include "tlm/fabric/fabric.h"

#include <algorithm>

namespace sare {
namespace {

constexpr std::uint32_t last_of_path = 32, last_of_all = 256;  // messages that a mean is of
constexpr double weight_of_all = 2;                            // as so many of its own

}  // namespace

void latency_estimate::running_mean::add(double x, std::uint32_t most) {
    samples = std::min(samples + 1, most);
    value += (x - value) / samples;
}

double latency_estimate::path::waits() const {
    const double own = waiting.samples;
    return (own * waiting.value + weight_of_all * routers * waiting_per_router) / (own + weight_of_all);
}

void latency_estimate::set_nic_delay(std::uint32_t node, std::uint32_t delay) {
    if (m_nic_delays.size() <= node) m_nic_delays.resize(node + 1);
    m_nic_delays[node] = delay;
}

/// Looks up a path without other traffic: a cycle to the NIC, its delay, links, routers, a cycle per further
/// flit.
latency_estimate::path latency_estimate::look_up(std::uint32_t from, std::uint32_t to) const {
    const fabric& net = m_engine.net();
    const path_cost links = path_between(*net.view().map(), node_id(from), node_id(to));
    path w;
    w.routers = links.links - 1;
    const router_model& model = net.view().model(net.port().router_of(from));
    if (model.terms().owns_nodes)  // the links to nodes are inside, and the last router consumes what comes
        w.empty = 1 + static_cast<double>(links.cycles - 2) + (w.routers - 1) * model.head_cycles();
    else
        w.empty =
            1 + m_nic_delays[from] + static_cast<double>(links.cycles) + w.routers * model.head_cycles();
    w.per_flit = std::max(links.cycles_per_flit, 1U);
    const nic_state& sender = net.view().nic(from);
    if (sender.pads) w.multiple = sender.max_packet;
    return w;
}

latency_estimate::path& latency_estimate::known_path(std::uint64_t key) {
    const auto found = m_paths.find(key);
    if (found != m_paths.end()) return found->second;
    const auto from = static_cast<std::uint32_t>(key >> 32), to = static_cast<std::uint32_t>(key);
    return m_paths.emplace(key, look_up(from, to)).first->second;
}

cycle_t latency_estimate::cycles(std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
    path& w = path_of(from, to);
    if (w.multiple != 1) flits = (flits + w.multiple - 1) / w.multiple * w.multiple;
    const double waits = w.waiting.samples != 0 ? w.waits() : w.routers * m_waiting_per_router.value;
    const double exact = std::max(w.at(flits) + waits + w.rest, 1.0);
    const auto whole = static_cast<cycle_t>(exact);
    w.rest = exact - static_cast<double>(whole);
    return whole;
}

cycle_t latency_estimate::learn(std::uint32_t from, std::uint32_t to, std::uint32_t flits, cycle_t took) {
    path& w = path_of(from, to);
    const double empty = w.at(flits), waited = static_cast<double>(took) - empty;
    w.waiting.add(waited, last_of_path);
    m_waiting_per_router.add(waited / w.routers, last_of_all);
    w.waiting_per_router = m_waiting_per_router.value;
    return static_cast<cycle_t>(empty) - 1;
}

}  // namespace sare
