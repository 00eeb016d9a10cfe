// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/equal_parts.h"
#include "tlm/routing/routing.h"

#include <functional>
#include <string>
#include <vector>

/// Highest load that the channels of a network can carry: the load at which the busiest channel is full
/// (Dally & Towles, 3.3.1). docs/saturation.md tells what it proves.
namespace sare {

/// What lets a channel carry no more than it does.
enum class channel_limit : std::uint8_t {
    width,    ///< the cycles that each flit takes
    credits,  ///< the buffers beyond, which are short for the round trip of a credit
    pace,     ///< the switches at its ends, which serve an output or a VC only every so many cycles
    rate      ///< the rate that the NIC is allowed
};

/// A channel: the injection link of a node, a link between routers in one direction, or the ejection link of
/// a node.
struct network_channel {
    enum class kind : std::uint8_t { injection, link, ejection };
    kind what = kind::link;
    std::uint32_t from = 0;  ///< router at which the channel begins; injection: the node
    std::uint32_t port = 0;  ///< output port of that router; injection: 0
    std::uint32_t to = 0;    ///< router at which the channel ends; ejection: the node; injection: 0
    channel_limit limit = channel_limit::width;  ///< what sets its capacity in the bound
};
/// Returns a text for a channel: "router 3 to router 4 (port 1)"; with a name of the link, "north, router io
/// to router cpu"; "injection of node 5"; "ejection of node dram".
std::string text_of(const network_channel& c, const place_names& names);

/// Traffic from a source to one destination.
struct node_demand {
    std::uint32_t destination;
    double rate;  ///< flits a cycle at load 1
};

/// Network and traffic for which find_channel_bound() is asked.
struct channel_question {
    const topology* network = nullptr;          ///< topology, not null
    const routing_function* routing = nullptr;  ///< routing function, not null
    std::uint32_t vcs = 1;                      ///< VCs of a message class at a port
    /// Appends the demands of node `source`, at load 1, to `out`.
    std::function<void(std::uint32_t source, std::vector<node_demand>& out)> demands;
    /// Parts of the network, which must fit() it, that may change places without a change to the traffic:
    /// then demands are asked of part 0 only, and those for part 1 count for all other parts. Null: of all
    /// nodes.
    const equal_parts* parts = nullptr;
    /// Return the flits that a node can inject, and those that it can take, in a cycle, for nodes whose
    /// queues are inside the router; null: one.
    std::function<std::uint32_t(std::uint32_t node)> most_injected{}, most_ejected{};
    /// Most flits a cycle that something else than its width lets through a channel.
    struct channel_rate {
        double flits;
        channel_limit limit;
    };
    /// Returns the least of such rates; infinite: there is none. Null: for no channel.
    std::function<channel_rate(const network_channel& channel)> most_carried{};
    /// Most states of packets at routers that are looked at; if there are more, there is no bound.
    std::uint64_t most_states = 20'000'000;
    /// Relative error at which the search for the best split ends, if packets have a choice of routes.
    double accuracy = 1e-3;
    std::uint64_t most_work = 2'000'000'000;  ///< most steps over edges and states in that search
};

/// Bound of the load, as a multiple of the demands.
struct channel_bound {
    double load = 0;      ///< load above which no network can sustain the traffic; 0: there is no bound
    double attained = 0;  ///< load that all channels can carry at once; equal to `load` if the bound is exact
    network_channel first;  ///< the busiest channel at that load; of several, the one with the lowest number
    std::uint32_t busiest = 0;  ///< number of channels that are as busy
    bool choice = false;  ///< true: packets have a choice of routes, and the bound is that of the best split
    std::string why;      ///< reason why there is no bound; "" if there is one
    /// Domain whose slow clock bounds `first`, if the caller has set it; "": none.
    std::string domain;

    bool exists() const { return load > 0; }
};

/// Returns the bound of the load, from the flits that each channel carries. A routing function that draws
/// routes at the source gives each route its probability. Among several candidates for the next hop, or the
/// routes of a function that looks at congestion, the best split is taken, so that no router can carry more.
/// This split is a linear program: its dual gives the bound (for any lengths of channels: sum of capacity
/// times length, over sum of rate times distance), its primal the load that fits, and descent on a smooth
/// maximum brings the two together.
channel_bound find_channel_bound(const channel_question& question);

}  // namespace sare
