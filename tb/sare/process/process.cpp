// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/process.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/terminal.h"
#include "tlm/config/value.h"

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <systemc>

namespace sare::cli {
namespace {

constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t stop_flag = 0;
volatile std::time_t stopped_at = 0;  // written and read in the handler alone

std::time_t seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/// Handles a wish to stop, which may come as two signals: `timeout` signals the process and its group.
void on_stop(int number) {
    if (stop_flag == 0) {
        stopped_at = seconds();
        stop_flag = number;
    } else if (seconds() - stopped_at > 1) {
        std::signal(number, SIG_DFL);
        raise(number);
    }
}

std::string report_text(const sc_core::sc_report& r) {
    std::string type = r.get_msg_type() ? r.get_msg_type() : "";
    std::string text = r.get_msg() ? r.get_msg() : "";
    // An exception that crossed the kernel: its text is all there is to say.
    if (text.empty()) return type;
    return type.empty() || type == sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_ ? text : type + ": " + text;
}

void on_report(const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
    if ((actions & sc_core::SC_THROW) != 0) throw r;
    if ((actions & sc_core::SC_DISPLAY) != 0) {
        if (r.get_severity() == sc_core::SC_WARNING)
            warn(report_text(r));
        else
            complain(report_text(r));
    }
    if ((actions & (sc_core::SC_STOP | sc_core::SC_ABORT)) != 0) leave(exit_status::failure);
}

}  // namespace

const volatile std::sig_atomic_t& stop_requested() {
    return stop_flag;
}

void catch_stop_signals() {
    struct sigaction stop {};
    stop.sa_handler = on_stop;
    for (const int number : stop_signals) sigaddset(&stop.sa_mask, number);
    for (const int number : stop_signals) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (number != SIGHUP || before.sa_handler != SIG_IGN) sigaction(number, &stop, nullptr);
    }
}

/// Has the kernel kill this process when its parent ends.
static void end_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(exit_status::failure);
}

void follow_parent(int parent) {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    end_with(parent);
}

void end_with_parent() {
    const char* const parent = std::getenv(parent_variable);
    if (parent != nullptr) end_with(std::atoi(parent));
    unsetenv(parent_variable);  // of this process alone
}

void install_report_handler() {
    sc_core::sc_report_handler::set_handler(on_report);
}

/// Prints a line, broken between words on a terminal.
static void say(const std::string& head, colour c, const std::string& text) {
    std::string line = head + printable(text.substr(0, text.find_last_not_of('\n') + 1));
    if (isatty(STDERR_FILENO) != 0) line = wrapped(line, terminal_width(STDERR_FILENO) - 2, 2);
    line = in_colour(head, c, STDERR_FILENO) + line.substr(std::min(head.size(), line.size())) + "\n";
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;  // nowhere left to say it
}

void complain(const std::string& text) {
    say("sare: ", colour::red, text);
}

void warn(const std::string& text) {
    say("sare: warning: ", colour::yellow, text);
}

int guarded(const std::string& prefix, const std::function<int()>& body) {
    const std::string start = prefix.empty() ? "" : prefix + ": ";
    return guarded([&](const std::string& text) { complain(start + text); }, body);
}

int guarded(const std::function<void(const std::string&)>& say, const std::function<int()>& body) {
    try {
        return body();
    } catch (const usage_error& e) {
        say(e.what());
        return exit_status::usage;
    } catch (const sc_core::sc_report& r) {
        say(report_text(r));
    } catch (const std::filesystem::filesystem_error& e) {
        say(e.path1().string() + ": " + e.code().message());
    } catch (const std::system_error& e) {
        if (is_unread()) return exit_status::unread;
        say("standard output: " + e.code().message());  // of fmt::print
    } catch (const std::bad_alloc&) {
        say("out of memory; a smaller network or fewer buffers would need less");
    } catch (const std::exception& e) {
        say(e.what());
    } catch (...) {
        say("an exception of unknown kind");
    }
    return exit_status::failure;
}

bool is_unread() {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

void show(const std::string& text) {
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (written) return;
    if (!is_unread()) return complain(std::string("standard output: ") + std::strerror(errno));
    if (stop_flag == 0) stop_flag = SIGPIPE;  // whoever works ends as by Ctrl-C
}

void leave(int status) {
    const bool flushed = std::fflush(stdout) == 0;
    if (!flushed && !is_unread()) complain(std::string("standard output: ") + std::strerror(errno));
    if ((!flushed || std::ferror(stdout) != 0) && status == exit_status::good)
        status = is_unread() ? exit_status::unread : exit_status::failure;
    std::quick_exit(status);
}

}  // namespace sare::cli
