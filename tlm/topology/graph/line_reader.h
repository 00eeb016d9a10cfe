// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "tlm/topology/layout/layout.h"
#include "tlm/topology/place_names.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sare {

class topology;

/// Beginning of a comment that sets the number of the next line: "#line 7".
constexpr const char* line_mark = "#line ";

/// Reader of this program's text files: a header line "<format> 1", then lines of words between blanks; '#'
/// begins a comment. Errors are config::error with the text "file:line: what".
class line_reader {
  public:
    /// Reads `in`, which is called `file` in errors, and checks the header, the first line that has words.
    /// Throws config::error if it is not "<format> 1". Call next() to go to the line after it.
    line_reader(std::istream& in, std::string file, const std::string& format);

    /// Goes to the next line with words. Returns true; false at the end of the file.
    bool next();
    /// Number of words of the line; 0 after the end of the file.
    std::size_t size() const { return m_words.size(); }
    /// Word i of the line, from 0, below size() (unchecked); valid until next().
    std::string_view word(std::size_t i) const { return m_words[i]; }
    /// Returns word i of the line as a decimal number. Throws config::error for anything but a number from
    /// `least` to `most`, and if the line has no word i. `what`: name of the number in errors.
    std::uint32_t number(std::size_t i, const char* what, std::uint32_t least, std::uint32_t most) const;
    /// Returns `text` as a decimal number. Throws config::error as above.
    std::uint32_t number(std::string_view text, const char* what, std::uint32_t least,
                         std::uint32_t most) const;
    /// Returns the number of the router or node (`what`) of `net` that word i gives by number or name. Throws
    /// config::error if there is no such place, or no word i.
    std::uint32_t place(std::size_t i, place_kind what, const topology& net) const;
    /// Removes `at X Y`, a position in pictures, from the end of the line and returns it; nothing if no word
    /// from the third one on is `at`. Neighbours should be about 1 apart. Throws config::error if `at` is not
    /// followed by two numbers from -1e9 to 1e9 and the end of the line.
    std::optional<spot> take_position();
    /// Removes the last word of the line, which must have one; unchecked.
    void drop_last_word() { m_words.pop_back(); }
    /// Number of the present line, from 1, as line_mark sets it.
    std::uint32_t line() const { return m_line; }
    /// Name of the file for errors.
    const std::string& file() const { return m_file; }
    /// Throws config::error "file:line: what" for the present line.
    [[noreturn]] void fail(const std::string& what) const { fail(m_line, what); }
    /// Throws config::error "file:line: what" for line `line`.
    [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;

  private:
    double coordinate(std::size_t i) const;  ///< word i as a number from -1e9 to 1e9

    std::istream& m_in;
    std::string m_file;
    std::uint32_t m_line = 0;
    std::string m_text;                     ///< present line
    std::vector<std::string_view> m_words;  ///< words of m_text
};

/// Opens the file `name` and sets `path` to the path that was opened. `section`, `key`: parameter that gave
/// the name; errors have its place, and a relative name is relative to the folder of the configuration file
/// in which it was written. Throws config::error if `name` is "" or the file cannot be read.
std::unique_ptr<std::istream> open_input(const config::value& section, const char* key,
                                         const std::string& name, std::string& path);

}  // namespace sare
