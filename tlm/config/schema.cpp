// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/schema.h"

#include "tlm/base/joined.h"
#include "tlm/config/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sare::config {
namespace {

const char* kind_name(const value& v) {
    switch (v.type()) {
        case value::kind::null:
            return "nothing";
        case value::kind::scalar:
            return "a single value";
        case value::kind::list:
            return "a list";
        case value::kind::map:
            return "a section";
    }
    return "?";
}

const std::string& scalar_text(const value& v, std::string_view name, const char* wanted) {
    if (v.type() != value::kind::scalar)
        throw error(v.where(), "'" + std::string(name) + "' must be " + wanted + ", not " + kind_name(v));
    return v.text();
}

/// Returns a hint for "network:mesh", which is a text.
std::string space_hint(const value& v) {
    const bool colon = v.type() == value::kind::scalar && v.text().find(':') != std::string::npos;
    return colon ? "; a ':' behind a key needs a space" : "";
}

/// Returns how "3%" or "0,3" is written here; of "1,000" only its writer knows which number it is.
std::string number_hint(const std::string& text) {
    double x = 0;
    int used = 0;
    const auto is_all = [&] { return static_cast<std::size_t>(used) == text.size() && std::isfinite(x); };
    if (std::sscanf(text.c_str(), "%lf%%%n", &x, &used) == 1 && is_all())
        return "; write " + number_text(x / 100);
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos || (text.size() == comma + 4 && text[0] != '0')) return "";
    std::string with_point = text;
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    used = 0;
    if (std::sscanf(with_point.c_str(), "%lf%n", &x, &used) == 1 && is_all()) return "; write " + with_point;
    return "";
}

}  // namespace

parameter_doc::parameter_doc(std::string its_name, std::string its_type, std::string its_unit,
                             std::string its_default, std::string its_sentence, std::optional<double> its_min,
                             std::optional<double> its_max, std::vector<std::string> its_choices,
                             std::vector<parameter_doc> its_section)
    : name(std::move(its_name)),
      type(std::move(its_type)),
      unit(std::move(its_unit)),
      default_text(std::move(its_default)),
      sentence(std::move(its_sentence)),
      min(its_min),
      max(its_max),
      choices(std::move(its_choices)),
      section(std::move(its_section)) {}
parameter_doc::parameter_doc(const parameter_doc&) = default;
parameter_doc::parameter_doc(parameter_doc&&) noexcept = default;
parameter_doc& parameter_doc::operator=(const parameter_doc&) = default;
parameter_doc& parameter_doc::operator=(parameter_doc&&) noexcept = default;
parameter_doc::~parameter_doc() = default;

std::int64_t to_integer(const value& v, const std::string& name, std::int64_t min, std::int64_t max) {
    const std::string& text = scalar_text(v, name, "an integer");
    errno = 0;
    char* end = nullptr;
    const long long n = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0')
        throw error(v.where(), "'" + name + "' must be an integer, not '" + text + "'");
    if (errno == ERANGE || n < min || n > max)
        throw error(v.where(), fmt::format("'{}' is {}; it must be from {} to {}", name, text, min, max));
    return n;
}

double to_number(const value& v, const std::string& name, double min, double max) {
    const std::string& text = scalar_text(v, name, "a number");
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(x))
        throw error(v.where(), "'" + name + "' must be a number, not '" + text + "'" + number_hint(text));
    if (x < min || x > max)
        throw error(v.where(), "'" + name + "' is " + text + "; it must be from " + number_text(min) +
                                   " to " + number_text(max));
    return x;
}

std::optional<double> to_quantity(const std::string& text, std::string_view unit) {
    static const struct {
        std::string_view word, unit;
        double count;
    } units[] = {{"bit/s", "bit/s", 1}, {"b/s", "bit/s", 1}, {"bps", "bit/s", 1}, {"B/s", "bit/s", 8},
                 {"B/s", "bytes/s", 1}, {"B", "bytes", 1},   {"Hz", "Hz", 1},     {"s", "s", 1}};
    constexpr std::string_view prefixes = "fpnum kMGT";
    const std::size_t end = text.find_first_not_of("0123456789.+-");
    if (end == 0 || end == std::string::npos) return std::nullopt;
    const std::size_t at = text.find_first_not_of(' ', end);
    if (at == std::string::npos) return std::nullopt;
    const std::string_view behind = std::string_view(text).substr(at);
    for (const auto& u : units)
        for (std::size_t k = 0; k < prefixes.size(); ++k) {
            const std::string prefix = prefixes[k] == ' ' ? "" : std::string(1, prefixes[k]);
            if (u.unit != unit || behind != prefix + std::string(u.word)) continue;
            const std::string power = std::to_string(3 * static_cast<int>(k) - 15);
            return u.count * std::strtod((text.substr(0, end) + "e" + power).c_str(), nullptr);
        }
    return std::nullopt;
}

bool to_flag(const value& v, const std::string& name) {
    const std::string& text = scalar_text(v, name, "true or false");
    if (text == "true") return true;
    if (text == "false") return false;
    throw error(v.where(), "'" + name + "' must be true or false, not '" + text + "'");
}

const std::string& to_text(const value& v, std::string_view name) {
    return scalar_text(v, name, "a text");
}

const std::vector<value>& to_list(const value& v, std::string_view name) {
    if (v.type() != value::kind::list)
        throw error(v.where(), "'" + std::string(name) + "' must be a list, not " + kind_name(v));
    return v.items();
}

std::vector<std::string> names_of(const std::vector<parameter_doc>& docs, const std::string& first) {
    std::vector<std::string> all;
    if (!first.empty()) all.push_back(first);
    for (const parameter_doc& d : docs) all.push_back(d.name);
    return all;
}

std::size_t choose_word(const value& v, const std::string& name, const std::vector<std::string>& words) {
    const std::string& text = scalar_text(v, name, "a name");
    const auto found = std::find(words.begin(), words.end(), text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    throw error(v.where(), "unknown " + name + " '" + text + "'; " + cure_of_word(text, name, words));
}

bool number_set::contains(std::uint32_t n) const {
    return all || std::any_of(ranges.begin(), ranges.end(),
                              [n](const auto& r) { return r.first <= n && n <= r.second; });
}

std::uint32_t number_set::last() const {
    std::uint32_t most = 0;
    for (const auto& r : ranges) most = std::max(most, r.second);
    return most;
}

namespace {

/// Reads "7" or "3-5".
std::pair<std::uint32_t, std::uint32_t> to_range(const value& v, const std::string& name) {
    const std::string& text = scalar_text(v, name, "'all', a number or a range");
    unsigned first = 0, last = 0;
    int used = 0;
    const bool range = std::sscanf(text.c_str(), "%9u-%9u%n", &first, &last, &used) == 2;
    if (!range && std::sscanf(text.c_str(), "%9u%n", &first, &used) == 1) last = first;
    if (used == 0 || static_cast<std::size_t>(used) != text.size() || first > last)
        throw error(v.where(), "'" + name + "' has '" + text +
                                   "'; it must be 'all', a number, a range such as 0-3, or a list of these");
    return {first, last};
}

}  // namespace

number_set to_number_set(const value& v, const std::string& name) {
    number_set s;
    s.at = v.where();
    if (v.type() == value::kind::scalar && v.text() == "all") {
        s.all = true;
    } else if (v.type() == value::kind::list) {
        for (const auto& item : v.items()) s.ranges.push_back(to_range(item, name));
    } else {
        s.ranges.push_back(to_range(v, name));
    }
    return s;
}

value from_number_set(const number_set& s) {
    if (s.all) return value::scalar("all");
    std::vector<value> items;
    for (const auto& [first, last] : s.ranges)
        items.push_back(
            value::scalar(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last)));
    return value::list(std::move(items));
}

void check_keys(const value& section, const std::string& what, const std::vector<std::string>& known) {
    if (section.type() == value::kind::null) return;
    if (section.type() != value::kind::map)
        throw error(section.where(), "'" + what + "' must be a section of 'key: value' lines, not " +
                                         kind_name(section) + space_hint(section));
    for (const auto& [key, v] : section.entries()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        throw error(v.where(),
                    "unknown key '" + key + "' in '" + what + "'; " + cure_of_key(key, what, known));
    }
}

std::string flow_style(const value& v) {
    switch (v.type()) {
        case value::kind::null:
            return "";
        case value::kind::scalar:
            return v.text();
        case value::kind::list:
            return "[" + joined(v.items(), ", ", flow_style) + "]";
        case value::kind::map:
            return "{" +
                   joined(v.entries(), ", ",
                          [](const auto& e) { return e.first + ": " + flow_style(e.second); }) +
                   "}";
    }
    return "";
}

}  // namespace sare::config
