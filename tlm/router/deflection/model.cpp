// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/deflection/bank.h"
#include "tlm/router_api/node_rates.h"
#include "tlm/router_api/purpose.h"
#include "tlm/router_api/registry.h"

#include <map>

namespace sare {
namespace {

/// Kind `deflection`: bufferless routers of grids (docs/bufferless.md).
class deflection_model final : public router_model, public router_purpose, public node_rates {
  public:
    explicit deflection_model(const deflection_params& p) : m_params(p) {}

    std::string kind() const override { return "deflection"; }
    router_terms terms() const override {
        router_terms t;
        t.vcs = m_params.vcs;
        t.flit_delay = m_params.delay;
        t.owns_nodes = true;
        t.conserves_packets = true;
        t.deflects = true;
        t.injections_per_cycle = m_params.vcs;  // a packet of each class
        t.thread_safe = true;
        t.on_links = "flits that find their way one by one";
        return t;
    }
    bool equals(const router_model& other) const override {
        return other.kind() == kind() && static_cast<const deflection_model&>(other).m_params == m_params;
    }
    std::string made_for() const override { return "grids (mesh, torus, ring, hypercube)"; }
    bool suits(const topology& whole, const topology&) const override { return whole.grid() != nullptr; }
    config::value own_routing(const std::string&) const override {
        return config::value::map({{"function", config::value::scalar("productive")}});
    }
    std::string deadlock_free_by_design() const override {
        return "no flit waits inside, and the oldest always gets on: it is never deflected";
    }
    std::uint32_t head_cycles() const override { return m_params.delay; }
    std::uint32_t most_injected(const topology&, router_id) const override { return 1; }
    std::uint32_t most_ejected(const topology&, router_id) const override { return m_params.ejection; }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override;

  private:
    deflection_params m_params;
};

/// Makes the banks. Throws config::error for a network that is no grid: a router must have as many links out
/// as in.
std::vector<std::unique_ptr<router_bank>> deflection_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    if (net.map() == nullptr || net.routing() == nullptr || net.map()->grid() == nullptr)
        throw config::error("routers of kind deflection make a mesh, torus, ring or hypercube, and no other");
    check_links_are_alike(net, all);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> alike;
    for (const router_instance& p : all) alike[{p.domain, p.ports}].push_back(p.router);
    const auto parts = std::make_shared<reassembly>();
    parts->shared = alike.begin()->first.first != alike.rbegin()->first.first;
    std::vector<std::unique_ptr<router_bank>> banks;
    for (auto& [where, routers] : alike)
        banks.push_back(std::make_unique<deflection_bank>(net, m_params, std::move(routers), where.second,
                                                          terms(), parts));
    return banks;
}

const config::registration<router_model> registered_deflection{
    "deflection",
    "A bufferless router for grids: flits go on in every cycle, the oldest first, others astray.",
    deflection_params::fields(), config::made<deflection_model>};

}  // namespace

config::schema<deflection_params> deflection_params::fields() {
    using P = deflection_params;
    config::schema<P> s;
    s.number("vcs", &P::vcs, 1, 16, "", "Message classes that can be told apart; all share the links.")
        .number("delay", &P::delay, 0, 64, "cycles", "Of a flit through a router, beside the link's latency.")
        .number("ejection", &P::ejection, 1, 64, "flits", "That a node takes in a cycle.")
        .choice("choice", &P::choice, {{"first", port_choice::first}, {"random", port_choice::random}},
                "Of several ports that lead nearer, and of those that are left for a flit that is deflected: "
                "the first, in order of dimensions; any.");
    return s;
}

bool deflection_params::operator==(const deflection_params& o) const {
    return config::same_parameters(*this, o);
}

}  // namespace sare
