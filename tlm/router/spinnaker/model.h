// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/spinnaker/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/purpose.h"
#include "tlm/router_api/shown_parameters.h"

namespace sare {

/// Router kind `spinnaker`: SpiNNaker's multicast router (docs/spinnaker.md), for triangular tori.
class spinnaker_model final : public router_model, public router_purpose, public shown_parameters {
  public:
    /// `p`: parameters of the kind; `section`: where they stand in the configuration. Throws config::error,
    /// placed at `section`, if an input buffer (buffer times packet) has more than 65,535 flits.
    spinnaker_model(const spinnaker_params& p, const config::value& section);

    std::string kind() const override { return "spinnaker"; }
    router_terms terms() const override;
    bool equals(const router_model& other) const override;
    std::string made_for() const override { return "a triangular_torus with links both ways"; }
    bool suits(const topology& whole, const topology& part) const override;
    std::string default_routing() const override { return "multicast"; }
    std::string deadlock_free_by_design() const override {
        return "a packet that waits too long is dropped, so none waits for ever";
    }
    std::uint32_t head_cycles() const override { return m_params.engine; }
    config::value parameters() const override { return spinnaker_params::fields().write(m_params); }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;

  private:
    spinnaker_params m_params;
};

}  // namespace sare
