// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/text_file.h"

#include "tlm/config/value.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sare::config {

std::string read_file(const std::string& file, std::size_t most) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    const bool opened = in.is_open();
    std::string text;
    std::array<char, 1 << 16> portion;
    while (in && text.size() < most) {
        in.read(portion.data(), static_cast<std::streamsize>(std::min(portion.size(), most - text.size())));
        text.append(portion.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (!opened || in.bad())
        throw error(location{file, 0, 0}, std::string("cannot be read: ") + std::strerror(errno));
    return text;
}

bool is_yaml_name(const std::string& file) {
    const auto ending = std::filesystem::path(file).extension();
    return ending == ".yaml" || ending == ".yml";
}

std::size_t utf8_bytes(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t k) {
        return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const auto follows = [&](std::size_t k) { return (byte(k) & 0xc0) == 0x80; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
    // Overlong forms, surrogates, and what is beyond the last character are no UTF-8.
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
    if (first >= 0xe0 && first < 0xf0) return follows(1) && follows(2) ? 3 : 0;
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
    if (first >= 0xf0 && first < 0xf5) return follows(1) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

}  // namespace sare::config
