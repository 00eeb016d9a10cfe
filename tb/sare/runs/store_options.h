// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

class command_parser;

/// Which store of runs a command uses: that of its command line, or else that of the user's configuration.
struct store_options {
    std::string file;    ///< --store; "": as the user's configuration has it
    bool none = false;   ///< --no-store
    bool again = false;  ///< --again

    enum class use {
        looks,    ///< --store
        records,  ///< and --no-store
        runs      ///< and --again
    };
    void add_to(command_parser& command, use how = use::runs);
    /// "": none. config::error where the user's configuration is wrong.
    std::string place() const;
};

/// $XDG_CONFIG_HOME/sare/config.yaml, or ~/.config/sare/config.yaml; "" where neither folder is known.
std::string user_configuration_file();

}  // namespace sare::cli
