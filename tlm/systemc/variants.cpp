// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/variants.h"

#include "tlm/systemc/reports.h"

#include <sstream>

namespace sare {
namespace {

config::value value_of(const std::string& text) {
    if (text.find(',') == std::string::npos) return config::value::scalar(text);
    std::vector<config::value> items;
    std::istringstream list(text);
    for (std::string item; std::getline(list, item, ',');) items.push_back(config::value::scalar(item));
    return config::value::list(items);
}

config::value section(const std::string& selector, const std::string& name, const words& parameters) {
    std::vector<config::value::entry> entries{{selector, config::value::scalar(name)}};
    for (const auto& [key, text] : parameters) entries.emplace_back(key, value_of(text));
    return config::value::map(std::move(entries));
}

}  // namespace

std::unique_ptr<topology> make_topology(const std::string& name, const words& parameters) {
    const auto& all = topology_registry::instance();
    return with_config_reports([&] { return all.make(section(all.selector(), name, parameters)); });
}

std::unique_ptr<routing_function> make_routing(const std::string& name, const topology& map,
                                               std::uint32_t vcs, const words& parameters) {
    const auto& all = routing_registry::instance();
    return with_config_reports([&] {
        return all.make(section(all.selector(), name, parameters), routing_context{&map, vcs});
    });
}

std::unique_ptr<workload> make_workload(const std::string& name, std::uint32_t nodes,
                                        const words& parameters) {
    const auto& all = workload_registry::instance();
    return with_config_reports([&] {
        return all.make(section(all.selector(), name, parameters), workload_context{"", nodes});
    });
}

}  // namespace sare
