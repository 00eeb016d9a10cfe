// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// The commands of the program and their options as data, of which completion scripts and manual pages are
/// made.
namespace sare::cli {

class command_parser;

/// Kind of words that a shell can complete as the value of an option. words: one of a list; files, folders:
/// their names; parameters: paths for --set; names: words that `sare describe` knows.
enum class completes { nothing, words, files, folders, parameters, names };

/// An option, a flag or an argument of a command.
struct option_doc {
    std::vector<std::string> names;  ///< its names, such as "-j" and "--jobs"; empty: it is an argument of
                                     ///< the command
    std::string argument;  ///< name of its value in the help, such as "N" or "FILE"; empty: it is a flag
    std::string sentence;  ///< sentence in the help
    /// Kind of words that complete its value.
    completes by = completes::nothing;
    std::vector<std::string> words;  ///< all possible values, if `by` is completes::words; else empty
    bool repeats = false;            ///< true: the option may be given several times
};

/// A command, or the program itself.
struct command_doc {
    std::string name;      ///< full name, such as "trace info"; empty for the program itself
    std::string sentence;  ///< sentence in the help
    std::string footer;    ///< text behind the options in the help: examples and prose
    std::vector<option_doc> options, arguments;  ///< options and flags; arguments, in their order
    /// Commands below this one.
    std::vector<command_doc> commands;
};

/// Returns the program with all its commands; commands that the help does not list are left out.
command_doc tree_of(const command_parser& program);
/// Returns all commands of a tree, the root first and each before those below it. `tree` must outlive the
/// result.
std::vector<const command_doc*> all_of(const command_doc& tree);

/// A path of keys with dots between them, as --set takes it.
struct parameter_path {
    std::string path;
    std::vector<std::string> values;  ///< all possible values, such as names of variants; empty: other values
                                      ///< are possible
};
/// Returns the paths, of at most four keys, of all parameters in whole_catalogue().
std::vector<parameter_path> parameter_paths();
/// Returns every name that the command `sare describe` can describe.
std::vector<std::string> described_names();

/// Texts by which the script of one shell completes each kind of value (`completes`); in `words`, {} stands
/// for the list of words.
struct shell_completers {
    const char *words, *files, *folders, *parameters, *names, *nothing;
};
/// Returns the text by which a shell's script completes the value of option `o`.
std::string completer_of(const option_doc& o, const shell_completers& shell);

/// @name Functions that return the completion script of a shell for the program `tree`
std::string bash_completion(const command_doc& tree);
std::string zsh_completion(const command_doc& tree);
std::string fish_completion(const command_doc& tree);
/// @}

/// Returns the manual page of a command, in the format of man(7). `version`: version of the program.
std::string manual_page(const command_doc& command, const std::string& version);
/// Returns the manual page of the configuration, with a part for each section, in the format of man(7).
std::string configuration_page(const std::string& version);

}  // namespace sare::cli
