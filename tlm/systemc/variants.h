// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Functions that make the variants of the registries for C++ programs, by name and with the parameters of
/// the YAML configuration as text: make_topology("mesh", {{"dims", "4,4"}}). The same schema checks them; an
/// error is a report "/sare/config".
namespace sare {

/// Parameters as pairs of name and value; commas separate the items of a list.
using words = std::vector<std::pair<std::string, std::string>>;

/// Makes a topology.
std::unique_ptr<topology> make_topology(const std::string& name, const words& parameters = {});
/// Makes a routing function for `map`, which must outlive it. `vcs`: virtual channels per port and message
/// class.
std::unique_ptr<routing_function> make_routing(const std::string& name, const topology& map,
                                               std::uint32_t vcs, const words& parameters = {});
/// Makes a workload for `nodes` nodes. File names in `parameters` are relative to the present working
/// directory.
std::unique_ptr<workload> make_workload(const std::string& name, std::uint32_t nodes,
                                        const words& parameters = {});

}  // namespace sare
