// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/temporary_file.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

/// Writes an FST file: first scopes and signals are declared, then values are set at times that rise. A value
/// that stays the same takes no room.
class fst_writer {
  public:
    struct signal {
        std::uint32_t handle = 0, bits = 0;  ///< 0 bits: text
        std::string last;
    };

    /// The file is in TMPDIR until write(). Throws std::runtime_error if it cannot be written.
    fst_writer();
    ~fst_writer() { close(); }
    fst_writer(const fst_writer&) = delete;
    fst_writer& operator=(const fst_writer&) = delete;

    /// Enters a scope: names with dots between them, from the root on.
    void enter(const std::string& path);
    /// Declares a signal in the present scope, with 0 bits for text; not 0: `same_as` is the handle of a
    /// signal that has the same values. Returns its handle.
    std::uint32_t declare(const std::string& name, std::uint32_t bits, std::uint32_t same_as = 0);
    /// Sets the time, in ps, of the values that follow.
    void set_time(std::uint64_t ps) { m_time = ps; }
    /// Sets a signal: text, or its bits from the highest on, each 0, 1, x or z.
    void set(signal& s, const std::string& value);
    /// Ends the file, at the present time.
    void close();
    void write(std::ostream& out) const { m_file.write(out); }
    bool is_open() const { return m_to != nullptr; }

  private:
    void emit_time();

    const temporary_file m_file{"routers.fst"};
    void* m_to = nullptr;
    std::vector<std::string> m_scopes;              ///< open scopes
    std::uint64_t m_time = 0, m_written = ~m_time;  ///< in ps; time of the last value in the file
};

/// Returns the lowest `bits` bits of a number, for fst_writer::set().
std::string in_bits(std::uint64_t value, std::uint32_t bits);

}  // namespace sare
