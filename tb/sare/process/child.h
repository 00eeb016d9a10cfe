// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Functions that run other programs, with their arguments as they are: no shell interprets them.
namespace sare::cli {

/// Limits on a program that run_child() starts, and its environment.
struct child_rules {
    /// Number of seconds after which the program is ended; 0: never. With `ends_on_stop` it gets a SIGTERM,
    /// and is killed 10 s later if it has not ended; else it is killed immediately.
    double most_seconds = 0;
    /// True: when stop_requested() becomes not 0 the program gets a SIGTERM, and is killed 10 s later if it
    /// has not ended. A stop requested before the call has no effect.
    bool ends_on_stop = false;
    bool ends_with_parent = false;  ///< true: the program, which must be `sare`, is killed when this process
                                    ///< ends in any way (see end_with_parent())
    /// True: the program has a process group of its own, so that Ctrl-C on the terminal does not reach it.
    bool own_group = false;
    /// Beginnings of the names of environment variables that are not passed on; empty: all are.
    std::vector<std::string> hidden_variables;
    std::vector<std::string> variables;  ///< environment variables that are added or replaced: "NAME=VALUE"
};

/// Result of a program: its exit status and its output.
struct child_result {
    int not_started = 0;   ///< errno if the program could not be started (nothing else is set then); else 0
    int status = 0;        ///< exit status, or 128 plus the number of the signal that ended the program
    bool late = false;     ///< true: the program still ran after child_rules::most_seconds, and was ended
    std::string out, err;  ///< all that the program wrote to stdout, and to stderr
    /// Returns true if the program was started and ended with exit status 0.
    bool good() const { return not_started == 0 && status == 0; }
};

/// Runs line[0] (looked for in PATH) with the arguments line[1], ..., with /dev/null as its input, until it
/// has ended and closed stdout and stderr; programs that it has started may keep those open. `line` must not
/// be empty. Throws config::error only if no pipe can be made.
child_result run_child(std::vector<std::string> line, const child_rules& rules = {});

}  // namespace sare::cli
