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

/// A column of a table: name in the header, kind of cells, their unit, and a sentence that explains them.
struct column {
    enum kind : std::uint8_t { count, number, text };  ///< count: a whole number from 0
    std::string name;
    kind is = count;
    std::string unit{}, sentence{};
};
const char* to_string(column::kind k);

/// Parses a text with one column a line: "latency: number in cycles. From generation." (name, kind, unit if
/// any, sentence). A line that begins with 8 blanks continues the one before. Throws std::logic_error for a
/// wrong line.
std::vector<column> columns_of(std::string_view text);
/// Returns the text of the columns that identify a link, with which all tables of links begin.
std::string link_columns();

/// Declaration of the columns of a CSV file, of which headers, columns.json and `sare describe tables` are
/// made. It is a constant in the source file that writes the table. Throws std::logic_error if the CSV file
/// is declared already.
class table_form {
  public:
    /// `file`: name of the CSV file; `columns`: text for columns_of(). `rest`: text for further columns whose
    /// number depends on the run, named like one of them ("vc0").
    table_form(std::string file, std::string_view columns, std::string_view rest = {});
    table_form(std::string file, std::vector<column> columns);
    table_form(const table_form&) = delete;
    table_form& operator=(const table_form&) = delete;

    const std::string& file() const { return m_file; }
    const std::vector<column>& columns() const { return m_columns; }
    const std::vector<column>& rest() const { return m_rest; }

    /// Returns all declarations, by file name.
    static const std::map<std::string, const table_form*>& all();

  private:
    std::string m_file;
    std::vector<column> m_columns, m_rest;
};

/// Writer of a CSV table: the header, then rows, cell by cell; into memory, or row by row to a stream.
class table {
  public:
    /// Makes a table of a declared form, in memory or written to `to`. `more`: names of further columns.
    explicit table(const table_form& form, const std::vector<std::string>& more = {});
    table(const table_form& form, std::ostream& to, const std::vector<std::string>& more = {});
    /// Makes a table without a table_form, for columns that the user chooses or that go to no file.
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
    void cell(double x);               ///< number in the fewest digits that identify it; empty if not finite
    void cell(std::string_view text);  ///< text, in quotes if CSV needs them
    void cell(const std::string& text) { cell(std::string_view(text)); }
    void cell(const char* text) { cell(std::string_view(text)); }
    void no_cell(int count = 1) { m_text.append(static_cast<std::size_t>(count), ','); }
    void end_row();
    /// Returns the whole table, if it is written into memory.
    const std::string& text() const { return m_text; }

  private:
    void header(const std::vector<column>& columns, const std::vector<std::string>& more);

    std::string m_text;
    std::ostream* m_to = nullptr;
};

}  // namespace sare
