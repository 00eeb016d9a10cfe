// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <functional>
#include <string>
#include <vector>

/// The highest load that the channels of a network can carry: that at which the busiest one is full (Dally &
/// Towles, 3.3.1). docs/saturation.md tells what it proves.
namespace sare {

/// A channel: what a node injects, a link between routers in one direction, or what a node takes.
struct network_channel {
    enum class kind : std::uint8_t { injection, link, ejection };
    kind what = kind::link;
    std::uint32_t from = 0;  ///< router, or the node that injects
    std::uint32_t port = 0;  ///< output port of that router
    std::uint32_t to = 0;    ///< router, or the node that takes
};
/// "router 3 to router 4 (port 1)", "north, router io to router cpu", "injection of node 5", "ejection of
/// node dram".
std::string text_of(const network_channel& c, const place_names& names);

/// Flits a cycle to a node, of traffic of load 1.
struct node_demand {
    std::uint32_t destination;
    double rate;
};

struct channel_question {
    const topology* network = nullptr;
    const routing_function* routing = nullptr;
    std::uint32_t vcs = 1;  ///< per port and message class
    /// What a source sends.
    std::function<void(std::uint32_t source, std::vector<node_demand>& out)> demands;
    /// Flits that a node injects at a time, and takes, where its queues are inside the router; null: one.
    std::function<std::uint32_t(std::uint32_t node)> most_injected{}, most_ejected{};
    std::uint64_t most_states = 20'000'000;   ///< of packets at routers: beyond that there is no bound
    double accuracy = 1e-3;                   ///< of the optimum, where packets have a choice of ways
    std::uint64_t most_work = 2'000'000'000;  ///< steps of its search
};

struct channel_bound {
    double load = 0;            ///< no higher one can be sustained; 0: there is no bound
    double attained = 0;        ///< a load that fits: the same where the bound is exact
    network_channel first;      ///< the lowest numbered of the busiest channels
    std::uint32_t busiest = 0;  ///< how many channels are as busy
    bool choice = false;        ///< packets have a choice of ways: it is the optimum over all of them
    std::string why;            ///< why there is no bound

    bool exists() const { return load > 0; }
};

/// Sums up what each channel carries. A function that draws ways at the source gives each draw its share. Of
/// several candidates for a packet's next hop the best split is taken, as is that among the ways of a
/// function that looks at congestion: whatever the routers do, they cannot carry more. That is a linear
/// program; its dual gives the bound (any lengths of channels do: the sum of capacity times length, over
/// that of rate times distance), its primal what fits, and the two are brought together by descent on a
/// smooth maximum.
channel_bound find_channel_bound(const channel_question& question);

}  // namespace sare
