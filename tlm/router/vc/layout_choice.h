// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"

#include <memory>
#include <vector>

namespace sare {

/// How the state of VC routers is stored, and which of them are visited in a cycle. The same stages run on
/// all three; results do not depend on it.
enum class vc_layout : std::uint8_t {
    wide,     ///< any size, any neighbours, any routing; routers that are woken
    scanned,  ///< up to 64 VCs, a keyed route table: the table of sets is looked through in every cycle
    listed    ///< large networks: routers that are awake are listed, and fetched into the caches ahead
};

/// Chooses the layout of all VC routers of a network, from what the network is: its size, its route table and
/// the parameters of its routers, and whether most of them are busy (network_scale::dense).
class layout_choice {
  public:
    explicit layout_choice(router_context& net) : m_net(net) {}

    /// Routers with these parameters fit a block of up to 64 VCs, as far as a router by itself is concerned.
    bool is_compact(const router_params& params, std::uint32_t router, std::uint32_t ports);
    /// There are compact routers that are so. Call for all, then decide().
    void add(const vc_shape& shape);
    void decide();
    vc_layout layout_of(const vc_shape& shape, bool compact) const;
    std::unique_ptr<router_bank> make(vc_layout layout, vc_shape shape, const router_terms& terms,
                                      const std::vector<std::uint32_t>& routers) const;

  private:
    bool fits(const router_params& params, std::uint32_t ports) const;

    router_context& m_net;
    const router_params* m_asked = nullptr;  ///< what is_compact() was asked last, mostly that of all routers
    std::uint32_t m_asked_ports = 0;
    bool m_fits = false;  ///< the answer
    bool m_any = false;
    bool m_small =
        true;  ///< up to 32 VCs a router that foresees: blocks of all listed routers are of one type
    bool m_in_list = false, m_dense = false;
};

/// Some link of it takes more than one cycle a flit, or sleeps.
bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

/// What follows from the parameters of a router with so many ports.
vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links);

}  // namespace sare
