// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

/// The commands of the program, one file each. Every add_...() declares its options and, if the command line
/// chooses it, puts the command into `chosen`.
namespace sare::cli {

class command_parser;

/// A command as chosen: does it and returns the exit status.
using action = std::function<int()>;

namespace exit_status {
constexpr int good = 0;
constexpr int failure = 1;        ///< something has failed, or differs
constexpr int usage = 2;          ///< the command line makes no sense
constexpr int blocked = 3;        ///< a run ended with a deadlock, or stuck
constexpr int interrupted = 130;  ///< stopped by a signal; as for a program that SIGINT ends
constexpr int unread = 141;       ///< nobody reads stdout any more; as for a program that SIGPIPE ends
}  // namespace exit_status

/// A command line that makes no sense.
class usage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Version of the program, which results name.
const char* version();

void add_run(command_parser& app, action& chosen);
void add_saturate(command_parser& app, action& chosen);
void add_saturate_job(command_parser& app, action& chosen);
void add_sweep(command_parser& app, action& chosen);
void add_sweep_job(command_parser& app, action& chosen);
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
void add_compare(command_parser& app, action& chosen);
void add_cosim(command_parser& app, action& chosen);
void add_regress(command_parser& app, action& chosen);
void add_regress_job(command_parser& app, action& chosen);
void add_runs(command_parser& app, action& chosen);
void add_trace(command_parser& app, action& chosen);
void add_import(command_parser& app, action& chosen);
void add_completion(command_parser& app, action& chosen);
void add_pages(command_parser& app, action& chosen);

}  // namespace sare::cli
