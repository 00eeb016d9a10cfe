// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/address_map.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <tuple>

namespace sare {
namespace {

std::string hex(std::uint64_t x) {
    std::ostringstream text;
    text << "0x" << std::hex << x;
    return text.str();
}

void check(const address_range& r) {
    if (r.size == 0) throw config::error("the address range at " + hex(r.base) + " is empty");
    if (r.stripes) r.stripes->check(r.size);
    if (r.base + (r.size - 1) < r.base || r.offset + (r.bytes_in_memory() - 1) < r.offset)
        throw config::error(r.text() + " goes beyond the last address");
}

/// Throws if two ranges have a byte of a memory in common. `ranges` is in order of node, memory and offset.
void check_apart_in_memories(const std::vector<address_range>& ranges) {
    for (std::size_t k = 1; k < ranges.size(); ++k) {
        const address_range &a = ranges[k - 1], &b = ranges[k];
        if (a.node == b.node && a.memory == b.memory && b.offset - a.offset < a.bytes_in_memory())
            throw config::error(a.text() + " and " + b.text() +
                                " overlap in their memory; give them different offsets");
    }
}

/// Throws if two ranges overlap, or stripes are incomplete. `ranges` is in order of base and number.
void check_apart(const std::vector<address_range>& ranges) {
    for (std::size_t k = 1; k < ranges.size(); ++k) {
        const address_range &a = ranges[k - 1], &b = ranges[k];
        const bool together = a.stripes != nullptr && a.stripes == b.stripes && b.number == a.number + 1;
        if (!together && b.base - a.base < a.size)
            throw config::error(a.text() + " and " + b.text() + " overlap");
    }
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const address_range& r = ranges[k];
        if (r.stripes == nullptr) continue;
        const std::size_t first = k - r.number, last = first + r.stripes->memories - 1;
        if (r.number > k || last >= ranges.size() || ranges[first].stripes != r.stripes ||
            ranges[last].stripes != r.stripes)
            throw config::error(
                fmt::format("{} is one of {} that interleaved() has made; a map has all of them", r.text(),
                            r.stripes->memories));
    }
}

}  // namespace

std::string address_range::text() const {
    std::string all = fmt::format("range {} to {} of node {}", hex(base), hex(base + (size - 1)), node);
    if (memory != 0) all += fmt::format(", memory {}", memory);
    if (offset != 0) all += " from " + hex(offset) + " on";
    return all;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> address_range::addresses_of(std::uint64_t first,
                                                                                   std::uint64_t last) const {
    first = std::max(first, offset);
    last = std::min(last, offset + (bytes_in_memory() - 1));
    if (first > last) return std::nullopt;
    if (stripes) return std::make_pair(base, base + (size - 1));
    return std::make_pair(base + (first - offset), base + (last - offset));
}

address_map::address_map(std::vector<address_range> ranges) : m_ranges(std::move(ranges)) {
    const auto place = [](const address_range& r) { return std::make_tuple(r.node, r.memory, r.offset); };
    const auto address = [](const address_range& r) { return std::make_pair(r.base, r.number); };
    for (const address_range& r : m_ranges) check(r);
    std::sort(m_ranges.begin(), m_ranges.end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
    check_apart_in_memories(m_ranges);
    std::sort(m_ranges.begin(), m_ranges.end(),
              [&](const auto& a, const auto& b) { return address(a) < address(b); });
    check_apart(m_ranges);
}

const address_range* address_map::find(std::uint64_t address) const {
    auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                                  [](std::uint64_t a, const address_range& r) { return a < r.base; });
    if (after == m_ranges.begin()) return nullptr;
    const address_range& r = *--after;
    if (address - r.base >= r.size) return nullptr;
    return r.stripes ? &r - r.number + r.stripes->memory_of(address) : &r;
}

}  // namespace sare
