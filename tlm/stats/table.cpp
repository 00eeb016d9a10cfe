// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <stdexcept>

namespace sare {

const char* to_string(column::kind k) {
    constexpr const char* names[] = {"count", "number", "text"};
    return names[static_cast<int>(k)];
}

namespace {

std::map<std::string, const table_form*>& forms() {
    static std::map<std::string, const table_form*> all;
    return all;
}

/// "name: kind in unit. Sentence."; the unit may be missing.
column column_of(std::string_view line) {
    const std::size_t colon = line.find(": "), begin = colon + 2, end = line.find(". ", begin);
    if (colon != std::string_view::npos && end != std::string_view::npos) {
        const std::string_view is = line.substr(begin, end - begin);
        const std::size_t in = std::min(is.find(" in "), is.size());
        for (const column::kind k : {column::count, column::number, column::text})
            if (is.substr(0, in) == to_string(k))
                return {std::string(line.substr(0, colon)), k,
                        std::string(is.substr(std::min(in + 4, is.size()))),
                        std::string(line.substr(end + 2))};
    }
    throw std::logic_error("'" + std::string(line) + "' declares no column");
}

/// The exponent of ten, as scientific notation has it.
int exponent_of(const char* begin, const char* end) {
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    const std::size_t at = digits.find('e') + 1;
    int exponent = 0;
    std::from_chars(begin + at + (digits[at] == '+' ? 1 : 0), end, exponent);
    return exponent;
}

}  // namespace

std::vector<column> columns_of(std::string_view text) {
    std::vector<column> all;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos) continue;
        if (begin >= 8 && !all.empty())
            all.back().sentence.append(" ").append(line.substr(begin));
        else
            all.push_back(column_of(line.substr(begin)));
    }
    return all;
}

std::string link_columns() {
    return R"(
    from: count. Router that the link leaves; of an injection link the node.
    from_port: count. Port of it.
    to: count. Router that it leads to; of an ejection link the node.
    to_port: count. Port of it.
    kind: text. router, injection or ejection.
)";
}

table_form::table_form(std::string file, std::string_view columns, std::string_view rest)
    : table_form(std::move(file), columns_of(columns)) {
    m_rest = columns_of(rest);
}

table_form::table_form(std::string file, std::vector<column> columns)
    : m_file(std::move(file)), m_columns(std::move(columns)) {
    if (!forms().emplace(m_file, this).second) throw std::logic_error("two tables are called " + m_file);
}

const std::map<std::string, const table_form*>& table_form::all() {
    return forms();
}

table::table(const table_form& form, const std::vector<std::string>& more) {
    header(form.columns(), more);
}

table::table(const table_form& form, std::ostream& to, const std::vector<std::string>& more) : m_to(&to) {
    header(form.columns(), more);
}

table::table(const std::vector<std::string>& names) {
    header({}, names);
}

table::table(const std::vector<std::string>& names, std::ostream& to) : m_to(&to) {
    header({}, names);
}

void table::header(const std::vector<column>& columns, const std::vector<std::string>& more) {
    for (const column& c : columns) cell(c.name);
    for (const std::string& name : more) cell(name);
    end_row();
}

void table::cell(std::uint64_t x) {
    std::array<char, 20> digits;
    m_text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
    m_text += ',';
}

/// Without exponent from 1e-4 to below 1e16.
void table::cell(double x) {
    if (!std::isfinite(x)) return no_cell();
    std::array<char, 40> text;
    char* const begin = text.data();
    char* const limit = begin + text.size();
    const char* end = std::to_chars(begin, limit, x, std::chars_format::scientific).ptr;
    if (const int exponent = exponent_of(begin, end); exponent >= -4 && exponent < 16)
        end = std::to_chars(begin, limit, x, std::chars_format::fixed).ptr;
    m_text.append(begin, static_cast<std::size_t>(end - begin));
    m_text += ',';
}

void table::cell(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) {
        m_text += text;
    } else {
        m_text += '"';
        for (const char c : text) m_text.append(c == '"' ? 2 : 1, c);
        m_text += '"';
    }
    m_text += ',';
}

void table::end_row() {
    m_text.back() = '\n';
    if (m_to == nullptr) return;
    m_to->write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_text.clear();
}

}  // namespace sare
