// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare::capture {

/// The text file of one task. Every write goes to the system at once, so that the file of a process that is
/// killed has everything up to then. A first failure is reported on stderr; nothing more is written after it.
class trace_file {
  public:
    trace_file() = default;
    ~trace_file() { close(); }
    trace_file(const trace_file&) = delete;
    trace_file& operator=(const trace_file&) = delete;

    /// Makes the file, which must not exist.
    void open(const std::string& path);
    /// Appends text; returns the offset of its first byte.
    std::uint64_t write(const std::string& text);
    /// Overwrites bytes that were written before.
    void patch(std::uint64_t offset, const std::string& text);
    void close();

  private:
    void fail(const char* what);

    std::string m_path;
    std::uint64_t m_size = 0;
    int m_file = -1;
};

/// Prints a line on stderr that begins with the name of the library.
void say(const std::string& text);

}  // namespace sare::capture
