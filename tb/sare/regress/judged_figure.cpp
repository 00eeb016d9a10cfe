// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/judged_figure.h"

#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

namespace sare::cli {

judged_figure judged_figure::read(const std::string& text, const config::location& at) {
    static const std::string number = "([-+]?[0-9]*\\.?[0-9]+(?:[eE][-+]?[0-9]+)?)";
    static const std::regex form("\\s*([A-Za-z0-9_.\\-]+)\\s*(<=|>=|<|>|=)\\s*" + number + "(?:\\s*\\+-\\s*" +
                                 number + "(%?))?\\s*");
    std::smatch part;
    if (!std::regex_match(text, part, form) || (part[4].matched && part[2] != "="))
        throw config::error(
            at, fmt::format("regress.runs: figures: '{}' must be such as 'load.accepted >= 0.38' or "
                            "'load.accepted = 0.39 +- 2%'",
                            text));
    const std::string relation = part[2];
    const double value = std::stod(part[3]);
    double tolerance = part[4].matched ? std::stod(part[4]) : 0;
    if (part[5] == "%") tolerance *= std::abs(value) / 100;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    judged_figure c{part[1], value - tolerance, value + tolerance, relation == "<" || relation == ">"};
    if (relation.front() == '<') c.least = -infinite;
    if (relation.front() == '>') c.most = infinite;
    return c;
}

std::string judged_figure::wrong_in(const json& summary) const {
    figures all;
    flatten(summary, "", all);
    const auto its = std::find_if(all.begin(), all.end(), [this](const auto& f) { return f.first == path; });
    if (its == all.end()) return path + ": the run has no such figure";
    if (!its->second.is_number()) return fmt::format("{} is {}, no number", path, shown(its->second));
    const double value = its->second;
    const bool right = open ? value > least && value < most : value >= least && value <= most;
    if (right) return "";
    const std::string wanted =
        std::isinf(most)    ? fmt::format("{} {}", open ? "more than" : "at least", readable(least, 6))
        : std::isinf(least) ? fmt::format("{} {}", open ? "less than" : "at most", readable(most, 6))
        : least == most     ? readable(least, 6)
                            : fmt::format("{} to {}", readable(least, 6), readable(most, 6));
    return fmt::format("{} is {}, wanted: {}", path, readable(value, 6), wanted);
}

}  // namespace sare::cli
