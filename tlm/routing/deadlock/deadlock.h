// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <functional>

/// Static check for deadlock, so that no network is simulated whose routing can lock up (Dally and Seitz
/// 1987; Duato 1993). docs/deadlock.md tells how it works and what it proves.
namespace sare {

/// Network and conditions of a check for deadlock.
struct deadlock_question {
    const topology* network = nullptr;          ///< topology, not null
    const routing_function* routing = nullptr;  ///< routing function, not null
    std::uint32_t vcs = 1;  ///< VCs of a message class at a port; one class stands for all
    /// True if a VC is granted to the next packet only when its buffer is empty, or if a blocked packet fits
    /// into one buffer (cut-through, store-and-forward). Proofs by escape channels need this.
    bool atomic_or_cut_through = false;
    /// Kind of the routers in which a flit of one VC can take the place that a packet of another VC waits for
    /// (router_terms::keeps_vcs_apart()); "": each VC has places of its own. In such routers a port with all
    /// its VCs is one channel, and VCs prove nothing.
    std::string shares_buffers;
    /// Parameter that an error recommends, since it gives each VC of such routers places of its own; "":
    /// there is no such parameter, and the error names router_terms.
    std::string reserved_by;
    /// Reason why the branches of a packet that forks may wait for each other; "": each branch goes on by
    /// itself, or no packet forks.
    std::string branches_wait;
    /// Reasons why the routers of a part cannot deadlock, whatever the routing
    /// (router_model::deadlock_free_by_design()), by number of the part, which is topology::part::level. "",
    /// or no element: the check must find out.
    std::vector<std::string> deadlock_free_by_design;
    /// Returns true if a path exists from one node to another; a network with failures may be in pieces.
    /// Null: a path exists between all nodes.
    std::function<bool(std::uint32_t from, std::uint32_t to)> reaches{};
    /// Networks in which classes of nodes may stand for all nodes (deadlock_classes.h), or the nodes of two
    /// parts for those of all parts (equal_parts.h).
    enum class classes {
        large,  ///< for classes, more than 256 routers; for parts, more than 4,096 nodes
        never,  ///< no network
        always  ///< all networks, small ones too: for tests
    };
    classes by_classes = classes::large;  ///< networks that are checked by classes or parts
    /// Most calls of route() in a check (so many take some seconds); if more are needed, the verdict is
    /// `skipped`.
    std::uint64_t most_calls = 100'000'000;
};

/// Result of a check for deadlock.
struct deadlock_report {
    /// Verdict of a check.
    enum class verdict {
        acyclic,   ///< proved free of deadlock
        cycle,     ///< there is a cycle of channels that may wait for each other
        unsafe,    ///< a condition of the proof does not hold
        broken,    ///< the routing function does not deliver some packet
        skipped,   ///< not decided: the network is too large to check
        by_design  ///< not checked: routers of this kind cannot deadlock, see
                   ///< router_model::deadlock_free_by_design()
    };
    verdict result = verdict::skipped;  ///< verdict of the check
    std::string text;  ///< verdict with its reason, and the cycle if there is one, in one line
    /// Number of pairs of a link into a router and a VC, injection links included.
    std::uint64_t channels = 0;
    /// Number of dependencies between channels; between escape channels if these decide.
    std::uint64_t dependencies = 0;
    std::uint64_t calls = 0;  ///< number of calls of route()
    /// Channels of a cycle, such as "r3.p0.vc1", each of which waits for the next; empty: none was found.
    std::vector<std::string> cycle;

    /// True if a run may start: the verdict is acyclic, skipped or by_design.
    bool ok() const {
        return result == verdict::acyclic || result == verdict::skipped || result == verdict::by_design;
    }
};

/// Checks by following every header from every node to every node, over all candidates and all their VCs.
/// Fewer nodes suffice if the routing function has the properties for that (routing.h). These are one node of
/// each router, one line along each dimension of a grid or HyperX, classes of nodes (deadlock_classes.h), or
/// the nodes of two of several equal parts.
///
/// Why one line stands for all: if packets finish dimensions in order, a cycle of channels cannot return to
/// an earlier dimension, so it stays in one; and on one line, as turns lead to other dimensions. All lines of
/// a dimension have the same dependencies, direct and indirect ones.
///
/// Why two parts stand for all: parts may change places, so a dependency that packets between any two of them
/// make is the image of one that packets between these two make. A cycle would be a closed walk when all
/// parts are seen as one, and there is none.
deadlock_report check_deadlock(const deadlock_question& question);

}  // namespace sare
