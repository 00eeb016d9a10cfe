// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Functions that make variants for C++ programs by their names in the YAML configuration, with parameters as
/// text: make_topology("mesh", {{"dims", "4,4"}}). An unknown name or a wrong parameter is a report
/// "/sare/config" or, if reports do not throw, a config::error.
namespace sare {

/// Parameters as pairs of a name and a value; a value with commas is a list.
using words = std::vector<std::pair<std::string, std::string>>;

/// Makes the topology `name`; never null.
std::unique_ptr<topology> make_topology(const std::string& name, const words& parameters = {});
/// Makes the routing function `name` for `map`, which must outlive it. `vcs`: number of virtual channels of
/// each port for each message class.
std::unique_ptr<routing_function> make_routing(const std::string& name, const topology& map,
                                               std::uint32_t vcs, const words& parameters = {});
/// Makes the workload `name` for `nodes` nodes. File names in `parameters` are relative to the present
/// working directory.
std::unique_ptr<workload> make_workload(const std::string& name, std::uint32_t nodes,
                                        const words& parameters = {});

}  // namespace sare
