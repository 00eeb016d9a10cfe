// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/router_api/base/pause_rule.h"

#include <algorithm>
#include <vector>

namespace sare {

/// Pauses of the VCs of a link (priority flow control), kept by the sender. The sender computes from its own
/// flits and credits when the receiver would pause and resume a VC. It obeys in the cycle in which a PAUSE or
/// RESUME message, as fast as a credit, would reach it. All cycles are of the sender's clock.
class pause_gate {
  public:
    /// Sets the rule of a link with `vcs` VCs; a rule that pauses must have a round_trip of 1 or more (not
    /// checked). Before this call, or with a rule that never pauses, exists() is false: call nothing else.
    void begin(const pause_rule& rule, std::uint32_t vcs) {
        m_rule = rule;
        m_held.resize(vcs);
        m_sent.resize(rule.round_trip);
    }
    bool exists() const { return m_rule.pauses(); }  ///< true if VCs of the link can pause
    /// Counts the flits whose arrival at the receiver the sender knows by cycle `t`. Returns the VCs that
    /// begin to pause with that, bit v for VC v. Call it before leaves() and came_back() in a cycle; `t`
    /// never falls.
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
    /// Notes that a flit leaves on VC `vc` in the cycle of the last advance(); at most one flit a cycle.
    void leaves(std::uint32_t vc) { m_sent[m_at % m_rule.round_trip] = static_cast<std::uint8_t>(vc + 1); }
    /// Notes that a credit for VC `vc`, of a flit that has been counted, comes in the cycle of the last
    /// advance(). Returns the VCs that go on with that, bit v for VC v.
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
    /// True if VC `vc` is paused: no packet may begin on it.
    bool is_paused(std::uint32_t vc) const { return (m_paused >> vc & 1) != 0; }
    /// Number of cycles before cycle `t` in which one VC or more was paused; `t` is the cycle of the last
    /// advance() or a later one.
    cycle_t paused_before(cycle_t t) const {
        pause_gate then = *this;
        if (t != 0) then.advance(t - 1);
        return then.m_cycles + (then.m_paused != 0 ? t - then.m_since : 0);
    }
    /// Forgets all flits and ends all pauses. paused_before() goes on to count earlier pauses.
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
    /// Number of flits of a VC in the receiver's buffer with which the VC pauses now.
    std::uint32_t threshold() const {
        std::uint32_t taken = 0;
        for (const std::uint32_t flits : m_held) taken += flits > m_rule.own ? flits - m_rule.own : 0;
        const std::uint32_t left = taken < m_rule.pool ? m_rule.pool - taken : 0;
        return m_rule.own + static_cast<std::uint32_t>(m_rule.alpha * left);
    }
    /// Counts a flit that came into the receiver's buffer on a VC. Returns the VCs that begin to pause.
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

    pause_rule m_rule;                  ///< rule of the receiver
    std::vector<std::uint32_t> m_held;  ///< flits in the receiver's buffer, as the sender knows, by VC
    /// 1 + VC of the flit that was sent in a cycle, by cycle modulo the round trip; 0: none.
    std::vector<std::uint8_t> m_sent;
    vc_mask m_paused = 0;  ///< paused VCs: bit v for VC v
    /// Cycle of the last advance(); if m_paused is not 0, cycle since which it is not; number of cycles of
    /// earlier pauses.
    cycle_t m_at = 0, m_since = 0, m_cycles = 0;
};

}  // namespace sare
