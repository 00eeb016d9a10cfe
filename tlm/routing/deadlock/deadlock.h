// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <functional>

/// The static check for deadlock: no simulation of a network whose routing can lock up (Dally and Seitz 1987;
/// Duato 1993). docs/deadlock.md tells what is built and what it proves.
namespace sare {

struct deadlock_question {
    const topology* network = nullptr;
    const routing_function* routing = nullptr;
    std::uint32_t vcs = 1;  ///< per port and message class, as in routing_context; classes share no VC, so
                            ///< one class stands for all
    /// A VC is handed to the next packet only when it is empty, or blocked packets fit into one buffer
    /// (cut-through, store-and-forward): what arguments with escape channels need.
    bool atomic_or_cut_through = false;
    /// By level of topology::part_of(): why its routers cannot deadlock whatever the routing, see
    /// router_model::deadlock_free_by_design(); "" or left out where that is for the check to find out.
    std::vector<std::string> deadlock_free_by_design;
    /// Pairs of nodes between which there is a path: a network of which parts are dead may be in pieces.
    /// Null: all.
    std::function<bool(std::uint32_t from, std::uint32_t to)> reaches{};
    /// Whether classes of nodes stand for all where they can (deadlock_classes.h).
    enum class classes {
        large,  ///< in networks of more than some hundred routers
        never,
        always  ///< in small ones, too: for tests
    };
    classes by_classes = classes::large;
    std::uint64_t most_calls = 100'000'000;  ///< of route(), some seconds: beyond that the check is skipped
};

struct deadlock_report {
    enum class verdict {
        acyclic,   ///< proved free of deadlock
        cycle,     ///< a cycle of channels that may wait for each other
        unsafe,    ///< a condition of the argument does not hold
        broken,    ///< the routing function does not deliver
        skipped,   ///< too large
        by_design  ///< not looked for: routers of this kind keep free of it, see
                   ///< router_model::deadlock_free_by_design()
    };
    verdict result = verdict::skipped;
    std::string text;                ///< one line: the verdict with its reason, the cycle if there is one
    std::uint64_t channels = 0;      ///< (link, VC), those of injection included
    std::uint64_t dependencies = 0;  ///< of all channels, or of the escape channels where these decide
    std::uint64_t calls = 0;         ///< of route()
    std::vector<std::string> cycle;  ///< "r3.p0.vc1": router, output port, VC; each waits for the next one

    /// The run may start.
    bool ok() const {
        return result == verdict::acyclic || result == verdict::skipped || result == verdict::by_design;
    }
};

/// Follows every header from every node to every node, over all candidates and all their VCs; from one node a
/// router, along one line in each dimension of a grid, or by classes of nodes (deadlock_classes.h), where the
/// routing function says that these stand for all (routing.h).
///
/// One line for all: let a packet finish its dimensions in order. A cycle of channels cannot lead from a
/// dimension back to an earlier one, so it stays in one, and on one line, for turns lead to other dimensions;
/// all lines of a dimension have the same dependencies, direct and indirect ones.
deadlock_report check_deadlock(const deadlock_question& question);

}  // namespace sare
