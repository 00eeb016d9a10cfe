// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/inject_model.h"

#include "tlm/base/bits.h"

namespace sare::cosim {

/// Begins with VC 0 of a class as the one used last.
inject_model::inject_model(const router_params& router, std::uint32_t classes, const nic_params& nic)
    : m_router(router),
      m_class_vcs(router.vcs / classes),
      m_turn(classes),
      m_senders(classes, {round_robin(m_class_vcs, 0), none}),
      m_places(router.vcs, router.most_flits() - router.pool(), router.pool()),
      m_coming(nic.credit_delay) {}

/// Returns a mask of the VCs of a class on which a packet may begin.
std::uint32_t inject_model::room(std::uint32_t c, std::uint32_t length) const {
    const std::uint32_t need = m_router.reallocation == reallocation_rule::atomic  ? m_router.depth
                               : m_router.switching == switching_mode::cut_through ? length
                                                                                   : 1;
    std::uint32_t vcs = 0;
    for (std::uint32_t v = 0; v < m_class_vcs; ++v)
        vcs |= static_cast<std::uint32_t>(m_places.free(c * m_class_vcs + v) >= need) << v;
    return vcs;
}

/// Returns the VC of its class on which the flit can go; none if there is none.
std::uint32_t inject_model::vc_for(std::uint32_t c, std::uint32_t length) const {
    const sender& s = m_senders[c];
    if (s.vc == none) return s.turn.pick(room(c, length));
    return m_places.free(c * m_class_vcs + s.vc) != 0 ? s.vc : none;
}

std::optional<inject_model::choice> inject_model::cycle(const std::vector<std::optional<shown>>& flits,
                                                        std::uint32_t credits) {
    m_coming.push_back(credits);
    for (std::uint32_t rest = m_coming.front(); rest != 0; rest &= rest - 1) m_places.give_back(lowest(rest));
    m_coming.pop_front();
    std::uint32_t can = 0;
    for (std::uint32_t c = 0; c < flits.size(); ++c)
        if (flits[c] && vc_for(c, flits[c]->length) != none) can |= 1u << c;
    if (can == 0) return std::nullopt;
    const std::uint32_t c = m_turn.pick(can), vc = vc_for(c, flits[c]->length);
    m_turn.served(c);
    sender& s = m_senders[c];
    const choice leaves{c, c * m_class_vcs + vc, s.vc == none};
    if (leaves.head) s.turn.served(vc);
    s.vc = flits[c]->tail ? none : vc;
    m_places.take(leaves.vc);
    return leaves;
}

}  // namespace sare::cosim
