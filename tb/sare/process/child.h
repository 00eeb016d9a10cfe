// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Calls other programs, with their arguments as they are: there is no shell between.
namespace sare::cli {

struct child_rules {
    /// Seconds after which the program is ended: by a SIGTERM, and a kill 10 s later, with `ends_on_stop`;
    /// else by a kill. 0: never.
    double most_seconds = 0;
    /// True: when stop_requested() becomes not 0 the program gets a SIGTERM, and is killed 10 s later. A stop
    /// requested before the call has no effect.
    bool ends_on_stop = false;
    bool ends_with_parent = false;  ///< true: the program, a `sare`, is killed when this process is
    bool own_group = false;  ///< true: own process group, so that Ctrl-C on the terminal does not reach it
    /// Beginnings of the names of environment variables that are not passed on.
    std::vector<std::string> hidden_variables;
    std::vector<std::string> variables;  ///< "NAME=VALUE": environment variables that are added or replaced
};

struct child_result {
    int not_started = 0;   ///< errno, if the program could not be started; else 0
    int status = 0;        ///< exit status, or 128 plus the signal that ended the program
    bool late = false;     ///< true: it was ended after child_rules::most_seconds
    std::string out, err;  ///< all that it wrote to stdout and to stderr
    /// True if the program was started and ended with exit status 0.
    bool good() const { return not_started == 0 && status == 0; }
};

/// Runs line[0] (looked for in PATH) with the arguments line[1], ..., with /dev/null as its input, until it
/// has ended. Throws config::error only if no pipe can be made.
child_result run_child(std::vector<std::string> line, const child_rules& rules = {});

}  // namespace sare::cli
