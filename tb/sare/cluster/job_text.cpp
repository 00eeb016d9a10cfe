// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/job_text.h"

#include "tb/sare/process/process.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

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

std::string last_words(const std::filesystem::path& log) {
    const auto lines = lines_of(log);
    if (lines.empty()) return fmt::format("it has written nothing to {}", log.string());
    return fmt::format("it said '{}' in {}", lines.back(), log.string());
}

std::string job_ended(const std::string& title, const std::string& id, const std::string& said) {
    return fmt::format("{} job {} ended as {}", title, id, said);
}

void report_failed(const std::filesystem::path& log, const std::vector<std::size_t>& points,
                   sweep_failures& failures) {
    bool said = false;
    for (const std::string& line : lines_of(log)) {
        std::size_t point = 0;
        int text = 0;
        if (std::sscanf(line.c_str(), "sare: point %zu: %n", &point, &text) != 1 || text == 0) continue;
        failures.add(point, line.substr(static_cast<std::size_t>(text)));
        said = true;
    }
    if (!said) complain(fmt::format("{} failed; {}", points_text(points), last_words(log)));
}

}  // namespace sare::cli
