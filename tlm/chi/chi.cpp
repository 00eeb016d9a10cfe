// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/chi.h"

#include <algorithm>

namespace sare::chi {

std::string wrong_with_bus(std::uint32_t bytes) {
    if (bytes == 16 || bytes == 32 || bytes == 64) return "";
    return "bus_bytes is " + std::to_string(bytes) + "; DAT carries 16, 32 or 64";
}

bool line_buffer::add(const flit& f, std::uint32_t bus_bytes) {
    const std::uint32_t first = f.data_id * 16U;
    std::copy_n(f.data.begin() + first, bus_bytes, m_data.begin() + first);
    m_enables |= f.enables;
    return ++m_come * bus_bytes == line_bytes;
}

}  // namespace sare::chi
