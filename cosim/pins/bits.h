// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>

namespace sare::cosim {

/// Returns the lowest `bits` bits of `value`; all of them if `bits` is 64 or more; 0 if it is 0.
inline std::uint64_t low_bits(std::uint64_t value, std::uint32_t bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// Returns a hash of `z`, such that neighbouring numbers have unlike hashes (the finaliser of SplitMix64).
inline std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// Returns `value` as hexadecimal text without leading zeros, for messages, such as "0x1f" or "0x0".
inline std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace sare::cosim
