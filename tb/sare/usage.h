// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Mistakes on the command line, each as one plain line that names the cure: the texts of CLI11 are its own.
namespace sare::cli {

/// What is wrong with the command line that `app` has refused by `problem`, and what would be right.
std::string usage_text(const CLI::App& app, const CLI::ParseError& problem);

/// @name Validators whose lines read behind the name of an option
/// @{
CLI::Validator whole_number(std::uint64_t min, std::uint64_t max);
CLI::Validator whole_number();  ///< any
CLI::Validator number_within(double min, double max);
CLI::Validator number_from_0();
CLI::Validator number_above_0();
CLI::Validator one_of(const std::vector<std::string>& words);
/// @}

}  // namespace sare::cli
