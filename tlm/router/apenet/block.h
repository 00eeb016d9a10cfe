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

/// Parameters and sizes that all routers of a bank share. Input VCs and output VCs have numbers: port * vcs +
/// vc.
struct apenet_shape {
    apenet_params params;
    std::uint32_t ports = 0;  ///< number of ports
    std::uint32_t vcs = 0;    ///< VCs of a port
    std::uint32_t all = 0;    ///< input VCs, and output VCs, of a router
    std::uint32_t ways = 0;   ///< most candidates of the routing function
    std::uint32_t runs = 0;   ///< most runs in an output FIFO
    bool counted = false;     ///< true: credits come with a count, since some router sends several at once
    std::uint16_t counts_hops = 1;  ///< what to add to a packet's hops at a router: 1; 0 if NICs set the hops
    /// Arbiters of output ports. Null: packets are served in the order in which their headers came to the
    /// router, APEnet's own rule. (The arbiter `fifo` serves them in the order in which they came to the
    /// front of their FIFOs.).
    std::shared_ptr<const arbiter> policy;

    /// True if a packet needs room for all of its words.
    bool whole_packets() const { return params.switching != apenet_switching::wormhole; }
};

/// A packet in an input FIFO.
struct apenet_slot {
    std::uint32_t packet = 0;
    /// Number of the packet's header among all that have come to the router, modulo 2^32.
    std::uint32_t order = 0;
};

/// Input FIFO of a VC: packets, of which the last may still be coming and the first already be leaving.
struct apenet_input {
    static constexpr std::uint16_t none = 0xffff;

    std::uint32_t packet = 0;     ///< slot of the first packet
    std::uint16_t words = 0;      ///< words in the FIFO
    std::uint16_t left = 0;       ///< words of the first packet that have not left
    std::uint16_t length = 0;     ///< words of the first packet
    std::uint16_t out = none;     ///< output VC that the first packet has; none: none yet
    std::uint16_t first = 0;      ///< place of the first packet
    std::uint16_t packets = 0;    ///< number of packets that have begun to come and have not left as a whole
    std::uint16_t owed = 0;       ///< places that are free again, for which no credit has been sent
    std::uint8_t candidates = 0;  ///< number of candidates of the first packet
    bool asks = false;            ///< true: the first packet asks for an output VC
};

/// An output VC.
struct apenet_output {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t entered = 0;  ///< words that have entered the output FIFO, modulo 2^32
    std::uint32_t sent = 0;     ///< words that have left the output FIFO, modulo 2^32
    /// Free places in the input FIFO behind the link, in words, as far as the router knows.
    std::uint16_t credits = 0;
    std::uint16_t owner = no_owner;  ///< input VC whose packet has the output VC; no_owner: none
};

/// Words of a packet that follow each other in an output FIFO.
struct apenet_run {
    std::uint32_t packet = 0;
    std::uint16_t next = 0;    ///< number of the run's first word within the packet
    std::uint16_t words = 0;   ///< words of the run in the FIFO
    std::uint16_t length = 0;  ///< words of the packet
    std::uint8_t vc = 0;
    bool framed = false;  ///< true: magic and start of the packet have been sent
};

/// An output port: its FIFO, the link that the FIFO feeds, and the sending of credits for words that come in
/// by the port.
struct apenet_port {
    std::uint16_t owned = 0;     ///< mask of VCs whose packets are entering the output FIFO
    std::uint16_t words = 0;     ///< words in the output FIFO
    std::uint16_t first = 0;     ///< number of the first run in the output FIFO
    std::uint16_t last_run = 0;  ///< number of the last run in the output FIFO
    std::uint16_t runs = 0;      ///< number of runs in the output FIFO
    std::uint16_t turn = 0;      ///< input VC that was served last
    std::uint8_t last = 0;       ///< VC of the word that entered the output FIFO last
    bool far = false;            ///< true: the link leads to a router
    cycle_t free_at = 0;         ///< first cycle in which the link takes a word
    cycle_t told_at = 0;         ///< first cycle in which credits may be sent again
};

/// Pointers to the parts of a router, which its bank holds for all routers.
struct apenet_parts {
    apenet_input* inputs = nullptr;
    apenet_output* outputs = nullptr;
    apenet_port* ports = nullptr;
    apenet_slot* slots = nullptr;         ///< packets in input FIFOs: [input VC * depth + place]
    apenet_run* runs = nullptr;           ///< runs in output FIFOs: [port * runs + place]
    std::uint16_t* queue = nullptr;       ///< input VCs that ask, in the order in which their headers came
    route_candidate* ways = nullptr;      ///< candidates of first packets: [input VC * ways + number]
    const port_wires* wires = nullptr;    ///< wires of each port
    const port_extras* extras = nullptr;  ///< rest of the properties of these wires
};

/// State of a router. After the words of plain_inbox its inbox has the counts of credits, if credits come
/// with a count.
struct alignas(64) apenet_block : apenet_parts {
    std::uint64_t entering = 0;  ///< mask of the ports whose output FIFO packets are entering
    std::uint64_t sending = 0;   ///< mask of the ports that have words in their output FIFO
    std::uint64_t owing = 0;     ///< mask of the ports whose input VCs owe credits
    cycle_t tells_at = 0;        ///< first cycle in which one of these ports may send its credits
    bool changed = false;  ///< true: allocation must be tried, since a packet that asks may get an output VC
    std::uint16_t asking = 0;    ///< number of inputs that ask: the first ones in `queue`
    std::uint32_t arrivals = 0;  ///< number of headers that have come, modulo 2^32
    std::uint32_t id = 0;        ///< number of the router in the network
    plain_inbox inbox;
    rng random;
};

}  // namespace sare
