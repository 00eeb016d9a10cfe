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

/// A part of a network, run by one thread: its routers, sorted by their clocks into domains, their links, the
/// NICs of their nodes, and the events that are reported when all parts have run. Parts share only the pools
/// of packets and messages; only one part at a time writes to a packet or message.
struct partition {
    /// A packet that a router has dropped, or a NIC because of a bit error.
    struct drop {
        drop_location at;              ///< router and output port at which statistics count the drop
        std::uint32_t message, flits;  ///< slot of the message; length of the packet in flits
        std::string cause;             ///< name under which statistics count the drop
        std::uint64_t order;           ///< packet_drop::order of the drop
    };

    /// An input VC (router, input port, VC of the port) whose head has no route left, since links have
    /// failed.
    struct dead_end {
        std::uint32_t router, port, vc;
    };

    clock_domain base{
        running_clock::of_network()};  ///< domain of the network's clock, with all NICs of the part
    std::vector<std::unique_ptr<clock_domain>> slow;  ///< domains of slower clocks
    std::vector<clock_domain*> domains{&base};        ///< `base` and all of `slow`
    nics* its_nics = nullptr;  ///< NICs of the part; null until network_builder::finish()
    /// Number, among the endpoints of `base` (routers, NICs and foreign blocks, see link_ring.h), of the
    /// router that contains the injection queues of a node; no_owner: the NIC has them. Indexed by number of
    /// the NIC in this part.
    std::vector<std::uint32_t> owner_of;
    /// Value of `owner_of` for a node whose NIC has the injection queues.
    static constexpr std::uint32_t no_owner = 0xffffffff;
    /// Most packets that the nodes of the part can begin to inject in one cycle.
    std::uint32_t most_begun = 0;
    std::vector<drop> drops;          ///< packets dropped in this cycle; used only if there are several parts
    std::vector<dead_end> dead_ends;  ///< heads to be dropped before the next cycle
    /// Packet events of this cycle for observers; used only if there are several parts.
    deferred_observer told;

    partition() = default;
    partition(const partition&) = delete;
    partition& operator=(const partition&) = delete;

    /// Returns this part's domain with clock `clock`, which the first call makes; the domain lives as long as
    /// the part.
    clock_domain& of_clock(const running_clock& clock);
    /// True if flits or credits arrive in network cycle `t` at a block of this part, or are to be handed to
    /// another part.
    bool has_work(cycle_t t) const {
        return std::any_of(domains.begin(), domains.end(), [t](const clock_domain* d) {
            return d->clock().has_edge(t) && d->ring().at(d->clock().first_edge(t))[0] != 0;
        });
    }
};

}  // namespace sare
