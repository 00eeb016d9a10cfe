// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <functional>

/// Static check for deadlock, so that no network is simulated whose routing can lock up (Dally and Seitz
/// 1987; Duato 1993). docs/deadlock.md tells how it works and what it proves.
namespace sare {

/// Network and conditions of a check for deadlock.
struct deadlock_question {
    const topology* network = nullptr;
    const routing_function* routing = nullptr;
    std::uint32_t vcs = 1;  ///< VCs per port and message class; classes share no VC, so that one stands
    ///< for all
    /// True if a VC goes to the next packet only when it is empty, or if a blocked packet fits into one
    /// buffer (cut-through, store-and-forward). Proofs by escape channels need this.
    bool atomic_or_cut_through = false;
    /// Kind of routers in which a flit of one VC can take the place that a packet of another one waits for
    /// (router_terms::keeps_vcs_apart()); "": each VC has places of its own. Then a port with all its VCs is
    /// one channel, and VCs prove nothing.
    std::string shares_buffers;
    /// Parameter that an error recommends, as it gives each VC of such routers places of its own; "": no
    /// parameter does, and the error names router_terms.
    std::string reserved_by;
    /// Reasons why the routers of a part cannot deadlock whatever the routing
    /// (router_model::deadlock_free_by_design()), by part number of topology::part_of(); "" or missing: the
    /// check must find out.
    std::vector<std::string> deadlock_free_by_design;
    /// Returns true if a path exists between two nodes; a network with failures may be in pieces. Null: all
    /// pairs have a path.
    std::function<bool(std::uint32_t from, std::uint32_t to)> reaches{};
    /// Networks in which classes of nodes may stand for all nodes (deadlock_classes.h).
    enum class classes {
        large,  ///< networks of more than some hundred routers
        never,
        always  ///< small networks, too: for tests
    };
    classes by_classes = classes::large;
    std::uint64_t most_calls = 100'000'000;  ///< calls of route(), some seconds; more: verdict `skipped`
};

/// Result of a check for deadlock.
struct deadlock_report {
    enum class verdict {
        acyclic,   ///< proved free of deadlock
        cycle,     ///< a cycle of channels that may wait for each other
        unsafe,    ///< a condition of the argument does not hold
        broken,    ///< the routing function does not deliver
        skipped,   ///< the network is too large to check
        by_design  ///< not checked: routers of this kind cannot deadlock, see
                   ///< router_model::deadlock_free_by_design()
    };
    verdict result = verdict::skipped;
    std::string text;                ///< verdict with its reason, and the cycle if there is one, on one line
    std::uint64_t channels = 0;      ///< number of pairs (link, VC), injection links included
    std::uint64_t dependencies = 0;  ///< dependencies between channels, or escape channels if these decide
    std::uint64_t calls = 0;         ///< number of calls of route()
    std::vector<std::string> cycle;  ///< channels "r3.p0.vc1"; each waits for the next

    /// True if a run may start.
    bool ok() const {
        return result == verdict::acyclic || result == verdict::skipped || result == verdict::by_design;
    }
};

/// Checks by following every header from every node to every node, over all candidates and all their VCs.
/// Fewer suffice if the routing function says so (routing.h): one node of each router, one line along each
/// dimension of a grid, or classes of nodes (deadlock_classes.h).
///
/// Why one line stands for all: if packets finish dimensions in order, a cycle of channels cannot return to
/// an earlier dimension, so it stays in one; and on one line, as turns lead to other dimensions. All lines of
/// a dimension have the same dependencies, direct and indirect ones.
deadlock_report check_deadlock(const deadlock_question& question);

}  // namespace sare
