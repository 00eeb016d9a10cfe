// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/nic_model.h"

namespace sare::axi {

/// VC 0 of a class counts as the one used last at first.
nic_model::nic_model(const router_params& router, std::uint32_t classes, std::uint32_t places,
                     const nic_params& nic)
    : m_router(router),
      m_class_vcs(router.vcs / classes),
      m_places(places),
      m_turn(classes),
      m_inject(classes, {round_robin(m_class_vcs, 0), none}),
      m_credits(router.vcs, router.depth),
      m_coming(nic.credit_delay),
      m_link(nic.delay + 1),
      m_receive(classes, {round_robin(m_class_vcs), none}),
      m_buffers(router.vcs) {}

/// VCs of a class, a bit each, on which a packet may begin.
std::uint32_t nic_model::room(std::uint32_t c, std::uint32_t length) const {
    const std::uint32_t need = m_router.reallocation == reallocation_rule::atomic  ? m_router.depth
                               : m_router.switching == switching_mode::cut_through ? length
                                                                                   : 1;
    std::uint32_t vcs = 0;
    for (std::uint32_t v = 0; v < m_class_vcs; ++v)
        vcs |= static_cast<std::uint32_t>(m_credits[c * m_class_vcs + v] >= need) << v;
    return vcs;
}

/// On which VC of its class the flit can go; none if on none.
std::uint32_t nic_model::vc_for(std::uint32_t c, const offer& o) const {
    const inject_class& q = m_inject[c];
    if (q.vc == none) return q.turn.pick(room(c, o.length));
    return m_credits[c * m_class_vcs + q.vc] != 0 ? q.vc : none;
}

std::uint32_t nic_model::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    m_coming.push_back(credits);
    for (std::uint32_t v = 0; v < m_credits.size(); ++v) m_credits[v] += m_coming.front() >> v & 1;
    m_coming.pop_front();
    std::uint32_t can = 0;
    for (std::uint32_t c = 0; c < flits.size(); ++c)
        if (flits[c] && vc_for(c, *flits[c]) != none) can |= 1u << c;
    m_leaves.reset();
    if (can == 0) return 0;
    const std::uint32_t c = m_turn.pick(can), vc = vc_for(c, *flits[c]);
    m_turn.served(c);
    inject_class& q = m_inject[c];
    const stream_flit& f = flits[c]->flit;
    m_leaves = link_flit{q.vc == none, f.tail, c * m_class_vcs + vc, f.data};
    if (q.vc == none) q.turn.served(vc);
    q.vc = f.tail ? none : vc;
    --m_credits[c * m_class_vcs + vc];
    return 1u << c;
}

std::uint32_t nic_model::stored(std::uint32_t c) const {
    std::uint32_t vcs = 0;
    for (std::uint32_t v = 0; v < m_class_vcs; ++v)
        vcs |= static_cast<std::uint32_t>(!m_buffers[c * m_class_vcs + v].empty()) << v;
    return vcs;
}

/// The VC of the packet on its way to the node, or of the one that would be next.
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
