// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/command.h"

#include "tlm/base/joined.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace sare::traffic {
namespace {

using environment = std::vector<std::pair<std::string, std::string>>;

constexpr auto look_again = std::chrono::milliseconds(20);

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& w : words) all.push_back(w.data());
    all.push_back(nullptr);
    return all;
}

/// Becomes the program, in the child, or says by the pipe why not.
[[noreturn]] void become(std::vector<std::string> words, const std::string& folder, const environment& more,
                         int log, pid_t parent, int tell) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_DFL);
    for (const auto& [name, value] : more) setenv(name.c_str(), value.c_str(), 1);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (folder.empty() || chdir(folder.c_str()) == 0) execvp(words[0].c_str(), pointers(words).data());
    const int problem = errno;
    if (write(tell, &problem, sizeof problem) < 0) _exit(126);
    _exit(127);
}

}  // namespace

command::command(const std::vector<std::string>& words, const std::string& folder, const std::string& log,
                 const environment& more)
    : m_text(joined(words, " ")), m_log(log) {
    const auto fail = [this](const std::string& what, int problem) {
        throw std::runtime_error("'" + m_text + "': " + what + ": " + std::strerror(problem));
    };
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) fail(log, errno);
    int tell[2];
    if (pipe2(tell, O_CLOEXEC) != 0) fail("cannot be started", errno);
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid == 0) become(words, folder, more, out, parent, tell[1]);
    const int not_forked = errno;
    close(out);
    close(tell[1]);
    int problem = 0;
    const bool failed = m_pid > 0 && read(tell[0], &problem, sizeof problem) == sizeof problem;
    close(tell[0]);
    if (m_pid < 0) fail("cannot be started", not_forked);
    if (failed) {
        waitpid(m_pid, nullptr, 0);
        fail("cannot be started", problem);
    }
}

command::~command() {
    stop();
}

std::optional<std::string> command::ended() {
    reap(WNOHANG);
    return m_end;
}

void command::reap(int how) {
    int status = 0;
    if (m_end || m_pid <= 0 || waitpid(m_pid, &status, how) != m_pid) return;
    if (WIFSIGNALED(status))
        m_end = fmt::format("signal {}", WTERMSIG(status));
    else
        m_end = WEXITSTATUS(status) == 0 ? "" : fmt::format("status {}", WEXITSTATUS(status));
}

std::string command::last_words() const {
    std::ifstream in(m_log, std::ios::binary);
    std::string last;
    for (std::string line; std::getline(in, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
    return last.substr(0, 200);
}

void command::wait(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!ended() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(look_again);
}

void command::stop() {
    if (m_pid <= 0) return;
    if (!ended()) {
        kill(-m_pid, SIGTERM);
        wait(2);
    }
    kill(-m_pid, SIGKILL);  // what it may have left
    reap(0);
    m_pid = -1;
}

}  // namespace sare::traffic
