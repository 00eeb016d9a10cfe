// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Named cases of an experiment, each with parameters that are set over the file: `cases: {torus:
/// {network.topology: torus, routing: dor}, tree: {...}}`.
namespace sare::cli {

/// Name of the axis of a sweep over the cases, and key of --set case=NAME.
constexpr const char* case_axis = "case";

/// A case of an experiment.
struct named_case {
    std::string name;
    config::value settings;  ///< parameters of the case, by dotted paths; null: none
};

/// Removes the section `cases` from an experiment and returns its cases, in the file's order; returns none,
/// without a change, if there is no such section. Throws config::error if the section is empty or no map of
/// maps.
std::vector<named_case> take_cases(config::value& tree);
/// Returns the case called `name`; throws config::error at `at` if there is none.
const named_case& find_case(const std::vector<named_case>& cases, const std::string& name,
                            const config::location& at);
/// Returns the experiment `tree` with its parameters replaced by the settings of the case `chosen`.
config::value with_case(config::value tree, const named_case& chosen);

/// Returns the names of the cases for messages: "torus, tree".
std::string names_of(const std::vector<named_case>& cases);

}  // namespace sare::cli
