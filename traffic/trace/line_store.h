// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/text_stream.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace sare::traffic {

/// Random access to the lines of a text file, with one open file and little memory. A first pass with next()
/// finds the places of the lines; line_cursor objects read them again, in any order among cursors. A
/// compressed file is unpacked once into a temporary file, which is removed when the store is destroyed.
class line_store {
  public:
    /// Consecutive lines: bytes `begin` to `end` - 1 of the unpacked file. `line`: number of the first of
    /// them, from 1.
    struct run {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t line = 0;
    };

    /// `text`: the file, of which nothing may have been read. Throws config::error if the file cannot be
    /// opened a second time, or no temporary file can be made.
    explicit line_store(text_stream text);
    /// Reads the next line, without its end, in the first pass through the file, and sets `at` to its place;
    /// returns false at the end of the file. Throws config::error if there is no room to unpack the file, or
    /// as text_stream::next() does.
    bool next(std::string& line, run& at);
    /// Returns the place of a line by its number, from 1; 0: the file as a whole.
    config::location where(std::uint32_t line) const { return {m_text.path(), static_cast<int>(line), 1}; }
    const std::string& path() const { return m_text.path(); }  ///< path of the file

  private:
    friend class line_cursor;
    std::size_t read(std::uint64_t from, char* to, std::size_t bytes) const;

    struct close {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    text_stream m_text;
    std::unique_ptr<std::FILE, close> m_file;
    bool m_unpacks = false;  ///< true: the file is compressed, and next() copies its lines into m_file
    std::uint64_t m_at = 0;  ///< offset of the line that next() reads next, in bytes of the unpacked file
};

/// A reader of the lines of several runs of one file, one run after the other.
class line_cursor {
  public:
    /// Appends a run, behind all earlier ones in the file; a run that begins where the last one ends is
    /// joined to it. Call before the first next() (not checked).
    void add(const line_store::run& r);
    /// Reads the next line, without its end, from `store`; returns false after the last line of the last run.
    /// Throws config::error if the file has become shorter since the first pass.
    bool next(const line_store& store, std::string& line);
    /// Returns the number, from 1, of the line that next() read last; 0 before the first.
    std::uint32_t number() const { return m_number; }

  private:
    std::vector<line_store::run> m_runs;
    std::size_t m_run = 0, m_in_buffer = 0;
    std::uint64_t m_read = 0;  ///< bytes of the present run that have been read from the file
    std::uint32_t m_lines = 0, m_number = 0;
    std::string m_buffer;
};

}  // namespace sare::traffic
