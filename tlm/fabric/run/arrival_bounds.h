// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/sorted_queue.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace sare {

class network_state;
class path_search;
struct message;

/// A lower bound for the arrival of each message under way: before that cycle nobody outside of the network
/// is told of anything, so its cycles may be run later (see lagging_engine). Known for networks of one clock
/// without foreign blocks, failures, observers or a main workload, whose routers say how fast they are at
/// most.
class arrival_bounds {
  public:
    explicit arrival_bounds(const network_state& net);
    ~arrival_bounds();

    /// Bounds are known now.
    bool is_known();
    /// The network has taken a message that cannot arrive before cycle `at`; 0: not known.
    void add(cycle_t at);
    /// The first cycle in which it can arrive, if the network takes it in cycle `t`; 0: not known.
    cycle_t earliest(const message& m, cycle_t t) {
        const cycle_t least = is_known() ? least_cycles(m) : 0;
        return least == 0 ? 0 : t + least;
    }
    bool any_under_way() const;
    /// No message is under way, or some may have been lost: then no bound is known until none is.
    void forget() { m_bounds.clear(); }
    /// Where bounds are known, the first cycle after `t` in which something outside may be called; `t` where
    /// that is not known.
    /// Where no message is under way, the last one in which anything moves; workload::never: nothing does.
    cycle_t next_call(cycle_t t);

  private:
    cycle_t least_cycles(const message& m);
    cycle_t least_of_head(std::uint32_t source, std::uint32_t destination);
    cycle_t last_on_links(cycle_t t) const;

    const network_state& m_net;
    sorted_queue<cycle_t> m_bounds;  ///< of messages that cannot have arrived
    std::optional<bool> m_suits;     ///< bounds are known for what the network is made of
    std::unique_ptr<path_search> m_paths;
    std::optional<std::uint32_t> m_router_cycles;  ///< least of all routers; 0: some do not say
    struct recent {
        std::uint64_t key = ~std::uint64_t{0};
        cycle_t least = 0;
    };
    static constexpr std::uint32_t recent_paths = 1024;
    std::array<recent, recent_paths> m_recent;  ///< that were wanted last
};

}  // namespace sare
