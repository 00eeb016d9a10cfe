// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

class command_parser;

/// Options on the store of runs that a command uses: the one on its command line, else the one in the user's
/// configuration.
struct store_options {
    std::string file;    ///< --store: file of the store; "": the store of the user's configuration
    bool none = false;   ///< --no-store: true if nothing is recorded
    bool again = false;  ///< --again: true if runs that the store has are run all the same

    /// Use that a command makes of the store; it decides which options the command has.
    enum class use {
        looks,    ///< reads it; has --store
        records,  ///< records results; also has --no-store
        runs      ///< records runs, and takes known ones from it; also has --again
    };
    /// Declares the options that `how` gives the command.
    void add_to(command_parser& command, use how = use::runs);
    /// Returns the file of the store; "": none. Throws config::error if the user's configuration is wrong,
    /// and usage_error if both --store and --no-store are given.
    std::string place() const;
};

/// Returns the name of the file with the user's configuration: $XDG_CONFIG_HOME/sare/config.yaml, or
/// ~/.config/sare/config.yaml; "" if neither folder is known. The file need not exist.
std::string user_configuration_file();

}  // namespace sare::cli
