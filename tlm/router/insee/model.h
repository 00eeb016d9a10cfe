// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/insee/params.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/node_rates.h"
#include "tlm/router_api/purpose.h"

#include <functional>

namespace sare {

/// Kinds `dally`, `bubble` and `multistage`: the routers of INSEE (docs/insee.md).
class phit_model final : public router_model, public router_purpose, public node_rates {
  public:
    /// Function that returns the section 'routing' that a kind brings for the topology with this name; a null
    /// value: none.
    using routing_by_topology = std::function<config::value(const std::string& topology)>;
    /// Networks that a kind is for.
    struct purpose {
        std::string made_for;                        ///< the networks in words, for errors
        std::function<bool(const topology&)> suits;  ///< true for a network that the kind is for
    };
    /// `kind`: name of the kind; `safety`: why the kind is free of deadlock by design, "": the static check
    /// is made. Throws config::error, placed in `section`, for queues of more than 65,535 phits, of 1 packet
    /// with bubble flow control, or of fewer packets than `local_bubble`.
    phit_model(std::string kind, const phit_setting& setting, routing_by_topology routing, std::string safety,
               purpose networks, const config::value& section);

    std::string kind() const override { return m_kind; }
    router_terms terms() const override;
    bool equals(const router_model& other) const override;
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;
    std::string made_for() const override { return m_networks.made_for; }
    bool suits(const topology&, const topology& part) const override { return m_networks.suits(part); }
    config::value own_routing(const std::string& topology) const override { return m_routing(topology); }
    std::string deadlock_free_by_design() const override { return m_safety; }

    /// Returns 0 cycles: a phit can leave in the cycle in which it comes.
    std::uint32_t head_cycles() const override { return 0; }
    std::uint32_t most_injected(const topology& map, router_id r) const override;
    std::uint32_t most_ejected(const topology& map, router_id r) const override;

    const phit_setting& setting() const { return m_setting; }  ///< parameters given to the constructor

  private:
    std::string m_kind;
    phit_setting m_setting;
    routing_by_topology m_routing;
    std::string m_safety;
    purpose m_networks;
};

}  // namespace sare
