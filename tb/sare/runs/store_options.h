// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

class command_parser;

/// Store of runs that a command uses: the one of its command line, else the one of the user's configuration.
struct store_options {
    std::string file;    ///< --store: name of the store; "": the one of the user's configuration
    bool none = false;   ///< --no-store: true if nothing is recorded
    bool again = false;  ///< --again: true if runs that the store has are run, too

    /// What a command does with the store, and so which options it has.
    enum class use {
        looks,    ///< reads it: --store
        records,  ///< records results: also --no-store
        runs      ///< records runs, and takes known ones from it: also --again
    };
    void add_to(command_parser& command, use how = use::runs);
    /// Returns the file of the store; "": none. Throws config::error if the user's configuration is wrong,
    /// and usage_error if both --store and --no-store are given.
    std::string place() const;
};

/// Returns $XDG_CONFIG_HOME/sare/config.yaml, or ~/.config/sare/config.yaml; "" if neither folder is known.
std::string user_configuration_file();

}  // namespace sare::cli
