// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/sheet/data_sheet.h"
#include "tb/sare/results/result_json.h"

namespace sare::cli {

/// A row of a data sheet: a property of a router, its value, and how it was measured.
struct figure {
    /// What is better; of a range the worse end counts.
    enum class better : std::uint8_t { less, more };

    std::string key;         ///< name for machines
    std::string name;        ///< name, with its unit
    cosim::measured number;  ///< value, or of words their rank; not known: it cannot be told, or has no rank
    std::string text;        ///< value as text
    std::string how;         ///< how it was measured, or why it cannot be
    better is = better::less;
};

/// Returns the rows of a sheet. `facts`: what the router declares.
std::vector<figure> figures_of(const cosim::data_sheet& sheet, const sare::pins::router_facts& facts);
/// Returns rows as a list in JSON.
json to_json(const std::vector<figure>& rows);
/// Compares the rows of two sheets, as to_json() returns them. Returns a line for each row that is worse than
/// before; rows that are not known before count as good.
std::vector<std::string> losses(const json& before, const json& now);

}  // namespace sare::cli
