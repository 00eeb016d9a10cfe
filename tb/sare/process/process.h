// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <functional>
#include <string>

/// Functions on this process: signals, errors in one line, exit.
namespace sare::cli {

/// Returns a flag: 0, or the number of the first SIGINT, SIGTERM or SIGHUP, or SIGPIPE after show() found no
/// reader. A SIGHUP that was ignored at the start, as by nohup, stays ignored. A later signal
/// ends the process if it comes two seconds or more after the first, and is ignored if within one second;
/// between, either may happen (whole seconds are compared).
const volatile std::sig_atomic_t& stop_requested();
/// Installs the handlers for SIGINT, SIGTERM and SIGHUP that set the flag of stop_requested().
void catch_stop_signals();
/// Makes the kernel kill this process when the thread of process `parent` that forked it ends; exits with
/// failure at once if `parent` has ended already. From then on SIGINT and SIGHUP, which the parent handles,
/// are ignored, and SIGTERM ends the process.
void follow_parent(int parent);

/// Name of the environment variable with the number of the parent process, which run_child() sets for a
/// program that shall end with this one (child_rules::ends_with_parent).
constexpr const char* parent_variable = "SARE_PARENT";
/// If parent_variable is set: makes the kernel kill this process when the thread that started it ends. Exits
/// with failure immediately if the parent is not the process of that number, because it has ended. Removes
/// the variable, so that programs that this process starts do not see it. Does nothing if it is not set.
void end_with_parent();

/// Makes SystemC's reports one line each on stderr: "sare: ..." for information, "sare: warning: ..." for a
/// warning. An error is thrown as sc_report and not printed; a fatal report is printed and ends the process
/// with exit_status::failure.
void install_report_handler();

/// Calls `body` and returns its result; turns an exception into one line "sare: [prefix: ]..." on stderr and
/// an exit status: `usage` for a usage_error; `unread`, without a line, if nobody reads stdout any more; else
/// `failure`. `prefix`: empty: none.
int guarded(const std::string& prefix, const std::function<int()>& body);
/// Calls `body` and returns its result or, for an exception, the exit status of the other guarded(). Calls
/// `say` with the text of the exception, without "sare: ", where the other guarded() prints a line.
int guarded(const std::function<void(const std::string&)>& say, const std::function<int()>& body);

/// Prints "sare: " and the text as one line on stderr; on a terminal the line is broken between words.
void complain(const std::string& text);
/// Prints "sare: warning: " and the text as complain() prints it.
void warn(const std::string& text);

/// Returns true if nobody reads stdout any more: a pipe whose reader has ended, or a closed terminal.
bool is_unread();

/// Prints `text` to stdout during work, and flushes it. If nobody reads it any more, sets stop_requested(),
/// so that the work ends as by Ctrl-C: results so far are written, and leave() ends with exit_status::unread.
/// Any other failure is reported by complain(), and the work goes on.
void show(const std::string& text);

/// Flushes stdout and ends the process at once, without destructors: deleting a large SystemC hierarchy takes
/// longer than its simulation. If stdout could not be written, status 0 becomes exit_status::unread or
/// failure.
[[noreturn]] void leave(int status);

}  // namespace sare::cli
