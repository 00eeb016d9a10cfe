// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/router_context.h"

#include <cstdint>

namespace sare {

class network_state;

/// How long flits and credits take on the links of a network that is being built.
class link_timing {
  public:
    explicit link_timing(network_state& net) : m_net(net) {}

    /// One direction of a link, flits or credits, from its writer to its reader.
    struct direction {
        clock_domain *from, *to;
        std::uint32_t before;  ///< cycles of `from`; all of them where both ends have one clock
        std::uint32_t lead;    ///< see clock_crossing
        std::uint32_t after;   ///< cycles of `to`
        bool crosses() const { return from->period() != to->period(); }  ///< from clock to clock
        bool is_cut() const { return from != to && !crosses(); }         ///< from part to part
    };
    direction flits_of(const connection& c) const;
    direction credits_of(const connection& c) const;
    /// See router_context.
    router_context::wire_delays delays_of(const connection& c) const;
    std::uint32_t cycles_per_flit(const connection& c) const;
    std::uint32_t depth_at(const connection& c) const;

  private:
    direction direction_of(const link_end& writer, const link_end& reader, std::uint32_t clock,
                           std::uint32_t own, std::uint32_t on_link, std::uint32_t at_reader) const;

    network_state& m_net;
};

}  // namespace sare
