// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/apenet/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/shown_parameters.h"

namespace sare {

/// Router kind `apenet`: the router of the nodes of APEnet and ExaNeSt (docs/apenet.md), with any routing
/// function.
class apenet_model final : public router_model, public shown_parameters {
  public:
    /// `p`: parameters in the ranges of apenet_params::fields(), which is not checked.
    explicit apenet_model(const apenet_params& p) : m_params(p) {}

    std::string kind() const override { return "apenet"; }
    router_terms terms() const override;
    bool equals(const router_model& other) const override;
    std::uint32_t head_cycles() const override { return m_params.delay + m_params.frame + 2 * m_params.sync; }
    config::value parameters() const override { return apenet_params::fields().write(m_params); }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;

    const apenet_params& params() const { return m_params; }  ///< parameters given to the constructor

  private:
    apenet_params m_params;
};

}  // namespace sare
