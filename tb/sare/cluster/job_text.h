// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// What jobs have said, and what is said of them.
namespace sare::cli {

/// "point 004", or "points 003-007, 009".
std::string points_text(const std::vector<std::size_t>& points);

/// The last line of a log and where the log is; "it has no log" where there is none.
std::string last_words(const std::filesystem::path& log);

/// Says why points of a job have failed, in the job's own lines.
void tell_of_failed(const std::filesystem::path& log, const std::vector<std::size_t>& points);

}  // namespace sare::cli
