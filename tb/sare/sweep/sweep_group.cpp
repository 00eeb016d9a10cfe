// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_group.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tlm/network/simulation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>

namespace sare::cli {
namespace {

class group_process {
  public:
    group_process(const sweep_shared& shared, std::size_t group, int commands)
        : m_shared(shared), m_group(static_cast<std::int32_t>(group)), m_commands(commands) {}

    int serve(std::size_t first) {
        const experiment& e = m_shared.plan->points[first].what;
        m_rtl = &make_rtl_routers(e);
        simulation& network = *new simulation(e, m_rtl->maker());  // never deleted: see leave()
        network.elaborate();
        if (e.checks.deadlock) network.check_deadlock();  // once for all points
        answer(sweep_message::ready, -1);
        sigset_t children;
        sigemptyset(&children);
        sigaddset(&children, SIGCHLD);
        sigprocmask(SIG_BLOCK, &children, nullptr);
        const int ended = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
        if (ended < 0) fail_with_errno("signalfd", "made");
        while (m_commands >= 0 || !m_points.empty()) {
            pollfd ends[2] = {{ended, POLLIN, 0}, {m_commands, POLLIN, 0}};
            if (poll(ends, 2, -1) < 0 && errno != EINTR) fail_with_errno("pipe", "read");
            if (ends[1].revents != 0) command(network);
            signalfd_siginfo info;
            while (::read(ended, &info, sizeof info) > 0) {
            }
            reap();
        }
        return exit_status::good;
    }

    /// Says why all points of the group fail.
    void fail(const std::string& why) const { answer(sweep_message::reason, -1, why); }

  private:
    void answer(sweep_message::kind what, std::int32_t point, const std::string& text = "") const {
        sweep_message m{what, m_group, point, {}};
        text.copy(m.text.data(), m.text.size() - 1);
        if (write(m_shared.answers, &m, sizeof m) < 0) std::quick_exit(exit_status::failure);
    }

    void command(simulation& network) {
        std::int32_t point = 0;
        const ssize_t n = ::read(m_commands, &point, sizeof point);
        if (n < 0 && errno == EINTR) return;
        if (n != sizeof point) {
            close(m_commands);
            m_commands = -1;
            return;
        }
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child == 0) {
            follow_parent(parent);
            leave(guarded([&](const std::string& why) { answer(sweep_message::reason, point, why); },
                          [&] { return run(network, static_cast<std::size_t>(point)); }));
        }
        if (child < 0) {
            answer(sweep_message::reason, point, fmt::format("no process for it: {}", std::strerror(errno)));
            return answer(sweep_message::failed, point);
        }
        m_points[child] = point;
    }

    /// Runs a point in a process of its own.
    int run(simulation& network, std::size_t point) const {
        result_directory directory(m_shared.directory->point_path(point),
                                   result_directory::existing::replace);
        double* progress_here = m_shared.progress + point;
        const experiment& e = m_shared.plan->points[point].what;
        run_control control;
        control.on_progress = [=](const progress& p) { *progress_here = p.done; };
        control.outlives_result = true;
        const run_result result = network.run(e, control);
        if (const std::string difference = m_rtl->first_difference(); !difference.empty())
            throw std::runtime_error(difference);
        write_result(directory.path(), e, result);
        directory.commit();
        return exit_status::good;
    }

    void reap() {
        int status = 0;
        for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
            const auto found = m_points.find(child);
            if (found == m_points.end()) continue;
            const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (WIFSIGNALED(status))
                answer(sweep_message::reason, found->second,
                       fmt::format("killed by signal {}{}", WTERMSIG(status),
                                   WTERMSIG(status) == SIGKILL ? " (out of memory?)" : ""));
            answer(good                   ? sweep_message::finished
                   : from_outside(status) ? sweep_message::killed
                                          : sweep_message::failed,
                   found->second);
            m_points.erase(found);
        }
    }

    const sweep_shared& m_shared;
    rtl_routers* m_rtl = nullptr;
    std::int32_t m_group;
    int m_commands;
    std::map<pid_t, std::int32_t> m_points;
};

}  // namespace

bool from_outside(int status) {
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
}

sweep_group start_group(const sweep_shared& shared, std::size_t group, std::size_t first) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_with_errno("pipe", "made");
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) fail_with_errno("process", "made");
    if (child == 0) {
        follow_parent(parent);
        close(ends[1]);
        group_process process(shared, group, ends[0]);
        leave(guarded([&](const std::string& why) { process.fail(why); },
                      [&] { return process.serve(first); }));
    }
    close(ends[0]);
    return {child, ends[1]};
}

}  // namespace sare::cli
