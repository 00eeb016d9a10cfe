// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/nic_lockstep.h"

namespace sare::axi {
namespace {

bool same(const stream_flit& a, const stream_flit& b) {
    return a.valid == b.valid && (!a.valid || (a.tail == b.tail && a.data == b.data));
}

bool same(const std::optional<node_nic::link_flit>& a, const std::optional<node_nic::link_flit>& b) {
    if (!a || !b) return !a && !b;
    return a->head == b->head && a->tail == b->tail && a->vc == b->vc && a->data == b->data;
}

}  // namespace

void nic_lockstep::differs(bool yes, const char* what) {
    if (yes && m_difference.empty())
        m_difference = "cycle " + std::to_string(m_cycle) + ", " + m_name + ": " + what;
}

void nic_lockstep::arrives(const link_flit& f) {
    m_model->arrives(f);
    m_rtl->arrives(f);
}

std::uint32_t nic_lockstep::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    m_classes = static_cast<std::uint32_t>(flits.size());
    const std::uint32_t taken = m_model->send(flits, credits);
    differs(m_rtl->send(flits, credits) != taken, "ready_o differs");
    return taken;
}

void nic_lockstep::clock(std::uint32_t taken) {
    for (std::uint32_t c = 0; c < m_classes; ++c)
        differs(!same(m_model->received(c), m_rtl->received(c)), "the flit for the node differs");
    m_model->clock(taken);
    m_rtl->clock(taken);
    ++m_cycle;
    differs(!same(m_model->sent(), m_rtl->sent()), "the flit on the link differs");
    differs(m_model->credits() != m_rtl->credits(), "credit_o differs");
}

}  // namespace sare::axi
