// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <functional>
#include <string>
#include <vector>

/// Highest load that the channels of a network can carry: the load at which the busiest channel is full
/// (Dally & Towles, 3.3.1). docs/saturation.md tells what it proves.
namespace sare {

/// A channel: the injection link of a node, one direction of a link between routers, or the ejection link of
/// a node.
struct network_channel {
    enum class kind : std::uint8_t { injection, link, ejection };
    kind what = kind::link;
    std::uint32_t from = 0;   ///< router; of an injection channel, the node
    std::uint32_t port = 0;   ///< output port of router `from`; not of an injection channel
    std::uint32_t to = 0;     ///< router; of an ejection channel, the node; not of an injection channel
    bool by_credits = false;  ///< its credits let fewer flits through than its width
};
/// Describes a channel: "router 3 to router 4 (port 1)", "north, router io to router cpu", "injection of
/// node 5", "ejection of node dram".
std::string text_of(const network_channel& c, const place_names& names);

/// Traffic of one source to one destination.
struct node_demand {
    std::uint32_t destination;
    double rate;  ///< flits a cycle at load 1
};

/// Network and traffic of a bound.
struct channel_question {
    const topology* network = nullptr;
    const routing_function* routing = nullptr;
    std::uint32_t vcs = 1;  ///< VCs per port and message class
    /// Appends the demands of node `source`, at load 1.
    std::function<void(std::uint32_t source, std::vector<node_demand>& out)> demands;
    /// Flits that a node can inject, and take, in a cycle if its queues are inside the router; null: one.
    std::function<std::uint32_t(std::uint32_t node)> most_injected{}, most_ejected{};
    /// Flits a cycle that the credits of a channel let through; infinite: no limit. Null: no channel has one.
    std::function<double(const network_channel& channel)> most_by_credits{};
    std::uint64_t most_states = 20'000'000;   ///< states of packets at routers; with more there is no bound
    double accuracy = 1e-3;                   ///< relative error of the optimum, if packets have a choice
    std::uint64_t most_work = 2'000'000'000;  ///< steps over edges and states in the search of the optimum
};

/// Bound of the load, as a multiple of the demands.
struct channel_bound {
    double load = 0;            ///< no higher load can be sustained; 0: there is no bound
    double attained = 0;        ///< load that all channels can carry; equals `load` if the bound is exact
    network_channel first;      ///< the busiest channel; of several, the one with the lowest number
    std::uint32_t busiest = 0;  ///< number of channels that are equally busy
    bool choice = false;        ///< packets have a choice of routes, and the bound is the optimum over all
    std::string why;            ///< reason why there is no bound; "" if there is one

    bool exists() const { return load > 0; }
};

/// Returns the bound, from the flits that each channel carries. A function that draws routes at the source
/// gives each draw its share. Among several candidates for the next hop, or the routes of a function that
/// looks at congestion, the best split is taken, so that no router can carry more. This is a linear program:
/// its dual gives the bound (for any lengths of channels: sum of capacity times length, over sum of rate
/// times distance), its primal the load that fits, and descent on a smooth maximum brings the two together.
channel_bound find_channel_bound(const channel_question& question);

}  // namespace sare
