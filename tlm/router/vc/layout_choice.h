// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"

#include <memory>
#include <vector>

namespace sare {

/// Layout of VC routers: how their state is stored, and which of them are visited in a cycle. The same stages
/// run on all three; results do not depend on the layout.
enum class vc_layout : std::uint8_t {
    wide,     ///< any size, any neighbours, any routing; visits the routers that are woken
    scanned,  ///< up to 64 VC numbers; visits the routers with sets in the table of a plane
    listed    ///< large networks; lists the routers that are awake, and fetches them into the caches ahead
};

/// Chooses the layout of all VC routers of a network by the network's size, route table and load
/// (network_scale), and by the parameters of its routers. vc_model::make_banks() calls is_compact() for each
/// router, add() for each shape that is compact, decide(), then layout_of() and make() for each bank.
class layout_choice {
  public:
    explicit layout_choice(router_context& net) : m_net(net) {}

    /// True if a router with these parameters fits a compact block, which has up to 64 VC numbers. The rest
    /// of the network may still require a wide one.
    bool is_compact(const router_params& params, std::uint32_t router, std::uint32_t ports);
    /// Notes that there are compact routers with this shape.
    void add(const vc_shape& shape);
    /// Decides for the network, after all calls of add(). Keys the route table if heads shall carry its keys.
    void decide();
    /// Returns the layout of routers with this shape; `compact`: what is_compact() answered.
    vc_layout layout_of(const vc_shape& shape, bool compact) const;
    /// Makes the bank of some routers, after completing their shape.
    std::unique_ptr<router_bank> make(vc_layout layout, vc_shape shape, const router_terms& terms,
                                      const std::vector<std::uint32_t>& routers) const;

  private:
    bool fits(const router_params& params, std::uint32_t ports) const;

    router_context& m_net;
    /// Parameters that is_compact() was asked about last; mostly all routers share them.
    const router_params* m_asked = nullptr;
    std::uint32_t m_asked_ports = 0;
    bool m_fits = false;  ///< answer of fits() for m_asked
    bool m_any = false;   ///< true: there are compact routers
    /// True if all compact routers have up to 32 VC numbers and can use router_bypass; then one type of block
    /// holds them all when they are listed.
    bool m_small = true;
    bool m_all_have_plain_steps = true;  ///< true: compact routers may be dense
    /// True if compact routers are listed; if they are scanned, with heads that carry their routes.
    bool m_in_list = false, m_dense = false;
};

/// True if some link of a router takes more than one cycle a flit, or sleeps.
bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

/// Returns the shape that follows from the parameters of a router with `ports` ports; make() completes it.
vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links);

}  // namespace sare
