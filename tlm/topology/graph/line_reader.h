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

/// The text files of this program: a header line "<format> <version>", then lines of words; '#' starts a
/// comment. Mistakes are errors "file:line: what".
namespace sare {

class topology;

class line_reader {
  public:
    /// Reads `in`, called `file` in messages; its first line must be "<format> 1".
    line_reader(std::istream& in, std::string file, const std::string& format);

    /// Goes to the next line with words; false at the end.
    bool next();
    std::size_t size() const { return m_words.size(); }
    std::string_view word(std::size_t i) const { return m_words[i]; }
    /// Word i as a number from 0 to `most`; `what` names it in the error.
    std::uint32_t number(std::size_t i, const char* what, std::uint32_t least, std::uint32_t most) const;
    std::uint32_t number(std::string_view text, const char* what, std::uint32_t least,
                         std::uint32_t most) const;
    /// Word i as a router or node of `net`, by its number or its name.
    std::uint32_t place(std::size_t i, place_kind what, const topology& net) const;
    /// Takes `at X Y` from the end of the line, if there is one: a place in pictures.
    std::optional<spot> take_position();
    void drop_last_word() { m_words.pop_back(); }
    std::uint32_t line() const { return m_line; }
    const std::string& file() const { return m_file; }
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

/// Opens the file that parameter `key` of `section` names; a relative name is taken from the folder of the
/// configuration file that it is written in. `path` becomes the name to show.
std::unique_ptr<std::istream> open_input(const config::value& section, const char* key,
                                         const std::string& name, std::string& path);

}  // namespace sare
