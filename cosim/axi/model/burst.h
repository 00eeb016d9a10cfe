// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"

/// Addresses and byte lanes of the beats of a burst (AXI4, A3.4).
namespace sare::axi {

/// Returns the bytes of a beat.
inline std::uint64_t beat_bytes(const address& a) {
    return std::uint64_t{1} << a.size;
}

/// Returns the first address of beat `n`, counted from 0.
inline std::uint64_t beat_address(const address& a, std::uint32_t n) {
    const std::uint64_t bytes = beat_bytes(a), aligned = a.addr / bytes * bytes;
    if (a.burst == burst_kind::fixed || n == 0) return a.addr;
    if (a.burst == burst_kind::incr) return aligned + n * bytes;
    const std::uint64_t whole = bytes * a.beats(), first = a.addr / whole * whole;
    return first + (a.addr - first + n * bytes) % whole;
}

/// First and last address that a burst can touch.
struct byte_range {
    std::uint64_t first, last;
    bool meets(const byte_range& o) const { return first <= o.last && o.first <= last; }
};
/// Returns the first and the last address that the bytes of a burst can have.
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

/// Calls f(address, lane) for each byte of beat `n`, counted from 0, on a bus of `bus` bytes; lanes are
/// counted from 0.
template <class F>
void for_bytes(const address& a, std::uint32_t n, std::uint32_t bus, F&& f) {
    const std::uint64_t from = beat_address(a, n), bytes = beat_bytes(a);
    for (std::uint64_t at = from; at < (from / bytes + 1) * bytes; ++at)
        f(at, static_cast<std::uint32_t>(at % bus));
}

}  // namespace sare::axi
