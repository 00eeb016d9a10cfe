// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"

#include <memory>
#include <vector>

namespace sare {

/// Layout of VC routers: how their state is stored, and how the routers that run in a cycle are found. All
/// layouts run the same stages; results do not depend on the layout. Scanned and listed are *compact*.
enum class vc_layout : std::uint8_t {
    wide,  ///< any size, neighbours and routing; runs the routers that are woken (link_ring.h)
    /// Up to 64 VC numbers (vc_traits); looks at all inboxes in every cycle, and runs the routers with
    /// arrivals and those that are woken.
    scanned,
    /// Up to 64 VC numbers, for large networks; lists the routers that are awake, and fetches them into the
    /// caches ahead.
    listed
};

/// Chooses the layout of all VC routers of a network, by the scale (size and load) and route table of the
/// network and the parameters of its routers. Order of the calls: is_compact() for each router and add() for
/// each compact shape, then decide() once, then layout_of() and make() for each bank.
class layout_choice {
  public:
    /// Keeps a reference to `net`, which must outlive this object.
    explicit layout_choice(router_context& net) : m_net(net) {}

    /// True if router `router`, with `ports` ports, may have a compact (scanned or listed) block. This needs:
    /// up to 8 VCs a port; up to 64 VC numbers, crossbar inputs and crossbar outputs; buffers of up to 255
    /// flits for each VC, without shared places, in this router and behind every output; no pauses behind an
    /// output; no batches of credits in the network; no routing that looks at congestion or forks packets; a
    /// processor with instructions for sets of bits; and a network that allows compact layouts. layout_of()
    /// may still return wide. Recognises `params` by its address: it must not change between calls.
    bool is_compact(const router_params& params, std::uint32_t router, std::uint32_t ports);
    /// Notes that some routers for which is_compact() was true have the shape `shape`; a repeated shape
    /// changes nothing.
    void add(const vc_shape& shape);
    /// Decides between scanned and listed for all compact routers of the network, after all calls of add();
    /// has no effect if there were none. Makes the route table keyed if that is possible, unless the routers
    /// are *dense*: scanned, with routes in the heads (packed_route).
    void decide();
    /// Returns the layout of routers with this shape; call it after decide(). `compact`: the answer of
    /// is_compact() for these routers; false: the layout is wide.
    vc_layout layout_of(const vc_shape& shape, bool compact) const;
    /// Returns a new bank of the routers with the numbers `routers` (in the network), in `layout`, which
    /// layout_of() has returned (not checked). Completes `shape` by values that depend on links and layout.
    std::unique_ptr<router_bank> make(vc_layout layout, vc_shape shape, const router_terms& terms,
                                      const std::vector<std::uint32_t>& routers) const;

  private:
    /// True if routers with these parameters and `ports` ports may be compact, as far as this does not depend
    /// on their neighbours.
    bool fits(const router_params& params, std::uint32_t ports) const;

    router_context& m_net;
    /// Address of the parameters of the last call of is_compact(); mostly all routers share them. Null: no
    /// call yet.
    const router_params* m_asked = nullptr;
    std::uint32_t m_asked_ports = 0;  ///< number of ports in the last call of is_compact()
    bool m_fits = false;              ///< answer of fits() for m_asked and m_asked_ports
    bool m_any = false;               ///< true: add() was called
    /// True if all compact routers have up to 32 VC numbers and can use router_bypass; then one type of block
    /// holds them all when they are listed.
    bool m_small = true;
    /// True: steps without features (vc_features::none, carried) are compiled for the sizes of all compact
    /// routers, so that they may be dense.
    bool m_all_have_plain_steps = true;
    /// Decisions of decide(): true if compact routers are listed; true if they are dense. Both false:
    /// scanned, with a keyed route table, or no router is compact.
    bool m_in_list = false, m_dense = false;
};

/// True if some link from router `router` takes more than one cycle a flit, or can sleep. `ports`: number of
/// ports of the router.
bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

/// Returns the shape of routers with parameters `p` and `ports` ports; `slow_links`: the answer of
/// has_slow_links(). Members that depend on links or layout are filled by layout_choice::make() and the bank.
vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links);

}  // namespace sare
