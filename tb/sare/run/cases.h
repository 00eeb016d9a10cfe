// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Named cases of an experiment, each with parameters set over the file:
/// `cases: {torus: {network.topology: torus, routing: dor}, tree: {...}}`.
namespace sare::cli {

/// Name of the axis of a sweep over the cases; also --set case=NAME.
constexpr const char* case_axis = "case";

struct named_case {
    std::string name;
    config::value settings;  ///< parameters by dotted paths
};

/// Removes the section `cases` from an experiment and returns its cases, in the file's order; none if there
/// is no such section. Throws config::error if it is empty or no map of maps.
std::vector<named_case> take_cases(config::value& tree);
/// Returns the case called `name`; throws config::error at `at` if there is none.
const named_case& find_case(const std::vector<named_case>& cases, const std::string& name,
                            const config::location& at);
/// Returns the experiment `tree` with the settings of a case over it.
config::value with_case(config::value tree, const named_case& chosen);

/// Returns "torus, tree".
std::string names_of(const std::vector<named_case>& cases);

}  // namespace sare::cli
