// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace sare::cli {

/// Returns $SARE_SCRIPTS, else the folder installed beside this program, else that of the sources.
std::filesystem::path scripts_folder();

struct script_result {
    std::string out;      ///< text that it printed
    std::string problem;  ///< why it has failed, in one line; "" if it has not
};

/// Runs one of the scripts that draw.
script_result call_script(const std::string& name, const std::vector<std::string>& arguments);

/// Writes report.html into a result directory by scripts/report. Returns "" or, in one line, why there is
/// none.
std::string write_report(const std::filesystem::path& directory);

/// Warns that there is no page. Returns whether the disk is why: then the command has failed. What is not
/// installed is left out.
bool warn_of_no_page(const std::string& problem);
/// Writes report.html, or warns; returns the place of what is to be looked at. A disk that does not take it
/// makes a good `status` a failure.
std::filesystem::path write_page(const std::filesystem::path& directory, int& status);

/// Draws the network of a directory with summary.json, links.csv and routers.csv (write_network()) into an
/// SVG file. Returns "" or, in one line, why not.
std::string draw_network(const std::filesystem::path& directory, const std::filesystem::path& file);

/// Draws the JSON of `sare trace info` into a PNG or SVG file. Returns "" or, in one line, why not.
std::string draw_trace(const std::filesystem::path& data, const std::filesystem::path& file);

}  // namespace sare::cli
