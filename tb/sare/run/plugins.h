// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Plugins: libraries that add variants, named by an experiment or on the command line.
namespace sare::cli {

class command_parser;

/// A plugin that was loaded.
struct plugin_file {
    std::string name;    ///< name of the file, as it was given
    std::string sha256;  ///< SHA-256 of the file's content, in hexadecimal digits
};

/// Returns the SHA-256 of a text in hexadecimal digits, in lower case.
std::string sha256(const std::string& text);

/// Declares --plugin FILE, which may be given again; `files` gets the names, and must outlive the parsing.
void add_plugin_option(command_parser& command, std::vector<std::string>& files);

/// Loads the plugins of a command line, by names relative to the current folder. Throws config::error if one
/// cannot be loaded.
void load_plugins(const std::vector<std::string>& files);
/// Loads the plugins that an experiment names, relative to `folder`. Throws config::error if one cannot be
/// loaded.
void load_plugins(const config::value& tree, const std::string& folder);

/// Returns all plugins loaded so far, in the order of loading; files with equal content count once. Results
/// list them.
const std::vector<plugin_file>& loaded_plugins();

}  // namespace sare::cli
