// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/router_api/base/pause_rule.h"

#include <algorithm>
#include <vector>

namespace sare {

/// Pauses of the VCs of a link, at its sender. The sender knows when each of its flits came in and when its
/// credit left, so it computes what PAUSE and RESUME would tell it, in the cycle in which they, sent like a
/// credit, would reach it. All cycles are of the sender's clock.
class pause_gate {
  public:
    /// Makes the gate of a link with `vcs` VCs. Without it the link has no gate: exists() is false.
    void begin(const pause_rule& rule, std::uint32_t vcs) {
        m_rule = rule;
        m_held.resize(vcs);
        m_sent.resize(rule.round_trip);
    }
    bool exists() const { return m_rule.pauses(); }
    /// Takes notice of all flits that came in by cycle `t`, as far as the sender is told by then. Returns the
    /// VCs that pause. Call it before the other functions in a cycle.
    vc_mask advance(cycle_t t) {
        vc_mask more = 0;
        const cycle_t last = std::min(t, m_at + m_rule.round_trip);
        while (m_at < last) {
            std::uint8_t& sent = m_sent[++m_at % m_rule.round_trip];
            if (sent != 0) more |= came_in(sent - 1U);
            sent = 0;
        }
        m_at = t;
        return more;
    }
    /// Takes notice of a flit that leaves on a VC in the cycle of the last advance().
    void leaves(std::uint32_t vc) { m_sent[m_at % m_rule.round_trip] = static_cast<std::uint8_t>(vc + 1); }
    /// Takes notice of a credit for a VC that comes in the cycle of the last advance(). Returns the VCs that
    /// go on.
    vc_mask came_back(std::uint32_t vc) {
        --m_held[vc];
        const std::uint32_t at = threshold();
        vc_mask more = 0;
        for (std::uint32_t v = 0; v < m_held.size(); ++v)
            if (is_paused(v) && m_held[v] + std::min(m_rule.offset, at) <= at) more |= vc_mask{1} << v;
        m_paused &= ~more;
        if (m_paused == 0 && more != 0) m_cycles += m_at - m_since;
        return more;
    }
    /// True if no packet may begin on the VC.
    bool is_paused(std::uint32_t vc) const { return (m_paused >> vc & 1) != 0; }
    /// Number of cycles before cycle `t` in which some VC was paused; `t` is that of the last advance() or
    /// later.
    cycle_t paused_before(cycle_t t) const {
        pause_gate then = *this;
        if (t != 0) then.advance(t - 1);
        return then.m_cycles + (then.m_paused != 0 ? t - then.m_since : 0);
    }
    /// Forgets all flits and ends all pauses. The count of cycles stays.
    void clear() {
        if (m_paused != 0) m_cycles += m_at - m_since;
        m_paused = 0;
        std::fill(m_held.begin(), m_held.end(), 0);
        std::fill(m_sent.begin(), m_sent.end(), std::uint8_t{0});
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_held, m_sent, m_paused, m_at, m_since, m_cycles);
    }

  private:
    /// Flits of a VC at which it pauses now.
    std::uint32_t threshold() const {
        std::uint32_t taken = 0;
        for (const std::uint32_t flits : m_held) taken += flits > m_rule.own ? flits - m_rule.own : 0;
        const std::uint32_t left = taken < m_rule.pool ? m_rule.pool - taken : 0;
        return m_rule.own + static_cast<std::uint32_t>(m_rule.alpha * left);
    }
    vc_mask came_in(std::uint32_t vc) {
        ++m_held[vc];
        const std::uint32_t at = threshold();
        vc_mask more = 0;
        for (std::uint32_t v = 0; v < m_held.size(); ++v)
            if (!is_paused(v) && m_held[v] >= at) more |= vc_mask{1} << v;
        if (m_paused == 0 && more != 0) m_since = m_at;
        m_paused |= more;
        return more;
    }

    pause_rule m_rule;
    std::vector<std::uint32_t> m_held;  ///< flits in the buffer beyond, as far as is told, by VC
    /// 1 + VC of the flit that was sent in a cycle, by cycle modulo the round trip; 0: none.
    std::vector<std::uint8_t> m_sent;
    vc_mask m_paused = 0;
    /// Cycle of the last advance(); the one since which some VC is paused; cycles of pauses that are over.
    cycle_t m_at = 0, m_since = 0, m_cycles = 0;
};

}  // namespace sare
