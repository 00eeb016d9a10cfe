// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinnaker/model.h"

#include "tlm/router/spinnaker/bank.h"
#include "tlm/router_api/base/router_groups.h"
#include "tlm/router_api/registry.h"

#include <fmt/format.h>

namespace sare {

config::schema<spinnaker_params> spinnaker_params::fields() {
    using P = spinnaker_params;
    config::schema<P> s;
    s.number("packet", &P::packet, 1, 64, "flits",
             "Length of every packet; shorter ones are padded, longer messages cut.")
        .number("buffer", &P::buffer, 1, 1024, "packets", "Buffer of an input port.")
        .number("engine", &P::engine, 1, 1024, "cycles",
                "From when the engine takes a packet until its copies may leave.")
        .number("emergency_wait", &P::emergency_wait, 0, 1e9, "cycles",
                "From then on until a copy whose link is blocked tries the other two sides of the triangle.")
        .number("drop_wait", &P::drop_wait, 0, 1e9, "cycles", "From then on until it is dropped.")
        .flag("emergency", &P::emergency, "false: no packet goes round a triangle.");
    return s;
}

spinnaker_model::spinnaker_model(const spinnaker_params& p, const config::value& section) : m_params(p) {
    if (p.buffer * p.packet > 65535)
        throw config::error(
            section.where(),
            fmt::format("a buffer has room for {} flits (packets times 'packet'); at most 65535",
                        p.buffer * p.packet));
}

router_terms spinnaker_model::terms() const {
    router_terms t;
    t.vcs = 1;
    t.depth = m_params.buffer * m_params.packet;
    t.sharing = buffer_sharing::per_vc;
    t.whole_packets = true;
    t.routes_by_itself = true;
    t.packet = m_params.packet;
    t.on_links = fmt::format("packets of {} flits that may be for many nodes", m_params.packet);
    return t;
}

bool spinnaker_model::equals(const router_model& other) const {
    return other.kind() == kind() && static_cast<const spinnaker_model&>(other).m_params == m_params;
}

bool spinnaker_model::suits(const topology& whole, const topology&) const {
    return whole.name() == "triangular_torus" && whole.coordinates() != nullptr &&
           !whole.coordinates()->unidirectional;
}

namespace {

/// Returns the routing function. Throws config::error if it is no multicast routing.
const multicast_routing& candidates_of(const router_context& net, const router_instance& p) {
    const auto* const ways = dynamic_cast<const multicast_routing*>(net.routing());
    if (ways == nullptr)
        throw config::error(
            fmt::format("router {} is of kind spinnaker, which needs 'routing: {{function: multicast}}' on a "
                        "triangular_torus{}",
                        p.router, net.routing() == nullptr ? "" : ", and not " + net.routing()->name()));
    return *ways;
}

}  // namespace

std::vector<std::unique_ptr<router_bank>> spinnaker_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    std::vector<std::unique_ptr<router_bank>> banks;
    for (auto& g : group_routers(all))
        banks.push_back(std::make_unique<spinnaker_bank>(
            net, static_cast<const spinnaker_model*>(g.what->model)->m_params,
            candidates_of(net, all.front()), std::move(g.routers), g.what->ports, g.what->model->terms()));
    return banks;
}

namespace {

const config::registration<router_model> registered_spinnaker{
    "spinnaker",
    "SpiNNaker's router: one packet at a time for all ports, multicast by source, emergency routes, drops.",
    spinnaker_params::fields(), config::made<spinnaker_model>};

}  // namespace
}  // namespace sare
