// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tlm/config/value.h"

#include <string>

namespace sare::cli {

/// A condition on a figure of a run: "load.accepted >= 0.38", or "load.accepted = 0.39 +- 2%".
struct figure_condition {
    std::string path;            ///< dotted path in summary.json
    double least = 0, most = 0;  ///< range of values that are right
    bool open = false;           ///< true: the range is without its ends, for < and >

    /// Reads a condition: a path; <, <=, >, >= or =; a number; behind = also "+-" with a tolerance, absolute
    /// or with "%". Throws config::error at `at` for other text.
    static figure_condition read(const std::string& text, const config::location& at);
    /// Returns what is wrong with the figure in a summary, on one line; "" if the condition holds.
    std::string wrong_in(const json& summary) const;
};

}  // namespace sare::cli
