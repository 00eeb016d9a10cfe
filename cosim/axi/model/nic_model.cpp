// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/nic_model.h"

namespace sare::axi {

nic_model::nic_model(const router_params& router, std::uint32_t classes, std::uint32_t places,
                     const nic_params& nic)
    : m_class_vcs(router.vcs / classes),
      m_places(places),
      m_inject(router, classes, nic),
      m_link(nic.delay + 1),
      m_receive(classes, {round_robin(m_class_vcs), none}),
      m_buffers(router.vcs) {}

std::uint32_t nic_model::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    std::vector<std::optional<cosim::inject_model::shown>> shown(flits.size());
    for (std::size_t c = 0; c < flits.size(); ++c)
        if (flits[c]) shown[c] = {flits[c]->flit.tail, flits[c]->length};
    m_leaves.reset();
    const auto chosen = m_inject.cycle(shown, credits);
    if (!chosen) return 0;
    const stream_flit& f = flits[chosen->message_class]->flit;
    m_leaves = link_flit{chosen->head, f.tail, chosen->vc, f.data};
    return 1u << chosen->message_class;
}

std::uint32_t nic_model::stored(std::uint32_t c) const {
    std::uint32_t vcs = 0;
    for (std::uint32_t v = 0; v < m_class_vcs; ++v)
        vcs |= static_cast<std::uint32_t>(!m_buffers[c * m_class_vcs + v].empty()) << v;
    return vcs;
}

/// Returns the VC of the packet on its way to the node, or of the next one.
std::uint32_t nic_model::from(std::uint32_t c) const {
    return m_receive[c].vc != none ? m_receive[c].vc : m_receive[c].turn.pick(stored(c));
}

stream_flit nic_model::received(std::uint32_t c) const {
    const std::uint32_t vc = from(c);
    if (vc == none || m_buffers[c * m_class_vcs + vc].empty()) return {};
    const link_flit& f = m_buffers[c * m_class_vcs + vc].front();
    return {true, f.tail, f.data};
}

void nic_model::clock(std::uint32_t taken) {
    m_link.push_back(m_leaves);
    m_link.pop_front();
    m_freed = 0;
    for (std::uint32_t c = 0; c < m_receive.size(); ++c) {
        const std::uint32_t vc = from(c), place = c * m_class_vcs + vc;
        if (vc == none || m_buffers[place].empty()) continue;
        receive_class& q = m_receive[c];
        const bool leaves = (taken >> c & 1) != 0;
        if (q.vc == none) q.turn.served(vc);
        q.vc = leaves && m_buffers[place].front().tail ? none : vc;
        if (!leaves) continue;
        m_buffers[place].pop_front();
        m_freed |= 1u << place;
    }
    if (!m_arrived) return;
    auto& buffer = m_buffers[m_arrived->vc];
    buffer.push_back(*m_arrived);
    m_arrived.reset();
    if (buffer.size() > m_places) throw std::logic_error("a buffer of an AXI node's NIC overflows");
}

}  // namespace sare::axi
