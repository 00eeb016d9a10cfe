// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/text_stream.h"

#include <cstdint>
#include <cstdio>
#include <vector>

/// Lines of a text file that are read again from many places in turn, with one open file and little memory. A
/// compressed file is unpacked once into a temporary file, which is removed when the program ends.
namespace sare::traffic {

class line_store {
  public:
    /// Neighbouring lines: bytes [begin, end) of the unpacked file. `line`: number of the first one.
    struct run {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t line = 0;
    };

    /// Throws config::error if the file cannot be opened a second time, or no temporary file can be made.
    explicit line_store(text_stream text);
    /// Reads the next line in a first pass through the file, and sets `at` to its place; returns false at the
    /// end of the file. Throws config::error if there is no room to unpack the file.
    bool next(std::string& line, run& at);
    config::location where(std::uint32_t line) const { return {m_text.path(), static_cast<int>(line), 1}; }
    const std::string& path() const { return m_text.path(); }

  private:
    friend class line_cursor;
    std::size_t read(std::uint64_t from, char* to, std::size_t bytes) const;

    struct close {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    text_stream m_text;
    std::unique_ptr<std::FILE, close> m_file;
    bool m_unpacks = false;  ///< true: the file is compressed, and its lines are copied into m_file
    std::uint64_t m_at = 0;  ///< offset of the next line
};

/// A reader of the lines of several runs, which must be added in the order of the file.
class line_cursor {
  public:
    /// Adds a run; a line that follows the last one makes its run longer.
    void add(const line_store::run& r);
    /// Reads the next line; returns false after the last.
    bool next(const line_store& store, std::string& line);
    std::uint32_t number() const { return m_number; }  ///< line of the file that next() gave last

  private:
    std::vector<line_store::run> m_runs;
    std::size_t m_run = 0, m_in_buffer = 0;
    std::uint64_t m_read = 0;  ///< bytes of the run that have been put into the buffer
    std::uint32_t m_lines = 0, m_number = 0;
    std::string m_buffer;
};

}  // namespace sare::traffic
