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

/// Parameters and sizes that the routers of a bank have in common. VCs are numbered port * vcs + vc, at
/// inputs and outputs.
struct apenet_shape {
    apenet_params params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;   ///< VCs of a port
    std::uint32_t all = 0;   ///< VCs of a router
    std::uint32_t ways = 0;  ///< most candidates of the routing function
    std::uint32_t runs = 0;  ///< most runs of an output FIFO
    bool counted = false;    ///< true: credits come with a count, since some router sends several at once
    std::uint16_t counts_hops = 1;  ///< hops to count at a router; 0: the network knows them beforehand
    /// Arbiters of output ports. Null: in order of arrival at the router, which is APEnet's own rule. The
    /// arbiter `fifo` is another rule, which counts from when a packet is first in its input FIFO.
    std::shared_ptr<const arbiter> policy;

    bool whole_packets() const { return params.switching != apenet_switching::wormhole; }
};

/// A packet in an input FIFO.
struct apenet_slot {
    std::uint32_t packet = 0;
    std::uint32_t order = 0;  ///< number of the packet's header in order of arrival, modulo 2^32
};

/// Input FIFO of a VC: packets, of which the last may still be coming and the first already be leaving.
struct apenet_input {
    static constexpr std::uint16_t none = 0xffff;

    std::uint32_t packet = 0;     ///< number of the first packet
    std::uint16_t words = 0;      ///< words in the FIFO
    std::uint16_t left = 0;       ///< words of the first packet that are still to leave
    std::uint16_t length = 0;     ///< length of the first packet, in words
    std::uint16_t out = none;     ///< output VC that the first packet has
    std::uint16_t first = 0;      ///< slot of the first packet
    std::uint16_t packets = 0;    ///< packets that have begun to come and have not all left
    std::uint16_t owed = 0;       ///< places that are free again and that the sender has not been told of
    std::uint8_t candidates = 0;  ///< number of candidates of the first packet
    bool asks = false;            ///< true: the first packet asks for an output VC
};

/// An output VC.
struct apenet_output {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t entered = 0;       ///< words that have entered the output FIFO, modulo 2^32
    std::uint32_t sent = 0;          ///< words that have left the output FIFO, modulo 2^32
    std::uint16_t credits = 0;       ///< free places in the input FIFO beyond
    std::uint16_t owner = no_owner;  ///< input VC whose packet has the output VC
};

/// Words of a packet that follow each other in an output FIFO.
struct apenet_run {
    std::uint32_t packet = 0;
    std::uint16_t next = 0;    ///< number of the run's first word within the packet
    std::uint16_t words = 0;   ///< words of the run in the FIFO
    std::uint16_t length = 0;  ///< length of the packet, in words
    std::uint8_t vc = 0;
    bool framed = false;  ///< true: magic and start are on the link
};

/// A port: the output FIFO, the link that this FIFO feeds, and the credits for words that come in.
struct apenet_port {
    std::uint16_t owned = 0;     ///< mask of VCs whose packets are entering the output FIFO
    std::uint16_t words = 0;     ///< words in the output FIFO
    std::uint16_t first = 0;     ///< number of the first run in the output FIFO
    std::uint16_t last_run = 0;  ///< number of the last run
    std::uint16_t runs = 0;      ///< number of runs in the output FIFO
    std::uint16_t turn = 0;      ///< input VC that was served last
    std::uint8_t last = 0;       ///< VC whose word entered last
    bool far = false;            ///< true: the link leads to a router
    cycle_t free_at = 0;         ///< cycle from which the link can take the next word
    cycle_t told_at = 0;         ///< cycle from which credits can be told again
};

/// Pointers to the parts of a router, which its bank holds for all routers.
struct apenet_parts {
    apenet_input* inputs = nullptr;
    apenet_output* outputs = nullptr;
    apenet_port* ports = nullptr;
    apenet_slot* slots = nullptr;         ///< packets in input FIFOs: [input * depth + place]
    apenet_run* runs = nullptr;           ///< runs in output FIFOs: [port * runs + place]
    std::uint16_t* queue = nullptr;       ///< inputs that ask, in the order in which their headers arrived
    route_candidate* ways = nullptr;      ///< candidates of first packets: [input * ways]
    const port_wires* wires = nullptr;    ///< by port
    const port_extras* extras = nullptr;  ///< by port
};

/// State of a router. Behind the plain part of its inbox are the counts of credits, if credits are counted.
struct alignas(64) apenet_block : apenet_parts {
    std::uint64_t entering = 0;  ///< ports whose output FIFO packets are entering
    std::uint64_t sending = 0;   ///< ports that have words in their output FIFO
    std::uint64_t owing = 0;     ///< ports whose inputs owe credits
    cycle_t tells_at = 0;        ///< first cycle in which one of these ports can tell its credits
    bool changed = false;        ///< true: a packet that asks may get an output VC now
    std::uint16_t asking = 0;    ///< number of inputs that ask: the first ones in `queue`
    std::uint32_t arrivals = 0;  ///< headers that have come, modulo 2^32
    std::uint32_t id = 0;        ///< number of the router in the network
    plain_inbox inbox;
    rng random;
};

}  // namespace sare
