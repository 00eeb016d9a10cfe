// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace sare::cli {

/// Returns the folder of the scripts: $SARE_SCRIPTS, if not empty; else share/sare/scripts of the program's
/// installation, if it is there; else the one of the sources.
std::filesystem::path scripts_folder();

/// Outcome of a call of a script.
struct script_result {
    std::string out;      ///< text that the script has printed to stdout; "" if it has failed
    std::string problem;  ///< reason why the script has failed, in one line; "" if it has not failed
};

/// Runs the script `name` of scripts_folder() with arguments. A failure, also a missing script or Python
/// module, is in `problem`.
script_result call_script(const std::string& name, const std::vector<std::string>& arguments);

/// Writes report.html into a result directory by scripts/report. Returns "", or the reason why there is no
/// page, in one line.
std::string write_report(const std::filesystem::path& directory);

/// Warns that there is no report.html for the reason `problem`. Returns true if the reason is the disk (full,
/// or defective), so that the command has failed; false for other reasons, such as a missing Python module.
bool warn_of_no_page(const std::string& problem);
/// Writes report.html into a result directory, or warns. Returns the path of the page, or the directory if
/// there is none. If the disk does not take the page, a good `status` becomes exit_status::failure.
std::filesystem::path write_page(const std::filesystem::path& directory, int& status);

/// Draws the network of a directory with summary.json, links.csv and routers.csv (write_network()) into an
/// SVG file. Returns "", or the reason why it has failed, in one line.
std::string draw_network(const std::filesystem::path& directory, const std::filesystem::path& file);

/// Draws the JSON of `sare trace info` (file `data`) into a PNG or SVG file. Returns "", or the reason why it
/// has failed, in one line.
std::string draw_trace(const std::filesystem::path& data, const std::filesystem::path& file);

}  // namespace sare::cli
