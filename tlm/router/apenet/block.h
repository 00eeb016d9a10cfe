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

/// Parameters and sizes that all routers of a bank share. An input VC or output VC has the number port * vcs
/// + vc. A *word* is a flit.
struct apenet_shape {
    apenet_params params;
    std::uint32_t ports = 0;  ///< number of ports of a router
    std::uint32_t vcs = 0;    ///< VCs of a port
    std::uint32_t all = 0;    ///< number of input VCs, and of output VCs, of a router: ports * vcs
    std::uint32_t ways = 0;   ///< most candidates that the routing function answers for a packet
    std::uint32_t runs = 0;   ///< most runs (apenet_run) in an output FIFO
    /// True: credits come with a count, since some router of the network sends several at once.
    bool counted = false;
    std::uint16_t counts_hops = 1;  ///< number added to packet::hops at a router: 1; 0 if NICs set the hops
    /// Arbiters of output ports. Null: APEnet's own rule, which serves packets in the order in which their
    /// headers came to the router.
    std::shared_ptr<const arbiter> policy;

    /// True if a packet enters an output FIFO only if all of its words have room in the input FIFO behind the
    /// link.
    bool whole_packets() const { return params.switching != apenet_switching::wormhole; }
};

/// A packet in an input FIFO.
struct apenet_slot {
    std::uint32_t packet = 0;  ///< slot of the packet in the pool
    /// Number of the packet's header among all that have come to the router, modulo 2^32.
    std::uint32_t order = 0;
};

/// Input FIFO of a VC: a ring of packets. The last packet may still be coming, and the first already be
/// leaving.
struct apenet_input {
    static constexpr std::uint16_t none = 0xffff;  ///< value of `out`: no output VC yet

    std::uint32_t packet = 0;  ///< slot of the first packet
    std::uint16_t words = 0;   ///< words in the FIFO
    std::uint16_t left = 0;    ///< words of the first packet that have not left the FIFO, arrived or not
    std::uint16_t length = 0;  ///< length of the first packet in words
    std::uint16_t out = none;  ///< number of the output VC that the first packet has; none: none yet
    /// Index of the first packet's slot, within the FIFO's part of apenet_parts::slots.
    std::uint16_t first = 0;
    std::uint16_t packets = 0;  ///< number of packets that have begun to come and have not left as a whole
    std::uint16_t owed = 0;  ///< places, in words, that are free again and for which no credit has been sent
    std::uint8_t candidates = 0;  ///< number of candidates of the first packet
    bool asks = false;            ///< true: the first packet asks for an output VC
};

/// State of an output VC.
struct apenet_output {
    static constexpr std::uint16_t no_owner = 0xffff;  ///< value of `owner`: no packet has the output VC

    /// Words of the VC that have entered the output FIFO of its port, modulo 2^32.
    std::uint32_t entered = 0;
    std::uint32_t sent = 0;  ///< words of the VC that have left this FIFO, modulo 2^32
    /// Free places in the input FIFO behind the link, in words, as far as the router knows.
    std::uint16_t credits = 0;
    std::uint16_t owner = no_owner;  ///< input VC whose packet has the output VC; no_owner: none
};

/// Run: words of one packet that follow each other in an output FIFO.
struct apenet_run {
    std::uint32_t packet = 0;  ///< slot of the packet in the pool
    std::uint16_t next = 0;    ///< number of the run's first word within the packet
    std::uint16_t words = 0;   ///< words of the run in the FIFO
    std::uint16_t length = 0;  ///< words of the packet
    std::uint8_t vc = 0;       ///< VC of the packet on the link
    bool framed = false;       ///< true: the frame before the run has been sent (apenet_params::frame)
};

/// State of a port: its output FIFO, the link that the FIFO feeds, and the sending of credits for words that
/// come in by the port.
struct apenet_port {
    std::uint16_t owned = 0;     ///< mask of the output VCs whose packets are entering the output FIFO
    std::uint16_t words = 0;     ///< words in the output FIFO
    std::uint16_t first = 0;     ///< index of the first run in the port's part of apenet_parts::runs
    std::uint16_t last_run = 0;  ///< index of the last run in that part
    std::uint16_t runs = 0;      ///< number of runs in the output FIFO
    std::uint16_t turn = 0;      ///< number of the input VC that the port was given to last
    std::uint8_t last = 0;       ///< VC of the word that entered the output FIFO last
    bool far = false;            ///< true: the link leads to a router, not to a node
    cycle_t free_at = 0;         ///< first cycle in which the link takes a word
    /// First cycle in which credits for words that came in by the port may be sent again.
    cycle_t told_at = 0;
};

/// Pointers to the parts of a router, which its bank holds for all routers.
struct apenet_parts {
    /// State of each input VC, of each output VC, and of each port.
    apenet_input* inputs = nullptr;
    apenet_output* outputs = nullptr;
    apenet_port* ports = nullptr;
    apenet_slot* slots = nullptr;  ///< packets in input FIFOs: [input VC * apenet_params::depth + place]
    apenet_run* runs = nullptr;    ///< runs in output FIFOs: [port * apenet_shape::runs + place]
    /// Input VCs that ask for an output VC, in the order in which their headers came to the router.
    std::uint16_t* queue = nullptr;
    /// Candidates of first packets: [input VC * apenet_shape::ways + number].
    route_candidate* ways = nullptr;
    const port_wires* wires = nullptr;    ///< wires of each port
    const port_extras* extras = nullptr;  ///< further properties of these wires
};

/// State of a router. If credits come with a count, its inbox has these counts, 16 bits for each output VC,
/// behind the words of plain_inbox.
struct alignas(64) apenet_block : apenet_parts {
    std::uint64_t entering = 0;  ///< mask of the ports with an output FIFO that packets are entering
    std::uint64_t sending = 0;   ///< mask of the ports that have words in their output FIFO
    std::uint64_t owing = 0;     ///< mask of the ports whose input VCs owe credits
    cycle_t tells_at = 0;        ///< first cycle in which a port in `owing` may send its credits
    bool changed = false;  ///< true: allocation must be tried, since a packet that asks may get an output VC
    std::uint16_t asking = 0;  ///< number of input VCs that ask for an output VC: elements of `queue` in use
    std::uint32_t arrivals = 0;  ///< number of headers that have come to the router, modulo 2^32
    std::uint32_t id = 0;        ///< number of the router in the network
    plain_inbox inbox;
    rng random;
};

}  // namespace sare
