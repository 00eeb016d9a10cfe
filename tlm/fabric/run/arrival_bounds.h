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

/// Lower bounds for the cycles in which messages under way arrive. Before the least of these cycles the
/// network calls nobody, so that cycles may be run later than their time (see lagging_engine). Bounds are
/// known for networks of one clock and one part, without foreign blocks, hazards, observers or a main
/// workload, whose routers say how many cycles a head takes at least.
class arrival_bounds {
  public:
    explicit arrival_bounds(const network_state& net);
    ~arrival_bounds();

    /// True if bounds are known: the network is finished and of such a kind, and has neither observers nor a
    /// main workload now.
    bool is_known();
    /// Adds the bound of a message that is sent now: it cannot arrive before cycle `at`. 0: not known, so
    /// that next_call() does not know its result until no message is under way.
    void add(cycle_t at);
    /// Returns the first cycle in which message `m` can arrive if it is sent in cycle `t`; 0: not known.
    cycle_t earliest(const message& m, cycle_t t) {
        const cycle_t least = is_known() ? least_cycles(m) : 0;
        return least == 0 ? 0 : t + least;
    }
    /// True if any message is in a source queue or in the network.
    bool any_under_way() const;
    /// Forgets all bounds: for use when messages may have been lost. Nothing is known from then on until no
    /// message is under way.
    void forget() { m_bounds.clear(); }
    /// Returns the first cycle after `t` in which the network may call something outside; `t` if that is not
    /// known. If no message is under way, returns the last cycle in which credits arrive instead;
    /// workload::never if none do. Call only while is_known().
    cycle_t next_call(cycle_t t);

  private:
    cycle_t least_cycles(const message& m);
    cycle_t least_of_head(std::uint32_t source, std::uint32_t destination);
    cycle_t last_on_links(cycle_t t) const;

    const network_state& m_net;
    sorted_queue<cycle_t> m_bounds;  ///< bounds of the messages under way
    /// True: the finished network is of a kind that has bounds; unset: not looked at yet.
    std::optional<bool> m_suits;
    std::unique_ptr<path_search> m_paths;
    /// Cycles that a head takes in the fastest router; 0: not known; unset: not looked at yet.
    std::optional<std::uint32_t> m_router_cycles;
    /// Bound for messages between a pair of nodes.
    struct recent {
        std::uint64_t key = ~std::uint64_t{0};  ///< source << 32 | destination
        cycle_t least = 0;                      ///< cycles that a head takes at least; 0: not known
    };
    static constexpr std::uint32_t recent_paths = 1024;
    std::array<recent, recent_paths> m_recent;  ///< pairs asked last; by a hash of the pair
};

}  // namespace sare
