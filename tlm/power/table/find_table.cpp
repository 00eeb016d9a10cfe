// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "tlm/power/table/cost_table.h"

#include "tlm/config/text_file.h"

#include <algorithm>
#include <filesystem>

namespace sare {
namespace {

/// Folder of the tables that come with Sare: installed beside the program, else among the sources.
std::filesystem::path tables_folder() {
    std::error_code none;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
    const auto installed = program.parent_path().parent_path() / "share/sare/power";
    return std::filesystem::exists(installed, none) ? installed : SARE_POWER_TABLES;
}

std::string names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names.empty() ? "none" : joined(names);
}

}  // namespace

std::string find_cost_table(const std::string& table, const std::string& folder, const config::location& at) {
    const std::filesystem::path written(table);
    std::error_code none;
    if (config::is_yaml_name(table)) {
        const auto file = written.is_absolute() ? written : std::filesystem::path(folder) / written;
        if (std::filesystem::is_regular_file(file, none)) return file.string();
        throw config::error(at, "there is no table '" + file.string() + "'");
    }
    const auto file = tables_folder() / (table + ".yaml");
    if (table.find('/') == std::string::npos && std::filesystem::is_regular_file(file, none))
        return file.string();
    throw config::error(at, "there is no table '" + table +
                                "'; these come with Sare: " + names_in(tables_folder()) +
                                "; one of your own is named by its file, such as my-table.yaml");
}

}  // namespace sare
