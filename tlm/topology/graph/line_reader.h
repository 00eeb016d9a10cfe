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

/// Reader of this program's text files: a header line "<format> 1", then lines of words; '#' starts a
/// comment. Mistakes throw config::error, "file:line: what".
class line_reader {
  public:
    /// Reads `in`, called `file` in messages, and checks the header, which is the first line that has words.
    /// next() then goes to the line after it.
    line_reader(std::istream& in, std::string file, const std::string& format);

    /// Goes to the next line with words. Returns false at the end of the file.
    bool next();
    std::size_t size() const { return m_words.size(); }  ///< number of words of the line
    std::string_view word(std::size_t i) const { return m_words[i]; }
    /// Reads word i, or a text, as a decimal number from `least` to `most`. Throws config::error for anything
    /// else, and if the line has no word i; `what` names the number there.
    std::uint32_t number(std::size_t i, const char* what, std::uint32_t least, std::uint32_t most) const;
    std::uint32_t number(std::string_view text, const char* what, std::uint32_t least,
                         std::uint32_t most) const;
    /// Reads word i as a router or node of `net`, by number or name, and returns its number.
    std::uint32_t place(std::size_t i, place_kind what, const topology& net) const;
    /// Removes `at X Y`, a place in pictures, from the end of the line and returns it; nothing if the line
    /// has no word `at` from the third word on. Throws config::error if two numbers do not follow it.
    /// Neighbours are about 1 apart.
    std::optional<spot> take_position();
    void drop_last_word() { m_words.pop_back(); }
    std::uint32_t line() const { return m_line; }  ///< number of the line, from 1
    const std::string& file() const { return m_file; }
    /// Throws config::error "file:line: what" for the present line, or for another one.
    [[noreturn]] void fail(const std::string& what) const { fail(m_line, what); }
    [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;

  private:
    double coordinate(std::size_t i) const;

    std::istream& m_in;
    std::string m_file;
    std::uint32_t m_line = 0;
    std::string m_text;
    std::vector<std::string_view> m_words;
};

/// Opens file `name`. `section` and `key`, the parameter that gave the name, are for the location in errors
/// and for the folder, that of the configuration file, from which a relative name starts. Sets `path` to the
/// path that was opened. Throws config::error if the file cannot be read.
std::unique_ptr<std::istream> open_input(const config::value& section, const char* key,
                                         const std::string& name, std::string& path);

}  // namespace sare
