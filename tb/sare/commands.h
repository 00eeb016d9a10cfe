// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

/// The commands of the program: one file each. Every add_...() declares its options and, where the command
/// line chooses it, leaves what is to be done in `chosen`.
namespace sare::cli {

/// Does a command and answers the exit status.
using action = std::function<int()>;

namespace exit_status {
constexpr int good = 0, failure = 1, usage = 2, blocked = 3, interrupted = 130;
constexpr int unread = 141;  ///< nobody reads stdout any more: as of a program that SIGPIPE ends
}  // namespace exit_status

/// A command line that makes no sense.
class usage_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

const char* version();

void add_run(CLI::App& app, action& chosen);
void add_saturate(CLI::App& app, action& chosen);
void add_sweep(CLI::App& app, action& chosen);
void add_sweep_job(CLI::App& app, action& chosen);
void add_check(CLI::App& app, action& chosen);
void add_topo(CLI::App& app, action& chosen);
void add_cost(CLI::App& app, action& chosen);
void add_doctor(CLI::App& app, action& chosen);
void add_describe(CLI::App& app, action& chosen);
void add_schema(CLI::App& app, action& chosen);
void add_report(CLI::App& app, action& chosen);
void add_plot(CLI::App& app, action& chosen);
void add_explore(CLI::App& app, action& chosen);
void add_compare(CLI::App& app, action& chosen);
void add_cosim(CLI::App& app, action& chosen);
void add_regress(CLI::App& app, action& chosen);
void add_regress_job(CLI::App& app, action& chosen);
void add_runs(CLI::App& app, action& chosen);
void add_trace(CLI::App& app, action& chosen);
void add_import(CLI::App& app, action& chosen);
void add_completion(CLI::App& app, action& chosen);
void add_pages(CLI::App& app, action& chosen);

}  // namespace sare::cli
