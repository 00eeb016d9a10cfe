// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"

#include <memory>
#include <vector>

namespace sare {

/// Layout of VC routers: how their state is stored, and how the routers that run in a cycle are found. All
/// three layouts run the same stages; results do not depend on the layout.
enum class vc_layout : std::uint8_t {
    wide,  ///< any size, neighbours and routing; runs the routers whose bits to wake are set
    /// Up to 64 VC numbers; looks at all inboxes in every cycle, and runs the routers that got something or
    /// are woken.
    scanned,
    /// Up to 64 VC numbers, for large networks; lists the routers that are awake, and fetches them into the
    /// caches ahead.
    listed
};

/// Chooses the layout of all VC routers of a network, by the size, route table and load of the network and
/// the parameters of its routers. Order of the calls: is_compact() for each router and add() for each compact
/// shape, then decide() once, then layout_of() and make() for each bank.
class layout_choice {
  public:
    /// Keeps a reference to `net`.
    explicit layout_choice(router_context& net) : m_net(net) {}

    /// True if router `router`, with these parameters and ports, may have a compact (scanned or listed)
    /// block: up to 8 VCs a port; up to 64 VC numbers, crossbar inputs and crossbar outputs; a buffer of up
    /// to 255 flits for each VC, here and behind every output; no credits in batches, no routing that looks
    /// at congestion or forks packets; a processor with instructions for sets of bits. layout_of() may still
    /// say wide. Knows `params` again by the address: they must not change between calls.
    bool is_compact(const router_params& params, std::uint32_t router, std::uint32_t ports);
    /// Notes that some compact routers have this shape.
    void add(const vc_shape& shape);
    /// Decides between scanned and listed for the network, after all calls of add(); has no effect if there
    /// were none. Then keys the route table if that is possible, unless the routers are dense: scanned, with
    /// routes in the heads.
    void decide();
    /// Returns the layout of routers with this shape, after decide(). `compact`: the answer of is_compact()
    /// for them; without it the layout is wide.
    vc_layout layout_of(const vc_shape& shape, bool compact) const;
    /// Returns a new bank of the routers with the numbers `routers`, in the layout that layout_of() returned.
    /// Completes its copy of the shape first.
    std::unique_ptr<router_bank> make(vc_layout layout, vc_shape shape, const router_terms& terms,
                                      const std::vector<std::uint32_t>& routers) const;

  private:
    /// True if routers with these parameters and ports may be compact, as far as does not depend on their
    /// neighbours.
    bool fits(const router_params& params, std::uint32_t ports) const;

    router_context& m_net;
    /// Parameters that is_compact() was asked about last, by address; mostly all routers share them. Null:
    /// not yet asked.
    const router_params* m_asked = nullptr;
    std::uint32_t m_asked_ports = 0;  ///< number of ports that is_compact() was asked about last
    bool m_fits = false;              ///< answer of fits() for m_asked and m_asked_ports
    bool m_any = false;               ///< true: add() was called
    /// True if all compact routers have up to 32 VC numbers and can use router_bypass; then one type of block
    /// holds them all when they are listed.
    bool m_small = true;
    /// True: for all compact routers there are steps with few features, so that they may be dense.
    bool m_all_have_plain_steps = true;
    /// Set by decide(). True if compact routers are listed; true if they are scanned and dense, so that heads
    /// carry their routes. Both false: scanned, with a route table.
    bool m_in_list = false, m_dense = false;
};

/// True if some link from router `router` takes more than one cycle a flit, or can sleep. `ports`: number of
/// its ports.
bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

/// Returns the shape that follows from the parameters of a router with `ports` ports; `slow_links`: the
/// answer of has_slow_links(). What depends on the layout is missing until layout_choice::make().
vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links);

}  // namespace sare
