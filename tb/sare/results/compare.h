// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Comparisons of two results.
namespace sare::cli {

class command_parser;

/// Options of a comparison: tolerances, paths left out, and confidence.
struct compare_options {
    double rel = 0;  ///< exact comparisons: relative tolerance, as a fraction of the larger of two numbers
    double abs = 0;  ///< exact comparisons: absolute tolerance, added to the relative one
    std::vector<std::string> ignored;  ///< exact comparisons: dotted paths left out, each with all below it
    double confidence = 0.95;          ///< joint confidence of all verdicts of a comparison of headlines
};

/// Outcome of a comparison.
struct comparison {
    bool differs = false;  ///< true: some figure differs by more than the tolerance, or by more than noise
    std::string text;      ///< lines for people
};

/// Compares every figure of the results in `a` and `b` but those that depend on the wall clock. Throws
/// config::error if `a` or `b` is no result.
comparison compare_exactly(const std::filesystem::path& a, const std::filesystem::path& b,
                           const compare_options& o);
/// Compares the headline figures of the results in `a` and `b`: says of each whether it is identical, within
/// noise, or by how much it differs. Throws config::error if `a` or `b` is no result.
comparison compare_headlines(const std::filesystem::path& a, const std::filesystem::path& b,
                             const compare_options& o);

/// Kind of comparison that a command line asks for, and its options.
struct compare_request {
    bool exact = false;  ///< true: compare_exactly(), which a tolerance or `ignored` also asks for
    compare_options how;

    void add_to(command_parser& command);  ///< declares the options
    /// Compares two results by compare_exactly() if `exact`, a tolerance or an ignored path is set, else by
    /// compare_headlines(). Throws config::error if `a` or `b` is no result.
    comparison compare(const std::filesystem::path& a, const std::filesystem::path& b) const;
};
/// Prints the comparison of two results, and returns the exit status: 1 if they differ, else 0. Throws
/// config::error if `a` or `b` is no result.
int run_comparison(const std::filesystem::path& a, const std::filesystem::path& b,
                   const compare_request& request);

}  // namespace sare::cli
