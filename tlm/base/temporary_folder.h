// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace sare {

/// Returns the folder for temporary files: the one named by the environment variable TMPDIR, or /tmp. Throws
/// std::runtime_error if it is not a folder.
inline std::filesystem::path temporary_folder() {
    std::error_code problem;
    std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
    if (!problem) return folder;
    const char* const named = std::getenv("TMPDIR");
    throw std::runtime_error("'" + std::string(named == nullptr ? "/tmp" : named) +
                             "' is no folder for temporary files; TMPDIR names another one");
}

}  // namespace sare
