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

/// Which injection queue a packet waits in; params.cpp says what each value means.
enum class injection_policy : std::uint8_t { shortest, dor, dor_shortest, shortest_profitable, longest_path };

/// Which packets a node drops when the network does not take them.
enum class injection_drop : std::uint8_t {
    never,
    head,  ///< the first packet of an injection queue, if it finds no VC with room
    tail   ///< a packet that finds its injection queue full
};

/// Whether a node takes one packet at a time, or a phit from every input.
enum class consumption_mode : std::uint8_t { single, multiple };

/// How `dally` uses VCs on rings; params.cpp says what each value means.
enum class dally_policy : std::uint8_t { trc, basic, improved, adaptive };
/// Which number `multistage` goes up a tree by; params.cpp says what each value means.
enum class tree_policy : std::uint8_t { fixed, by_source, adaptive };

/// Parameters that all three kinds have.
struct phit_params {
    std::uint32_t vcs = 2;
    std::uint32_t queue = 4;
    std::uint32_t packet = 16;
    config::value arbitration;  ///< an `arbiter`: which of the packets that ask for an output VC gets it
};

/// Parameters of the kinds for direct networks, whose routers have the injection queues and the consumption
/// of their nodes.
struct direct_params : phit_params {
    consumption_mode consumption = consumption_mode::multiple;
    injection_policy injection = injection_policy::shortest;
    std::uint32_t injection_queues = 1;
    std::uint32_t injection_length = 4;
    injection_drop drop = injection_drop::never;
    double transit_priority = 0;
    std::uint32_t local_bubble = 0;
    double global_limit = 1;
    std::uint32_t global_interval = 1;
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
