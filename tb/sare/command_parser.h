// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The command line as commands declare it. Few files include the headers of CLI11 itself, which take longer
/// to compile than a command.
namespace sare::cli {

/// A condition on the text of a value on the command line.
class value_check {
  public:
    using function = std::function<std::string(const std::string&)>;  ///< returns what is wrong, or ""

    template <class Wrong>
    value_check(Wrong wrong, std::string help = "") : m_wrong(std::move(wrong)), m_help(std::move(help)) {}

    const function& wrong() const { return m_wrong; }
    const std::string& help() const { return m_help; }  ///< follows the type of the option

  private:
    function m_wrong;
    std::string m_help;
};

/// @name Checks whose texts read behind the name of an option; ranges include both ends
/// @{
value_check whole_number(std::uint64_t min, std::uint64_t max);
value_check whole_number();  ///< any
value_check number_within(double min, double max);
value_check number_from_0();
value_check number_above_0();
value_check one_of(const std::vector<std::string>& words);
/// @}

/// An option, a flag or an argument of a command.
class command_option {
  public:
    explicit command_option(CLI::Option& option) : m_option(option) {}

    command_option* type_name(const std::string& text);
    command_option* check(const value_check& what);
    command_option* required(bool is = true);
    command_option* group(const std::string& heading);
    command_option* excludes(command_option* other);
    command_option* expected(int values);
    command_option* allow_extra_args(bool are);

    std::size_t count() const;     ///< number of times that it is on the command line
    std::string get_name() const;  ///< its first long name, "--jobs"; of an argument its name

  private:
    CLI::Option& m_option;
};

/// A command, or the program itself, with what can follow it on the command line.
class command_parser {
  public:
    explicit command_parser(CLI::App& app);
    command_parser(const command_parser&) = delete;
    ~command_parser();

    const CLI::App& app() const { return m_app; }

    command_parser* add_subcommand(const std::string& name, const std::string& sentence);
    /// Adds an option, or an argument if `names` does not begin with '-' ("-j,--jobs"; "FILE"). `value` gets
    /// what the command line says, stays as it is without that, and must outlive the parsing. `sentence`:
    /// help.
    template <class T>
    command_option* add_option(const std::string& names, T& value, const std::string& sentence);
    template <class T>
    command_option* add_option(const std::string& names, T& value, const std::string& type,
                               const std::string& sentence) {
        return add_option(names, value, sentence)->type_name(type);
    }
    /// Adds an option that may be given again, each time with one value. `type`: its value's name in the
    /// help.
    command_option* add_repeated(const std::string& names, std::vector<std::string>& values,
                                 const std::string& type, const std::string& sentence) {
        return add_option(names, values, type, sentence)->allow_extra_args(false);
    }
    /// Adds an option with a whole number from `least` to `most`.
    template <class T>
    command_option* add_count(const std::string& names, T& value, std::uint64_t least, std::uint64_t most,
                              const std::string& sentence) {
        return add_option(names, value, "N", sentence)->check(whole_number(least, most));
    }
    /// Adds -j, --jobs: a number of processes, from 1 to 4096.
    template <class T>
    command_option* add_jobs(T& value,
                             const std::string& sentence =
                                 "Processes at work, in each job where they run on a cluster (default: 1)") {
        return add_count("-j,--jobs", value, 1, 4096, sentence);
    }
    template <class T>
    command_option* add_flag(const std::string& names, T& value, const std::string& sentence);
    command_option* get_option(const std::string& name);

    command_parser* footer(const std::string& text);
    command_parser* callback(std::function<void()> does);
    command_parser* group(const std::string& heading);  ///< heading in the help; "": not listed there
    command_parser* allow_extras();
    command_parser* require_subcommand(std::size_t count);

  private:
    command_option* keep(CLI::Option* option);

    CLI::App& m_app;
    std::deque<command_option> m_options;
    std::vector<std::unique_ptr<command_parser>> m_commands;
};

}  // namespace sare::cli
