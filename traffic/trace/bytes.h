// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// Integers of binary trace formats, on machines of any byte order.
namespace sare::traffic {

/// Returns the unsigned number stored in the `bytes` bytes (0 to 8) at `from`, the least significant byte
/// first.
inline std::uint64_t little_endian(const char* from, std::size_t bytes) {
    std::uint64_t n = 0;
    for (std::size_t i = bytes; i-- > 0;) n = n << 8 | static_cast<unsigned char>(from[i]);
    return n;
}

/// Returns the unsigned number stored in the `bytes` bytes (0 to 8) at `from`, the most significant byte
/// first.
inline std::uint64_t big_endian(const char* from, std::size_t bytes) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < bytes; ++i) n = n << 8 | static_cast<unsigned char>(from[i]);
    return n;
}

}  // namespace sare::traffic
