// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/run/cases.h"
#include "tlm/config/hints.h"
#include "tlm/network/experiment.h"

#include <string>
#include <vector>

/// The configuration that a command line names: a file, and settings that replace parameters in it.
namespace sare::cli {

class command_parser;

/// A file of an experiment, and the options that set parameters over it.
struct input_options {
    std::string file;  ///< name of the experiment's file; "-": standard input, with files relative to the
                       ///< current folder
    std::vector<std::string> sets;     ///< "PATH=VALUE", as in --set
    std::string seed;                  ///< seed as written on the command line; "": the file's
    std::string threads;               ///< number of threads as written on the command line; "": the file's
    std::vector<std::string> plugins;  ///< names of plugins, beside those that the experiment names
    std::vector<std::string> axes;     ///< paths of the axes; only commands with --axis set it

    /// Declares FILE, --set and --plugin; `with_seed`: true for --seed and --threads, too.
    void add_to(command_parser& command, bool with_seed = true);
    std::string folder() const;  ///< returns the folder of the file; "": the current folder
    /// Returns the name of the file without folder and ending; "experiment" for standard input.
    std::string stem() const;
    std::string chosen_case() const;  ///< returns the name of the case chosen by --set case=NAME; "": none
    /// Returns the file with the case that --set case=NAME chooses, --set, --seed and --threads applied in
    /// this order, and loads its plugins. Parameters that --set gives below an axis are left out. Throws
    /// config::error, also if the file has cases and none is chosen, or a case is chosen and there are none.
    config::value tree() const;
    /// Returns tree() for each case of the file, with its name; empty if the file has no cases or --set
    /// has chosen one.
    std::vector<std::pair<std::string, config::value>> trees_of_cases() const;
    /// Returns the experiment of tree(). Throws config::error if tree() does, or if the experiment is wrong.
    experiment read() const;
    /// Returns the settings of --set for parameters below an axis, as `traffic.pattern.nodes` is below
    /// `traffic.pattern`.
    config::settings settings_below_axes() const;
    /// Returns the experiment `tree`, which may be of another file, with --set, --seed and --threads over it.
    /// Loads its plugins, whose names are relative to `its_folder`.
    config::value over(config::value tree, const std::string& its_folder) const;

  private:
    config::value load() const;        ///< returns the experiment of the file, with its cases
    config::value load_whole() const;  ///< returns all of the file
    config::settings settings_given() const;
    bool is_below_axis(const std::string& path) const;

    mutable std::string m_text;  ///< standard input, which can be read once
};

/// Returns the two parts of "path=text", split at the first '='. Throws usage_error if there is no '=' or the
/// path is malformed; `option` ("--set") is named in the message.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text);

/// Returns a line about a `traffic.load`, in flits/node/cycle, that exceeds the widest injection link of a
/// node of `map`, so that no network sustains it. Returns "" if there is no such load, or the fidelity is not
/// flit.
std::string impossible_load(const experiment& e, const topology& map);

}  // namespace sare::cli
