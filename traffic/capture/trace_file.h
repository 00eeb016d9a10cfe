// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare::capture {

/// The text file of one task. Every write goes to the operating system at once, so that the file of a process
/// that is killed has everything up to then. The first failure is printed on stderr; nothing is written after
/// it.
class trace_file {
  public:
    trace_file() = default;
    ~trace_file() { close(); }
    trace_file(const trace_file&) = delete;
    trace_file& operator=(const trace_file&) = delete;

    /// Creates the file. If the file exists already, or cannot be made, prints this on stderr, and later
    /// calls do nothing.
    void open(const std::string& path);
    /// Appends text; returns the offset of its first byte in the file.
    std::uint64_t write(const std::string& text);
    /// Overwrites the file, from byte `offset` on, with `text`; these bytes must have been written before.
    void patch(std::uint64_t offset, const std::string& text);
    void close();  ///< closes the file, if one is open; later calls of write() do nothing

  private:
    void fail(const char* what);

    std::string m_path;
    std::uint64_t m_size = 0;
    int m_file = -1;
};

/// Prints "sare-trace: " and the text as a line on stderr.
void say(const std::string& text);

}  // namespace sare::capture
