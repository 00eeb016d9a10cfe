// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/pipelined_model.h"
#include "tlm/router_api/shown_parameters.h"

namespace sare {

/// Router kind `vc`: the pipelined virtual-channel router with credits (docs/router.md).
class vc_model final : public router_model, public shown_parameters, public pipelined_model {
  public:
    /// `at`: place of the parameters in a file, for errors. Throws config::error for parameters out of range,
    /// and for parameters that do not go with shared buffers, packets that fork, or pauses.
    explicit vc_model(const router_params& params, const config::location& at = {});

    std::string kind() const override { return "vc"; }
    gate_rule gate() const override { return {m_params.idle, m_params.wake}; }
    router_terms terms() const override;
    bool equals(const router_model& other) const override;
    std::uint32_t head_cycles() const override {
        return m_params.input_delay() + m_params.effective_rc_delay() + m_params.va_delay +
               m_params.sa_delay + m_params.st_delay;
    }
    std::uint32_t least_head_cycles() const override {
        return head_cycles() - m_params.input_delay() - (m_params.speculative ? m_params.va_delay : 0);
    }
    switch_rates rates() const override;
    bool foresees_from_lists() const override;
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;

    config::value parameters() const override { return router_params::fields().write(m_params); }

    /// Returns the parameters given to the constructor.
    const router_params& params() const { return m_params; }

  private:
    router_params m_params;
};

/// Returns the parameters of `model`, the model of router `number`, for a feature `what` that only routers of
/// kind `vc` have. The reference is valid as long as `model`. Throws config::error, at `where`, if the router
/// is of another kind: "router 3 is of kind bubble; `what` exists for kind vc only".
const router_params& vc_params(const router_model& model, std::uint32_t number, const std::string& what,
                               const config::location& where);

}  // namespace sare
