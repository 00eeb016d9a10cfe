// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/chi.h"

#include <algorithm>
#include <stdexcept>

namespace sare::chi {

std::size_t number_of(channel c) {
    const auto number = static_cast<std::size_t>(c);
    if (number < channels) return number;
    throw std::out_of_range("a channel is REQ, RSP, DAT or SNP, 0 to 3, not " + std::to_string(number));
}

std::string wrong_with_bus(std::uint32_t bytes) {
    if (bytes == 16 || bytes == 32 || bytes == 64) return "";
    return "bus_bytes is " + std::to_string(bytes) + "; DAT carries 16, 32 or 64";
}

bool line_buffer::add(const flit& f, std::uint32_t bus_bytes) {
    const std::uint32_t first = f.data_id * 16U;
    if (first > line_bytes || bus_bytes > line_bytes - first)
        throw std::out_of_range("a packet of " + std::to_string(bus_bytes) + " bytes at byte " +
                                std::to_string(first) + " of a line of " + std::to_string(line_bytes));
    std::copy_n(f.data.begin() + first, bus_bytes, m_data.begin() + first);
    m_enables |= f.enables;
    return ++m_come * bus_bytes == line_bytes;
}

}  // namespace sare::chi
