// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <vector>

/// Libraries that add variants: those of an experiment, and of a command line.
namespace sare::cli {

class command_parser;

struct plugin_file {
    std::string name;    ///< as it was given
    std::string sha256;  ///< of the file
};

/// Of a text, in hexadecimal digits.
std::string sha256(const std::string& text);

/// --plugin FILE, which may be given again.
void add_plugin_option(command_parser& command, std::vector<std::string>& files);

/// Loads those of a command line; throws config::error, as config::load_plugin() does.
void load_plugins(const std::vector<std::string>& files);
/// Loads those that an experiment names, relative to `folder`.
void load_plugins(const config::value& tree, const std::string& folder);

/// All that were loaded, in this order: results name them.
const std::vector<plugin_file>& loaded_plugins();

}  // namespace sare::cli
