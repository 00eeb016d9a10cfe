// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/base/rng.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/insee/params.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/routing/routing.h"

#include <cstdint>
#include <memory>

namespace sare {

/// Parameters and sizes that the routers of a bank have in common. Inputs are the transit queues (port * vcs
/// + vc), then the injection queues, node by node; outputs are the VCs of the ports (port * vcs + vc).
struct phit_shape {
    phit_setting params;
    std::uint32_t ports = 0;    ///< ports of a router
    std::uint32_t vcs = 0;      ///< VCs of a port
    std::uint32_t transit = 0;  ///< number of transit queues: ports * vcs
    std::uint32_t inputs = 0;   ///< number of transit and injection queues
    /// Number of ports along the axes. The other ports lead to nodes, whose injection and consumption are in
    /// the router, or to other networks of a hierarchy.
    std::uint32_t directions = 0;
    std::uint32_t axes = 0;         ///< number of axes: as many as directions where links lead one way
    std::uint32_t injection = 0;    ///< number of injection queues of a node
    std::uint32_t slots = 0;        ///< number of packets that a queue can hold, one of them in part
    std::uint32_t room = 0;         ///< number of phits that a transit queue can hold
    std::uint32_t ways = 0;         ///< most candidates of the routing function
    bool minus_last = false;        ///< order of the ports to neighbours: see coordinate_shape
    std::uint16_t counts_hops = 1;  ///< hops to count at a router; 0: the network knows them beforehand
    std::shared_ptr<const arbiter> policy;  ///< arbiters of output VCs; null: round robin
    std::uint32_t words_each = 0;           ///< words that such an arbiter remembers
};

/// Queue of packets, of which the last may still be coming and the first already be leaving.
struct phit_queue {
    static constexpr std::uint16_t none = 0xffff;

    std::uint16_t phits = 0;      ///< phits in the queue
    std::uint16_t left = 0;       ///< phits of the first packet that are still to leave
    std::uint16_t out = none;     ///< output VC that the first packet has
    std::uint16_t first = 0;      ///< slot of the first packet
    std::uint16_t packets = 0;    ///< packets that have begun to come and have not all left
    std::uint8_t candidates = 0;  ///< number of candidates of the first packet
    std::uint8_t bet = 0;         ///< with request: smart: candidate that the first packet asks for next
    bool consumed = false;  ///< true: the first packet is for a node here, which takes it without arbitration
    std::uint8_t vc = 0;    ///< transit queue: VC of its port
    std::uint16_t node = 0;     ///< if `consumed`: port of the node
    cycle_t asked = 0;          ///< cycle in which the first packet began to ask
    std::uint32_t front = 0;    ///< number of the first packet
    std::uint16_t sent = 0;     ///< phits of the first packet that have left
    std::uint16_t port = none;  ///< transit queue: port that fills it
};

/// An output VC.
struct phit_output {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t flits = 0;         ///< phits sent, modulo 2^32
    std::uint16_t credits = 0;       ///< phits that the queue beyond has room for
    std::uint16_t owner = no_owner;  ///< input whose packet has the VC
    std::uint16_t turn = 0;          ///< input that got the VC last
    std::uint16_t unused = 0;        ///< fills the structure, so that checkpoints have the same bytes
};

/// An output port, which its VCs share packet by packet.
struct phit_port {
    std::uint16_t ready = 0;  ///< mask of VCs that have a phit to send
    std::uint8_t last = 0;    ///< VC that sent last
    bool within = false;      ///< true: the packet of that VC has more phits to come
    cycle_t free_at = 0;      ///< cycle from which a narrow link can take the next phit
};

/// Connection of a port: wires, or a node whose queues are in the router.
struct phit_link {
    static constexpr std::uint32_t no_node = 0xffffffff;

    wire flits, credits;  ///< wires for phits that leave by the port, and credits for those that come in
    wire_extras flits_extras, credits_extras;
    std::uint32_t node = no_node;  ///< node at the port; no_node: wires
    /// True if the link is as long as most, takes a phit a cycle and never sleeps, and if credits come one by
    /// one: flits and credits then go into one plane for all such links.
    bool usual_flits = false, usual_credits = false;
};

/// State of a router with up to 64 * W inputs.
template <int W>
struct alignas(64) phit_block {
    using set = bits<W>;
    static constexpr std::uint32_t credit_sets = W;  ///< words of the inbox for credits

    set asking = {};            ///< inputs whose first packet has no output VC yet
    set eating = {};            ///< inputs whose first packet is consumed by a node and has a phit here
    std::uint64_t sending = 0;  ///< ports that have VCs with a phit to send
    bool changed = false;       ///< true: a packet that asks may get an output VC now
    std::uint32_t id = 0;       ///< number of the router in the network
    plain_inbox inbox;
    phit_queue* queues = nullptr;
    phit_output* outputs = nullptr;
    phit_port* ports = nullptr;
    std::uint32_t* slots = nullptr;       ///< numbers of packets: [input * slots + place]
    route_candidate* ways = nullptr;      ///< candidates of first packets: [input * ways]
    const phit_link* links = nullptr;     ///< by port
    std::uint32_t* remembered = nullptr;  ///< words of the arbiters: [output * words_each]
    rng random;
};

}  // namespace sare
