// SPDX-License-Identifier: Apache-2.0
#include "tlm/analytic/latency_rule.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

// Wide enough for all products below: s < 2^67, a latency in picoseconds < 2^80, a second has 2^40 of them.
__extension__ typedef unsigned __int128 wide;

constexpr std::uint64_t picoseconds_of_a_second = 1'000'000'000'000;

wide round_up(wide dividend, wide divisor) {
    return (dividend + divisor - 1) / divisor;
}

}  // namespace

latency_rule::latency_rule(double clock_seconds, std::uint32_t flit_bytes)
    : m_clock(static_cast<std::uint64_t>(std::llround(clock_seconds * 1e12))),
      m_flit_bits(std::uint64_t{flit_bytes} * 8) {}

std::uint64_t latency_rule::bits(const message& m) const {
    constexpr std::uint64_t most = ~std::uint64_t{0} / 8;
    return m.bytes == message::in_flits ? m.flits * m_flit_bits : std::min(m.bytes, most) * 8;
}

cycle_t latency_rule::cycles(const path_cost& path, std::uint64_t bits) const {
    wide transfer = 0;
    if (path.bits_per_second != path_cost{}.bits_per_second)
        transfer = round_up(wide{bits} * picoseconds_of_a_second, path.bits_per_second);
    if (path.cycles_per_flit != 0)
        transfer = std::max(transfer, round_up(wide{bits} * path.cycles_per_flit * m_clock, m_flit_bits));
    const wide latency = wide{path.cycles} * m_clock + path.picoseconds;
    const wide all = round_up(latency + transfer, m_clock);
    constexpr wide longest = wide{1} << 62;  // a number still when the present is added
    return static_cast<cycle_t>(std::clamp(all, wide{1}, longest));
}

}  // namespace sare
