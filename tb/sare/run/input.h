// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/run/cases.h"
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

    void add_to(command_parser& command, bool with_seed = true);
    std::string folder() const;  ///< of the file
    std::string stem() const;    ///< the file without folder and ending
    /// File, then the case that --set case=NAME chooses of those that it names, then --set in order, then
    /// --seed; its plugins are loaded.
    config::value tree() const;
    /// The same for each case of the file, with its name; none where it names none or --set has chosen one.
    std::vector<std::pair<std::string, config::value>> trees_of_cases() const;
    experiment read() const;
    /// The same over a tree that is not in the file.
    config::value over(config::value tree, const std::string& its_folder) const;

  private:
    config::value load() const;        ///< the experiment of the file, and its cases
    config::value load_whole() const;  ///< the file
    std::string chosen_case() const;   ///< by --set; ""

    mutable std::string m_text;  ///< of standard input, which can be read once
};

/// "path=text" taken apart; `option` names it in the message.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text);

}  // namespace sare::cli
