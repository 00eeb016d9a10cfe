// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"
#include "tlm/config/value.h"

#include <string>

namespace sare::cli {

/// A condition on a figure of a run, that its value is in a range: "load.accepted >= 0.38", or "load.accepted
/// = 0.39 +- 2%".
struct judged_figure {
    std::string path;            ///< path of the figure in summary.json, keys joined by dots
    double least = 0, most = 0;  ///< ends of the range; -infinity for < and <=, infinity for > and >=
    bool open = false;           ///< true: the ends are not in the range (< and >); false: they are

    /// Reads a condition: a path; one of <, <=, >, >= and =; a number; after = and its number also "+-" and
    /// a tolerance, absolute or, with "%", in percent of the number. Without a tolerance, = demands exactly
    /// that number. Throws config::error, placed at `at`, for other text.
    static judged_figure read(const std::string& text, const config::location& at);
    /// Returns a line on why the condition does not hold in the summary of a run: the value is not in the
    /// range, is not a number, or is missing; "" if it holds.
    std::string wrong_in(const json& summary) const;
};

}  // namespace sare::cli
