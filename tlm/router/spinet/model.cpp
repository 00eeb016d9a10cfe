// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinet/bank.h"
#include "tlm/router_api/purpose.h"
#include "tlm/router_api/registry.h"
#include "tlm/topology/multistage/multistage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::variants::spinet {
namespace {

/// Kind `spinet`: elements of a bufferless optical network (docs/bufferless.md).
class spinet_model final : public router_model, public router_purpose {
  public:
    explicit spinet_model(const spinet_params& p) : m_params(p) {}

    std::string kind() const override { return "spinet"; }
    router_terms terms() const override {
        router_terms t;
        t.vcs = m_params.vcs;
        t.owns_nodes = true;
        t.conserves_packets = m_params.attempts == 0;
        t.on_links = "light and acknowledgements";
        return t;
    }
    bool equals(const router_model& other) const override {
        return other.kind() == kind() && static_cast<const spinet_model&>(other).m_params == m_params;
    }
    std::string made_for() const override { return "networks of stages (butterfly, omega, clos)"; }
    bool suits(const topology& whole, const topology&) const override {
        return dynamic_cast<const multistage_shape*>(whole.shape()) != nullptr;
    }
    std::string default_routing() const override { return "destination_tag"; }
    std::string deadlock_free_by_design() const override {
        return "no packet waits inside: what finds its path taken is dropped, and its node sends it again";
    }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;

  private:
    std::uint32_t slot_for(std::uint32_t stages, std::uint32_t latency) const;

    spinet_params m_params;
};

/// Returns the length of a slot in cycles. A packet must have passed before the next one may come, and its
/// acknowledgement must be back before the next slot begins, which takes every link between elements there
/// and back. Throws config::error for a slot that is too short.
std::uint32_t spinet_model::slot_for(std::uint32_t stages, std::uint32_t latency) const {
    const std::uint32_t round_trip = 2 * (stages - 1) * latency,
                        least = std::max(m_params.duration, round_trip);
    if (m_params.slot == 0) return least;
    if (m_params.slot < least)
        throw config::error(
            fmt::format("router.slot is {} cycles; it must be at least {}: a packet takes {}, and it and its "
                        "acknowledgement {} over {} links and back",
                        m_params.slot, least, m_params.duration, round_trip, stages - 1));
    return m_params.slot;
}

std::vector<std::unique_ptr<router_bank>> spinet_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    const auto* shape = net.map() == nullptr || net.routing() == nullptr
                            ? nullptr
                            : dynamic_cast<const multistage_shape*>(net.map()->shape());
    if (shape == nullptr)
        throw config::error(
            "routers of kind spinet make a butterfly, an omega or a clos network, and no other");
    if (net.routing()->name() != "destination_tag")
        throw config::error(
            "routers of kind spinet read their digits of the destination's number; 'routing' is " +
            net.routing()->name() + ", and must be destination_tag");
    const auto stages = static_cast<std::uint32_t>(shape->stages.size());
    const std::uint32_t latency = check_links_are_alike(net, all);
    const spinet_shape common{m_params, slot_for(stages, latency), latency, shape->stages};
    const auto senders = std::make_shared<spinet_senders>(net.map()->nodes());
    struct alike {
        std::vector<std::uint32_t> routers, stage;
    };
    std::map<std::uint32_t, alike> by_ports;
    for (const router_instance& p : all) {
        std::uint32_t s = 0;
        while (s + 1 < stages && p.router >= shape->stages[s + 1].first) ++s;
        by_ports[p.ports].routers.push_back(p.router);
        by_ports[p.ports].stage.push_back(s);
    }
    std::vector<std::unique_ptr<router_bank>> banks;
    for (auto& [ports, group] : by_ports)
        banks.push_back(std::make_unique<spinet_bank>(net, common, std::move(group.routers),
                                                      std::move(group.stage), ports, terms(), senders));
    return banks;
}

const config::registration<router_model> registered{
    "spinet",
    "An element of a bufferless optical network: what loses its output is dropped, and sent again unless "
    "acknowledged.",
    spinet_params::fields(), config::made<spinet_model>};

}  // namespace
}  // namespace sare::variants::spinet
