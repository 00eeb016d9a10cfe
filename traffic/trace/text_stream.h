// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sare::traffic {

/// A text file, plain or compressed, read line by line from begin to end. Compression (gzip, bzip2, xz, zstd)
/// is recognised by the first bytes, not by the name. Files of up to 1 MiB are read at once and closed, so
/// that a trace of thousands of small files does not hold as many file descriptors.
class text_stream {
  public:
    /// Opens the file `path`. Throws config::error at `at` if it cannot be read.
    text_stream(const std::string& path, const config::location& at);
    ~text_stream();
    text_stream(text_stream&&) noexcept;
    text_stream& operator=(text_stream&&) noexcept;

    /// Returns the next `bytes` bytes (unpacked), or fewer at the end of the file, and leaves them to be
    /// read.
    std::string head(std::size_t bytes);
    /// Reads the next `bytes` bytes (unpacked) into `to`; returns their number, which is lower than `bytes`
    /// only at the end of the file. line() does not count lines in these bytes.
    std::size_t read(char* to, std::size_t bytes);
    /// Reads the next line, without its end (\n or \r\n), into `line`; returns false at the end of the file.
    /// Throws config::error with the place for compressed data that is damaged or cut short, and for lines of
    /// more than 64 MiB. head() and read() throw it for damaged data too.
    bool next(std::string& line);
    /// Returns the place of the line that next() gave last; line 0 before the first.
    config::location where() const { return {m_path, m_number, 1}; }
    /// Returns the number, from 1, of the line that next() gave last; 0 before the first.
    int line() const { return m_number; }
    /// Returns the path of the file as given to the constructor.
    const std::string& path() const { return m_path; }
    /// Returns the number of unpacked bytes read by next() and read() so far.
    std::uint64_t taken() const { return m_before + m_at; }
    /// Returns true if the file is compressed.
    bool compressed() const;

  private:
    struct source;
    bool fill();

    std::string m_path;
    int m_number = 0;  ///< number of lines read by next()
    std::unique_ptr<source> m_source;
    std::string m_buffer;
    std::size_t m_at = 0;
    std::uint64_t m_before = 0;  ///< bytes read before the begin of m_buffer
};

}  // namespace sare::traffic
