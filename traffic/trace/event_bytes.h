// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

#include <string>

/// Operations as bytes: in blocks of the binary form (formats/sare/README.md), and in the memory of a reader,
/// for tasks whose events are not asked for yet.
namespace sare::traffic {

/// Appends a number, 7 bits a byte, the lowest first; a set bit 7 says that more follow.
void put_varint(std::string& to, std::uint64_t n);
/// Returns a number that is small if `n` is near 0 on either side: 0, 1, 2, 3, 4 for 0, -1, 1, -2, 2.
constexpr std::uint64_t zigzag(std::int64_t n) {
    return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
/// Returns the number of which zigzag() has made `n`.
constexpr std::int64_t unzigzag(std::uint64_t n) {
    return static_cast<std::int64_t>(n >> 1 ^ (0 - (n & 1)));
}

/// A reader of bytes that may be damaged: a number beyond the end, or one that is too long, is read as 0, and
/// bad() is true from then on.
class byte_source {
  public:
    byte_source(const char* from, std::size_t bytes) : m_at(from), m_end(from + bytes) {}
    std::uint64_t varint() {
        if (m_at != m_end && static_cast<signed char>(*m_at) >= 0) return static_cast<unsigned char>(*m_at++);
        return long_varint();
    }
    /// Takes `bytes` bytes and returns the first one's address; null, and bad() from then on, if fewer are
    /// left.
    const char* take(std::size_t bytes);
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }  ///< bytes not read yet
    bool bad() const { return m_bad; }                                           ///< the bytes are damaged
    /// Makes the source bad(), and leaves nothing to be read.
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

/// The data on earlier operations of the same task and block that the bytes of the next operation depend on.
struct byte_context {
    std::uint64_t name = 0;  ///< name of the last request
};

/// Appends an operation: `code` for its kind, a bit for every field that does not have its default, and these
/// fields.
void put_operation(std::string& to, std::uint64_t code, const operation& o, byte_context& context);
/// Reads an operation, except `what`, into `o`, which must have its defaults; returns the code. Bytes that
/// are no operation make the source bad.
std::uint64_t take_operation(byte_source& from, operation& o, byte_context& context);

}  // namespace sare::traffic
