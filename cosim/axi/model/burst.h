// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"

/// Addresses and byte lanes of the beats of an AXI4 burst (section A3.4 of the standard).
namespace sare::axi {

/// Returns the number of bytes of a beat of burst `a`.
inline std::uint64_t beat_bytes(const address& a) {
    return std::uint64_t{1} << a.size;
}

/// Returns the lowest address of beat `n`, from 0, which must be below a.beats() (not checked). It may be
/// unaligned for beat 0, and for all beats of a FIXED burst.
inline std::uint64_t beat_address(const address& a, std::uint32_t n) {
    const std::uint64_t bytes = beat_bytes(a), aligned = a.addr / bytes * bytes;
    if (a.burst == burst_kind::fixed || n == 0) return a.addr;
    if (a.burst == burst_kind::incr) return aligned + n * bytes;
    const std::uint64_t whole = bytes * a.beats(), first = a.addr / whole * whole;
    return first + (a.addr - first + n * bytes) % whole;
}

/// A range of addresses, `first` and `last` both included.
struct byte_range {
    std::uint64_t first, last;
    /// Returns true if the two ranges have an address in common.
    bool meets(const byte_range& o) const { return first <= o.last && o.first <= last; }
};
/// Returns the range of all addresses that the bytes of burst `a` have; for a WRAP burst the whole aligned
/// block in which it wraps.
inline byte_range range_of(const address& a) {
    const std::uint64_t bytes = beat_bytes(a), aligned = a.addr / bytes * bytes;
    const std::uint64_t whole = bytes * a.beats();
    switch (a.burst) {
        case burst_kind::fixed:
            return {a.addr, aligned + bytes - 1};
        case burst_kind::incr:
            return {a.addr, aligned + whole - 1};
        case burst_kind::wrap:
            break;
    }
    return {a.addr / whole * whole, a.addr / whole * whole + whole - 1};
}

/// Calls f(address, lane) for each byte of beat `n` of burst `a`, from 0, in ascending order of addresses.
/// `bus`: bytes of the bus; `lane`: place of the byte on the bus, from 0.
template <class F>
void for_bytes(const address& a, std::uint32_t n, std::uint32_t bus, F&& f) {
    const std::uint64_t from = beat_address(a, n), bytes = beat_bytes(a);
    for (std::uint64_t at = from; at < (from / bytes + 1) * bytes; ++at)
        f(at, static_cast<std::uint32_t>(at % bus));
}

}  // namespace sare::axi
