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
    std::vector<std::string> names;  ///< "-j", "--jobs"; empty: an argument of the command
    std::string argument;            ///< name of its value in the help, "N" or "FILE"; "": a flag
    std::string sentence;            ///< help
    completes by = completes::nothing;
    std::vector<std::string> words;  ///< only for completes::words: all possible values
    bool repeats = false;            ///< true: it may be given again
};

struct command_doc {
    std::string name;      ///< "trace info"; "" for the program itself
    std::string sentence;  ///< help
    std::string footer;    ///< text behind the options: examples, and prose
    std::vector<option_doc> options, arguments;
    std::vector<command_doc> commands;
};

/// Returns the tree of the program's commands; those that are not listed in the help are left out.
command_doc tree_of(const command_parser& program);
/// Returns all commands of a tree, which must outlive the result: the root first, each before those below it.
std::vector<const command_doc*> all_of(const command_doc& tree);

/// A dotted path that --set takes.
struct parameter_path {
    std::string path;
    std::vector<std::string> values;  ///< possible values, such as names of variants; empty: not a list
};
/// Returns all such paths that whole_catalogue() has, of at most four names.
std::vector<parameter_path> parameter_paths();
/// Returns every word that `sare describe` can describe.
std::vector<std::string> described_names();

/// A shell's text for each kind of value (`completes`); that for `words` has {} in the place of the words.
struct shell_completers {
    const char *words, *files, *folders, *parameters, *names, *nothing;
};
/// Returns the text of a shell that completes the value of an option.
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
