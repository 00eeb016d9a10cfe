// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/chi.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare::chi {

std::size_t number_of(channel c) {
    const auto number = static_cast<std::size_t>(c);
    if (number < channels) return number;
    throw std::out_of_range(fmt::format("a channel is REQ, RSP, DAT or SNP, 0 to 3, not {}", number));
}

std::string wrong_with_bus(std::uint32_t bytes) {
    if (bytes == 16 || bytes == 32 || bytes == 64) return "";
    return fmt::format("bus_bytes is {}; DAT carries 16, 32 or 64", bytes);
}

bool line_buffer::add(const flit& f, std::uint32_t bus_bytes) {
    const std::uint32_t first = f.data_id * 16U;
    if (first > line_bytes || bus_bytes > line_bytes - first)
        throw std::out_of_range(
            fmt::format("a packet of {} bytes at byte {} of a line of {}", bus_bytes, first, line_bytes));
    std::copy_n(f.data.begin() + first, bus_bytes, m_data.begin() + first);
    m_enables |= f.enables;
    return ++m_come * bus_bytes == line_bytes;
}

}  // namespace sare::chi
