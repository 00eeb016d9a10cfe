// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/job_text.h"

#include "tb/sare/process.h"

#include <fmt/format.h>

#include <fstream>
#include <set>

namespace sare::cli {
namespace {

constexpr std::streamoff most_read = 1 << 20;  // bytes of a log, from its end

std::vector<std::string> lines_of(const std::filesystem::path& log) {
    std::ifstream in(log, std::ios::binary | std::ios::ate);
    std::vector<std::string> lines;
    if (!in) return lines;
    const std::streamoff size = in.tellg();
    in.seekg(size > most_read ? size - most_read : 0);
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

}  // namespace

std::string points_text(const std::vector<std::size_t>& points) {
    std::string text;
    const std::set<std::size_t> sorted(points.begin(), points.end());
    for (auto p = sorted.begin(); p != sorted.end();) {
        const std::size_t first = *p;
        std::size_t last = first;
        while (++p != sorted.end() && *p == last + 1) ++last;
        text += (text.empty() ? "" : ", ") + fmt::format("{:03d}", first);
        if (last != first) text += fmt::format("-{:03d}", last);
    }
    return (sorted.size() == 1 ? "point " : "points ") + text;
}

std::string last_words(const std::filesystem::path& log) {
    const auto lines = lines_of(log);
    if (lines.empty()) return fmt::format("it has written nothing to {}", log.string());
    return fmt::format("it said '{}' in {}", lines.back(), log.string());
}

void tell_of_failed(const std::filesystem::path& log, const std::vector<std::size_t>& points) {
    std::set<std::string> said;
    for (const std::string& line : lines_of(log))
        if (line.rfind("sare: point ", 0) == 0 && said.insert(line).second) complain(line.substr(6));
    if (said.empty()) complain(fmt::format("{} failed; {}", points_text(points), last_words(log)));
}

}  // namespace sare::cli
