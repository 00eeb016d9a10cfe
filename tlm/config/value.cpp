// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace sare::config {
namespace {

/// Returns the number of letters that are wrong, missing, too many, or swapped with a neighbour.
std::size_t typing_errors(std::string_view word, std::string_view meant) {
    std::vector<std::size_t> before, last(meant.size() + 1), row(meant.size() + 1);
    std::iota(last.begin(), last.end(), 0);
    for (std::size_t i = 1; i <= word.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= meant.size(); ++j) {
            const std::size_t wrong = last[j - 1] + (word[i - 1] == meant[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, wrong});
            if (i > 1 && j > 1 && word[i - 1] == meant[j - 2] && word[i - 2] == meant[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::exchange(last, row);
    }
    return last.back();
}

}  // namespace

std::string location::text() const {
    if (line == 0) return file.empty() ? "configuration" : file;
    return fmt::format("{}:{}:{}", file, line, column);
}

error::error(const location& at, const std::string& what)
    : std::runtime_error(at.text() + ": " + what), m_has_place(!at.file.empty()) {}
error::error(const std::string& what) : std::runtime_error(what) {}

error error::at(const location& place) const {
    if (m_has_place) return *this;
    const std::string nowhere = location().text() + ": ", text = what();
    return {place, text.compare(0, nowhere.size(), nowhere) == 0 ? text.substr(nowhere.size()) : text};
}

value::value() = default;
value::value(const value&) = default;
value::value(value&&) noexcept = default;
value& value::operator=(const value&) = default;
value& value::operator=(value&&) noexcept = default;
value::~value() = default;

value value::nothing(location at) {
    value v;
    v.m_where = std::move(at);
    return v;
}

value value::scalar(std::string text, location at) {
    value v;
    v.m_kind = kind::scalar;
    v.m_text = std::move(text);
    v.m_where = std::move(at);
    return v;
}

value value::list(std::vector<value> items, location at) {
    value v;
    v.m_kind = kind::list;
    v.m_items = std::move(items);
    v.m_where = std::move(at);
    return v;
}

value value::map(std::vector<entry> entries, location at) {
    value v;
    v.m_kind = kind::map;
    v.m_entries = std::move(entries);
    v.m_where = std::move(at);
    return v;
}

const value* value::find(std::string_view key) const {
    for (const auto& [name, v] : m_entries)
        if (name == key) return &v;
    return nullptr;
}

void value::set(const std::string& key, value v) {
    if (m_kind == kind::null) m_kind = kind::map;
    for (auto& [name, old] : m_entries)
        if (name == key) {
            old = std::move(v);
            return;
        }
    m_entries.emplace_back(key, std::move(v));
}

void value::remove(const std::string& key) {
    const auto named = [&](const entry& e) { return e.first == key; };
    m_entries.erase(std::remove_if(m_entries.begin(), m_entries.end(), named), m_entries.end());
}

void value::set_path(std::string_view path, value v) {
    if (m_kind != kind::map && m_kind != kind::null)
        throw error(v.where(), "'" + std::string(path) + "' goes through a value that is not a section");
    const auto dot = path.find('.');
    const std::string head(path.substr(0, dot));
    if (dot == std::string_view::npos) return set(head, std::move(v));
    if (find(head) == nullptr) set(head, value::map({}, v.where()));
    for (auto& [name, child] : m_entries)
        if (name == head) return child.set_path(path.substr(dot + 1), std::move(v));
}

std::string number_text(double x) {
    char buffer[40];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t best_distance = (word.size() < 5 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
    for (const auto& candidate : known)
        if (const std::size_t distance = typing_errors(word, candidate); distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    return best;
}

namespace {

constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz0123456789_.";

/// Returns the place of the parameter at a dotted path, or that of the last section on the way to it; null:
/// there is no such section.
const location* place_at(const value& tree, std::string_view path) {
    const location* found = nullptr;
    for (const value* v = &tree; !path.empty();) {
        const std::size_t end = std::min(path.find('.'), path.size());
        v = v->find(path.substr(0, end));
        if (v == nullptr) break;
        found = &v->where();
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return found;
}

}  // namespace

location written::place_of(std::string_view text) const {
    if (m_tree == nullptr) return {};
    for (std::size_t at = 0; (at = text.find_first_of(letters, at)) != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        const bool is_quoted = at != 0 && text[at - 1] == '\'' && end != text.size() && text[end] == '\'';
        at = end;
        if (!is_quoted && word.find('.') == std::string_view::npos) continue;
        if (const location* const found = place_at(*m_tree, word)) return *found;
    }
    return m_tree->where();
}

}  // namespace sare::config
