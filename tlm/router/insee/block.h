// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/base/sets.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/insee/params.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/routing/routing.h"

#include <cstdint>
#include <memory>
#include <type_traits>

namespace sare {

/// Parameters and sizes that all routers of a bank share. *Inputs* are queues: the transit queue of each
/// input VC, numbered port * vcs + vc, then the injection queues, node by node. *Outputs* are the output VCs,
/// numbered port * vcs + vc.
struct phit_shape {
    phit_setting params;        ///< parameters of the router kind
    std::uint32_t ports = 0;    ///< ports of a router
    std::uint32_t vcs = 0;      ///< VCs of a port
    std::uint32_t transit = 0;  ///< number of transit queues: ports * vcs
    std::uint32_t inputs = 0;   ///< number of transit and injection queues
    /// Number of ports along the axes. The other ports lead to nodes, whose injection and consumption are in
    /// the router, or to other networks of a hierarchy.
    std::uint32_t directions = 0;
    /// Number of axes; equal to `directions` if links along the axes lead one way only.
    std::uint32_t axes = 0;
    std::uint32_t injection = 0;  ///< number of injection queues of each node; 0: the router has none
    /// Most packets in a queue at a time, counting one that has partly left and one that has partly come.
    std::uint32_t slots = 0;
    std::uint32_t room = 0;  ///< phits that a transit queue can hold
    std::uint32_t ways = 0;  ///< most candidates that the routing function answers for a packet
    /// True: port a leads along axis a in + direction, port axes + a in - direction; false: these are ports 2
    /// a and 2 a + 1.
    bool minus_last = false;
    std::uint16_t counts_hops = 1;  ///< number added to packet::hops at a router: 1; 0 if NICs set the hops
    std::shared_ptr<const arbiter> policy;  ///< arbiters of output VCs; null: round robin
    std::uint32_t words_each = 0;           ///< number of words of memory of each of these arbiters
};

/// A transit or injection queue. The last of its packets may still be coming, and the first already be
/// leaving.
struct phit_queue {
    static constexpr std::uint16_t none = 0xffff;  ///< no output VC, or no port

    std::uint16_t phits = 0;      ///< phits in the queue
    std::uint16_t left = 0;       ///< phits of the first packet that have not left the queue, arrived or not
    std::uint16_t out = none;     ///< output VC that the first packet has; none: none yet
    std::uint16_t first = 0;      ///< index, in the queue's part of phit_block::slots, of the first packet
    std::uint16_t packets = 0;    ///< number of packets that have begun to come and have not left as a whole
    std::uint8_t candidates = 0;  ///< number of candidates of the first packet
    /// With `request: smart`: number of axes already tried, from the packet's own axis on.
    std::uint8_t bet = 0;
    /// True: the first packet is for a node of this router, which takes it without arbitration.
    bool consumed = false;
    std::uint8_t vc = 0;        ///< transit queue: VC of the queue
    std::uint16_t node = 0;     ///< if `consumed`: port of the node
    cycle_t asked = 0;          ///< cycle in which the first packet came to the front
    std::uint32_t front = 0;    ///< slot of the first packet in the pool of packets
    std::uint16_t sent = 0;     ///< phits of the first packet that have left
    std::uint16_t port = none;  ///< transit queue: input port; injection queue: none
};

/// State of an output VC.
struct phit_output {
    static constexpr std::uint16_t no_owner = 0xffff;  ///< value of `owner`: no packet has the output VC

    std::uint32_t flits = 0;    ///< phits sent, modulo 2^32
    std::uint16_t credits = 0;  ///< room in the queue behind the link, in phits, as far as the router knows
    std::uint16_t owner = no_owner;  ///< input whose first packet has the output VC; no_owner: none
    std::uint16_t turn = 0;          ///< number of the input that got the output VC last
    std::uint16_t unused = 0;        ///< fills the structure, so that checkpoints have the same bytes
};

/// State of an output port, which its VCs use packet by packet.
struct phit_port {
    std::uint16_t ready = 0;   ///< mask of the VCs that have a phit to send
    std::uint8_t last = 0;     ///< VC that sent a phit last
    bool within = false;       ///< true: the packet on VC `last` has more phits to send
    std::uint32_t unused = 0;  ///< fills the structure, so that checkpoints have the same bytes
    cycle_t free_at = 0;  ///< first cycle in which the link takes a phit; unused for usual links (phit_link)
};

/// Neighbour at a port: wires of a link, or a node whose queues are inside the router.
struct phit_link {
    static constexpr std::uint32_t no_node = 0xffffffff;  ///< value of `node`: the port has wires

    /// Wires for phits that leave by the port, and for credits of phits that come in by it.
    wire flits, credits;
    wire_extras flits_extras, credits_extras;  ///< further properties of `flits` and of `credits`
    /// Number of the node whose queues are in the router; no_node: the port has wires.
    std::uint32_t node = no_node;
    /// True if `flits`, or `credits`, is a usual wire: it has the delay of the bank's first wire, carries one
    /// phit a cycle, never sleeps, and its credits are not batched. Usual wires of a bank all write into one
    /// plane in a cycle.
    bool usual_flits = false, usual_credits = false;
};

/// State of a phit-level router with up to 64 * W inputs and, if W is at most 17, up to 64 ports. The arrays
/// belong to phit_bank.
template <int W>
struct alignas(64) phit_block {
    using set = bits<W>;
    /// Number of words of the inbox for credits, which have a bit for each output.
    static constexpr std::uint32_t credit_sets = W;
    /// Number of words of the inbox for the set of ports with a flit.
    static constexpr std::uint32_t port_words = W > 17 ? most_ports / 64 : 1;
    using port_set = std::conditional_t<(port_words > 1), bits<port_words>, std::uint64_t>;

    set asking = {};  ///< inputs whose first packet asks for an output VC
    /// Inputs whose first packet goes to a node of this router without arbitration, and has a phit in the
    /// queue.
    set eating = {};
    port_set sending = {};  ///< output ports with a VC that has a phit to send
    bool changed = false;   ///< true: allocation must be tried, since a packet that asks may get an output VC
    std::uint32_t id = 0;   ///< number of the router in the network
    plain_inbox inbox;
    phit_queue* queues = nullptr;    ///< queue of each input
    phit_output* outputs = nullptr;  ///< state of each output
    phit_port* ports = nullptr;      ///< state of each output port
    /// Slots, in the pool of packets, of the packets in queues: [input * phit_shape::slots + place].
    std::uint32_t* slots = nullptr;
    /// Candidates of the first packet of each input: [input * phit_shape::ways + number].
    route_candidate* ways = nullptr;
    const phit_link* links = nullptr;     ///< neighbour at each port
    std::uint32_t* remembered = nullptr;  ///< memory of the arbiters: [output * phit_shape::words_each]
    rng random;
};

}  // namespace sare
