// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"

#include <CLI/CLI.hpp>

#include <cstdint>

namespace sare::cli {

command_option* command_option::type_name(const std::string& text) {
    m_option.type_name(text);
    return this;
}

command_option* command_option::check(const value_check& what) {
    m_option.check(what.wrong(), what.help());
    return this;
}

command_option* command_option::required(bool is) {
    m_option.required(is);
    return this;
}

command_option* command_option::group(const std::string& heading) {
    m_option.group(heading);
    return this;
}

command_option* command_option::excludes(command_option* other) {
    m_option.excludes(&other->m_option);
    return this;
}

command_option* command_option::expected(int values) {
    m_option.expected(values);
    return this;
}

command_option* command_option::allow_extra_args(bool are) {
    m_option.allow_extra_args(are);
    return this;
}

std::size_t command_option::count() const {
    return m_option.count();
}

std::string command_option::get_name() const {
    return m_option.get_name();
}

command_parser::command_parser(CLI::App& app) : m_app(app) {}
command_parser::~command_parser() = default;

command_parser* command_parser::add_subcommand(const std::string& name, const std::string& sentence) {
    m_commands.push_back(std::make_unique<command_parser>(*m_app.add_subcommand(name, sentence)));
    return m_commands.back().get();
}

template <class T>
command_option* command_parser::add_option(const std::string& names, T& value, const std::string& sentence) {
    return keep(m_app.add_option(names, value, sentence));
}

template <class T>
command_option* command_parser::add_flag(const std::string& names, T& value, const std::string& sentence) {
    return keep(m_app.add_flag(names, value, sentence));
}

command_option* command_parser::get_option(const std::string& name) {
    return keep(m_app.get_option(name));
}

command_option* command_parser::keep(CLI::Option* option) {
    return &m_options.emplace_back(*option);
}

command_parser* command_parser::footer(const std::string& text) {
    m_app.footer(text);
    return this;
}

command_parser* command_parser::callback(std::function<void()> does) {
    m_app.callback(std::move(does));
    return this;
}

command_parser* command_parser::group(const std::string& heading) {
    m_app.group(heading);
    return this;
}

command_parser* command_parser::allow_extras() {
    m_app.allow_extras();
    return this;
}

command_parser* command_parser::require_subcommand(std::size_t count) {
    m_app.require_subcommand(static_cast<int>(count));
    return this;
}

// The types of values that commands have.
#define SARE_INSTANTIATE(adds, type) \
    template command_option* command_parser::adds(const std::string&, type&, const std::string&);
SARE_INSTANTIATE(add_option, std::string)
SARE_INSTANTIATE(add_option, std::vector<std::string>)
SARE_INSTANTIATE(add_option, std::vector<std::int64_t>)
SARE_INSTANTIATE(add_option, std::uint64_t)
SARE_INSTANTIATE(add_option, unsigned)
SARE_INSTANTIATE(add_option, int)
SARE_INSTANTIATE(add_option, double)
SARE_INSTANTIATE(add_flag, std::vector<std::string>)
SARE_INSTANTIATE(add_flag, bool)
#undef SARE_INSTANTIATE

}  // namespace sare::cli
