// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_schedule.h"

#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sare::cli {

sweep_schedule::sweep_schedule(sweep_points& points, std::size_t jobs, sweep_failures failures)
    : m_plan(points.plan()),
      m_points(points),
      m_jobs(jobs),
      m_groups(m_plan.groups),
      m_failures(std::move(failures)) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_with_errno("pipe", "made");
    m_answers = ends[0];
    fcntl(m_answers, F_SETFL, O_NONBLOCK);
    void* memory = mmap(nullptr, (m_points.size() + 1) * sizeof(double), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail_with_errno("shared memory", "made");
    m_progress = static_cast<double*>(memory);
    m_shared = {&m_plan, &points.directory(), ends[1], m_progress};
}

sweep_schedule::~sweep_schedule() {
    kill_groups();
}

void sweep_schedule::kill_groups() {
    for (auto& g : m_groups) {
        if (g.now != life::elaborating && g.now != life::ready) continue;
        g.now = life::over;
        kill(g.process.process, SIGKILL);  // its points go with it
    }
    // Groups, and points that have become ours by their death: none may write any more when this returns.
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
}

std::string sweep_schedule::activity() const {
    return fmt::format("{} running", running());
}

double sweep_schedule::fraction() const {
    double parts = 0;
    for (std::size_t p = 0; p < m_points.size(); ++p)
        if (m_points[p] == point_state::running) parts += std::max(m_progress[p], 0.0);
    return m_points.fraction(parts);
}

std::size_t sweep_schedule::in_group(std::size_t group, point_state s) const {
    std::size_t n = 0;
    for (const auto& p : m_plan.points) n += p.group == group && m_points[p.number] == s ? 1 : 0;
    return n;
}

std::size_t sweep_schedule::alive() const {
    return static_cast<std::size_t>(std::count_if(m_groups.begin(), m_groups.end(), [](const group_state& g) {
        return g.now == life::elaborating || g.now == life::ready;
    }));
}

/// Processes at work: a group that has elaborated only waits.
std::size_t sweep_schedule::busy() const {
    return running() +
           static_cast<std::size_t>(std::count_if(m_groups.begin(), m_groups.end(), [](const group_state& g) {
               return g.now == life::elaborating;
           }));
}

void sweep_schedule::dispatch() {
    while (busy() < m_jobs && dispatch_one()) {
    }
}

/// Starts a point of an elaborated network and of the curve that runs least; else one of a new network.
bool sweep_schedule::dispatch_one() {
    std::size_t best = m_points.size(), best_cost = ~std::size_t{0};
    for (const auto& curve : m_plan.curves) {
        const std::size_t p = m_points.first_waiting(curve);
        if (p == m_points.size()) continue;
        const life group = m_groups[m_plan.points[p].group].now;
        if (group == life::elaborating || group == life::over || (group == life::none && alive() >= m_jobs))
            continue;
        std::size_t ahead = 0;
        for (const std::size_t q : curve) ahead += m_points[q] == point_state::running ? 1 : 0;
        const std::size_t cost = 2 * ahead + (group == life::none ? 1 : 0);
        if (cost < best_cost) {
            best = p;
            best_cost = cost;
        }
    }
    if (best == m_points.size()) return false;
    group_state& g = m_groups[m_plan.points[best].group];
    if (g.now == life::none) {
        g.process = start_group(m_shared, m_plan.points[best].group, best);
        g.now = life::elaborating;
        return true;
    }
    const auto number = static_cast<std::int32_t>(best);
    // A group that has died is found by reap_groups().
    const bool told = write(g.process.commands, &number, sizeof number) > 0;
    m_points.set(best, told ? point_state::running : point_state::lost);
    return true;
}

void sweep_schedule::run(const std::function<void()>& on_progress) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    m_points.directory().clean();
    m_points.cut_curves();
    m_points.directory().write_table();
    while (stop_requested() == 0) {
        dispatch();
        close_finished_groups();
        if (alive() == 0) break;
        listen();
        reap_groups();
        on_progress();
    }
    kill_groups();
    m_failures.finish();
    m_points.directory().write_failures(m_failures);
    m_points.directory().clean();
    for (std::size_t p = 0; p < m_points.size(); ++p)  // finished, and not heard of before the stop
        if (m_points[p] == point_state::running && !m_points.take(p)) m_points.set(p, point_state::waiting);
    m_points.cut_curves();
    m_points.directory().write_table();
}

void sweep_schedule::listen() {
    pollfd end{m_answers, POLLIN, 0};
    poll(&end, 1, 200);
    take_messages();
}

void sweep_schedule::take_messages() {
    sweep_message m;
    bool changed = false;
    while (::read(m_answers, &m, sizeof m) == sizeof m) {
        handle(m);
        changed = changed || m.what == sweep_message::finished;
    }
    if (changed) m_points.directory().write_table();
}

void sweep_schedule::handle(const sweep_message& m) {
    if (m.what == sweep_message::ready) {
        m_groups[static_cast<std::size_t>(m.group)].now = life::ready;
        return;
    }
    if (m.what == sweep_message::reason && m.point < 0) {
        m_groups[static_cast<std::size_t>(m.group)].reason = m.text.data();
        return;
    }
    const auto point = static_cast<std::size_t>(m.point);
    if (m.what == sweep_message::reason) return m_failures.add(point, m.text.data());
    if (m.what != sweep_message::finished || !m_points.take(point))
        m_points.set(point, m.what == sweep_message::killed ? point_state::lost : point_state::failed);
}

/// Ends groups. A group that ends before it is told to has failed, with all its points.
void sweep_schedule::reap_groups() {
    int status = 0;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
        take_messages();  // its last words
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            group_state& g = m_groups[i];
            if (g.process.process != child) continue;
            g.now = life::over;
            if (g.process.commands >= 0) close(g.process.commands);
            if (WIFSIGNALED(status))
                complain(fmt::format("the process that holds a network was killed by signal {}",
                                     WTERMSIG(status)));
            const point_state end = from_outside(status) ? point_state::lost : point_state::failed;
            for (const auto& p : m_plan.points) {
                const point_state s = m_points[p.number];
                if (p.group != i || (s != point_state::waiting && s != point_state::running)) continue;
                m_points.set(p.number, m_points.wanted(p.number) ? end : point_state::past);
                if (!g.reason.empty() && m_points[p.number] == end) m_failures.add(p.number, g.reason);
            }
        }
    }
}

void sweep_schedule::close_finished_groups() {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        group_state& g = m_groups[i];
        if (g.now != life::ready || g.process.commands < 0) continue;
        const bool more = std::any_of(m_plan.points.begin(), m_plan.points.end(), [&](const sweep_point& p) {
            return p.group == i && m_points[p.number] == point_state::waiting && m_points.wanted(p.number);
        });
        if (more || in_group(i, point_state::running) != 0) continue;
        close(g.process.commands);
        g.process.commands = -1;
    }
}

}  // namespace sare::cli
