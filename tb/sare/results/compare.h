// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Compares two results.
namespace sare::cli {

class command_parser;

struct compare_options {
    double rel = 0, abs = 0;  ///< tolerances of exact comparisons
    std::vector<std::string> ignored;
    double confidence = 0.95;  ///< joint confidence of all verdicts of a comparison
};

struct comparison {
    bool differs = false;
    std::string text;
};

/// Compares every figure.
comparison compare_exactly(const std::filesystem::path& a, const std::filesystem::path& b,
                           const compare_options& o);
/// Compares the headline figures: identical, within noise, or how much they differ.
comparison compare_headlines(const std::filesystem::path& a, const std::filesystem::path& b,
                             const compare_options& o);

/// Kind of comparison that a command line asks for, and its options.
struct compare_request {
    bool exact = false;
    compare_options how;

    void add_to(command_parser& command);
    comparison compare(const std::filesystem::path& a, const std::filesystem::path& b) const;
};
/// Prints the comparison of two results, and returns the exit status: 1 if they differ.
int run_comparison(const std::filesystem::path& a, const std::filesystem::path& b,
                   const compare_request& request);

}  // namespace sare::cli
