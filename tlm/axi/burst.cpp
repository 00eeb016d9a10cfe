// SPDX-License-Identifier: Apache-2.0
#include "tlm/axi/burst.h"

#include "tlm/memory/atomic/atomic_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare::axi {
namespace {

constexpr std::uint8_t most_size = 7;  // AxSIZE of 128 bytes

std::uint8_t full_size(std::uint32_t bus_bytes) {
    std::uint8_t size = 0;
    while ((2U << size) <= bus_bytes) ++size;
    return size;
}

}  // namespace

void check_bus(std::uint32_t bus_bytes) {
    if (bus_bytes == 0 || bus_bytes > 128 || (bus_bytes & (bus_bytes - 1)) != 0)
        throw std::out_of_range(fmt::format("a bus is 1, 2, 4 ... or 128 bytes wide, not {}", bus_bytes));
}

response response_of(tlm::tlm_response_status status) {
    switch (status) {
        case tlm::TLM_OK_RESPONSE:
            return response::okay;
        case tlm::TLM_ADDRESS_ERROR_RESPONSE:
            return response::decerr;
        default:
            return response::slverr;
    }
}

extension extension_of(const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes) {
    check_bus(bus_bytes);
    if (const auto* given = p.get_extension<extension>()) return *given;
    extension e;
    e.size = full_size(bus_bytes);
    if (atomic_of(p) != nullptr) {
        while (e.size != 0 && p.get_data_length() < 1U << e.size) --e.size;
        e.beats = static_cast<std::uint16_t>(std::min(p.get_data_length() >> e.size, 0xffffU));
        return e;
    }
    const std::uint64_t bytes = (p.get_address() % bus_bytes) + p.get_data_length();
    e.beats =
        static_cast<std::uint16_t>(std::min<std::uint64_t>((bytes + bus_bytes - 1) / bus_bytes, 0xffff));
    return e;
}

std::uint32_t bytes_of(const extension& e, std::uint64_t address) {
    if (e.size > most_size) return 0;
    const std::uint32_t beat = 1U << e.size, missing = static_cast<std::uint32_t>(address % beat);
    return e.type == burst::fixed ? (beat - missing) * e.beats : beat * e.beats - missing;
}

std::uint64_t lowest_address(const extension& e, std::uint64_t address) {
    if (e.type != burst::wrap || e.beats == 0 || e.size > most_size) return address;
    return address - address % (std::uint64_t{e.beats} << e.size);
}

std::vector<burst_part> parts_of(const extension& e, const tlm::tlm_generic_payload& p,
                                 std::uint32_t bus_bytes) {
    check_bus(bus_bytes);
    const std::uint32_t length = p.get_data_length(), width = std::min(p.get_streaming_width(), length);
    std::vector<burst_part> all;
    if (width == 0) return all;
    for (std::uint32_t offset = 0; offset < length; offset += all.back().bytes) {
        burst_part part;
        part.offset = offset;
        part.address = p.get_address() + offset % width;
        const std::uint64_t most = std::min<std::uint64_t>(256 * bus_bytes - part.address % bus_bytes,
                                                           page_bytes - part.address % page_bytes);
        part.bytes = static_cast<std::uint32_t>(
            std::min<std::uint64_t>({width - offset % width, length - offset, most}));
        const std::uint64_t end = part.address + part.bytes;
        if (end % bus_bytes < part.bytes) part.bytes -= static_cast<std::uint32_t>(end % bus_bytes);
        part.e = e;
        part.e.type = burst::incr;
        part.e.size = full_size(bus_bytes);
        while ((part.address + part.bytes) % (1U << part.e.size) != 0) --part.e.size;
        const std::uint32_t beat = 1U << part.e.size;
        part.e.beats = static_cast<std::uint16_t>((part.address % beat + part.bytes) / beat);
        part.e.exclusive = false;
        all.push_back(part);
    }
    return all;
}

std::string wrong_with(const extension& e, const tlm::tlm_generic_payload& p, std::uint32_t bus_bytes) {
    const std::uint64_t address = p.get_address();
    if (const atomic_access* atomic = atomic_of(p)) {
        const bool fits = e.type == burst::incr && !e.exclusive && e.size <= full_size(bus_bytes) &&
                          std::uint32_t{e.beats} << e.size == p.get_data_length();
        if (!fits) return "an atomic access is a burst INCR of its operand, and not exclusive";
        return wrong_with(*atomic, p);
    }
    if (std::string wrong = wrong_with({e.type, e.beats, e.size, address}, bus_bytes); !wrong.empty())
        return wrong;
    const std::uint32_t bytes = bytes_of(e, address);
    if (p.get_data_length() != bytes) return "data as long as the beats are not";
    const std::uint32_t width = e.type == burst::fixed ? bytes / e.beats : bytes;
    if (e.type == burst::fixed ? p.get_streaming_width() != width : p.get_streaming_width() < width)
        return "the streaming width is not the burst's";
    const std::uint32_t whole = std::uint32_t{e.beats} << e.size;
    const bool power_of_2 = (e.beats & (e.beats - 1U)) == 0;
    if (e.exclusive && (!power_of_2 || e.beats > 16 || whole > 128 || address % whole != 0))
        return "an exclusive burst is a power of 2 of up to 128 bytes and 16 beats, and aligned to that";
    if (e.qos > 15) return "QoS is 0 to 15";
    return "";
}

}  // namespace sare::axi
