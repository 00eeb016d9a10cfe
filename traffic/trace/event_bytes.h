// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

#include <string>

/// Operations as bytes: in blocks of the binary form (formats/sare/README.md), and in the memory of a reader,
/// for tasks whose events are not asked for yet.
namespace sare::traffic {

/// Appends a number of any size, 7 bits a byte, the least significant ones first; bit 7 of a byte is set if
/// more bytes follow.
void put_varint(std::string& to, std::uint64_t n);
/// Returns a number that is small if `n` is near 0 on either side: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
/// unzigzag() is the inverse.
constexpr std::uint64_t zigzag(std::int64_t n) {
    return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
/// Returns the number of which zigzag() makes `n`.
constexpr std::int64_t unzigzag(std::uint64_t n) {
    return static_cast<std::int64_t>(n >> 1 ^ (0 - (n & 1)));
}

/// A reader of bytes that may be damaged. A number that does not end before the end of the bytes, or within
/// 64 bits, is read as 0; then the rest of the bytes is skipped, and bad() is true.
class byte_source {
  public:
    /// `from` must live as long as the source, which does not copy the bytes.
    byte_source(const char* from, std::size_t bytes) : m_at(from), m_end(from + bytes) {}
    /// Reads a number that put_varint() wrote; 0 if it is damaged.
    std::uint64_t varint() {
        if (m_at != m_end && static_cast<signed char>(*m_at) >= 0) return static_cast<unsigned char>(*m_at++);
        return long_varint();
    }
    /// Skips the next `bytes` bytes and returns the address of the first of them; null, and bad() from then
    /// on, if fewer are left.
    const char* take(std::size_t bytes);
    /// Returns the number of bytes not read yet.
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    bool bad() const { return m_bad; }  ///< true: damaged bytes were met, or give_up() was called
    /// Declares the bytes damaged: bad() is true from now on, and nothing is left to be read.
    void give_up() {
        m_bad = true;
        m_at = m_end;
    }

  private:
    std::uint64_t long_varint();

    const char* m_at;
    const char* m_end;
    bool m_bad = false;
};

/// The part of the previous operations of the same task and block on which the encoding of the next operation
/// depends.
struct byte_context {
    std::uint64_t name = 0;  ///< name of the last request written or read; the next one is stored as a
                             ///< difference to it
};

/// Appends an operation to `to`: `code`, which stands for its kind, a mask with a bit for every field that
/// does not have its default, and these fields. Updates `context`.
void put_operation(std::string& to, std::uint64_t code, const operation& o, byte_context& context);
/// Reads an operation that put_operation() wrote into `o`, all fields except `what`; `o` must have its
/// defaults (operation::clear(), not checked). Returns the `code` that was written. Updates `context`.
/// Damaged bytes, or bits of the mask that no field has, make the source bad().
std::uint64_t take_operation(byte_source& from, operation& o, byte_context& context);

}  // namespace sare::traffic
