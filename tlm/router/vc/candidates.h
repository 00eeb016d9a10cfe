// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router_api/class_vcs.h"
#include "tlm/router_api/route_table.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sare {

/// The ways on of a head, where the routing function is adaptive, in terms of output VCs (port * VCs + VC).
template <int N>
struct vc_candidates {
    using set = bits<(N + 63) / 64>;
    set wants, adaptive;           ///< of all ways; of those that are no escape
    const route_candidate* first;  ///< the escape comes last
    std::uint8_t size, escape;     ///< ways; of them, the first that is an escape

    /// `copies` has room for the ways. `base`: first VC of the message class, of `vcs` a port.
    void fill(const route_candidate* ways, std::uint32_t count, std::uint32_t base, std::uint32_t vcs,
              route_candidate* copies) {
        *this = {};
        first = copies;
        for (const bool escapes : {false, true}) {
            if (escapes) escape = size;
            for (const route_candidate* way = ways; way != ways + count; ++way) {
                if (way->escape != escapes) continue;
                const auto mask = static_cast<std::uint16_t>(way->vcs << base);
                copies[size++] = {way->port, escapes, mask};
                wants.set_slice(way->port * vcs, mask);
                if (!escapes) adaptive.set_slice(way->port * vcs, mask);
            }
        }
    }
};

/// What the route table answers, for routers of so many ports and VCs a port; what it answers to others only
/// is left out.
template <int N>
class candidate_table {
  public:
    candidate_table(const route_table& routes, std::uint32_t ports, const class_vcs& shares)
        : m_answers(static_cast<std::uint32_t>(routes.answers().size())),
          m_copies(routes.ways().size() * shares.vcs()),
          m_all(std::size_t{m_answers} * shares.vcs()) {
        for (std::uint32_t c = 0; c < shares.classes(); ++c)
            for (std::uint32_t n = 0; n < m_answers; ++n) {
                const std::uint32_t base = shares.first(c);
                const auto& a = routes.answers()[n];
                if (!routes.stays_within(a, ports)) continue;
                m_all[base * m_answers + n].fill(&routes.ways()[a.first], a.size, base, shares.vcs(),
                                                 &m_copies[base * routes.ways().size() + a.first]);
            }
    }
    /// Of answer n, for a packet of the message class whose first VC is `base`.
    const vc_candidates<N>* get(std::uint32_t n, std::uint32_t base) const {
        return &m_all[base * m_answers + n];
    }
    /// All of them, to be known by a number.
    const std::vector<vc_candidates<N>>& all() const { return m_all; }

  private:
    std::uint32_t m_answers;
    std::vector<route_candidate> m_copies;
    std::vector<vc_candidates<N>> m_all;
};

}  // namespace sare
