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

/// An output port and VCs that a packet may take next.
struct route_candidate {
    std::uint8_t port;  ///< output port
    bool escape;        ///< member of the deadlock-free escape subfunction (Duato)
    vc_mask vcs;        ///< set of VCs: bit 0 is header.vc_base; to a node, bit 0 is VC 0 of the port
};

/// Candidates of a packet in order of preference: adaptive ones of equal rank first, then escapes.
struct route_set {
    static constexpr std::uint32_t capacity = 32;
    std::uint32_t size = 0;  ///< number of candidates
    /// Number of next routers on the route, 0 or more, that would give the same answer, so that route() need
    /// not be called there. Counts only if there is one candidate.
    std::uint32_t repeats = 0;
    route_candidate candidates[capacity];
    void add(std::uint32_t port, vc_mask vcs, bool escape = false) {
        candidates[size++] = {static_cast<std::uint8_t>(port), escape, vcs};
    }
};

/// A routing function on one network, as routers and checks call it. It has no state that packets change.
class routing_function {
  public:
    virtual ~routing_function() = default;

    virtual std::string name() const = 0;
    /// Largest number of candidates that route() ever returns, at most route_set::capacity.
    virtual std::uint32_t max_candidates() const { return 1; }
    /// True if route() depends only on router and destination, so that the network may tabulate it.
    virtual bool tabular() const { return false; }
    /// Number of values of header.state, from 0, if route() depends only on router, destination and state; 0
    /// if it depends on more. The network may tabulate it and then leaves the header as begin() made it,
    /// which must lead to the same answers at later routers.
    virtual std::uint32_t tabular_states() const { return tabular() ? 1 : 0; }
    /// True if route() depends only on router, input port and destination.
    virtual bool tabular_by_input() const { return tabular(); }
    /// True if packets of one source, destination and class always take the same route.
    virtual bool deterministic() const { return true; }
    /// @name Properties that make the check for deadlock (deadlock.h) shorter. They must hold for all headers
    /// of every_header()
    /// @{
    /// True if route() treats all nodes of a router alike but for their ports, so that one node stands for
    /// all.
    virtual bool knows_routers_only() const { return false; }
    /// True on a grid if packets finish one dimension after the other, in ascending order, and port and VCs
    /// in a dimension depend only on the coordinates of router and destination in it and on how the packet
    /// began in it. Then one row or ring along each dimension stands for all.
    virtual bool finishes_dimensions_in_order() const { return false; }
    /// True on a grid if route() ignores the input port, and its candidates in a dimension depend only on the
    /// coordinates of router and target (destination, or the router between) in it, on the header's data
    /// about it, and for every other dimension on no more than: whether the packet must still move there, in
    /// which direction, and whether that leads over the wrap link, up to it or on it; on a mesh also on
    /// whether router, target and source have odd coordinates, the same or neighbouring ones. If both
    /// directions round a ring are equally long, the candidates are those of packets for which one or the
    /// other is shorter. Then classes of nodes can stand for all (deadlock_classes.h).
    virtual bool treats_dimensions_apart() const { return false; }
    /// A routing function that serves a part of the network inside this one.
    struct part {
        std::string name;                  ///< name for reports: "level 0"
        std::uint32_t level;               ///< number of the part, see topology::part_of()
        const topology* network;           ///< map of the part alone
        const routing_function* function;  ///< function on that map
        std::uint32_t vcs;                 ///< number of VCs per port and message class
    };
    /// Parts that the check for deadlock may look at one by one, as packets pass through parts in one order
    /// and share no VC between them. Empty: the check has to look at the whole.
    virtual std::vector<part> parts() const { return {}; }
    /// @}
    /// True if the function can go on after links fail: it is adaptive, or can be made again for what is left
    /// of the network (docs/links.md).
    virtual bool goes_round_failures() const { return false; }
    /// True if freedom from deadlock rests on candidates marked `escape` (Duato) rather than on an acyclic
    /// dependency graph of all candidates.
    virtual bool needs_escape() const { return false; }

    /// Prepares a header whose source and destination are set. Called once per packet at its source;
    /// `random`: the source's own stream.
    virtual void begin(route_header& header, rng& random) const {
        (void)header;
        (void)random;
    }
    /// Appends every header that begin() may make from `plain` (source and destination set), at least one,
    /// for the deadlock check. Two-phase functions may append the headers of each phase separately, as each
    /// phase has its own VCs, so that dependencies between phases only go forward.
    virtual void every_header(const route_header& plain, std::vector<route_header>& out) const {
        out.push_back(plain);
    }
    /// A header that begin() makes.
    struct drawn_header {
        route_header header;
        double share;  ///< probability, 0 to 1
    };
    /// Appends the headers that begin() draws among for `plain`, with shares that add up to 1, for loads of
    /// channels (channel_bound.h). Unless overridden: those of every_header(), equally likely.
    virtual void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const;
    /// Sets `out` to the candidates of a packet whose head is at router `r`, having come in by port `in` on
    /// VC `in_vc` (absolute number). Called once per packet and router, unless route_set::repeats makes it
    /// unnecessary. At the destination's router the answer is the node's port with all VCs of the class. It
    /// may depend on destination, via, state, phase and vc_base of the header, but not on source, so that the
    /// deadlock check can treat packets of many sources as one; begin() puts what is needed of the source
    /// into state. A function with parts() may depend on source.
    virtual void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                       route_set& out) const = 0;

    /// @name Functions that look at congestion
    /// @{
    /// True if routers must call route_seeing(). Then there is no route table, routers are wide, and
    /// all routers must be the model's own.
    virtual bool looks_at_congestion() const { return false; }
    /// Does what route() does, and may look at congestion `here`. every_header() and route() together must
    /// cover all its answers and all headers that it leaves behind, as the deadlock check knows only those.
    virtual void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                              const congestion_view& here, route_set& out) const {
        (void)here;
        route(r, in, in_vc, header, out);
    }
    /// Cycles after which routers know the queues of other routers (congestion_view::told()); 0: the function
    /// does not ask for them.
    virtual std::uint32_t board_delay() const { return 0; }
    /// @}

    /// Targets of each source, for a function by which routers copy packets; else null.
    virtual const multicast_table* groups() const { return nullptr; }

    /// Announces that route() will be called with this header soon, so that memory may be fetched.
    virtual void expect(const route_header& header) const { (void)header; }
};

/// Network and VCs that a routing function is made for.
struct routing_context {
    const topology* network = nullptr;
    std::uint32_t vcs = 1;  ///< VCs per port and message class, which route_candidate::vcs can name
};

using routing_registry = config::registry<routing_function, const routing_context&>;
extern template class config::registry<
    routing_function, const routing_context&>;  // in routing_support.cpp, for all files that register one

}  // namespace sare
