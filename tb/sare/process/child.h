// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Other programs, called with their arguments as they are: no shell stands between.
namespace sare::cli {

struct child_rules {
    double most_seconds = 0;    ///< it is killed after so long; 0: never
    bool ends_on_stop = false;  ///< it is told when a stop is requested, and killed if it goes on for 10 s
    bool own_group = false;     ///< Ctrl-C on the terminal does not reach it
    /// Variables of the environment that begin so are not passed on.
    std::vector<std::string> hidden_variables;
};

struct child_result {
    int not_started = 0;   ///< errno, where it could not be started
    int status = 0;        ///< exit status, or 128 and the signal that ended it
    std::string out, err;  ///< what it wrote
    bool good() const { return not_started == 0 && status == 0; }
};

/// Runs line[0] (looked for in PATH) to its end, with nothing to read on its input.
child_result run_child(std::vector<std::string> line, const child_rules& rules = {});

}  // namespace sare::cli
