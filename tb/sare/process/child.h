// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Calls other programs, with their arguments as they are: there is no shell between.
namespace sare::cli {

struct child_rules {
    double most_seconds = 0;    ///< seconds after which it is killed; 0: never
    bool ends_on_stop = false;  ///< true: a requested stop is passed on, and after 10 s more it is killed
    bool own_group = false;     ///< true: Ctrl-C on the terminal does not reach it
    /// Beginnings of the names of environment variables that are not passed on.
    std::vector<std::string> hidden_variables;
};

struct child_result {
    int not_started = 0;   ///< errno, if it could not be started; else 0
    int status = 0;        ///< exit status, or 128 plus the signal that ended it
    std::string out, err;  ///< texts that it wrote
    bool good() const { return not_started == 0 && status == 0; }
};

/// Runs line[0] (looked for in PATH) to its end, with an empty input.
child_result run_child(std::vector<std::string> line, const child_rules& rules = {});

}  // namespace sare::cli
