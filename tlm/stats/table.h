// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sare {

/// A column of a table: the name in its header, what its cells are, their unit, and what they say.
struct column {
    enum kind : std::uint8_t { count, number, text };  ///< count: a whole number from 0
    std::string name;
    kind is = count;
    std::string unit{}, sentence{};
};
const char* to_string(column::kind k);

/// Columns by a text with a line each, "latency: number in cycles. From generation.", its kind and sentence,
/// and its unit where it has one. A line that begins with 8 blanks goes on with the one before.
/// std::logic_error for a line that is none.
std::vector<column> columns_of(std::string_view text);
/// The text of the columns that say which link a row is of: tables of links begin with them.
std::string link_columns();

/// The columns of a CSV file, declared once: headers, columns.json and `sare describe tables` are made of
/// them. A constant of the file that writes the table; std::logic_error for a file that has been declared.
class table_form {
  public:
    /// Texts as columns_of reads them. `rest`: what columns beyond these say, where the run decides how many
    /// there are; named as one of them would be ("vc0").
    table_form(std::string file, std::string_view columns, std::string_view rest = {});
    table_form(std::string file, std::vector<column> columns);
    table_form(const table_form&) = delete;
    table_form& operator=(const table_form&) = delete;

    const std::string& file() const { return m_file; }
    const std::vector<column>& columns() const { return m_columns; }
    const std::vector<column>& rest() const { return m_rest; }

    /// By file, in order of the names.
    static const std::map<std::string, const table_form*>& all();

  private:
    std::string m_file;
    std::vector<column> m_columns, m_rest;
};

/// Writes a table as CSV: the header, then rows, cell by cell. In memory, or a row at a time to a stream.
class table {
  public:
    explicit table(const table_form& form, const std::vector<std::string>& more = {});
    table(const table_form& form, std::ostream& to, const std::vector<std::string>& more = {});
    /// A header that no form has: those of files whose columns are the user's, and of no file.
    explicit table(const std::vector<std::string>& header);
    table(const std::vector<std::string>& header, std::ostream& to);

    template <class... Cells>
    void row(const Cells&... cells) {
        (cell(cells), ...);
        end_row();
    }
    template <class Number>
    void counts(std::initializer_list<Number> numbers) {
        for (const Number n : numbers) cell(n);
    }
    void cell(std::uint64_t x);
    void cell(std::uint32_t x) { cell(std::uint64_t{x}); }
    void cell(double x);  ///< as few digits as tell it from all others; one that is not finite is empty
    void cell(std::string_view text);  ///< in quotes where it must be
    void cell(const std::string& text) { cell(std::string_view(text)); }
    void cell(const char* text) { cell(std::string_view(text)); }
    void no_cell(int count = 1) { m_text.append(static_cast<std::size_t>(count), ','); }
    void end_row();
    /// In memory: all of it.
    const std::string& text() const { return m_text; }

  private:
    void header(const std::vector<column>& columns, const std::vector<std::string>& more);

    std::string m_text;
    std::ostream* m_to = nullptr;
};

}  // namespace sare
