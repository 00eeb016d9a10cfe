// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/link_use.h"

#include "tlm/fabric/view/network_view.h"
#include "tlm/router_api/node_rates.h"
#include "tlm/topology/serialisation.h"

#include <cmath>

namespace sare {
namespace {

/// Cycles of the network that a flit takes of the link; less than one where several go at once.
double cycles_of_flit(const network_view& net, const link_result& l) {
    const topology& map = *net.map();
    const bool from_node = l.kind == "injection", to_node = l.kind == "ejection";
    const std::uint32_t own = from_node ? 1 : map.clock(router_id(l.from)),
                        other = to_node ? 1 : map.clock(router_id(l.to));
    const link_attributes link =
        from_node ? map.injection_link(node_id(l.from)) : map.link(router_id(l.from), port_id(l.from_port));
    const double cycles = serialisation(link, own, other) * own;
    if (!from_node && !to_node) return cycles;
    const router_id router(from_node ? l.to : l.from);
    const auto* inside = dynamic_cast<const node_rates*>(&net.model(router.value));
    if (inside == nullptr) return cycles;
    return cycles / (from_node ? inside->most_injected(map, router) : inside->most_ejected(map, router));
}

}  // namespace

void report_link_use(const network_view& net, run_result& out) {
    const auto window = static_cast<double>(out.measured_to - out.measured_from);
    if (out.link_loads.empty() || window <= 0) return;
    double sum = 0, most = -1;
    std::size_t between_routers = 0;
    for (std::size_t k = 0; k < out.link_loads.size(); ++k) {
        link_result& l = out.link_loads[k];
        // A flit that began before the end of the window takes cycles beyond it.
        l.utilisation = std::min(1.0, static_cast<double>(l.flits) * cycles_of_flit(net, l) / window);
        if (l.utilisation > most) {
            most = l.utilisation;
            out.busiest_link = k;
        }
        if (l.kind != "router") continue;
        ++between_routers;
        sum += l.utilisation;
        out.link_utilisation_max = std::max(out.link_utilisation_max, l.utilisation);
    }
    if (between_routers != 0) out.link_utilisation_mean = sum / static_cast<double>(between_routers);
}

}  // namespace sare
