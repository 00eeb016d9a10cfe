// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router/apenet/params.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"
#include "tlm/routing/routing.h"

#include <cstdint>
#include <memory>

namespace sare {

/// What the routers of a bank have in common. VCs are numbered port * vcs + vc, at inputs and outputs.
struct apenet_shape {
    apenet_params params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;          ///< of a port
    std::uint32_t all = 0;          ///< VCs of a router
    std::uint32_t ways = 0;         ///< candidates of the routing function at most
    std::uint32_t runs = 0;         ///< of an output FIFO at most
    bool counted = false;           ///< credits come with their number: somebody sends several at once
    std::uint16_t counts_hops = 1;  ///< to be added at every router
    /// Of output ports. Null: in order of arrival at the router. That is APEnet's own rule: `fifo` is
    /// another, which counts from when a packet is first in its input FIFO.
    std::shared_ptr<const arbiter> policy;

    bool whole_packets() const { return params.switching != apenet_switching::wormhole; }
};

/// A packet in an input FIFO.
struct apenet_slot {
    std::uint32_t packet = 0;
    std::uint32_t order = 0;  ///< number of its header among those that came to the router, modulo 2^32
};

/// The input FIFO of a VC: packets, of which the last may still be coming and the first already be leaving.
struct apenet_input {
    static constexpr std::uint16_t none = 0xffff;

    std::uint32_t packet = 0;     ///< the first one
    std::uint16_t words = 0;      ///< here
    std::uint16_t left = 0;       ///< of the first packet, still to go
    std::uint16_t length = 0;     ///< of the first packet
    std::uint16_t out = none;     ///< output VC that the first packet has
    std::uint16_t first = 0;      ///< slot of the first packet
    std::uint16_t packets = 0;    ///< begun to come, not all gone
    std::uint16_t owed = 0;       ///< places that are free again, and of which the sender has not been told
    std::uint8_t candidates = 0;  ///< of the first packet
    bool asks = false;            ///< the first packet does, for an output
};

/// An output VC.
struct apenet_output {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t entered = 0;       ///< words that have come into the output FIFO, modulo 2^32
    std::uint32_t sent = 0;          ///< and those that have left it
    std::uint16_t credits = 0;       ///< places in the FIFO beyond
    std::uint16_t owner = no_owner;  ///< input
};

/// Words of a packet that follow each other in an output FIFO.
struct apenet_run {
    std::uint32_t packet = 0;
    std::uint16_t next = 0;    ///< number of the first one
    std::uint16_t words = 0;   ///< here
    std::uint16_t length = 0;  ///< of the packet
    std::uint8_t vc = 0;
    bool framed = false;  ///< magic and start are on the link
};

/// A port: its output FIFO, the link that it feeds, and the credits for what comes in.
struct apenet_port {
    std::uint16_t owned = 0;  ///< VCs whose packets are entering the output FIFO
    std::uint16_t words = 0;  ///< in the output FIFO
    std::uint16_t first = 0;  ///< run
    std::uint16_t last_run = 0;
    std::uint16_t runs = 0;
    std::uint16_t turn = 0;  ///< input that was served last
    std::uint8_t last = 0;   ///< VC of which a word entered last
    bool far = false;        ///< its link leads to a router
    cycle_t free_at = 0;     ///< when the link can take the next word
    cycle_t told_at = 0;     ///< when credits can be told again
};

/// Where the parts of a router are that its bank has for all.
struct apenet_parts {
    apenet_input* inputs = nullptr;
    apenet_output* outputs = nullptr;
    apenet_port* ports = nullptr;
    apenet_slot* slots = nullptr;         ///< [input * depth + place]
    apenet_run* runs = nullptr;           ///< [port * runs + place]
    std::uint16_t* queue = nullptr;       ///< inputs that ask, in order of the arrival of their headers
    route_candidate* ways = nullptr;      ///< [input * ways]
    const port_wires* wires = nullptr;    ///< by port
    const port_extras* extras = nullptr;  ///< by port
};

/// A router. Behind its inbox are the numbers of credits, where these are counted.
struct alignas(64) apenet_block : apenet_parts {
    std::uint64_t entering = 0;  ///< ports that packets are entering
    std::uint64_t sending = 0;   ///< ports with something in their output FIFO
    std::uint64_t owing = 0;     ///< ports whose inputs owe credits
    cycle_t tells_at = 0;        ///< the first cycle in which one of these can be told
    bool changed = false;        ///< what asks may get something now
    std::uint16_t asking = 0;    ///< inputs that ask: the first ones in `queue`
    std::uint32_t arrivals = 0;  ///< headers, modulo 2^32
    std::uint32_t id = 0;
    plain_inbox inbox;
    rng random;
};

}  // namespace sare
