// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/job_pool.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace sare::cli {

void job_pool::start(std::size_t job, const work& does) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail_with_errno("pipe", "made");
    const pid_t parent = getpid(), process = fork();
    if (process < 0) {
        const int why = errno;
        for (const int end : ends) close(end);
        errno = why;
        fail_with_errno("process", "made");
    }
    if (process == 0) {
        setpgid(0, 0);  // with what it starts
        follow_parent(parent);
        std::string text;
        try {
            text = "+" + does(job, [this, job](double done) { m_progress[job] = done; }).dump();
        } catch (const std::exception& problem) {
            text = std::string("-") + problem.what();
        }
        for (std::size_t sent = 0; sent < text.size();) {
            const ssize_t n = write(ends[1], text.data() + sent, text.size() - sent);
            if (n <= 0) break;
            sent += static_cast<std::size_t>(n);
        }
        leave(exit_status::good);
    }
    setpgid(process, process);  // whoever of the two comes first
    close(ends[1]);
    m_children.push_back({job, process, ends[0], ""});
}

/// Reads from a child. Returns false when it has said all.
bool job_pool::listen(child& c) {
    char buffer[65536];
    const ssize_t n = ::read(c.pipe, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    c.text.append(buffer, static_cast<std::size_t>(n));
    return true;
}

void job_pool::finish(child& c, const ended& has_ended) {
    int status = 0;
    while (waitpid(c.process, &status, 0) < 0 && errno == EINTR) {
    }
    close(c.pipe);
    m_progress[c.job] = 1;
    if (WIFSIGNALED(status))
        return has_ended(c.job, {}, fmt::format("killed by signal {}", WTERMSIG(status)));
    if (c.text.empty()) return has_ended(c.job, {}, "ended without a result");
    const std::string said = c.text.substr(1);
    if (c.text[0] == '-') return has_ended(c.job, {}, said);
    has_ended(c.job, json::parse(said), "");
}

void job_pool::run(const work& does, const ended& has_ended, const std::function<void(double)>& on_wait) {
    void* memory = mmap(nullptr, (m_jobs + 1) * sizeof(double), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail_with_errno("shared memory", "made");
    m_progress = static_cast<double*>(memory);
    try {
        run_all(does, has_ended, on_wait);
    } catch (...) {
        end_children();
        munmap(memory, (m_jobs + 1) * sizeof(double));
        throw;
    }
    end_children();
    munmap(memory, (m_jobs + 1) * sizeof(double));
}

void job_pool::run_all(const work& does, const ended& has_ended, const std::function<void(double)>& on_wait) {
    std::size_t next = 0;
    while (stop_requested() == 0 && ((next < m_jobs && !m_closed) || !m_children.empty())) {
        while (next < m_jobs && !m_closed && m_children.size() < m_at_once) start(next++, does);
        std::vector<pollfd> pipes;
        for (const child& c : m_children) pipes.push_back({c.pipe, POLLIN, 0});
        poll(pipes.data(), pipes.size(), 300);
        for (std::size_t k = m_children.size(); k-- > 0;) {
            if (pipes[k].revents == 0 || listen(m_children[k])) continue;
            child over = std::move(m_children[k]);
            m_children.erase(m_children.begin() + static_cast<std::ptrdiff_t>(k));
            finish(over, has_ended);
        }
        if (on_wait)
            on_wait(std::accumulate(m_progress, m_progress + m_jobs, 0.0) / static_cast<double>(m_jobs));
    }
}

void job_pool::end_children() {
    for (const child& c : m_children) kill(-c.process, SIGKILL);
    for (const child& c : m_children) {
        waitpid(c.process, nullptr, 0);
        close(c.pipe);
    }
    m_children.clear();
}

json in_process(const std::function<json()>& work) {
    json found;
    std::string failed = "interrupted";
    job_pool(1, 1).run([&work](std::size_t, const auto&) { return work(); },
                       [&](std::size_t, const json& result, const std::string& problem) {
                           found = result;
                           failed = problem;
                       },
                       nullptr);
    if (stop_requested() != 0) leave(exit_status::interrupted);
    if (!failed.empty()) throw config::error(failed);
    return found;
}

}  // namespace sare::cli
