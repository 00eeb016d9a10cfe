// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>

namespace sare::test {

/// Returns the path of the only file of a name in a folder, or in folders within it. Throws
/// std::runtime_error if there is none.
inline std::filesystem::path found_file(const std::filesystem::path& folder, const std::string& name) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().filename() == name) return entry.path();
    throw std::runtime_error(folder.string() + " has no file " + name);
}

}  // namespace sare::test
