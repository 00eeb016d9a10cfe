// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the phit-level routers of INSEE (J. Navaridas et al., "Simulating and evaluating
/// interconnection networks with INSEE", Simulation Modelling Practice and Theory 19, 2011); docs/insee.md
/// says what happens in which cycle.
namespace sare {

/// Flow control of a kind. `dateline` and `bubble` keep rings free of deadlock, and the router has the queues
/// of its nodes; in a `tree` there are no rings, and nodes are NICs on links.
enum class phit_flow : std::uint8_t { dateline, bubble, tree };

/// Which of the candidates of the routing function a packet asks for.
enum class request_policy : std::uint8_t {
    any,        ///< a random VC of all that the routing function allows
    oblivious,  ///< dimension order, along a dimension always the same VC
    random,     ///< a random adaptive VC, else the escape
    shortest,   ///< the adaptive VC with most room, else the escape
    smart       ///< in turn: on along the packet's dimension, the other dimensions, the escape
};

/// Which injection queue a packet waits in: the shortest; that of its first direction in dimension order;
/// that one or, if it is full, the shortest; the shortest of the directions that lead nearer; that of the
/// direction with most hops to go. All but the first have a queue for each direction.
enum class injection_policy : std::uint8_t { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Which packets a node drops when the network does not take them.
enum class injection_drop : std::uint8_t {
    never,
    head,  ///< the first packet of an injection queue, if it finds no VC with room
    tail   ///< a packet that finds its injection queue full
};

/// Whether a node takes one packet at a time, or a phit from every input.
enum class consumption_mode : std::uint8_t { single, multiple };

/// How `dally` uses VCs on rings: VC 0 up to the wrap link and VC 1 on it and after it; VC 1 for packets that
/// cross it, VC 0 for others; as that, and others may use both; `improved` as the escape of adaptive VCs.
enum class dally_policy : std::uint8_t { trc, basic, improved, adaptive };
/// How `multistage` goes up a tree: by the number of the source, in thin trees of the destination; by that of
/// the source everywhere; or by the port with most room.
enum class tree_policy : std::uint8_t { fixed, by_source, adaptive };

/// Parameters that all three kinds have.
struct phit_params {
    std::uint32_t vcs = 2;      ///< number of VCs of a port
    std::uint32_t queue = 4;    ///< packets that the transit queue of a VC holds
    std::uint32_t packet = 16;  ///< phits of every packet: shorter ones are padded, longer messages cut
    config::value arbitration;  ///< an `arbiter`: which of the packets that ask for an output VC gets it
};

/// Parameters of the kinds for direct networks, whose routers have the injection queues and the consumption
/// of their nodes.
struct direct_params : phit_params {
    consumption_mode consumption = consumption_mode::multiple;
    injection_policy injection = injection_policy::shortest;
    std::uint32_t injection_queues = 1;  ///< injection queues of a node, with injection: shortest
    std::uint32_t injection_length = 4;  ///< packets that an injection queue holds
    injection_drop drop = injection_drop::never;
    /// IPR: fraction of the cycles, 0 to 1, in which no new packet gets a VC that one in transit asks for.
    double transit_priority = 0;
    std::uint32_t local_bubble = 0;  ///< LBR: packets' room that a new packet must leave in the queue here
    /// GCC: no packet is injected while more than this fraction, 0 to 1, of all transit queues is full.
    double global_limit = 1;
    std::uint32_t global_interval = 1;  ///< GCC: cycles from one measurement of that to the next
};

/// Parameters of kind `dally`.
struct dally_params : direct_params {
    dally_policy policy = dally_policy::trc;
    static config::schema<dally_params> fields();
};

/// Parameters of kind `bubble`.
struct bubble_params : direct_params {
    request_policy request = request_policy::oblivious;
    static config::schema<bubble_params> fields();
};

/// Parameters of kind `multistage`.
struct multistage_params : phit_params {
    tree_policy routing = tree_policy::fixed;
    static config::schema<multistage_params> fields();
};

/// Parameters of any of the three kinds, in the form that phit_step works with.
struct phit_setting : direct_params {
    phit_flow flow = phit_flow::dateline;
    request_policy request = request_policy::any;

    phit_setting() = default;
    explicit phit_setting(const dally_params& p);
    explicit phit_setting(const bubble_params& p);
    explicit phit_setting(const multistage_params& p);

    /// True if the router has the injection queues and the consumption of its nodes.
    bool owns_nodes() const { return flow != phit_flow::tree; }
    bool operator==(const phit_setting& o) const;
};

}  // namespace sare
