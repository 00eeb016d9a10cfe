// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <functional>
#include <string>

/// The process: signals, errors as one line, the way out.
namespace sare::cli {

/// Non-zero after the first SIGINT, SIGTERM or SIGHUP (a closed terminal; not where it was ignored, as nohup
/// does), or a broken pipe that show() has found; a signal that comes two seconds later or more kills.
const volatile std::sig_atomic_t& stop_requested();
void catch_stop_signals();
/// In a child of a sweep: the coordinator alone answers the keyboard, and no child outlives its parent.
void follow_parent(int parent);

/// SystemC's reports as one line on stderr: "sare: warning: ...". Errors are thrown.
void install_report_handler();

/// Calls `body` and turns what it throws into one line "sare: [prefix: ]..." on stderr and an exit status.
int guarded(const std::string& prefix, const std::function<int()>& body);
/// The same with the text handed to `say`.
int guarded(const std::function<void(const std::string&)>& say, const std::function<int()>& body);

/// "sare: " and the text as one line on stderr.
void complain(const std::string& text);
void warn(const std::string& text);

/// Whether nobody reads stdout any more: a pipe whose reader has ended, a terminal that is closed.
bool is_unread();

/// Prints to stdout in the middle of work. Where nobody reads that any more the work ends as by Ctrl-C: what
/// there is of results is written, and leave() ends with the status.
void show(const std::string& text);

/// Flushes stdout and ends at once: deleting a large SystemC hierarchy takes longer than its simulation.
[[noreturn]] void leave(int status);

}  // namespace sare::cli
