// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/parts/deferred_observer.h"
#include "tlm/nic/all_nics.h"
#include "tlm/router_api/clock_domain.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sare {

/// A part of a network, which one thread runs: its routers by clocks, their links, their nodes' NICs, and
/// what is told outside when all parts have run. Parts share packets and messages, each of which one part at
/// a time writes to, and nothing else.
struct partition {
    /// A packet that a router has dropped, or a NIC refused.
    struct drop {
        drop_location at;
        std::uint32_t message, flits;
        std::string cause;
        std::uint64_t order;  ///< see packet_drop
    };

    /// A head without a way on, where links have failed.
    struct dead_end {
        std::uint32_t router, port, vc;
    };

    clock_domain base{1};                             ///< the network's own clock
    std::vector<std::unique_ptr<clock_domain>> slow;  ///< of other clocks
    std::vector<clock_domain*> domains{&base};        ///< all of them
    nics* its_nics = nullptr;
    /// Of a NIC: its router's endpoint, if that owns the injection queues of its nodes; else no_owner.
    std::vector<std::uint32_t> owner_of;
    static constexpr std::uint32_t no_owner = 0xffffffff;
    /// Packets that its nodes can begin in a cycle: a NIC one, a router for each of its nodes as many as it
    /// takes.
    std::uint32_t most_begun = 0;
    std::vector<drop> drops;          ///< in this cycle
    std::vector<dead_end> dead_ends;  ///< likewise
    deferred_observer told;           ///< where there are other parts

    partition() = default;
    partition(const partition&) = delete;
    partition& operator=(const partition&) = delete;

    /// The domain of that clock; made if there is none yet.
    clock_domain& of_clock(std::uint32_t period);
    /// Something is read in cycle `t`, here or where it is to be handed over from.
    bool has_work(cycle_t t) const {
        return std::any_of(domains.begin(), domains.end(), [t](const clock_domain* d) {
            return t % d->period() == 0 && d->ring().at(t / d->period())[0] != 0;
        });
    }
};

}  // namespace sare
