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

/// The command line, as commands declare it: a thin layer over CLI11, whose own headers take longer to
/// compile than a command and are included in few files.
namespace sare::cli {

/// A condition on the text of a value on the command line.
class value_check {
  public:
    /// Function that returns the error of a text, as words behind the name of the option; empty: the text is
    /// right.
    using function = std::function<std::string(const std::string&)>;

    /// `wrong`: a `function`; `help`: text behind the type of the option in the help, such as a range; empty:
    /// none.
    template <class Wrong>
    value_check(Wrong wrong, std::string help = "") : m_wrong(std::move(wrong)), m_help(std::move(help)) {}

    const function& wrong() const { return m_wrong; }   ///< function that returns the error of a text
    const std::string& help() const { return m_help; }  ///< text behind the type of the option in the help

  private:
    function m_wrong;
    std::string m_help;
};

/// @name Checks, whose error texts are written to follow the name of an option. Ranges include both ends
value_check whole_number(std::uint64_t min, std::uint64_t max);
value_check whole_number();  ///< any whole number from 0 to 2^64 - 1
value_check number_within(double min, double max);
value_check number_from_0();                                ///< any number, with decimals or not, from 0 on
value_check number_above_0();                               ///< any number, with decimals or not, above 0
value_check one_of(const std::vector<std::string>& words);  ///< one of these words, exactly as written
/// @}

/// An option, a flag or an argument of a command. Owned by its command_parser. Functions that return a
/// pointer return `this`, so that calls can be chained; each calls the function of CLI::Option that has its
/// name.
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

    /// Returns the number of its values on the command line; of a flag, how often it is given.
    std::size_t count() const;
    /// Returns its first long name, such as "--jobs"; for an argument its name.
    std::string get_name() const;

  private:
    CLI::Option& m_option;
};

/// A command, or the program itself, with its options, arguments and subcommands, which it owns. A function
/// with the name of one of CLI::App calls that, and returns `this` if it returns a pointer.
class command_parser {
  public:
    /// `app`: the command in CLI11; must outlive the object.
    explicit command_parser(CLI::App& app);
    command_parser(const command_parser&) = delete;
    ~command_parser();

    const CLI::App& app() const { return m_app; }  ///< the command in CLI11

    /// Adds a subcommand with a name and a sentence for the help, and returns it; this object owns it.
    command_parser* add_subcommand(const std::string& name, const std::string& sentence);
    /// Adds an option, or an argument of the command if `names` does not begin with '-': "-j,--jobs", "FILE".
    /// `value` gets the value on the command line, stays unchanged without one, and must live until the
    /// command line has been parsed. `type`: name of its value in the help; `sentence`: text in the help.
    template <class T>
    command_option* add_option(const std::string& names, T& value, const std::string& sentence);
    template <class T>
    command_option* add_option(const std::string& names, T& value, const std::string& type,
                               const std::string& sentence) {
        return add_option(names, value, sentence)->type_name(type);
    }
    /// Adds an option that may be given several times, each time with one value, which is appended to
    /// `values`. `type`: name of its value in the help.
    command_option* add_repeated(const std::string& names, std::vector<std::string>& values,
                                 const std::string& type, const std::string& sentence) {
        return add_option(names, values, type, sentence)->allow_extra_args(false);
    }
    /// Adds an option for a whole number from `least` to `most`, both included.
    template <class T>
    command_option* add_count(const std::string& names, T& value, std::uint64_t least, std::uint64_t most,
                              const std::string& sentence) {
        return add_option(names, value, "N", sentence)->check(whole_number(least, most));
    }
    /// Adds the option -j, --jobs: a number of processes, 1 to 4096.
    template <class T>
    command_option* add_jobs(T& value,
                             const std::string& sentence =
                                 "Processes at work, in each job where they run on a cluster (default: 1)") {
        return add_count("-j,--jobs", value, 1, 4096, sentence);
    }
    /// Adds a flag, which sets `value` to true; a vector of texts gets an element each time the flag is
    /// given.
    template <class T>
    command_option* add_flag(const std::string& names, T& value, const std::string& sentence);
    /// Returns an option of this command by its name, such as "--jobs". Throws CLI::OptionNotFound if there
    /// is none.
    command_option* get_option(const std::string& name);

    command_parser* footer(const std::string& text);
    command_parser* callback(std::function<void()> does);
    /// Sets the heading under which the command is listed in the help of its parent; empty: not listed there.
    command_parser* group(const std::string& heading);
    command_parser* allow_extras();
    command_parser* require_subcommand(std::size_t count);

  private:
    command_option* keep(CLI::Option* option);

    CLI::App& m_app;
    std::deque<command_option> m_options;
    std::vector<std::unique_ptr<command_parser>> m_commands;
};

}  // namespace sare::cli
