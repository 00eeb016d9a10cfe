// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the phit-level routers of INSEE (J. Navaridas et al., "Simulating and evaluating
/// interconnection networks with INSEE", Simulation Modelling Practice and Theory 19, 2011); docs/insee.md
/// says what happens in which cycle.
namespace sare {

/// Flow control of a kind. dateline (two classes of VCs) and bubble (a ring is never full) keep rings free of
/// deadlock; the router then has the queues of its nodes inside. tree: there are no rings, and nodes are NICs
/// on links.
enum class phit_flow : std::uint8_t { dateline, bubble, tree };

/// Rule by which a packet chooses, among the candidates of the routing function, the output VC for which it
/// asks.
enum class request_policy : std::uint8_t {
    any,        ///< a random VC with room, of all that the routing function allows
    oblivious,  ///< dimension order, and along a dimension always the same VC
    random,     ///< a random adaptive VC with room, or the escape if there is none
    shortest,   ///< the adaptive VC with most room, or the escape if none has room
    /// One request in each cycle, in this order: on along the packet's dimension, along each other dimension,
    /// the escape.
    smart
};

/// Rule by which a packet chooses the injection queue in which it waits. shortest: the shortest queue; dor:
/// the queue of the packet's first direction in dimension order; dor_shortest: that queue or, if it is full,
/// the shortest; shortest_profitable: the shortest among the queues of directions that lead nearer to the
/// destination; longest_path: the queue of the direction with most hops to go. With all but `shortest` a node
/// has a queue for each direction.
enum class injection_policy : std::uint8_t { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Rule by which a node drops packets that the network does not take.
enum class injection_drop : std::uint8_t {
    never,  ///< no packet: packets wait
    head,   ///< the first packet of an injection queue, if no VC has room for it
    tail    ///< a packet that finds its injection queue without room for it
};

/// Consumption of a node. single: one packet at a time, a phit in each cycle; multiple: a phit from every
/// input in each cycle.
enum class consumption_mode : std::uint8_t { single, multiple };

/// Use of VCs on rings by kind `dally`. trc: VC 0 before the wrap link, VC 1 on it and after it; basic: VC 1
/// for packets that cross the wrap link, VC 0 for the rest; improved: VC 1 for packets that cross the wrap
/// link, either VC for the rest; adaptive: VCs 0 and 1 are escapes that follow `improved`, all further VCs
/// are adaptive.
enum class dally_policy : std::uint8_t { trc, basic, improved, adaptive };
/// Choice of the port towards the root by kind `multistage`. fixed: by the number of the source node in k-ary
/// n-trees, of the destination in other trees; by_source: by the number of the source node; adaptive: the
/// port with most room.
enum class tree_policy : std::uint8_t { fixed, by_source, adaptive };

/// Parameters that the kinds `dally`, `bubble` and `multistage` all have.
struct phit_params {
    std::uint32_t vcs = 2;    ///< number of VCs of a port
    std::uint32_t queue = 4;  ///< packets that the transit queue of an input VC can hold
    /// Phits that every packet has: shorter packets are padded, longer messages cut.
    std::uint32_t packet = 16;
    /// Arbiter among packets that ask for one output VC, by name or section; null: round_robin.
    config::value arbitration;
};

/// Parameters of the kinds for direct networks, whose routers have the injection queues and the consumption
/// of their nodes.
struct direct_params : phit_params {
    consumption_mode consumption = consumption_mode::multiple;  ///< consumption of a node
    injection_policy injection = injection_policy::shortest;    ///< choice of the injection queue
    /// Number of injection queues of a node with `injection: shortest`; with other rules a node has one for
    /// each direction.
    std::uint32_t injection_queues = 1;
    std::uint32_t injection_length = 4;           ///< packets that an injection queue can hold
    injection_drop drop = injection_drop::never;  ///< rule by which a node drops packets
    /// Fraction, 0 to 1, of the contests between new packets and packets in transit for an output VC that no
    /// new packet may win: in-transit priority restriction (IPR).
    double transit_priority = 0;
    /// Local bubble restriction (LBR): number of packets for which a new packet must find room in this
    /// router's transit queue of its direction.
    std::uint32_t local_bubble = 0;
    /// Global congestion control (GCC): no packet is injected as long as more than this fraction, 0 to 1, of
    /// all places of transit queues is taken.
    double global_limit = 1;
    std::uint32_t global_interval = 1;  ///< GCC: cycles from one measurement of that fraction to the next
};

/// Parameters of kind `dally` (datelines); fields() has their names and ranges.
struct dally_params : direct_params {
    dally_policy policy = dally_policy::trc;  ///< use of VCs on rings
    static config::schema<dally_params> fields();
};

/// Parameters of kind `bubble` (bubble flow control); fields() has their names and ranges.
struct bubble_params : direct_params {
    request_policy request = request_policy::oblivious;  ///< choice of the output VC
    static config::schema<bubble_params> fields();
};

/// Parameters of kind `multistage` (trees); fields() has their names and ranges.
struct multistage_params : phit_params {
    tree_policy routing = tree_policy::fixed;  ///< choice of the port towards the root
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
