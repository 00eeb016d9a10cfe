// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/temporary_file.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sare {

/// Writer of an FST file, the waves of GTKWave: first scopes and signals are declared, then values are set at
/// times that must not fall. A value that stays the same takes no room.
class fst_writer {
  public:
    /// A signal and its last value; its owner fills in handle, by declare(), and bits.
    struct signal {
        std::uint32_t handle = 0, bits = 0;  ///< handle of declare(), 0: not declared; width, 0: a text
        std::string last;                    ///< value set last; "": none
    };

    /// Makes a file in TMPDIR, where it stays until this object is destroyed. Throws std::runtime_error if it
    /// cannot be made.
    fst_writer();
    ~fst_writer() { close(); }
    fst_writer(const fst_writer&) = delete;
    fst_writer& operator=(const fst_writer&) = delete;

    /// Enters the scope `path`: names with dots between them, from the root on; "": the root.
    void enter(const std::string& path);
    /// Declares a signal in the present scope and returns its handle, from 1. Call before the first set().
    /// `bits`: width, 0 for text. `same_as`: handle of a signal that has the same values, 0: none.
    std::uint32_t declare(const std::string& name, std::uint32_t bits, std::uint32_t same_as = 0);
    /// Sets the time, in ps, of the values that follow.
    void set_time(std::uint64_t ps) { m_time = ps; }
    /// Sets a declared signal at the present time, to a text or to s.bits characters 0, 1, x or z from the
    /// highest on. None of this is checked.
    void set(signal& s, const std::string& value);
    /// Ends the file, at the present time. Does nothing the second time.
    void close();
    void write(std::ostream& out) const { m_file.write(out); }  ///< copies the file; call after close()
    bool is_open() const { return m_to != nullptr; }            ///< true: close() has not been called

  private:
    void emit_time();  ///< writes m_time if the file does not have it yet

    const temporary_file m_file{"routers.fst"};
    void* m_to = nullptr;                           ///< context of fstapi; null: closed
    std::vector<std::string> m_scopes;              ///< open scopes
    std::uint64_t m_time = 0, m_written = ~m_time;  ///< time, and time of the last value, in ps; ~0: no value
};

/// Returns the lowest `bits` bits of a number as characters 0 and 1, the highest first, for
/// fst_writer::set(). Bits from 64 on are 0.
std::string in_bits(std::uint64_t value, std::uint32_t bits);

}  // namespace sare
