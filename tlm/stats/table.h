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

/// A column of a table: name in the header, kind of cells, their unit ("": none), and a sentence that
/// explains them.
struct column {
    /// count: a whole number from 0; number: any number; text: anything else.
    enum kind : std::uint8_t { count, number, text };
    std::string name;                ///< name in the header
    kind is = count;                 ///< kind of cells
    std::string unit{}, sentence{};  ///< unit; explanation
};
/// Returns the name of the enumerator.
const char* to_string(column::kind k);

/// Parses a text with one column a line: "latency: number in cycles. From generation." (name, kind, unit if
/// any, sentence). A line that begins with 8 blanks or more continues the line before; empty lines are
/// skipped. Throws std::logic_error for any other line.
std::vector<column> columns_of(std::string_view text);
/// Returns the text of the columns that identify a link (from, from_port, to, to_port, kind), with which
/// tables of links begin.
std::string link_columns();

/// Declaration of the columns of a CSV file, from which headers, columns.json and `sare describe tables` are
/// made. It is a constant in the source file that writes the table.
class table_form {
  public:
    /// `file`: name of the CSV file; `columns`: text for columns_of(). `rest`: text for kinds of further
    /// columns whose number depends on the run, each with the name of one of them ("vc0"). Throws
    /// std::logic_error for a wrong text, or if the file is declared already.
    table_form(std::string file, std::string_view columns, std::string_view rest = {});
    table_form(std::string file, std::vector<column> columns);  ///< does the same, without further columns
    table_form(const table_form&) = delete;
    table_form& operator=(const table_form&) = delete;

    const std::string& file() const { return m_file; }                ///< name of the CSV file
    const std::vector<column>& columns() const { return m_columns; }  ///< columns that every run has
    /// Kinds of further columns, whose number depends on the run, one example of each kind.
    const std::vector<column>& rest() const { return m_rest; }

    /// Returns all declarations of the program, by file name.
    static const std::map<std::string, const table_form*>& all();

  private:
    std::string m_file;
    std::vector<column> m_columns, m_rest;
};

/// Writer of a CSV table: the header first, then cell by cell; into memory, or row by row to a stream, whose
/// errors are not checked.
class table {
  public:
    /// Makes a table of a declared form, in memory or written to `to`, which must outlive the table, and
    /// writes the header. `more`: names of further columns, of the kinds in form.rest() (not checked).
    explicit table(const table_form& form, const std::vector<std::string>& more = {});
    table(const table_form& form, std::ostream& to, const std::vector<std::string>& more = {});
    /// Makes a table without a table_form, in memory or written to `to`, and writes `header`, the names of
    /// the columns, at least one. It is for columns that the user chooses, or for a table for no file.
    explicit table(const std::vector<std::string>& header);
    table(const std::vector<std::string>& header, std::ostream& to);

    /// Writes cells and ends the row. Numbers and kinds of cells are not checked against the header.
    template <class... Cells>
    void row(const Cells&... cells) {
        (cell(cells), ...);
        end_row();
    }
    /// Writes a cell for each number.
    template <class Number>
    void counts(std::initializer_list<Number> numbers) {
        for (const Number n : numbers) cell(n);
    }
    void cell(std::uint64_t x);  ///< writes a whole number
    void cell(std::uint32_t x) { cell(std::uint64_t{x}); }
    void cell(double x);  ///< writes a number in the fewest digits that identify it; "" if not finite
    void cell(std::string_view text);  ///< writes a text, in quotes if CSV needs them
    void cell(const std::string& text) { cell(std::string_view(text)); }
    void cell(const char* text) { cell(std::string_view(text)); }
    /// Writes `count` empty cells, 0 or more.
    void no_cell(int count = 1) { m_text.append(static_cast<std::size_t>(count), ','); }
    /// Ends the row, which must have a cell (not checked); with a stream, writes the row to it.
    void end_row();
    /// Returns the whole table, if it is written into memory; "" if it goes to a stream.
    const std::string& text() const { return m_text; }

  private:
    void header(const std::vector<column>& columns, const std::vector<std::string>& more);

    std::string m_text;            ///< whole table; with a stream only the row begun
    std::ostream* m_to = nullptr;  ///< stream; null: the table is in memory
};

}  // namespace sare
