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
/// known only for networks of one clock and one part, without foreign blocks, hazards, observers or a main
/// workload. Their routers must tell the least cycles of a head (pipelined_model::least_head_cycles()).
class arrival_bounds {
  public:
    explicit arrival_bounds(const network_state& net);
    ~arrival_bounds();

    /// True if bounds can be known: the network is finished, meets the conditions above, and has neither
    /// observers nor a main workload now.
    bool is_known();
    /// Adds the bound of a message that is sent now: it cannot arrive before cycle `at`. `at` 0: the bound is
    /// not known; next_call() then is not known until no message is under way.
    void add(cycle_t at);
    /// Returns the first cycle in which message `m`, whose node numbers are not checked, can arrive if it is
    /// sent in cycle `t`; 0: not known.
    cycle_t earliest(const message& m, cycle_t t) {
        const cycle_t least = is_known() ? least_cycles(m) : 0;
        return least == 0 ? 0 : t + least;
    }
    /// True if any message is in a source queue or in the network.
    bool any_under_way() const;
    /// Forgets all bounds; call when messages may have been lost. next_call() is then not known until no
    /// message is under way.
    void forget() { m_bounds.clear(); }
    /// Returns the first cycle after `t` in which the network may call a workload, which can only be that of
    /// network_stepper::set_bridge(); `t` if that is not known. With no message under way, returns the last
    /// cycle in which credits arrive, or workload::never if none do. Call only while is_known().
    cycle_t next_call(cycle_t t);

  private:
    cycle_t least_cycles(const message& m);
    cycle_t least_of_head(std::uint32_t source, std::uint32_t destination);
    cycle_t last_on_links(cycle_t t) const;

    const network_state& m_net;
    sorted_queue<cycle_t> m_bounds;  ///< bounds of the messages under way
    /// True if the network meets the conditions that do not change once it is finished; unset: not finished,
    /// or not examined yet.
    std::optional<bool> m_suits;
    std::unique_ptr<path_search> m_paths;  ///< latencies of shortest paths; null: not made yet
    /// Cycles that a head takes in the fastest router; 0: not known; unset: not computed yet.
    std::optional<std::uint32_t> m_router_cycles;
    /// Bound for messages between a pair of nodes.
    struct recent {
        std::uint64_t key = ~std::uint64_t{0};  ///< source << 32 | destination
        cycle_t least = 0;                      ///< cycles that a head takes at least; 0: not known
    };
    static constexpr std::uint32_t recent_paths = 1024;  ///< number of elements of m_recent
    std::array<recent, recent_paths> m_recent;           ///< pairs asked last; by a hash of the pair
};

}  // namespace sare
