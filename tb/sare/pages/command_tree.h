// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// The commands and their options as data, from which completion and manual pages are made.
namespace sare::cli {

class command_parser;

/// The completion of a value on the command line.
enum class completes { nothing, words, files, folders, parameters, names };

struct option_doc {
    std::vector<std::string> names;  ///< "-j", "--jobs"; empty: an argument
    std::string argument;            ///< "N", "FILE"; "": a flag
    std::string sentence;
    completes by = completes::nothing;
    std::vector<std::string> words;  ///< only for completes::words: all possible values
    bool repeats = false;
};

struct command_doc {
    std::string name;  ///< "trace info"; "" for the program itself
    std::string sentence, footer;
    std::vector<option_doc> options, arguments;
    std::vector<command_doc> commands;
};

command_doc tree_of(const command_parser& program);
/// Returns the tree from the root on, each command before those below it.
std::vector<const command_doc*> all_of(const command_doc& tree);

/// A dotted path that --set takes, and its possible values, if they are a list.
struct parameter_path {
    std::string path;
    std::vector<std::string> values;
};
std::vector<parameter_path> parameter_paths();
/// Returns every word that `sare describe` can describe.
std::vector<std::string> described_names();

/// A shell's words for each kind of value; `words` has {} in the place of the words.
struct shell_completers {
    const char *words, *files, *folders, *parameters, *names, *nothing;
};
std::string completer_of(const option_doc& o, const shell_completers& shell);

/// @name Scripts for shells
/// @{
std::string bash_completion(const command_doc& tree);
std::string zsh_completion(const command_doc& tree);
std::string fish_completion(const command_doc& tree);
/// @}

/// Returns a manual page for man(7).
std::string manual_page(const command_doc& command, const std::string& version);
/// Returns the manual page of the configuration, section by section.
std::string configuration_page(const std::string& version);

}  // namespace sare::cli
