// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The variants of the registries, for C++ instead of YAML: by name, with the same parameters in the same
/// words, checked by the same schema: make_topology("mesh", {{"dims", "4,4"}}). What is wrong is a report
/// "/sare/config".
namespace sare {

/// Name and value; commas separate the items of a list.
using words = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<topology> make_topology(const std::string& name, const words& parameters = {});
/// `vcs`: virtual channels per port and message class.
std::unique_ptr<routing_function> make_routing(const std::string& name, const topology& map,
                                               std::uint32_t vcs, const words& parameters = {});
/// Files named in `parameters` are relative to where the program runs.
std::unique_ptr<workload> make_workload(const std::string& name, std::uint32_t nodes,
                                        const words& parameters = {});

}  // namespace sare
