// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Libraries that add variants, named by an experiment or on the command line.
namespace sare::cli {

class command_parser;

struct plugin_file {
    std::string name;    ///< as given
    std::string sha256;  ///< SHA-256 of the file, in hexadecimal digits
};

/// Returns the SHA-256 of a text in hexadecimal digits.
std::string sha256(const std::string& text);

/// Adds --plugin FILE, which may be given again; `files` gets the names, and must outlive the parsing.
void add_plugin_option(command_parser& command, std::vector<std::string>& files);

/// Loads the plugins of a command line; throws config::error like config::load_plugin().
void load_plugins(const std::vector<std::string>& files);
/// Loads the plugins that an experiment names, relative to `folder`.
void load_plugins(const config::value& tree, const std::string& folder);

/// All plugins loaded so far, in the order of loading, each once; results name them.
const std::vector<plugin_file>& loaded_plugins();

}  // namespace sare::cli
