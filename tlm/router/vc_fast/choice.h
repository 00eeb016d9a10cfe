// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/router_context.h"

/// Which routers may take the short cut, and by which code.
namespace sare {

bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

/// True for routers with the features that most runs have, and no others.
bool can_be_fast(const router_context& net, const router_params& params, std::uint32_t router,
                 std::uint32_t ports);

/// All fast routers of a network have blocks of one type, so that neighbours can do without wires.
class fast_choice {
  public:
    explicit fast_choice(router_context& net) : m_net(net) {}
    /// What decides between ways of adaptive routing can be had here.
    bool can_select(const router_params& params);
    /// There are fast routers with these parameters.
    void add(const router_params& params, std::uint32_t ports);
    void decide();
    /// After that: whether such routers can be fast in this network.
    bool takes(const router_params& params) const;
    std::unique_ptr<router_bank> make(const router_terms& terms, const router_params& params,
                                      std::uint32_t ports, const std::vector<std::uint32_t>& routers) const;

  private:
    router_context& m_net;
    bool m_any = false;
    bool m_small = true;  ///< up to 32 VCs a router
    bool m_in_list = false;
};

}  // namespace sare
