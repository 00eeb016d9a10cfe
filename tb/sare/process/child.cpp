// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/child.h"

#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>

namespace sare::cli {
namespace {

using clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

std::vector<std::string> environment_of(const child_rules& rules) {
    std::vector<std::string> hidden = rules.hidden_variables, all = rules.variables;
    if (rules.ends_with_parent) all.push_back(fmt::format("{}={}", parent_variable, getpid()));
    for (const std::string& v : rules.variables) hidden.push_back(v.substr(0, v.find('=') + 1));
    for (char** v = environ; *v != nullptr; ++v) {
        const std::string variable = *v;
        if (std::none_of(hidden.begin(), hidden.end(),
                         [&](const std::string& start) { return variable.rfind(start, 0) == 0; }))
            all.push_back(variable);
    }
    return all;
}

struct pipe_ends {
    int read = -1, write = -1;
};

pipe_ends make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_with_errno("pipe", "made");
    return {ends[0], ends[1]};
}

/// Starts the program. Returns 0 or a reason.
int start(std::vector<std::string>& line, const child_rules& rules, int out, int err, pid_t& child) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (rules.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> environment = environment_of(rules);
    const int problem = posix_spawnp(&child, line[0].c_str(), &files, &attributes, pointers(line).data(),
                                     pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

/// Reads what is there. Returns false at the end.
bool take(int handle, std::string& text) {
    char buffer[4096];
    const ssize_t n = read(handle, buffer, sizeof buffer);
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EINTR);
}

/// True if the child has ended; its status is still to be read.
bool has_ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child;
}

/// Time for a stopped program to write its results.
constexpr std::chrono::seconds most_to_stop{10};

/// Reads until the child has ended and both pipes are closed.
void listen(pid_t child, const child_rules& rules, int out, int err, child_result& result) {
    const auto begin = clock::now();
    const bool stopping = stop_requested() != 0;  // then a stop is why this is called
    bool killed = false;
    std::optional<clock::time_point> asked;  // to stop
    std::array<pollfd, 2> ends{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
    const auto is_open = [&ends] { return ends[0].fd >= 0 || ends[1].fd >= 0; };
    while (is_open() || !has_ended(child)) {
        const bool late = rules.most_seconds > 0 &&
                          clock::now() - begin > std::chrono::duration<double>(rules.most_seconds);
        result.late = result.late || late;
        if (!asked && rules.ends_on_stop && (late || (!stopping && stop_requested() != 0))) {
            kill(child, SIGTERM);
            asked = clock::now();
        }
        if (!killed && ((late && !rules.ends_on_stop) || (asked && clock::now() - *asked > most_to_stop))) {
            kill(child, SIGKILL);
            killed = true;
        }
        if (poll(ends.data(), ends.size(), is_open() ? 100 : 1) <= 0) {
            if (killed || (asked && has_ended(child))) return;  // what it has started may hold the pipes open
            continue;
        }
        if (ends[0].revents != 0 && !take(out, result.out)) ends[0].fd = -1;
        if (ends[1].revents != 0 && !take(err, result.err)) ends[1].fd = -1;
    }
}

}  // namespace

child_result run_child(std::vector<std::string> line, const child_rules& rules) {
    const pipe_ends out = make_pipe(), err = make_pipe();
    child_result result;
    pid_t child = 0;
    result.not_started = start(line, rules, out.write, err.write, child);
    close(out.write);
    close(err.write);
    if (result.not_started == 0) {
        listen(child, rules, out.read, err.read, result);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    close(out.read);
    close(err.read);
    return result;
}

}  // namespace sare::cli
