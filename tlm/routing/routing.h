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

/// Which way. A routing function maps (router, input port, input VC, packet) to an ordered set of candidates
/// (output port, VC set); the choice among those that are free is the router's (Dally & Towles, ch. 8-11).
namespace sare {

class multicast_table;

/// One way on: `vcs` is a bit mask within the VCs of the packet's message class (bit 0 is VC vc_base), or
/// within all VCs of the port for an output port that leads to a node.
struct route_candidate {
    std::uint8_t port;
    bool escape;  ///< belongs to the deadlock-free escape subfunction (Duato)
    std::uint16_t vcs;
};

/// The candidates in order of preference: one group of equal rank first (adaptive), then the escape.
struct route_set {
    static constexpr std::uint32_t capacity = 32;
    std::uint32_t size = 0;
    /// So many routers that come next on the way (0 or more) give the same answer, if this is the only
    /// candidate: route() need not be called there.
    std::uint32_t repeats = 0;
    route_candidate candidates[capacity];
    void add(std::uint32_t port, std::uint32_t vcs, bool escape = false) {
        candidates[size++] = {static_cast<std::uint8_t>(port), escape, static_cast<std::uint16_t>(vcs)};
    }
};

class routing_function {
  public:
    virtual ~routing_function() = default;

    virtual std::string name() const = 0;
    /// The largest number of candidates that route() ever gives.
    virtual std::uint32_t max_candidates() const { return 1; }
    /// True if route() depends on nothing but (router, destination), so that the network may tabulate it.
    virtual bool tabular() const { return false; }
    /// The values of header.state (from 0) that route() tells apart, if it depends on nothing but (router,
    /// destination, state): the network may tabulate that, too, and then leaves the header as begin() made
    /// it, so that must lead to the same answers further on. 0: on more.
    virtual std::uint32_t tabular_states() const { return tabular() ? 1 : 0; }
    /// True if route() depends on nothing but (router, input port, destination).
    virtual bool tabular_by_input() const { return tabular(); }
    /// True if packets of one source, destination and class always take the same way.
    virtual bool deterministic() const { return true; }
    /// @name What makes the check for deadlock shorter (deadlock.h), where it holds for all headers of
    /// every_header()
    /// @{
    /// True if route() tells the nodes of a router apart by the port to them alone: one stands for all.
    virtual bool knows_routers_only() const { return false; }
    /// True on a grid if packets finish one dimension after the other, in ascending order, and port and VCs
    /// in a dimension follow from where router and destination are in it and from how the packet began in it:
    /// all rings or rows along a dimension are alike, and one stands for all.
    virtual bool finishes_dimensions_in_order() const { return false; }
    /// True on a grid if route() does not look at where the packet came in, and what it offers in a dimension
    /// follows from where router and target (destination, or the router between) are in it and what the
    /// header has on it, and of every other dimension from no more than: whether the packet must go on there,
    /// in which direction, whether that way leads over the wrap link, up to it or on it; on a mesh from
    /// whether router, target and source are at odd coordinates, at the same or at neighbouring ones, too.
    /// Where both ways round a ring are equally long, it offers what it offers to packets for which the one
    /// or the other way is shorter. Then classes of nodes can stand for all (deadlock_classes.h).
    virtual bool treats_dimensions_apart() const { return false; }
    /// A function made of others, each on a network of its own.
    struct part {
        std::string name;     ///< "level 0"
        std::uint32_t level;  ///< see topology::part_of()
        const topology* network;
        const routing_function* function;
        std::uint32_t vcs;  ///< per port and message class
    };
    /// Those that the check may look at one by one instead, as packets go from one to the next in an order
    /// and never share a VC with an earlier one; empty where it has to look at the whole.
    virtual std::vector<part> parts() const { return {}; }
    /// @}
    /// True if it is adaptive, or can be made anew for any graph: a network of it goes on where links fail,
    /// by a function of what is left (docs/links.md).
    virtual bool goes_round_failures() const { return false; }
    /// True if freedom from deadlock rests on candidates marked `escape` (Duato) rather than on an acyclic
    /// dependency graph of all candidates.
    virtual bool needs_escape() const { return false; }

    /// Prepares a header whose source and destination are set: called once per packet at its source, with
    /// the source's own random stream.
    virtual void begin(route_header& header, rng& random) const {
        (void)header;
        (void)random;
    }
    /// Every header that begin() may make for (source, destination), for the deadlock check; at least one.
    /// Two-phase functions may give the headers of each phase on its own (each phase has its own VCs, so
    /// dependencies between phases only go forward and close no cycle).
    virtual void every_header(const route_header& plain, std::vector<route_header>& out) const {
        out.push_back(plain);
    }
    /// A header that begin() makes, and how likely.
    struct drawn_header {
        route_header header;
        double share;
    };
    /// What begin() draws among for (source, destination), with shares that add up to 1, for loads of
    /// channels (channel_bound.h): those of every_header(), each as likely, unless the function says
    /// otherwise.
    virtual void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const;
    /// The candidates of a packet whose head stands at router `r`, having come in by port `in` on VC `in_vc`
    /// (absolute number). Called once per packet and router, but not where route_set::repeats says how it
    /// ends. At the destination's router: the node's port with all VCs of the class. Of the header it may
    /// depend on destination, via, state, phase and vc_base, not on source: what it needs of that goes into
    /// state (so packets of many sources are one to the deadlock check). A function with parts() may look at
    /// source, for the check looks at those.
    virtual void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                       route_set& out) const = 0;

    /// @name Looking at congestion
    /// @{
    /// True if routers are to ask by route_seeing(). Nothing is tabulated then, routers are the readable
    /// ones, and all are the model's own.
    virtual bool looks_at_congestion() const { return false; }
    /// As route(), with `here` to look at. Of what it may answer, and of the headers that it may leave
    /// behind, the deadlock check knows what every_header() and route() tell; so all of it must be there.
    virtual void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                              const congestion_view& here, route_set& out) const {
        (void)here;
        route(r, in, in_vc, header, out);
    }
    /// Cycles after which a router knows of the others: congestion_view::told(). 0: it does not ask, and
    /// nothing is kept.
    virtual std::uint32_t board_delay() const { return 0; }
    /// @}

    /// The targets of sources, of a function by which routers copy packets; else null.
    virtual const multicast_table* groups() const { return nullptr; }

    /// Will soon be asked for the way of this header: what is far off in memory may be fetched now.
    virtual void expect(const route_header& header) const { (void)header; }
};

/// What a routing function is made for.
struct routing_context {
    const topology* network = nullptr;
    std::uint32_t vcs = 1;  ///< VCs per port and message class: what the masks of route_candidate index
};

using routing_registry = config::registry<routing_function, const routing_context&>;
extern template class config::registry<
    routing_function, const routing_context&>;  // in routing_support.cpp, for all files that register one

}  // namespace sare
