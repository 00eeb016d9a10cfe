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

/// A part of a network, run by one thread: its routers by clocks, their links, the NICs of their nodes, and
/// the events that are reported when all parts have run. Parts share only the pools of packets and messages;
/// one part at a time writes to each packet or message.
struct partition {
    /// A packet that a router has dropped, or a NIC has refused.
    struct drop {
        drop_location at;
        std::uint32_t message, flits;  ///< slot of its message; flits of the packet
        std::string cause;             ///< name that statistics count it by
        std::uint64_t order;           ///< see packet_drop
    };

    /// Input VC whose head has no candidate left, since links have failed.
    struct dead_end {
        std::uint32_t router, port, vc;
    };

    clock_domain base{1};                             ///< domain of clock period 1, with all NICs
    std::vector<std::unique_ptr<clock_domain>> slow;  ///< domains of longer periods
    std::vector<clock_domain*> domains{&base};        ///< `base` and all of `slow`
    nics* its_nics = nullptr;  ///< NICs of the part; null until network_builder::finish()
    /// Endpoint of the router that owns the injection queues of a node, or no_owner; by NIC of the part.
    std::vector<std::uint32_t> owner_of;
    static constexpr std::uint32_t no_owner = 0xffffffff;
    /// Number of packets that the nodes of the part can begin in one cycle, at most.
    std::uint32_t most_begun = 0;
    std::vector<drop> drops;          ///< packets dropped in this cycle; only if there are several parts
    std::vector<dead_end> dead_ends;  ///< heads to be dropped before the next cycle
    deferred_observer told;           ///< events of this cycle; only if there are several parts

    partition() = default;
    partition(const partition&) = delete;
    partition& operator=(const partition&) = delete;

    /// Returns the domain of a clock period in network cycles, which is made at the first call.
    clock_domain& of_clock(std::uint32_t period);
    /// True if a plane of network cycle `t` has something to be read, in this part or handed over by it.
    bool has_work(cycle_t t) const {
        return std::any_of(domains.begin(), domains.end(), [t](const clock_domain* d) {
            return t % d->period() == 0 && d->ring().at(t / d->period())[0] != 0;
        });
    }
};

}  // namespace sare
