// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/router_context.h"

#include <cstdint>

namespace sare {

class network_state;

/// Computes how many cycles flits and credits take on the links of a network that is being built.
class link_timing {
  public:
    explicit link_timing(network_state& net) : m_net(net) {}

    /// Delay of one direction of a link, for flits or for credits. Between two clocks it has three stretches,
    /// one after the other: `before`, `lead`, `after`.
    struct direction {
        clock_domain *from, *to;  ///< domain of the writer; domain of the reader
        /// Clocks of writer and reader. A NIC may have another clock than its domain.
        const running_clock *writer, *reader;
        /// Cycles of `from` until the flit or credit is at the crossing; the whole delay if crosses() is
        /// false.
        std::uint32_t before;
        /// Cycles of the writer at the crossing (clock_crossing::lead); 0 if crosses() is false.
        std::uint32_t lead;
        /// Cycles of the reader, from its first edge after these; 0 if crosses() is false.
        std::uint32_t after;
        /// True if the ends have different clocks, or if a NIC at an end has another clock than its domain.
        bool crosses() const {
            return writer != reader || &from->clock() != writer || &to->clock() != reader;
        }
        /// True if the ends have one clock, and belong to different threads or processes.
        bool is_cut() const { return from != to && !crosses(); }
    };
    /// Returns the delay of a flit from the cycle of its grant at `c.from` (at a NIC: of its injection) to
    /// the first cycle in which `c.to` may use it. Throws config::error if the link's own clock is that of
    /// neither end.
    direction flits_of(const connection& c) const;
    /// Returns the delay of a credit from the cycle in which `c.to` sends it to the first cycle in which
    /// `c.from` may use it. Throws config::error as flits_of() does.
    direction credits_of(const connection& c) const;
    /// Returns the delays of flits and credits of a link whose ends have one clock: see
    /// router_context::delays_of().
    router_context::wire_delays delays_of(const connection& c) const;
    /// Returns the least number of cycles between two flits of a link: see router_context::cycles_per_flit().
    std::uint32_t cycles_per_flit(const connection& c) const;
    /// Returns the capacity, in flits, of the buffer of one VC at the reading end of a link
    /// (buffer_places::depth). If the link neither begins nor ends at a router, returns 1.
    std::uint32_t depth_at(const connection& c) const;

  private:
    direction direction_of(const link_end& writer, const link_end& reader, const link_attributes& link,
                           std::uint32_t synchroniser, std::uint32_t own, std::uint32_t on_link,
                           std::uint32_t at_reader) const;

    network_state& m_net;
};

}  // namespace sare
