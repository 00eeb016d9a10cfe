// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Two results beside each other.
namespace sare::cli {

class command_parser;

struct compare_options {
    double rel = 0, abs = 0;  ///< of exact comparisons
    std::vector<std::string> ignored;
    double confidence = 0.95;  ///< of all verdicts of a comparison together
};

struct comparison {
    bool differs = false;
    std::string text;
};

/// Every figure that differs.
comparison compare_exactly(const std::filesystem::path& a, const std::filesystem::path& b,
                           const compare_options& o);
/// The headline figures: identical, within noise, or by how much they differ.
comparison compare_headlines(const std::filesystem::path& a, const std::filesystem::path& b,
                             const compare_options& o);

/// What a command line asks for: one of the two, and how.
struct compare_request {
    bool exact = false;
    compare_options how;

    void add_to(command_parser& command);
    comparison compare(const std::filesystem::path& a, const std::filesystem::path& b) const;
};
/// Prints the comparison of two results and answers the exit status: 1 where they differ.
int run_comparison(const std::filesystem::path& a, const std::filesystem::path& b,
                   const compare_request& request);

}  // namespace sare::cli
