// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/sheet/data_sheet.h"
#include "tb/sare/results/result_json.h"

namespace sare::cli {

/// A row of a data sheet: a property of a router, its value, and how it was measured.
struct figure {
    /// Direction in which a value is better; of a range of values the worse end counts.
    enum class better : std::uint8_t { less, more };

    std::string key;   ///< name for programs, by which losses() compares
    std::string name;  ///< name, with its unit
    /// Measured range, or rank of a value in words, higher being better; not known(): there is none.
    cosim::measured number;
    std::string text;  ///< value for people, with words instead of ranks
    std::string how;   ///< sentence on how it was measured, or why it cannot be measured
    better is = better::less;
};

/// Returns the rows of a sheet, in the order of the table. `facts`: facts that the router declares.
std::vector<figure> figures_of(const cosim::data_sheet& sheet, const sare::pins::router_facts& facts);
/// Returns rows as a list in JSON.
json to_json(const std::vector<figure>& rows);
/// Compares the rows of two sheets, as to_json() returns them. Returns a line for each row that is worse in
/// `now` than in `before`, or no longer known; rows without a number in `before` are left out.
std::vector<std::string> losses(const json& before, const json& now);

}  // namespace sare::cli
