// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

#include <string>

/// Operations as bytes: what blocks of the binary form hold (formats/sare/README.md), and what a reader
/// keeps in memory of tasks that are not asked for yet.
namespace sare::traffic {

/// Numbers of 7 bits a byte, the lowest first; a set bit 7 says that more follow.
void put_varint(std::string& to, std::uint64_t n);
/// Small for numbers near 0 on both sides.
constexpr std::uint64_t zigzag(std::int64_t n) {
    return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t n) {
    return static_cast<std::int64_t>(n >> 1 ^ (0 - (n & 1)));
}

/// Reads bytes that may be anything: what is beyond the end, or too long, is 0 and remembered.
class byte_source {
  public:
    byte_source(const char* from, std::size_t bytes) : m_at(from), m_end(from + bytes) {}
    std::uint64_t varint() {
        if (m_at != m_end && static_cast<signed char>(*m_at) >= 0) return static_cast<unsigned char>(*m_at++);
        return long_varint();
    }
    const char* take(std::size_t bytes);  ///< null where there are not so many
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    bool bad() const { return m_bad; }
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

/// What the operations before have left for the next one of the same task and block.
struct byte_context {
    std::uint64_t name = 0;  ///< of a request, used last
};

/// Appends an operation: `code` for its kind, a bit for every field that is not as default, those fields.
void put_operation(std::string& to, std::uint64_t code, const operation& o, byte_context& context);
/// Takes one but for `what`, into an `o` that is as default; gives its code. Bytes that are no operation make
/// the source bad.
std::uint64_t take_operation(byte_source& from, operation& o, byte_context& context);

}  // namespace sare::traffic
