// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the phit-level routers of INSEE (J. Navaridas et al., "Simulating and evaluating
/// interconnection networks with INSEE", Simulation Modelling Practice and Theory 19, 2011); docs/insee.md
/// says what happens in which cycle.
namespace sare {

/// Flow control of a kind. dateline and bubble: two ways to keep rings free of deadlock; the router has the
/// queues of its nodes inside. tree: there are no rings, and nodes are NICs on links.
enum class phit_flow : std::uint8_t { dateline, bubble, tree };

/// Rule by which a packet chooses, among the candidates of the routing function, the output VC for which it
/// asks.
enum class request_policy : std::uint8_t {
    any,        ///< a random VC of all that the routing function allows
    oblivious,  ///< dimension order, and along a dimension always the same VC
    random,     ///< a random adaptive VC with room, or the escape if there is none
    shortest,   ///< the adaptive VC with most room, or the escape if none has room
    /// One after the other, one in each cycle: on along the packet's dimension, the other dimensions, the
    /// escape.
    smart
};

/// Rule by which a packet chooses the injection queue in which it waits. shortest: the shortest queue; dor:
/// the queue of its first direction in dimension order; dor_shortest: that queue or, if it is full, the
/// shortest; shortest_profitable: the shortest of the queues of directions that lead nearer; longest_path:
/// the queue of the direction with most hops to go. With all but `shortest` a node has a queue for each
/// direction.
enum class injection_policy : std::uint8_t { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Packets that a node drops when the network does not take them.
enum class injection_drop : std::uint8_t {
    never,  ///< no packet: packets wait
    head,   ///< the first packet of an injection queue, if no VC has room for it
    tail    ///< a packet whose injection queue is full when it comes
};

/// Consumption of a node. single: one packet at a time; multiple: a phit from every input in each cycle.
enum class consumption_mode : std::uint8_t { single, multiple };

/// Use of VCs on rings by kind `dally`. trc: VC 0 before the wrap link, VC 1 on it and after it; basic: VC 1
/// for packets that cross the wrap link, VC 0 for others; improved: VC 1 for packets that cross it, either VC
/// for others; adaptive: VCs beyond these two are adaptive, with `improved` as their escape.
enum class dally_policy : std::uint8_t { trc, basic, improved, adaptive };
/// Choice of the up port by kind `multistage`. fixed: by the number of the source, in thin trees of the
/// destination; by_source: by the number of the source; adaptive: the port with most room.
enum class tree_policy : std::uint8_t { fixed, by_source, adaptive };

/// Parameters that all three kinds have.
struct phit_params {
    std::uint32_t vcs = 2;    ///< number of VCs of a port
    std::uint32_t queue = 4;  ///< packets that the transit queue of a VC can hold
    /// Phits that every packet has: shorter packets are padded, longer messages cut.
    std::uint32_t packet = 16;
    config::value arbitration;  ///< arbiter among the packets that ask for an output VC; null: round_robin
};

/// Parameters of the kinds for direct networks, whose routers have the injection queues and the consumption
/// of their nodes.
struct direct_params : phit_params {
    consumption_mode consumption = consumption_mode::multiple;  ///< consumption of a node
    injection_policy injection = injection_policy::shortest;    ///< choice of the injection queue
    /// Injection queues of a node, with `injection: shortest`; else one for each direction.
    std::uint32_t injection_queues = 1;
    std::uint32_t injection_length = 4;           ///< packets that an injection queue can hold
    injection_drop drop = injection_drop::never;  ///< packets that a node drops
    /// In-transit priority restriction (IPR): fraction of the cycles, 0 to 1, in which no new packet gets an
    /// output VC for which a packet in transit asks.
    double transit_priority = 0;
    /// Local bubble restriction (LBR): room in packets that a new packet must leave in the transit queue of
    /// its direction here.
    std::uint32_t local_bubble = 0;
    /// Global congestion control (GCC): no packet is injected as long as more than this fraction, 0 to 1, of
    /// all places of transit queues is taken.
    double global_limit = 1;
    std::uint32_t global_interval = 1;  ///< GCC: cycles from one measurement of that fraction to the next
};

/// Parameters of kind `dally`.
struct dally_params : direct_params {
    dally_policy policy = dally_policy::trc;  ///< use of VCs on rings
    static config::schema<dally_params> fields();
};

/// Parameters of kind `bubble`.
struct bubble_params : direct_params {
    request_policy request = request_policy::oblivious;  ///< choice of the output VC
    static config::schema<bubble_params> fields();
};

/// Parameters of kind `multistage`.
struct multistage_params : phit_params {
    tree_policy routing = tree_policy::fixed;  ///< choice of the up port
    static config::schema<multistage_params> fields();
};

/// Parameters of any of the three kinds, in the form that phit_step works with.
struct phit_setting : direct_params {
    phit_flow flow = phit_flow::dateline;          ///< flow control
    request_policy request = request_policy::any;  ///< choice of the output VC

    phit_setting() = default;
    explicit phit_setting(const dally_params& p);
    explicit phit_setting(const bubble_params& p);
    explicit phit_setting(const multistage_params& p);

    /// True if the router has the injection queues and the consumption of its nodes inside.
    bool owns_nodes() const { return flow != phit_flow::tree; }
    bool operator==(const phit_setting& o) const;
};

}  // namespace sare
