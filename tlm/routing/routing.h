// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/base/ids.h"
#include "tlm/base/rng.h"
#include "tlm/config/registry.h"
#include "tlm/routing/congestion.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <string>
#include <vector>

/// Routing functions: each maps (router, input port, input VC, packet) to an ordered set of candidates
/// (output port, set of VCs). The router chooses among the free ones (Dally & Towles, ch. 8-11).
namespace sare {

class multicast_table;
struct equal_parts;

/// An output port that a packet may take next, and the VCs that it may take there.
struct route_candidate {
    port_number port;  ///< output port
    /// True: the candidate belongs to the escape function, which is free of deadlock by itself (Duato).
    bool escape;
    /// Set of VCs: bit k for VC header.vc_base + k; for a port that leads to a node, for VC k of the port.
    vc_mask vcs;
};

/// Candidates of a packet in order of preference: adaptive ones first, all of one rank, then escapes.
struct route_set {
    static constexpr std::uint32_t capacity = 64;  ///< most candidates
    std::uint32_t size = 0;                        ///< number of candidates
    /// Number of routers that follow on the route at which the answer is the same, so that route() need not
    /// be called there; 0: none. Ignored unless there is one candidate.
    std::uint32_t repeats = 0;
    /// True: the packet forks. A copy leaves by each candidate, which is then called a branch; all ports
    /// differ, and no candidate is an escape. False: the packet leaves by one of the candidates.
    bool fork = false;
    route_candidate candidates[capacity];  ///< the first `size` elements are in use
    /// Adds a candidate; unchecked for `capacity`.
    void add(std::uint32_t port, vc_mask vcs, bool escape = false) {
        candidates[size++] = {static_cast<port_number>(port), escape, vcs};
    }
};

/// A routing function on one network, as routers and checks call it: maps router, input port, input VC and
/// header of a packet to candidates. It has no state that packets change, so that several threads may call
/// it.
class routing_function {
  public:
    virtual ~routing_function() = default;

    /// Returns the name by which it is registered.
    virtual std::string name() const = 0;
    /// Most candidates among which a router must choose, at most route_set::capacity; a fork counts as 1.
    virtual std::uint32_t max_candidates() const { return 1; }
    /// True if route() depends only on router and destination, so that the answers may be put in a table.
    virtual bool tabular() const { return false; }
    /// Number of values of header.state, from 0 on, if route() depends only on router, destination and
    /// header.state; 0: route() depends on more. If not 0, answers may be put in a table, and the header
    /// stays as begin() made it. It must lead to the same answers at later routers.
    virtual std::uint32_t tabular_states() const { return tabular() ? 1 : 0; }
    /// True if route() depends only on router, input port and destination.
    virtual bool tabular_by_input() const { return tabular(); }
    /// True if all packets of one source, destination and message class take the same route.
    virtual bool deterministic() const { return true; }
    /// @name Properties that make the check for deadlock (deadlock.h) shorter. They must hold for all headers
    /// of every_header()
    /// @{
    /// True if route() treats all nodes of a router alike, except for their ports, so that one node can stand
    /// for all.
    virtual bool knows_routers_only() const { return false; }
    /// True if route() treats all source nodes of a router alike; knows_destination_routers_only(): true if
    /// it treats all destination nodes of a router alike.
    virtual bool knows_source_routers_only() const { return knows_routers_only(); }
    virtual bool knows_destination_routers_only() const { return knows_routers_only(); }
    /// True on a grid or HyperX if packets finish one dimension after the other, in ascending order, and port
    /// and VCs in a dimension depend on two things only. These are the coordinates of router and destination
    /// in it, and how the packet began in it. Then one row or ring along each dimension stands for all.
    virtual bool finishes_dimensions_in_order() const { return false; }
    /// True on a grid if route() ignores the input port, and its candidates in a dimension depend only on the
    /// following. In that dimension: the coordinates of router and target (destination, or the router
    /// between), and the header's data about it. In every other dimension: whether the packet must still move
    /// there, in which direction, and whether that leads over the wrap link, up to it or on it. On a mesh
    /// also: whether router, target and source have odd coordinates, the same or neighbouring ones. If both
    /// directions round a ring are equally long, the candidates are those of packets for which one or the
    /// other is shorter. Then classes of nodes can stand for all (deadlock_classes.h).
    virtual bool treats_dimensions_apart() const { return false; }
    /// Returns parts of the network that the function treats alike, so that two of them can stand for all;
    /// null: none are known. A function with such parts must not need an escape, and must not fork.
    virtual const equal_parts* parts_alike() const { return nullptr; }
    /// A routing function inside this one, for a part of the network.
    struct part {
        std::string name;                  ///< name for reports: "level 0"
        std::uint32_t level;               ///< number of the part, as in topology::part::level
        const topology* network;           ///< map of the part alone
        const routing_function* function;  ///< function on that map
        std::uint32_t vcs;                 ///< number of VCs of a message class at a port
    };
    /// Returns the parts that the check for deadlock may examine one by one, since packets pass through parts
    /// in one order and parts share no VC. Empty: the check has to examine the whole network.
    virtual std::vector<part> parts() const { return {}; }
    /// @}
    /// True if the function can be used when links may fail: it is adaptive, or can be made again for the
    /// rest of the network (docs/links.md).
    virtual bool goes_round_failures() const { return false; }
    /// True if freedom from deadlock rests on the candidates marked `escape` (Duato), not on an acyclic
    /// dependency graph of all candidates.
    virtual bool needs_escape() const { return false; }

    /// Prepares a header in which source, destination and vc_base are set. Called once for each packet, at
    /// its source. `random`: random stream of the source.
    virtual void begin(route_header& header, rng& random) const {
        (void)header;
        (void)random;
    }
    /// Appends every header that begin() may make from `plain` (source and destination set), for the deadlock
    /// check. Appends none if packets cannot go from that source to that destination. Two-phase functions may
    /// append the headers of each phase separately, since each phase has its own VCs, so that dependencies
    /// lead only from phase 0 to phase 1.
    virtual void every_header(const route_header& plain, std::vector<route_header>& out) const {
        out.push_back(plain);
    }
    /// A header that begin() may make.
    struct drawn_header {
        route_header header;  ///< the header
        double share;         ///< probability, from 0 to 1
    };
    /// Appends the headers that begin() draws from for `plain`, with probabilities that add up to 1, for
    /// loads of channels (channel_bound.h). By default, appends the headers of every_header(), equally
    /// likely.
    virtual void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const;
    /// Sets `out` to the candidates of a packet whose head is at router `r`, having come in by port `in` on
    /// VC `in_vc` (counted from VC 0 of the port). `out` must be empty before. Called once for each packet
    /// and router, unless route_set::repeats makes it unnecessary. At the destination's router the answer is
    /// the port of the node with all VCs of the class.
    ///
    /// The answer may depend on destination, via, state, phase and vc_base of the header, but not on source,
    /// so that the deadlock check can treat packets of many sources as one; begin() puts into header.state
    /// what is needed of the source. A function with parts() may depend on the source.
    virtual void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                       route_set& out) const = 0;

    /// @name Functions that look at congestion
    /// @{
    /// True if routers must call route_seeing() instead of route(). Then there is no route table, VC routers
    /// have the layout `wide`, and all routers must be the model's own.
    virtual bool looks_at_congestion() const { return false; }
    /// Sets `out` as route() does, and may look at congestion around router `r` through `here`.
    /// every_header() and route() together must give all its answers and all headers that it leaves behind,
    /// since the deadlock check knows only those.
    virtual void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                              const congestion_view& here, route_set& out) const {
        (void)here;
        route(r, in, in_vc, header, out);
    }
    /// Age, in network cycles, of the queues of other routers that congestion_view::told() returns; 0: the
    /// function does not call told().
    virtual std::uint32_t board_delay() const { return 0; }
    /// @}

    /// True if route() may answer with a route_set::fork.
    virtual bool forks() const { return false; }
    /// Returns the targets of each source, for a function by which routers copy packets; null for any other.
    virtual const multicast_table* groups() const { return nullptr; }

    /// Announces that route() will soon be called with this header, so that memory may be fetched into the
    /// caches.
    virtual void expect(const route_header& header) const { (void)header; }
};

/// Network and VCs for which a routing function is made.
struct routing_context {
    const topology* network = nullptr;  ///< topology, not null
    std::uint32_t vcs = 1;              ///< VCs of a message class at a port
};

/// Routing functions by name, for the key 'function' of the section 'routing'.
using routing_registry = config::registry<routing_function, const routing_context&>;
extern template class config::registry<
    routing_function, const routing_context&>;  // in routing_support.cpp, for all files that register one

}  // namespace sare
