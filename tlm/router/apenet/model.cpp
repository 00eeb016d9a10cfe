// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/apenet/model.h"

#include "tlm/router/apenet/bank.h"
#include "tlm/router_api/base/router_groups.h"
#include "tlm/router_api/registry.h"

#include <fmt/format.h>

namespace sare {
namespace {

const config::registration<router_model> registered_apenet{
    "apenet",
    "The node of APEnet and ExaNeSt: virtual cut-through, an output FIFO a port, serial links that tell "
    "credits now and then.",
    apenet_params::fields(), config::made<apenet_model>};

const char* name_of(apenet_switching s) {
    switch (s) {
        case apenet_switching::store_and_forward:
            return "store_and_forward";
        case apenet_switching::wormhole:
            return "wormhole";
        case apenet_switching::cut_through:
            break;
    }
    return "cut_through";
}

const apenet_params& apenet_params_of(const router_instance& p) {
    return static_cast<const apenet_model*>(p.model)->params();
}

/// Throws config::error for a router that does not fit its network.
void check(const router_context& net, const router_instance& p) {
    if (net.routing() == nullptr || net.map() == nullptr)
        throw config::error(
            fmt::format("router {} of kind apenet needs a map and a routing function", p.router));
    constexpr std::uint32_t most = apenet_params::most_payload + apenet_params::envelope;
    if (net.max_packet() > most)
        throw config::error(
            fmt::format("nic.max_packet_flits is {}; packets of routers of kind apenet have a header, up to "
                        "{} words of payload and a footer: at most {}",
                        net.max_packet(), apenet_params::most_payload, most));
}

/// Returns the arbiters of output ports; null for `arrival`, which needs none.
std::shared_ptr<const arbiter> apenet_policy_of(apenet_service service) {
    const auto named = [](const char* name) {
        return config::make_chosen<arbiter>(config::value::scalar(name));
    };
    switch (service) {
        case apenet_service::round_robin:
            return named("round_robin");
        case apenet_service::random:
            return named("random");
        case apenet_service::age:
            return named("age");
        case apenet_service::arrival:
            break;
    }
    return nullptr;
}

apenet_shape apenet_shape_of(const router_context& net, const router_instance& p) {
    apenet_shape s;
    s.params = apenet_params_of(p);
    s.ports = p.ports;
    s.vcs = s.params.vcs;
    s.all = s.ports * s.vcs;
    s.ways = net.routing()->max_candidates();
    s.runs = s.params.output_depth + 1;  // one run may wait for words
    s.policy = apenet_policy_of(s.params.service);
    return s;
}

}  // namespace

/// Returns the terms. `credit_batch` stands for updates of credits: several credits come at once, and one
/// waits no longer than that; but updates are not bound to cycles that are a multiple of it. Synchronisation
/// is not among the delays, since links of nodes have none.
router_terms apenet_model::terms() const {
    router_terms t;
    t.vcs = m_params.vcs;
    t.depth = m_params.depth;
    t.sharing = buffer_sharing::per_vc;
    t.input_delay = m_params.delay;
    t.credit_batch = m_params.credit_interval;
    t.whole_packets = m_params.switching != apenet_switching::wormhole;
    t.conserves_packets = true;
    t.thread_safe = true;
    t.on_links = std::string("words of an APElink in ") + name_of(m_params.switching);
    return t;
}

bool apenet_model::equals(const router_model& other) const {
    return other.kind() == kind() && static_cast<const apenet_model&>(other).m_params == m_params;
}

std::vector<std::unique_ptr<router_bank>> apenet_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    for (const router_instance& p : all) check(net, p);
    std::vector<std::unique_ptr<router_bank>> banks;
    for (auto& g : group_routers(all))
        banks.push_back(std::make_unique<apenet_bank>(net, apenet_shape_of(net, *g.what),
                                                      g.what->model->terms(), std::move(g.routers)));
    return banks;
}

}  // namespace sare
