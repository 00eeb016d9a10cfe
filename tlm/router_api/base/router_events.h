// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sare {

/// Events of VC and switch allocation in a VC router, which are counted if a statistic asks for them
/// (statistic_declaration). Each event counts at the output port that the packet asks for.
enum class router_event : std::uint8_t {
    va_bid,    ///< a head bids for an output VC, once in each cycle in which it does
    va_grant,  ///< a head gets an output VC
    sa_bid,    ///< a flit bids for the switch, speculative bids included
    sa_grant   ///< a flit gets the switch, and leaves
};

/// Numbers of events at each output port of a network, since the start of the run. A router changes its own
/// numbers only, so that several threads may count.
class router_event_counts {
  public:
    static constexpr std::size_t kinds = 4;  ///< number of enumerators of router_event

    /// `first_port`: for each router, the total number of ports of routers with lower numbers; `ports`: total
    /// number of ports of all routers.
    router_event_counts(std::vector<std::size_t> first_port, std::size_t ports)
        : m_first_port(std::move(first_port)), m_counts(ports * kinds) {}

    /// Counts one event of kind `e` at output port `port` of a router, by its number in the network.
    void count(router_event e, std::uint32_t router, std::uint64_t port) {
        ++m_counts[place(e, router, port)];
    }
    /// Returns the number of events of a kind at an output port.
    std::uint64_t get(router_event e, std::uint32_t router, std::uint64_t port) const {
        return m_counts[place(e, router, port)];
    }
    /// All counters, for checkpoints: [(number of the port in the network) * kinds + event].
    std::vector<std::uint64_t>& all() { return m_counts; }

  private:
    std::size_t place(router_event e, std::uint32_t router, std::uint64_t port) const {
        return (m_first_port[router] + port) * kinds + static_cast<std::size_t>(e);
    }
    std::vector<std::size_t> m_first_port;  ///< number of ports of lower routers, by router
    std::vector<std::uint64_t> m_counts;    ///< counters, see all()
};

}  // namespace sare
