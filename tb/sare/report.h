// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sare::cli {

/// Writes report.html into a result directory by scripts/report. Answers "" or, in one line, why there is
/// none.
std::string write_report(const std::filesystem::path& directory);

}  // namespace sare::cli
