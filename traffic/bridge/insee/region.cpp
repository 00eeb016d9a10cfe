// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/insee/region.h"

#include <algorithm>

namespace sare::traffic::insee {
namespace {

constexpr std::size_t type_at = 12, ip_at = 14, protocol_at = ip_at + 9, source_at = ip_at + 12,
                      destination_at = ip_at + 16, shortest = ip_at + 20 + 8 + 1;
const std::string target{1, 2, 3, 4};

std::size_t byte(const std::string& bytes, std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]);
}

std::size_t udp_at(const std::string& bytes) {
    return ip_at + 4 * (byte(bytes, ip_at) & 15);
}

void exchange(std::string& bytes, std::size_t a, std::size_t b, std::size_t length) {
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a),
                     bytes.begin() + static_cast<std::ptrdiff_t>(a + length),
                     bytes.begin() + static_cast<std::ptrdiff_t>(b));
}

}  // namespace

std::optional<region_word> read_region(const std::string& bytes) {
    constexpr std::size_t udp = 17;
    if (bytes.size() < shortest || byte(bytes, type_at) != 8 || byte(bytes, type_at + 1) != 0)
        return std::nullopt;
    if (byte(bytes, ip_at) >> 4 != 4 || byte(bytes, protocol_at) != udp) return std::nullopt;
    if (bytes.compare(destination_at, target.size(), target) != 0) return std::nullopt;
    const std::size_t payload = udp_at(bytes) + 8;
    if (payload >= bytes.size()) return std::nullopt;
    if (byte(bytes, payload) == 1) return region_word::begins;
    if (byte(bytes, payload) == 2) return region_word::ends;
    return std::nullopt;
}

std::string region_answer(std::string bytes) {
    exchange(bytes, 0, 6, 6);
    exchange(bytes, source_at, destination_at, 4);
    exchange(bytes, udp_at(bytes), udp_at(bytes) + 2, 2);
    return bytes;
}

}  // namespace sare::traffic::insee
