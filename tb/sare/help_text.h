// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

namespace sare::cli {

/// Writes the help texts of commands: as wide as the terminal, at most 100 columns, 80 if there is no
/// terminal; headings are bold. Lines of a footer that begin with two blanks are examples and stay as they
/// are; other lines are prose, which is broken between words.
class help_formatter : public CLI::Formatter {
  public:
    help_formatter();
    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override;
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_description(const CLI::App* app) const override;
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_footer(const CLI::App* app) const override;
    std::string make_option_desc(const CLI::Option* option) const override;

  private:
    std::size_t m_width;  ///< number of columns of a line
};

}  // namespace sare::cli
