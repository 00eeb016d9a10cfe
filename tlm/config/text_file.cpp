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

}  // namespace sare::config
