// SPDX-License-Identifier: Apache-2.0
#include "tb/python/state_board.h"

#include "tlm/router_api/bank.h"

#include <algorithm>

namespace sare::python {

state_board::state_board(const network_view& net)
    : m_net(&net), m_routers(net.routers()), m_vcs(net.vcs()), m_nodes(net.nodes()) {
    for (std::uint32_t r = 0; r < m_routers; ++r) m_ports = std::max(m_ports, net.ports(r));
    const std::size_t all = std::size_t{m_routers} * m_ports * m_vcs;
    m_queues.resize(all);
    m_credits.resize(all);
    m_sent.resize(all);
    m_waiting.resize(m_nodes);
    m_injected.resize(m_nodes);
    m_consumed.resize(m_nodes);
    m_stalls.resize(std::size_t{m_routers} * m_ports);
}

/// Calls f(place, bank, number of the router there, port, VC).
template <class F>
void state_board::for_each_vc(F f) const {
    for (std::uint32_t r = 0; r < m_routers; ++r) {
        const router_bank& bank = m_net->bank_of(r);
        const std::uint32_t k = m_net->in_bank(r);
        for (std::uint32_t p = 0; p < bank.ports(); ++p)
            for (std::uint32_t v = 0; v < m_vcs; ++v)
                f((std::size_t{r} * m_ports + p) * m_vcs + v, bank, k, p, v);
    }
}

void state_board::gather_inputs() {
    for_each_vc([this](std::size_t at, const router_bank& bank, std::uint32_t k, std::uint32_t p,
                       std::uint32_t v) { m_queues[at] = bank.in(k, p, v).count; });
}

void state_board::gather_outputs() {
    for_each_vc(
        [this](std::size_t at, const router_bank& bank, std::uint32_t k, std::uint32_t p, std::uint32_t v) {
            m_credits[at] = bank.out(k, p, v).credits;
            m_sent[at] = bank.flits_sent(k, p, v);
        });
}

void state_board::gather_nodes() {
    for (std::uint32_t n = 0; n < m_nodes; ++n) {
        const node_counts its = m_net->counts_of(n);
        m_waiting[n] = static_cast<std::uint32_t>(its.waiting.messages);
        m_injected[n] = its.injected_flits;
        m_consumed[n] = its.consumed_flits;
    }
}

void state_board::refresh() {
    if (m_net == nullptr) return;
    if (m_inputs) gather_inputs();
    if (m_outputs) gather_outputs();
    if (m_at_nodes) gather_nodes();
}

const std::uint16_t* state_board::queues() {
    if (m_net != nullptr && !std::exchange(m_inputs, true)) gather_inputs();
    return m_queues.data();
}
const std::uint16_t* state_board::credits() {
    if (m_net != nullptr && !std::exchange(m_outputs, true)) gather_outputs();
    return m_credits.data();
}
const std::uint32_t* state_board::sent() {
    if (m_net != nullptr && !std::exchange(m_outputs, true)) gather_outputs();
    return m_sent.data();
}
const std::uint32_t* state_board::waiting() {
    if (m_net != nullptr && !std::exchange(m_at_nodes, true)) gather_nodes();
    return m_waiting.data();
}
const std::uint64_t* state_board::injected() {
    waiting();
    return m_injected.data();
}
const std::uint64_t* state_board::consumed() {
    waiting();
    return m_consumed.data();
}

const std::uint64_t* state_board::take_stalls(const std::vector<std::uint64_t>& waits) {
    std::size_t from = 0;
    for (std::uint32_t r = 0; r < m_routers; ++r)
        for (std::uint32_t p = 0; p < m_net->ports(r); ++p)
            m_stalls[std::size_t{r} * m_ports + p] = waits[from++];
    return m_stalls.data();
}

}  // namespace sare::python
