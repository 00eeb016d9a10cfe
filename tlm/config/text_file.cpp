// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/text_file.h"

#include "tlm/config/value.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

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
    const std::string problem = std::strerror(errno);
    if (!opened || in.bad())
        throw error(location{file, 0, 0}, "cannot be read: " + problem + hint_of_file(file));
    return text;
}

std::string hint_of_file(const std::string& missing) {
    const std::filesystem::path path(missing);
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code problem;
    if (std::filesystem::exists(path, problem) || problem) return "";
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
         at.increment(problem))
        names.push_back(at->path().filename().string());
    std::sort(names.begin(), names.end());
    const std::string near = nearest(path.filename().string(), names);
    return near.empty() ? "" : "; did you mean '" + (path.parent_path() / near).string() + "'?";
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
