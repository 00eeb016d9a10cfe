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

/// What the routers of a bank have in common. Inputs are the transit queues (port * vcs + vc), then the
/// injection queues, node by node; outputs are the VCs of the ports likewise.
struct phit_shape {
    phit_setting params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;
    std::uint32_t transit = 0;      ///< transit queues: ports * vcs
    std::uint32_t inputs = 0;       ///< and the injection queues
    std::uint32_t directions = 0;   ///< ports along the axes; the others lead to nodes, whose injection and
                                    ///< consumption are here, or to other networks of a hierarchy
    std::uint32_t axes = 0;         ///< as many as directions where links lead one way
    std::uint32_t injection = 0;    ///< queues of a node
    std::uint32_t slots = 0;        ///< packets that a queue can hold, one of them in part
    std::uint32_t room = 0;         ///< phits that a transit queue can hold
    std::uint32_t ways = 0;         ///< candidates of the routing function at most
    bool minus_last = false;        ///< ports to neighbours are numbered as coordinate_shape says
    std::uint16_t counts_hops = 1;  ///< to be added at every router
    std::shared_ptr<const arbiter> policy;  ///< of output VCs; null: round robin
    std::uint32_t words_each = 0;           ///< that one of these remembers
};

/// A queue of packets, of which the last may still be coming and the first already be leaving.
struct phit_queue {
    static constexpr std::uint16_t none = 0xffff;

    std::uint16_t phits = 0;      ///< here
    std::uint16_t left = 0;       ///< of the first packet, still to go
    std::uint16_t out = none;     ///< output VC that the first packet has
    std::uint16_t first = 0;      ///< slot of the first packet
    std::uint16_t packets = 0;    ///< begun to come, not all gone
    std::uint8_t candidates = 0;  ///< of the first packet
    std::uint8_t bet = 0;         ///< what it asks for next, where ways take turns
    bool consumed = false;        ///< the first packet is for a node here, which takes it without being asked
    std::uint8_t vc = 0;          ///< of a transit queue: what it is of its port
    std::uint16_t node = 0;       ///< of what is consumed: which port
    cycle_t asked = 0;            ///< since when the first packet asks
    std::uint32_t front = 0;      ///< the first packet
    std::uint16_t sent = 0;       ///< phits of it
    std::uint16_t port = none;    ///< of a transit queue: by which it is filled
};

/// An output VC.
struct phit_output {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t flits = 0;         ///< sent, modulo 2^32
    std::uint16_t credits = 0;       ///< phits that fit into the queue beyond
    std::uint16_t owner = no_owner;  ///< input
    std::uint16_t turn = 0;          ///< input that got it last
};

/// An output port, which its VCs share packet by packet.
struct phit_port {
    std::uint16_t ready = 0;  ///< VCs that have a phit to send
    std::uint8_t last = 0;    ///< VC that sent last
    bool within = false;      ///< a packet, of which there is more to come
    cycle_t free_at = 0;      ///< when a narrow link can take the next phit
};

/// What a port is connected with: links, or a node whose queues are here.
struct phit_link {
    static constexpr std::uint32_t no_node = 0xffffffff;

    wire flits, credits;
    wire_extras flits_extras, credits_extras;
    std::uint32_t node = no_node;
    /// As long as most, a phit a cycle, never asleep; credits one by one: what is sent goes into the plane of
    /// all such links.
    bool usual_flits = false, usual_credits = false;
};

/// A router of up to 64 * W inputs.
template <int W>
struct alignas(64) phit_block {
    using set = bits<W>;
    static constexpr std::uint32_t credit_sets = W;  ///< words of the inbox

    set asking = {};            ///< inputs whose first packet has no output VC yet
    set eating = {};            ///< inputs whose first packet is consumed, a phit of it being here
    std::uint64_t sending = 0;  ///< ports with ready VCs
    bool changed = false;       ///< what asks may get something now
    std::uint32_t id = 0;
    plain_inbox inbox;
    phit_queue* queues = nullptr;
    phit_output* outputs = nullptr;
    phit_port* ports = nullptr;
    std::uint32_t* slots = nullptr;       ///< packets: [input * slots + place]
    route_candidate* ways = nullptr;      ///< [input * ways]
    const phit_link* links = nullptr;     ///< by port
    std::uint32_t* remembered = nullptr;  ///< by arbiters: [output * words_each]
    rng random;
};

}  // namespace sare
