// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// The commands with their options as data: completion and manual pages are made of it.
namespace sare::cli {

class command_parser;

/// What can stand for a value on the command line.
enum class completes { nothing, words, files, folders, parameters, names };

struct option_doc {
    std::vector<std::string> names;  ///< "-j", "--jobs"; none: an argument
    std::string argument;            ///< "N", "FILE"; "": a flag
    std::string sentence;
    completes by = completes::nothing;
    std::vector<std::string> words;  ///< all that can stand there, of completes::words
    bool repeats = false;
};

struct command_doc {
    std::string name;  ///< "trace info"; "" of the program itself
    std::string sentence, footer;
    std::vector<option_doc> options, arguments;
    std::vector<command_doc> commands;
};

command_doc tree_of(const command_parser& program);
/// The tree from the root on, each before those below it.
std::vector<const command_doc*> all_of(const command_doc& tree);

/// A dotted path that --set takes, and what its value can be, if that is one of a list.
struct parameter_path {
    std::string path;
    std::vector<std::string> values;
};
std::vector<parameter_path> parameter_paths();
/// All that `sare describe` can describe by one word.
std::vector<std::string> described_names();

/// What a shell takes for each kind of value; `words` has {} where the words stand.
struct shell_completers {
    const char *words, *files, *folders, *parameters, *names, *nothing;
};
std::string completer_of(const option_doc& o, const shell_completers& shell);

/// @name The scripts, as shells read them
/// @{
std::string bash_completion(const command_doc& tree);
std::string zsh_completion(const command_doc& tree);
std::string fish_completion(const command_doc& tree);
/// @}

/// Manual pages in the form of man(7).
std::string manual_page(const command_doc& command, const std::string& version);
/// The configuration, section by section.
std::string configuration_page(const std::string& version);

}  // namespace sare::cli
