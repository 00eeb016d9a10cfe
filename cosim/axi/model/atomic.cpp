// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/atomic.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::axi {

address operand_of(const address& a) {
    address all = a;
    if (a.atop != 0) {
        all.addr = a.addr / operand_bytes(a) * operand_bytes(a);
        all.burst = burst_kind::incr;
    }
    return all;
}

address value_of(const address& a) {
    address read = a;
    if (a.atop == 0) return read;
    read.atop = 0;
    read.burst = burst_kind::incr;
    if (!compares(a)) return read;
    if (a.len == 0)
        --read.size;
    else
        read.len = static_cast<std::uint8_t>(a.beats() / 2 - 1);
    return read;
}

std::optional<atomic_access> atomic_of(const address& a) {
    atomic_access what;
    const unsigned kind = a.atop >> 4;
    if (a.atop == 0x30 || a.atop == 0x31) {
        what.operation = a.atop == 0x30 ? atomic_operation::swap : atomic_operation::compare;
    } else if (kind == 1 || kind == 2) {
        what.operation = static_cast<atomic_operation>(a.atop & 7);
        what.big_endian = (a.atop & 8) != 0;
        what.fetches = kind == 2;
    } else {
        return std::nullopt;
    }
    return what;
}

std::string wrong_with_atomic(const address& a, std::uint32_t bus_bytes) {
    if (!atomic_of(a)) return "AWATOP of no operation";
    const std::uint32_t bytes = operand_bytes(a), least = compares(a) ? 2 : 1, most = compares(a) ? 32 : 8;
    if (bytes < least || bytes > most || (bytes & (bytes - 1)) != 0)
        return fmt::format("an atomic transaction of {} bytes", bytes);
    if (1u << a.size != std::min(bytes, bus_bytes))
        return "an atomic transaction in more beats than it needs";
    if (a.addr % value_bytes(a) != 0) return "an atomic transaction that is not aligned to its value";
    if (a.burst != (is_upper_half(a) ? burst_kind::wrap : burst_kind::incr))
        return is_upper_half(a) ? "AtomicCompare of an upper half must be WRAP"
                                : "an atomic transaction must be INCR";
    return a.lock != 0 ? "an atomic transaction must not be exclusive" : "";
}

}  // namespace sare::axi
