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

/// Cause of the capacity of a channel: the limit that is reached first.
enum class channel_limit : std::uint8_t {
    width,    ///< width of the channel: cycles that each flit takes
    credits,  ///< buffers behind the channel, which are short for the round trip of a credit
    pace,     ///< switches at the ends, which serve an output or a VC only every so many cycles
    rate      ///< rate at which the NIC is allowed to inject
};

/// A channel: the injection link of a node, a link between routers in one direction, or the ejection link of
/// a node.
struct network_channel {
    /// Kind of a channel; link: from router to router.
    enum class kind : std::uint8_t { injection, link, ejection };
    kind what = kind::link;  ///< kind of the channel
    std::uint32_t from = 0;  ///< router at which the channel begins; injection: the node
    std::uint32_t port = 0;  ///< output port of that router; injection: 0
    std::uint32_t to = 0;    ///< router at which the channel ends; ejection: the node; injection: 0
    channel_limit limit = channel_limit::width;  ///< cause of the channel's capacity in the bound
};
/// Returns a text for a channel: "router 3 to router 4 (port 1)"; with a name of the link, "north, router io
/// to router cpu"; "injection of node 5"; "ejection of node dram".
std::string text_of(const network_channel& c, const place_names& names);

/// Traffic from a source to one destination.
struct node_demand {
    std::uint32_t destination;  ///< destination node
    double rate;                ///< flits per network cycle at load 1
};

/// Network and traffic for which find_channel_bound() is asked.
struct channel_question {
    const topology* network = nullptr;          ///< topology, not null
    const routing_function* routing = nullptr;  ///< routing function, not null
    std::uint32_t vcs = 1;                      ///< VCs of a message class at a port
    /// Appends the demands of node `source`, at load 1, to `out`.
    std::function<void(std::uint32_t source, std::vector<node_demand>& out)> demands;
    /// Parts of the network, which must fit() it, that may change places without a change to the traffic:
    /// `demands` is then called for nodes of part 0 only, and its destinations in part 1 stand for all parts
    /// but 0. Null: `demands` is called for all nodes.
    const equal_parts* parts = nullptr;
    /// Return how many flits a node can inject, and take, while a link of its own would carry one flit: more
    /// than 1 if its queues are inside the router. Null: 1 for all nodes.
    std::function<std::uint32_t(std::uint32_t node)> most_injected{}, most_ejected{};
    /// Upper bound, other than by the width, of the flits per cycle on a channel.
    struct channel_rate {
        double flits;
        channel_limit limit;
    };
    /// Returns the lowest channel_rate of a channel; `flits` infinite: the width alone limits it. Null:
    /// widths alone limit all channels.
    std::function<channel_rate(const network_channel& channel)> most_carried{};
    /// Most states (router, input port, VC, header) of packets that are followed; if there are more, there is
    /// no bound.
    std::uint64_t most_states = 20'000'000;
    /// Relative error at which the search for the best split ends, if packets have a choice of routes.
    double accuracy = 1e-3;
    /// Most steps over edges and states in the search for the best split.
    std::uint64_t most_work = 2'000'000'000;
};

/// Bound of the load, as a multiple of the demands.
struct channel_bound {
    double load = 0;      ///< load above which no network can sustain the traffic; 0: there is no bound
    double attained = 0;  ///< load that all channels can carry at once; equal to `load` if the bound is exact
    /// The busiest channel at `attained`; of several, the lowest by number in channel_list.
    network_channel first;
    std::uint32_t busiest = 0;  ///< number of channels as busy as `first`, itself included
    bool choice = false;  ///< true: packets have a choice of routes, and the bound is that of the best split
    std::string why;      ///< reason why there is no bound; "" if there is one
    /// Clock domain whose slow clock bounds `first`; "": none. find_channel_bound() leaves it ""; callers set
    /// it.
    std::string domain;

    bool exists() const { return load > 0; }  ///< true if there is a bound
};

/// Returns the bound of the load, from the flits that each channel carries. A routing function that draws
/// routes at the source gives each route its probability. Among several candidates for the next hop, or the
/// routes of a function that looks at congestion, the best split is taken, so that no router can carry more.
/// This split is a linear program. Its dual gives the bound: for any lengths of channels, the sum of capacity
/// times length over the sum of rate times distance. Its primal gives the load that fits; descent on a smooth
/// maximum brings the two together.
channel_bound find_channel_bound(const channel_question& question);

}  // namespace sare
