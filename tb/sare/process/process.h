// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <functional>
#include <string>

/// The process: signals, errors in one line, exit.
namespace sare::cli {

/// Returns a flag: not 0 after a first SIGINT, SIGTERM or SIGHUP (a closed terminal; not if it was ignored,
/// as by nohup), or after a broken pipe that show() has found. A signal two seconds later or more kills.
const volatile std::sig_atomic_t& stop_requested();
void catch_stop_signals();
/// Makes a child of a sweep end with its parent, and leaves the keyboard to the coordinator.
void follow_parent(int parent);

/// Prints SystemC's reports as one line on stderr: "sare: warning: ...". Errors are thrown.
void install_report_handler();

/// Calls `body`, and turns an exception into one line "sare: [prefix: ]..." on stderr and an exit status.
int guarded(const std::string& prefix, const std::function<int()>& body);
/// Calls `body`, and passes the text of an exception to `say`.
int guarded(const std::function<void(const std::string&)>& say, const std::function<int()>& body);

/// Prints "sare: " and the text as one line on stderr.
void complain(const std::string& text);
void warn(const std::string& text);

/// True if nobody reads stdout any more: a pipe whose reader has ended, a closed terminal.
bool is_unread();

/// Prints to stdout during work. If nobody reads it any more, the work ends as by Ctrl-C: results so far are
/// written, and leave() ends with the status.
void show(const std::string& text);

/// Flushes stdout and ends at once: deleting a large SystemC hierarchy takes longer than its simulation.
[[noreturn]] void leave(int status);

}  // namespace sare::cli
