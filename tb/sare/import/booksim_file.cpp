// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/import/booksim_file.h"

#include "tlm/config/schema.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace sare::cli {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : text) {
        if (c == ',' && depth == 0) {
            parts.emplace_back();
            continue;
        }
        depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
        parts.back() += c;
    }
    return parts;
}

booksim_file::booksim_file(const std::string& file, const std::vector<std::string>& overrides)
    : m_name(file) {
    if (config::is_yaml_name(file))
        throw config::error(
            config::location{file, 0, 0},
            fmt::format("YAML, and no configuration of BookSim2; 'sare run {}' runs an experiment", file));
    read(config::read_file(file, most_bytes), file);
    for (const std::string& text : overrides) assign(text, {text, 0, 0});
}

/// Looks at the first statement only: a file may be anything, even an endless device.
bool is_booksim_file(const std::string& file) try {
    std::istringstream lines(config::read_file(file, most_bytes));
    for (std::string line; std::getline(lines, line);) {
        const std::string statement = trimmed(line.substr(0, line.find("//")));
        if (statement.empty()) continue;
        const auto equals = statement.find('=');
        return equals != std::string::npos && statement.back() == ';' &&
               statement.substr(0, equals).find(':') == std::string::npos;
    }
    return false;
} catch (const config::error&) {  // there is no such file, or it cannot be read
    return false;
}

/// Reads statements, which end with ';', wherever lines end.
void booksim_file::read(const std::string& text, const std::string& from) {
    std::istringstream lines(text);
    std::string statement;
    int number = 0, begun = 1;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream pieces(line.substr(0, line.find("//")));
        for (std::string piece; std::getline(pieces, piece, ';');) {
            if (trimmed(statement).empty()) begun = number;
            statement += piece + " ";
            if (pieces.eof()) break;  // no ';' behind it
            if (!trimmed(statement).empty()) assign(statement, {from, begun, 1});
            statement.clear();
        }
    }
    if (!trimmed(statement).empty())
        throw config::error(
            config::location{from, begun, 1},
            fmt::format("'{}' does not end with ';', as statements of BookSim2 do", trimmed(statement)));
}

void booksim_file::assign(const std::string& statement, const config::location& at) {
    const auto equals = statement.find('=');
    const std::string key = trimmed(statement.substr(0, equals));
    std::string value = equals == std::string::npos ? "" : trimmed(statement.substr(equals + 1));
    value.erase(std::remove(value.begin(), value.end(), ' '), value.end());
    if (key.empty() || value.empty() || key.find(' ') != std::string::npos)
        throw config::error(at, fmt::format("'{}' is no statement of BookSim2; those are 'key = value;'",
                                            trimmed(statement)));
    m_values[key] = config::value::scalar(value, at);
}

std::string booksim_file::text(const std::string& key, const std::string& otherwise) {
    m_asked.insert(key);
    const auto found = m_values.find(key);
    return found == m_values.end() ? otherwise : found->second.text();
}

std::int64_t booksim_file::integer(const std::string& key, std::int64_t otherwise) {
    const config::value v = config::value::scalar(text(key, std::to_string(otherwise)), place(key));
    return config::to_integer(v, key, std::numeric_limits<std::int32_t>::min(),
                              std::numeric_limits<std::int32_t>::max());
}

double booksim_file::number(const std::string& key, double otherwise) {
    const config::value v = config::value::scalar(text(key, config::number_text(otherwise)), place(key));
    return config::to_number(v, key, -1e15, 1e15);
}

std::vector<std::string> booksim_file::list(const std::string& key, const std::string& otherwise) {
    const std::string all = text(key, otherwise);
    const bool braces = all.size() >= 2 && all.front() == '{' && all.back() == '}';
    return split_list(braces ? all.substr(1, all.size() - 2) : all);
}

config::location booksim_file::place(const std::string& key) const {
    const auto found = m_values.find(key);
    return found == m_values.end() ? config::location{m_name, 0, 0} : found->second.where();
}

std::vector<std::string> booksim_file::unread() const {
    std::vector<std::string> keys;
    for (const auto& [key, v] : m_values)
        if (m_asked.count(key) == 0) keys.push_back(key);
    std::sort(keys.begin(), keys.end(),
              [this](const std::string& a, const std::string& b) { return place(a).line < place(b).line; });
    return keys;
}

}  // namespace sare::cli
