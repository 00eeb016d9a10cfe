// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

class command_parser;

/// Store of runs that a command uses: the one of its command line, else the one of the user's configuration.
struct store_options {
    std::string file;    ///< --store; "": the user's configuration
    bool none = false;   ///< --no-store
    bool again = false;  ///< --again

    enum class use {
        looks,    ///< --store
        records,  ///< also --no-store
        runs      ///< also --again
    };
    void add_to(command_parser& command, use how = use::runs);
    /// Returns the file; "": none. Throws config::error if the user's configuration is wrong.
    std::string place() const;
};

/// Returns $XDG_CONFIG_HOME/sare/config.yaml, or ~/.config/sare/config.yaml; "" if neither folder is known.
std::string user_configuration_file();

}  // namespace sare::cli
