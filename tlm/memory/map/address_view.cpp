// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/map/address_view.h"

#include "tlm/config/value.h"

#include <algorithm>
#include <sstream>

namespace sare {
namespace {

std::string window_at(const address_window& w) {
    std::ostringstream text;
    text << "the address window at 0x" << std::hex << w.base;
    return text.str();
}

}  // namespace

address_view::address_view(std::vector<address_window> windows) : m_windows(std::move(windows)) {
    for (const address_window& w : m_windows) {
        if (w.size == 0) throw config::error(window_at(w) + " is empty");
        for (const std::uint64_t first : {w.base, w.target})
            if (first + (w.size - 1) < first)
                throw config::error(window_at(w) + " goes beyond the last address");
    }
    std::sort(m_windows.begin(), m_windows.end(),
              [](const address_window& a, const address_window& b) { return a.base < b.base; });
    for (std::size_t k = 1; k < m_windows.size(); ++k)
        if (m_windows[k].base - m_windows[k - 1].base < m_windows[k - 1].size)
            throw config::error(window_at(m_windows[k]) + " overlaps the one before it");
}

std::optional<address_view::position> address_view::in_map(std::uint64_t address) const {
    constexpr std::uint64_t last = ~std::uint64_t{0};
    if (m_windows.empty()) return position{address, address, address == 0 ? last : last - address + 1};
    for (const address_window& w : m_windows) {
        const std::uint64_t before = address - w.base;
        if (address >= w.base && before < w.size) return position{w.target + before, before, w.size - before};
    }
    return std::nullopt;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> address_view::seen(std::uint64_t first,
                                                                        std::uint64_t last) const {
    if (m_windows.empty()) return {{first, last}};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const address_window& w : m_windows) {
        const std::uint64_t from = std::max(first, w.target), to = std::min(last, w.target + (w.size - 1));
        if (from <= to) all.emplace_back(w.base + (from - w.target), w.base + (to - w.target));
    }
    return all;
}

}  // namespace sare
