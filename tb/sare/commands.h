// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

/// The commands of the program, one file for each. Every function add_...() declares a command with its
/// options and, if the command line calls this command, sets `chosen` to it.
namespace sare::cli {

class command_parser;

/// Function that does the work of the command that the command line has called, and returns the exit status
/// of the program.
using action = std::function<int()>;

namespace exit_status {
constexpr int good = 0;           ///< the command has done its work
constexpr int failure = 1;        ///< something has failed, or two things that should be alike differ
constexpr int usage = 2;          ///< the command line is wrong
constexpr int blocked = 3;        ///< a run has ended with a deadlock, or stuck
constexpr int interrupted = 130;  ///< stopped by a signal; the status of a program that SIGINT has ended
constexpr int unread = 141;  ///< nobody reads stdout any more; the status of a program that SIGPIPE has ended

/// Returns the exit status for the end of a run, by its `status` in summary.json: `blocked` or `good`.
inline int of_run(const std::string& status) {
    return status == "deadlock" || status == "stuck" ? blocked : good;
}
}  // namespace exit_status

/// Error of the command line, or of a value on it; guarded() turns it into the exit status `usage`.
class usage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Returns the version of the program as text, which results have, too.
const char* version();

void add_run(command_parser& app, action& chosen);
void add_saturate(command_parser& app, action& chosen);
void add_saturate_job(command_parser& app, action& chosen);
void add_sweep(command_parser& app, action& chosen);
void add_sweep_job(command_parser& app, action& chosen);
void add_debug(command_parser& app, action& chosen);
void add_check(command_parser& app, action& chosen);
void add_topo(command_parser& app, action& chosen);
void add_cost(command_parser& app, action& chosen);
void add_doctor(command_parser& app, action& chosen);
void add_describe(command_parser& app, action& chosen);
void add_schema(command_parser& app, action& chosen);
void add_report(command_parser& app, action& chosen);
void add_record(command_parser& app, action& chosen);
void add_plot(command_parser& app, action& chosen);
void add_explore(command_parser& app, action& chosen);
void add_fit(command_parser& app, action& chosen);
void add_compare(command_parser& app, action& chosen);
void add_why(command_parser& app, action& chosen);
void add_cosim(command_parser& app, action& chosen);
void add_characterise(command_parser& app, action& chosen);
void add_regress(command_parser& app, action& chosen);
void add_regress_job(command_parser& app, action& chosen);
void add_runs(command_parser& app, action& chosen);
void add_trace(command_parser& app, action& chosen);
void add_import(command_parser& app, action& chosen);
void add_completion(command_parser& app, action& chosen);
void add_pages(command_parser& app, action& chosen);

}  // namespace sare::cli
