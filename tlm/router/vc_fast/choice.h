// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/implementation.h"

namespace sare {

/// Which routers may take the short cut, and by which code. All fast routers of a network have blocks of one
/// type, so that neighbours can do without wires.
class fast_choice final : public vc_implementation {
  public:
    explicit fast_choice(router_context& net) : m_net(net) {}
    /// True for routers with the features that most runs have, and no others.
    bool can_take(const router_params& params, std::uint32_t router, std::uint32_t ports) override;
    bool add(const router_params& params, std::uint32_t ports) override;
    void decide() override;
    bool takes(const router_params& params) const override;
    std::unique_ptr<router_bank> make(const router_terms& terms, const router_params& params,
                                      std::uint32_t ports,
                                      const std::vector<std::uint32_t>& routers) const override;

  private:
    bool are_usual(const router_params& params, std::uint32_t ports) const;
    bool can_select(const router_params& params);

    router_context& m_net;
    const router_params* m_asked = nullptr;  ///< what can_take() was asked last, mostly that of all routers
    std::uint32_t m_asked_ports = 0;
    bool m_usual = false;  ///< the answer
    bool m_any = false;
    bool m_small = true;  ///< up to 32 VCs a router
    bool m_in_list = false;
};

}  // namespace sare
