// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/help_text.h"

#include "tb/sare/process/terminal.h"

#include <algorithm>
#include <sstream>

namespace sare::cli {
namespace {

constexpr std::size_t name_column = 24;

/// Makes the line that ends with ':' bold.
std::string with_bold_heading(const std::string& block) {
    const auto begin = block.find_first_not_of('\n');
    const auto end = block.find('\n', begin);
    if (begin == std::string::npos || end == std::string::npos || block[end - 1] != ':') return block;
    return block.substr(0, begin) + in_colour(block.substr(begin, end - begin), colour::bold) +
           block.substr(end);
}

}  // namespace

help_formatter::help_formatter() : m_width(std::min<std::size_t>(terminal_width(1, 80), 100)) {
    column_width(name_column);
}

std::string help_formatter::make_group(std::string group, bool is_positional,
                                       std::vector<const CLI::Option*> options) const {
    return with_bold_heading(CLI::Formatter::make_group(std::move(group), is_positional, std::move(options)));
}

std::string help_formatter::make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const {
    return with_bold_heading(CLI::Formatter::make_subcommands(app, mode));
}

std::string help_formatter::make_subcommand(const CLI::App* command) const {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             wrapped(command->get_description(), m_width - name_column - 1, 0),
                             get_column_width());
    return out.str();
}

std::string help_formatter::make_description(const CLI::App* app) const {
    return wrapped(app->get_description(), m_width, 0) + "\n";
}

std::string help_formatter::make_usage(const CLI::App* app, std::string name) const {
    const std::string usage = CLI::Formatter::make_usage(app, std::move(name)), head = "Usage:";
    if (usage.rfind(head, 0) != 0) return usage;
    return in_colour(head, colour::bold) + usage.substr(head.size());
}

std::string help_formatter::make_footer(const CLI::App* app) const {
    std::istringstream lines(app->get_footer());
    std::string out, prose;
    const auto end_prose = [&] {
        if (!prose.empty()) out += wrapped(prose, m_width, 0) + "\n";
        prose.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        const bool heading = !line.empty() && line.back() == ':' && line.find(' ') == std::string::npos;
        if (line.rfind("  ", 0) == 0 || heading) end_prose();
        if (heading)
            out += in_colour(line, colour::bold) + "\n";
        else if (line.rfind("  ", 0) == 0)
            out += line + "\n";
        else
            prose += line + " ";
    }
    end_prose();
    return out;
}

std::string help_formatter::make_option_desc(const CLI::Option* option) const {
    return wrapped(CLI::Formatter::make_option_desc(option), m_width - name_column - 1, 0);
}

}  // namespace sare::cli
