// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/link_parameters.h"

namespace sare {
namespace {

const struct kind_of_topology {
    kind_of_topology() { topology_registry::instance().name_kind("topology", "topology"); }
} named;

}  // namespace

config::schema<link_parameters> link_fields() {
    config::schema<link_parameters> fields;
    fields
        .number("link_latency", &link_parameters::link_latency, 1, most_link_cycles, "cycles",
                "time of a flit on a link between routers")
        .number("node_link_latency", &link_parameters::node_link_latency, 1, most_link_cycles, "cycles",
                "time of a flit on a link between a node and its router, either way")
        .number("link_cycles_per_flit", &link_parameters::link_cycles_per_flit, 1, most_link_cycles, "cycles",
                "time between two flits on a link between routers: above 1 for links narrower than a flit");
    return fields;
}

std::string list_text(const std::vector<std::uint32_t>& numbers) {
    std::string all;
    for (const std::uint32_t n : numbers) all += (all.empty() ? "" : ", ") + std::to_string(n);
    return "[" + all + "]";
}

config::location place(const config::value& section, const char* key) {
    const config::value* v = section.type() == config::value::kind::map ? section.find(key) : nullptr;
    return v != nullptr ? v->where() : section.where();
}

}  // namespace sare
