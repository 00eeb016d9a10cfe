// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_axes.h"

#include "tb/sare/commands.h"
#include "tb/sare/run/input.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

namespace sare::cli {
namespace {

constexpr std::size_t most_points = 100'000;
constexpr std::size_t most_digits = 15;

/// A decimal without rounding: digits / 10^places.
struct decimal {
    std::int64_t digits = 0;
    std::size_t places = 0;

    std::int64_t at(std::size_t finer) const {
        std::int64_t x = digits;
        for (std::size_t i = places; i < finer; ++i) x *= 10;
        return x;
    }
};

decimal to_decimal(const std::string& text) {
    const auto point = text.find('.');
    std::string digits = text;
    if (point != std::string::npos) digits.erase(point, 1);
    return {std::stoll(digits), point == std::string::npos ? 0 : text.size() - point - 1};
}

std::string decimal_text(std::int64_t digits, std::size_t places) {
    std::string text = std::to_string(std::abs(digits));
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    if (places != 0) {
        text.insert(text.size() - places, ".");
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return (digits < 0 ? "-" : "") + text;
}

std::vector<std::string> between_colons(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

std::string without_sign(const std::string& part) {
    return part.substr(part.find_first_of("-+") == 0 ? 1 : 0);
}

/// True for a text that may be a misspelt number.
bool is_like_number(const std::string& part) {
    const std::string rest = without_sign(part);
    return rest.find_first_of("0123456789.") == 0 && rest.find_first_not_of("-+0123456789.eE") == rest.npos;
}

bool is_decimal(const std::string& part) {
    const std::string rest = without_sign(part);
    const auto points = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '.'));
    return points <= 1 && rest.size() > points && rest.find_first_not_of("0123456789.") == rest.npos;
}

bool is_range(const std::string& text) {
    const std::vector<std::string> parts = between_colons(text);
    return (parts.size() == 2 || parts.size() == 3) &&
           std::all_of(parts.begin(), parts.end(), is_like_number);
}

/// Returns the values of FIRST:LAST:STEP; LAST is one of them if the steps meet it.
std::vector<std::string> values_of_range(const std::string& path, const std::string& text) {
    const std::vector<std::string> parts = between_colons(text);
    const auto refuse = [&](const std::string& why) {
        return usage_error(fmt::format("--axis {}: '{}' {}", path, text, why));
    };
    if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), is_decimal) ||
        text.size() > 3 * most_digits)
        throw refuse("is no range; write FIRST:LAST:STEP in decimals, such as 0.05:0.5:0.05");
    decimal all[3];
    std::size_t finest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (parts[i].size() > most_digits) throw refuse(fmt::format("has more than {} digits", most_digits));
        all[i] = to_decimal(parts[i]);
        finest = std::max(finest, all[i].places);
    }
    for (const decimal& x : all)
        if (std::to_string(std::abs(x.digits)).size() + finest - x.places > most_digits + 2)
            throw refuse(fmt::format("has more than {} digits", most_digits));
    const std::int64_t first = all[0].at(finest), last = all[1].at(finest), step = all[2].at(finest);
    if (step == 0) throw refuse("has a step of 0, which never comes to its end");
    if (last != first && (last < first) != (step < 0))
        throw refuse(fmt::format("never comes to {}; its step must be {}", parts[1],
                                 last < first ? "below 0" : "above 0"));
    if (static_cast<std::size_t>((last - first) / step) >= most_points)
        throw refuse(fmt::format("has more than {} values", most_points));
    std::vector<std::string> values;
    for (std::int64_t k = 0; k <= (last - first) / step; ++k)
        values.push_back(decimal_text(first + k * step, finest));
    return values;
}

sweep_axis parse_axis(const std::string& text) {
    const auto [path, values] = split_assignment("--axis", text);
    const config::value list = config::parse_yaml("[" + values + "]", "--axis " + path);
    if (list.type() != config::value::kind::list || list.items().empty())
        throw usage_error(fmt::format("--axis {}: no values; write --axis {}=a,b,c", path, path));
    sweep_axis axis{path, {}};
    for (const config::value& v : list.items()) {
        if (v.type() == config::value::kind::scalar && is_range(v.text()))
            for (std::string& one : values_of_range(path, v.text()))
                axis.values.push_back(config::value::scalar(std::move(one), v.where()));
        else
            axis.values.push_back(v);
    }
    return axis;
}

std::string names_of(const std::vector<sweep_axis>& axes) {
    std::vector<std::string> names;
    for (const sweep_axis& a : axes) names.push_back(a.path);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns the axes that a --zip names.
std::vector<std::size_t> zipped_axes(const std::vector<sweep_axis>& axes, const std::string& text) {
    std::vector<std::size_t> all;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(',', begin);
        const std::string path = text.substr(begin, end == std::string::npos ? end : end - begin);
        const auto found =
            std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.path == path; });
        if (found == axes.end())
            throw usage_error(
                fmt::format("--zip {}: no axis '{}'; the axes are {}", text, path, names_of(axes)));
        all.push_back(static_cast<std::size_t>(found - axes.begin()));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

void check_lengths(const std::vector<sweep_axis>& axes, const std::vector<std::size_t>& together) {
    const sweep_axis& a = axes[together.front()];
    if (together.size() < 2)
        throw usage_error(fmt::format("--zip names one axis, {}; two and more go together", a.path));
    for (const std::size_t i : together)
        if (axes[i].values.size() != a.values.size())
            throw usage_error(
                fmt::format("--zip: {} has {} values and {} has {}; axes that go together have as many "
                            "(--zip=PATH,PATH names them)",
                            a.path, a.values.size(), axes[i].path, axes[i].values.size()));
}

/// Throws usage_error if axes that go together repeat values, as numbers or texts.
void check_differences(const std::vector<sweep_axis>& axes, const sweep_step& step) {
    std::set<std::string> seen;
    for (std::size_t n = 0; n < axes[step.axes.front()].values.size(); ++n) {
        std::string values;
        for (const std::size_t i : step.axes) {
            std::string text = config::flow_style(axes[i].values[n]);
            if (is_decimal(text)) text = config::number_text(std::strtod(text.c_str(), nullptr));
            values += fmt::format("{}{}={}", values.empty() ? "" : " with ", axes[i].path, text);
        }
        if (!seen.insert(values).second)
            throw usage_error(fmt::format("--axis: {} is given twice; leave one out", values));
    }
}

}  // namespace

std::vector<sweep_axis> parse_axes(const std::vector<std::string>& texts) {
    std::vector<sweep_axis> axes;
    for (const std::string& text : texts) {
        axes.push_back(parse_axis(text));
        for (std::size_t i = 0; i + 1 < axes.size(); ++i)
            if (axes[i].path == axes.back().path)
                throw usage_error(fmt::format("--axis {} is given twice", axes[i].path));
    }
    return axes;
}

std::vector<sweep_step> steps_of(const std::vector<sweep_axis>& axes, const std::vector<std::string>& zips) {
    std::vector<std::size_t> with(axes.size());  // of each axis the first of those that it goes with
    std::vector<bool> taken(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) with[i] = i;
    for (const std::string& zip : zips) {
        const auto together = zipped_axes(axes, zip);
        check_lengths(axes, together);
        for (const std::size_t i : together) {
            if (taken[i]) throw usage_error(fmt::format("--zip names {} twice", axes[i].path));
            taken[i] = true;
            with[i] = together.front();
        }
    }
    std::vector<sweep_step> steps;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (with[i] != i) continue;
        steps.emplace_back();
        for (std::size_t k = i; k < axes.size(); ++k)
            if (with[k] == i) steps.back().axes.push_back(k);
        check_differences(axes, steps.back());
    }
    return steps;
}

std::size_t count_points(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps) {
    std::size_t n = 1;
    for (const sweep_step& s : steps)
        if ((n *= axes[s.axes.front()].values.size()) > most_points)
            throw usage_error(
                fmt::format("the axes make more than {} points; sweep a part at a time", most_points));
    return n;
}

std::vector<std::size_t> places(const std::vector<sweep_axis>& axes, const std::vector<sweep_step>& steps,
                                std::size_t n) {
    std::vector<std::size_t> at(axes.size());
    for (std::size_t s = steps.size(); s-- > 0;) {
        const std::size_t length = axes[steps[s].axes.front()].values.size();
        for (const std::size_t i : steps[s].axes) at[i] = n % length;
        n /= length;
    }
    return at;
}

std::string axis_of_seeds(std::uint64_t first, std::uint64_t count) {
    constexpr std::uint64_t last = std::numeric_limits<std::int64_t>::max();
    if (first > last - (count - 1))
        throw usage_error(fmt::format("--seeds {}: from {} on there are not so many; the last seed is {}",
                                      count, first, last));
    std::string text = "seed=";
    for (std::uint64_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(first + i);
    return text;
}

}  // namespace sare::cli
