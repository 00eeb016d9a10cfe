// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/run/cases.h"
#include "tlm/config/hints.h"
#include "tlm/network/experiment.h"

#include <string>
#include <vector>

/// The configuration that a command line names: a file and what is set over it.
namespace sare::cli {

class command_parser;

struct input_options {
    std::string file;  ///< "-": standard input, in the present folder
    std::vector<std::string> sets;
    std::string seed;     ///< as written; "": that of the file
    std::string threads;  ///< likewise
    std::vector<std::string> plugins;
    std::vector<std::string> axes;  ///< paths of the axes, of commands that have --axis

    void add_to(command_parser& command, bool with_seed = true);
    std::string folder() const;       ///< of the file
    std::string stem() const;         ///< the file without folder and ending
    std::string chosen_case() const;  ///< by --set; ""
    /// File, then the case that --set case=NAME chooses of those that it names, then --set, then --seed; its
    /// plugins are loaded. Parameters that --set gives of what an axis chooses are left out.
    config::value tree() const;
    /// The same for each case of the file, with its name; none where it names none or --set has chosen one.
    std::vector<std::pair<std::string, config::value>> trees_of_cases() const;
    experiment read() const;
    /// What --set says of parameters below an axis: `traffic.pattern.nodes` below `traffic.pattern`.
    config::settings settings_below_axes() const;
    /// The same over a tree that is not in the file.
    config::value over(config::value tree, const std::string& its_folder) const;

  private:
    config::value load() const;        ///< the experiment of the file, and its cases
    config::value load_whole() const;  ///< the file
    config::settings settings_given() const;
    bool is_below_axis(const std::string& path) const;

    mutable std::string m_text;  ///< of standard input, which can be read once
};

/// "path=text" taken apart; `option` names it in the message.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text);

/// Returns a line on a load that is more than the link of a node takes, so that no network sustains it; or
/// "".
std::string impossible_load(const experiment& e, const topology& map);

}  // namespace sare::cli
