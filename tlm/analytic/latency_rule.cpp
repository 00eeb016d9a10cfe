// SPDX-License-Identifier: Apache-2.0
#include "tlm/analytic/latency_rule.h"

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

constexpr std::uint64_t of_a_bit = 10'000'000'000'000;  ///< decibits by the picoseconds of a second

picoseconds_t round_up(picoseconds_t dividend, picoseconds_t divisor) {
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

picoseconds_t latency_rule::latency(const path_cost& path) const {
    return picoseconds_t{path.cycles} * m_clock + path.picoseconds;
}

picoseconds_t latency_rule::transfer(const path_cost& path, std::uint64_t bits) const {
    picoseconds_t time = 0;
    if (path.decibits_per_second != path_cost{}.decibits_per_second)
        time = round_up(picoseconds_t{bits} * of_a_bit, path.decibits_per_second);
    if (path.cycles_per_flit != 0)
        time = std::max(time, round_up(picoseconds_t{bits} * path.cycles_per_flit * m_clock, m_flit_bits));
    return time;
}

cycle_t latency_rule::cycle_of(picoseconds_t time) const {
    constexpr picoseconds_t longest = picoseconds_t{1} << 62;  // a number still when the present is added
    return static_cast<cycle_t>(std::min(round_up(time, m_clock), longest));
}

cycle_t latency_rule::cycles(const path_cost& path, std::uint64_t bits) const {
    return std::max<cycle_t>(1, cycle_of(latency(path) + transfer(path, bits)));
}

}  // namespace sare
