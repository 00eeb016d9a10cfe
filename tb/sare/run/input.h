// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/run/cases.h"
#include "tlm/config/hints.h"
#include "tlm/network/experiment.h"

#include <string>
#include <vector>

/// The configuration that a command line names: a file, and settings over it.
namespace sare::cli {

class command_parser;

struct input_options {
    std::string file;  ///< "-": standard input, in the current folder
    std::vector<std::string> sets;
    std::string seed;     ///< as written; "": the file's
    std::string threads;  ///< as written; "": the file's
    std::vector<std::string> plugins;
    std::vector<std::string> axes;  ///< paths of the axes, only of commands with --axis

    void add_to(command_parser& command, bool with_seed = true);
    std::string folder() const;       ///< folder of the file
    std::string stem() const;         ///< name of the file without folder and ending
    std::string chosen_case() const;  ///< case chosen by --set; ""
    /// Returns the file with the case that --set case=NAME chooses, --set and --seed applied in this order;
    /// loads its plugins. Parameters that --set gives below an axis are left out.
    config::value tree() const;
    /// Returns tree() for each case of the file, with its name; empty if there are no cases or --set has
    /// chosen one.
    std::vector<std::pair<std::string, config::value>> trees_of_cases() const;
    experiment read() const;
    /// Returns the settings of parameters below an axis: `traffic.pattern.nodes` below `traffic.pattern`.
    config::settings settings_below_axes() const;
    /// Returns a tree that is not in the file, with these settings.
    config::value over(config::value tree, const std::string& its_folder) const;

  private:
    config::value load() const;        ///< the experiment of the file, and its cases
    config::value load_whole() const;  ///< the file
    config::settings settings_given() const;
    bool is_below_axis(const std::string& path) const;

    mutable std::string m_text;  ///< standard input, which can be read once
};

/// Splits "path=text"; `option` names it in messages.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text);

/// Returns a line about a load that exceeds the link of a node, so that no network sustains it; or "".
std::string impossible_load(const experiment& e, const topology& map);

}  // namespace sare::cli
