// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_journal.h"

#include "tb/sare/process/files.h"
#include "tb/sare/run/result_directory.h"

#include <algorithm>
#include <fstream>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Reads the lines of a journal with this identity. The last line of a killed process may be cut off.
std::vector<json> lines_of(const fs::path& file, const json& identity) {
    std::vector<json> all;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) {
        json line = json::parse(text, nullptr, false);
        if (line.is_discarded()) break;
        all.push_back(std::move(line));
    }
    if (all.empty() || all.front() != identity) return {};
    all.erase(all.begin());
    return all;
}

}  // namespace

cosim_journal::cosim_journal(fs::path folder, const json& identity) : m_folder(std::move(folder)) {
    make_directories(m_folder, m_folder);
    const fs::path file = m_folder / "cases.jsonl";
    std::string text = identity.dump() + "\n";
    for (const json& line : lines_of(file, identity)) {
        m_kept.emplace_back(line.at("case").get<std::size_t>(), line.at("result"));
        text += line.dump() + "\n";
    }
    if (m_kept.empty()) fs::remove_all(counters());
    fs::create_directory(counters());
    replace_file(file, text);
}

void cosim_journal::replay(const std::function<void(std::size_t, const json&)>& take) const {
    for (const auto& [number, result] : m_kept) take(number, result);
}

bool cosim_journal::has(std::size_t number) const {
    return std::any_of(m_kept.begin(), m_kept.end(), [&](const auto& c) { return c.first == number; });
}

void cosim_journal::add(std::size_t number, const json& result) {
    append_file(m_folder / "cases.jsonl", [&](std::ostream& out) {
        out << json{{"case", number}, {"result", result}}.dump() << "\n";
    });
}

}  // namespace sare::cli
