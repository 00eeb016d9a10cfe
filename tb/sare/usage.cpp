// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/usage.h"

#include "tb/sare/commands.h"
#include "tb/sare/import/booksim_file.h"
#include "tlm/config/hints.h"
#include "tlm/config/text_file.h"
#include "tlm/config/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

namespace sare::cli {
namespace {

// Validators

std::optional<double> to_double(const std::string& text) {
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(x)) return std::nullopt;
    return x;
}

/// Returns how "3%" is to be written.
std::string percent_hint(const std::string& text) {
    if (text.empty() || text.back() != '%') return "";
    const auto percent = to_double(text.substr(0, text.size() - 1));
    return percent ? "; write " + config::number_text(*percent / 100) : "";
}

template <class Fits>
value_check number_validator(const std::string& wanted, const std::string& help, Fits fits) {
    return {[wanted, fits](const std::string& text) {
                const auto x = to_double(text);
                if (x && fits(*x)) return std::string();
                return fmt::format("must be {}, not '{}'{}", wanted, text, percent_hint(text));
            },
            help};
}

value_check whole_validator(const std::string& wanted, const std::string& help, std::uint64_t min,
                            std::uint64_t max) {
    return {[=](const std::string& text) {
                std::uint64_t n = 0;
                const char* const end = text.data() + text.size();
                const auto [behind, problem] = std::from_chars(text.data(), end, n);
                if (problem == std::errc() && behind == end && n >= min && n <= max) return std::string();
                return fmt::format("must be {}, not '{}'", wanted, text);
            },
            help};
}

// What the parser knows

/// Returns the command that was called, down to its last word.
const CLI::App& called(const CLI::App& app) {
    const auto below = app.get_subcommands();
    return below.empty() ? app : called(*below.front());
}

/// Returns "sare trace info".
std::string full_name(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) names.push_back(command->get_name());
    return names;
}

std::string without_dashes(const std::string& name) {
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

bool has_option(const CLI::App& command, const std::string& name) {
    return command.get_option_no_throw(name) != nullptr;
}

std::string nearest_option(const CLI::App& command, const std::string& name) {
    std::vector<std::string> known;
    for (const CLI::Option* o : command.get_options())
        for (const std::string& one : o->get_lnames()) known.push_back(one);
    const std::string near = config::nearest(without_dashes(name), known);
    return near.empty() ? "" : "--" + near;
}

/// Returns an option as it is written, with its value: "--out DIR".
std::string written(const CLI::Option& o) {
    const std::string type = o.get_type_name();
    return o.get_positional() ? o.get_name() : o.get_name() + " " + type.substr(0, type.find(':'));
}

/// Returns a command with its required options and arguments.
std::string shortest_call(const CLI::App& command) {
    std::string positional, others;
    for (const CLI::Option* o : command.get_options())
        if (o->get_positional())
            positional += " " + written(*o);
        else if (o->get_required())
            others += " " + written(*o);
    return full_name(command) + positional + others;
}

/// Returns the option in a text of the parser: the one with the longest name there.
const CLI::Option* option_in(const CLI::App& command, const std::string& text) {
    const CLI::Option* best = nullptr;
    for (const CLI::Option* o : command.get_options())
        if (text.find(o->get_name()) != std::string::npos &&
            (best == nullptr || o->get_name().size() > best->get_name().size()))
            best = o;
    return best;
}

// What is left over

std::string unknown_option(const CLI::App& command, const CLI::App& below, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    if (&command != &below && has_option(below, name))
        return fmt::format("{} is an option of {}; write it behind that", name, full_name(below));
    const std::string near = nearest_option(command, name);
    const std::string path = config::path_of_key(without_dashes(name));
    if (near.empty() && !path.empty() && has_option(command, "--set"))
        return fmt::format("{} has no option {}; write --set {}=VALUE", full_name(command), name, path);
    return fmt::format("{} has no option {}; ", full_name(command), name) +
           (near.empty() ? fmt::format("'{} --help' lists those that it has", full_name(command))
                         : fmt::format("did you mean {}?", near));
}

/// Returns the text about a word in the place of a command.
std::string unknown_command(const CLI::App& app, const CLI::App& below, const std::string& word) {
    const std::vector<std::string> known = names_of_commands(app);
    const std::filesystem::path path(word);
    std::error_code none;
    if (word == "help") return fmt::format("help is an option: write '{} --help'", full_name(below));
    if (word == "version") return "version is an option: write 'sare --version'";
    const std::string near = config::nearest(word, known);
    if (app.get_parent() == nullptr && near.empty()) {
        if (std::filesystem::is_directory(path, none))
            return fmt::format("no command; of results, write 'sare report {}'", word);
        if (is_booksim_file(word)) return fmt::format("no command; write 'sare import booksim {}'", word);
        if (config::is_yaml_name(word) || std::filesystem::exists(path, none))
            return fmt::format("no command; write 'sare run {}'", word);
    }
    return fmt::format("{} has no command '{}'; ", full_name(app), word) +
           (near.empty() ? fmt::format("one of: {}", fmt::join(known, ", "))
                         : fmt::format("did you mean '{}'?", near));
}

/// Returns the option that sets "num_vcs=4", which BookSim2 takes after its file, or "load=0.3".
std::optional<std::string> option_that_sets(const CLI::App& command, const std::string& word) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || !has_option(command, "--set")) return std::nullopt;
    const std::string key = word.substr(0, equals), path = config::path_of_key(key);
    if (path.empty() && key.find('.') == std::string::npos) return std::nullopt;
    return fmt::format("--set {}{}", path.empty() ? key : path, word.substr(equals));
}

/// Returns what is left over of the command line; "" for nothing.
std::string left_over(const CLI::App& app, const CLI::App& command) {
    for (const CLI::App* a : {&app, &command}) {
        const std::vector<std::string> words = a->remaining();
        const auto option = std::find_if(words.begin(), words.end(), [](const std::string& w) {
            return w.size() > 1 && w[0] == '-' && !to_double(w);
        });
        if (option != words.end()) return unknown_option(*a, command, *option);
        if (words.empty()) continue;
        if (!names_of_commands(*a).empty()) return unknown_command(*a, command, words.front());
        return fmt::format("'{}' is one argument too many; write '{}'", words.front(),
                           option_that_sets(*a, words.front()).value_or(shortest_call(*a)));
    }
    return "";
}

std::string missing(const CLI::App& command, const std::string& text) {
    const auto known = names_of_commands(command);
    if (!known.empty())
        return fmt::format("{} needs a command; one of: {}", full_name(command), fmt::join(known, ", "));
    const CLI::Option* o = option_in(command, text);
    return fmt::format("{} is missing; write '{}'", o == nullptr ? "an argument" : written(*o),
                       shortest_call(command));
}

std::string wrong_count(const CLI::Option& o) {
    const std::size_t values = o.results().size();
    return values > 1 && o.get_expected_max() == 1
               ? fmt::format("{} is given {} times; give it once", o.get_name(), values)
               : fmt::format("{} needs a value: {}", o.get_name(), written(o));
}

std::string excluded(const CLI::App& command, const std::string& text) {
    std::vector<std::string> given;
    for (const CLI::Option* o : command.get_options())
        if (o->count() != 0 && !o->get_excludes().empty()) given.push_back(o->get_name());
    if (given.size() < 2) return text;
    return fmt::format("{} are not possible together; give one of them", fmt::join(given, " and "));
}

/// Returns the text of one of our validators, after the option's name.
std::string refused_value(const CLI::Option& o, const std::string& text) {
    const std::string head = o.get_name() + ": ";
    return text.rfind(head, 0) == 0 ? o.get_name() + " " + text.substr(head.size()) : text;
}

}  // namespace

value_check whole_number(std::uint64_t min, std::uint64_t max) {
    return whole_validator(fmt::format("a whole number from {} to {}", min, max),
                           fmt::format("INT in [{} - {}]", min, max), min, max);
}

value_check whole_number() {
    return whole_validator("a whole number", "", 0, std::numeric_limits<std::uint64_t>::max());
}

value_check number_within(double min, double max) {
    return number_validator(
        fmt::format("a number from {} to {}", config::number_text(min), config::number_text(max)),
        fmt::format("FLOAT in [{} - {}]", min, max), [=](double x) { return x >= min && x <= max; });
}

value_check number_from_0() {
    return number_validator("a number, 0 or more", "NONNEGATIVE", [](double x) { return x >= 0; });
}

value_check number_above_0() {
    return number_validator("a number greater than 0", "POSITIVE", [](double x) { return x > 0; });
}

value_check one_of(const std::vector<std::string>& words) {
    return {[words](const std::string& text) {
                if (std::count(words.begin(), words.end(), text) != 0) return std::string();
                const std::string near = config::nearest(text, words);
                return fmt::format("must be one of {}, not '{}'", fmt::join(words, ", "), text) +
                       (near.empty() ? "" : fmt::format("; did you mean {}?", near));
            },
            fmt::format("{{{}}}", fmt::join(words, ","))};
}

std::string usage_text(const CLI::App& app, const CLI::ParseError& problem) {
    const CLI::App& command = called(app);
    const std::string text = problem.what();
    const CLI::Option* const option = option_in(command, text);
    if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr ||
        dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr) {
        const std::string extra = left_over(app, command);
        return extra.empty() ? missing(command, text) : extra;
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&problem) != nullptr) return excluded(command, text);
    if (option == nullptr) return text;
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) return wrong_count(*option);
    if (dynamic_cast<const CLI::ConversionError*>(&problem) != nullptr)
        return fmt::format("{} takes no value", option->get_name());
    return refused_value(*option, text);
}

}  // namespace sare::cli
