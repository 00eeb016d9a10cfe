// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/command_parser.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class ParseError;
}

/// Mistakes on the command line, each as one plain line with the cure, instead of CLI11's own texts.
namespace sare::cli {

/// Returns what is wrong with the command line that `app` has refused by `problem`, and what would be right.
std::string usage_text(const CLI::App& app, const CLI::ParseError& problem);

/// @name Validators whose lines read behind the name of an option
/// @{
value_check whole_number(std::uint64_t min, std::uint64_t max);
value_check whole_number();  ///< any
value_check number_within(double min, double max);
value_check number_from_0();
value_check number_above_0();
value_check one_of(const std::vector<std::string>& words);
/// @}

}  // namespace sare::cli
