// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/address_map.h"

#include "tlm/config/value.h"

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
    for (const std::uint64_t first : {r.base, r.offset})
        if (first + (r.size - 1) < first) throw config::error(r.text() + " goes beyond the last address");
}

/// Of ranges in order of `first`, no two with the same `space` have a byte in common.
template <class First, class Space>
void check_apart(const std::vector<address_range>& ranges, First first, Space space, const char* where) {
    for (std::size_t k = 1; k < ranges.size(); ++k) {
        const address_range &a = ranges[k - 1], &b = ranges[k];
        if (space(a) == space(b) && first(b) - first(a) < a.size)
            throw config::error(a.text() + " and " + b.text() + " overlap" + where);
    }
}

}  // namespace

std::string address_range::text() const {
    std::string all =
        "range " + hex(base) + " to " + hex(base + (size - 1)) + " of node " + std::to_string(node);
    if (memory != 0) all += ", memory " + std::to_string(memory);
    if (offset != 0) all += " from " + hex(offset) + " on";
    return all;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> address_range::addresses_of(std::uint64_t first,
                                                                                   std::uint64_t last) const {
    first = std::max(first, offset);
    last = std::min(last, offset + (size - 1));
    if (first > last) return std::nullopt;
    return std::make_pair(base + (first - offset), base + (last - offset));
}

address_map::address_map(std::vector<address_range> ranges) : m_ranges(std::move(ranges)) {
    const auto place = [](const address_range& r) { return std::make_pair(r.node, r.memory); };
    const auto offset = [](const address_range& r) { return r.offset; };
    const auto base = [](const address_range& r) { return r.base; };
    for (const address_range& r : m_ranges) check(r);
    std::sort(m_ranges.begin(), m_ranges.end(), [&](const auto& a, const auto& b) {
        return std::make_pair(place(a), a.offset) < std::make_pair(place(b), b.offset);
    });
    check_apart(m_ranges, offset, place, " in their memory; give them different offsets");
    std::sort(m_ranges.begin(), m_ranges.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
    check_apart(
        m_ranges, base, [](const address_range&) { return 0; }, "");
}

const address_range* address_map::find(std::uint64_t address) const {
    auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                                  [](std::uint64_t a, const address_range& r) { return a < r.base; });
    if (after == m_ranges.begin()) return nullptr;
    const address_range& r = *--after;
    return address - r.base < r.size ? &r : nullptr;
}

}  // namespace sare
