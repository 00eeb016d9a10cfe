// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <memory>
#include <string>

/// Lines of a text file, plain or compressed (gzip, bzip2, xz, zstd: found by the first bytes, not by the
/// name), read as a stream. Small files are taken into memory as they are, so that a trace of thousands of
/// files does not hold thousands of file descriptors.
namespace sare::traffic {

class text_stream {
  public:
    /// Throws config::error at `at` if the file cannot be opened.
    text_stream(const std::string& path, const config::location& at);
    ~text_stream();
    text_stream(text_stream&&) noexcept;
    text_stream& operator=(text_stream&&) noexcept;

    /// Returns the next `bytes` bytes, or fewer at the end of the file, without taking them.
    std::string head(std::size_t bytes);
    /// Takes the next `bytes` bytes; returns their number, which is lower only at the end of the file.
    std::size_t read(char* to, std::size_t bytes);
    /// Reads the next line without its end; returns false at the end of the file. Throws config::error with
    /// the place for compressed data that is damaged or cut short, and for lines of more than 64 MiB.
    bool next(std::string& line);
    /// Returns the place of the line that next() gave last.
    config::location where() const { return {m_path, m_number, 1}; }
    int line() const { return m_number; }  ///< number of that line
    const std::string& path() const { return m_path; }
    std::uint64_t taken() const { return m_before + m_at; }  ///< unpacked bytes taken so far
    bool compressed() const;

  private:
    struct source;
    bool fill();

    std::string m_path;
    int m_number = 0;  ///< number of lines taken
    std::unique_ptr<source> m_source;
    std::string m_buffer;
    std::size_t m_at = 0;
    std::uint64_t m_before = 0;  ///< bytes that were in the buffer and have been taken
};

}  // namespace sare::traffic
