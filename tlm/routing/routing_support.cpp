// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/routing_support.h"

#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare {

template class config::registry<routing_function, const routing_context&>;
namespace {

const struct kind_of_routing {
    kind_of_routing() { routing_registry::instance().name_kind("routing function", "function"); }
} named;

vc_mask mask(std::uint32_t first, std::uint32_t count) {
    return count == 0 ? 0 : first_vcs(count) << first;
}

}  // namespace

vc_classes::vc_classes(std::uint32_t first, std::uint32_t count)
    : all(mask(first, count)),
      low(mask(first, (count + 1) / 2)),
      high(mask(first + (count + 1) / 2, count / 2)) {}

std::vector<vc_mask> equal_classes(std::uint32_t vcs, std::uint32_t classes) {
    std::vector<vc_mask> all;
    for (std::uint32_t first = 0, left = classes; left > 0; --left) {
        const std::uint32_t count = (vcs - first + left - 1) / left;
        all.push_back(mask(first, count));
        first += count;
    }
    return all;
}

void check_vcs(const config::value& section, const routing_context& context, const std::string& function,
               const vc_need& need) {
    const auto at = place(section, "function");
    const std::string have = std::to_string(context.vcs);
    if (context.vcs > most_vcs)
        throw config::error(
            at, fmt::format(
                    "'vcs' gives {} to each port and message class; a routing function can use at most {}",
                    have, most_vcs));
    if (context.vcs < need.vcs)
        throw config::error(
            at, fmt::format("'vcs' gives {} to each port and message class; '{}' needs at least {}: {}", have,
                            function, need.vcs, need.why));
}

std::vector<config::value> functions_of_parts(const config::value& given, const config::value& section,
                                              const char* name, std::size_t count) {
    std::vector<config::value> functions;
    if (given.type() != config::value::kind::null) functions = config::to_list(given, name);
    if (functions.empty()) functions.assign(count, config::value::scalar("shortest_path"));
    if (functions.size() != count)
        throw config::error(place(section, name),
                            fmt::format("'{}' has {} routing functions, and the network has {} {}",
                                        std::string(name), functions.size(), count, name));
    return functions;
}

void routing_function::drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const {
    std::vector<route_header> all;
    every_header(plain, all);
    for (const route_header& h : all) out.push_back({h, 1.0 / static_cast<double>(all.size())});
}

void add_phases(const route_header& plain, std::uint32_t to, std::vector<route_header>& out) {
    for (const std::uint8_t phase : {0, 1}) {
        out.push_back(plain);
        out.back().via = to;
        out.back().phase = phase;
    }
}

std::vector<node_attachment> node_attachments(const topology& net) {
    std::vector<node_attachment> all(net.nodes());
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        const router_port at = net.ejection_of(node_id(n));
        all[n] = {at.router.value, at.port.value};
    }
    return all;
}

}  // namespace sare
