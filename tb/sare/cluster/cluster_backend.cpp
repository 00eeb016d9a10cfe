// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/cluster_backend.h"

#include "tb/sare/cluster/job_array.h"
#include "tb/sare/cluster/job_text.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

constexpr int most_attempts = 3;
constexpr std::size_t jobs_by_itself = 200;  // submitted, unless the user says how many points are a job
constexpr int looks_until_lost = 2;          // a result may be seen later than the end of its job
constexpr double polls_between = 6;          // of two submissions, when one was refused
constexpr int most_refusals = 60;            // in a row, with none of our jobs left
constexpr double cancel_wait = 20;           // seconds that cancelled jobs are waited for

double now() {
    static const auto begin = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Sleeps, but not beyond a signal.
void sleep_for(double seconds) {
    poll(nullptr, 0, static_cast<int>(std::max(seconds, 0.0) * 1000));  // less than none would be for ever
}

/// Returns the numbers of the points that have a directory, by one look at the disk.
std::set<std::size_t> points_there(const fs::path& directory) {
    std::set<std::size_t> all;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(directory / "points", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos)
            all.insert(std::stoul(name));
    }
    return all;
}

}  // namespace

cluster_backend::cluster_backend(sweep_source source, sweep_points& points,
                                 std::unique_ptr<batch_scheduler> scheduler, cluster_options options,
                                 std::function<void(const std::string&)> tell)
    : m_source(std::move(source)),
      m_points(points),
      m_options(std::move(options)),
      m_tell(std::move(tell)),
      m_scheduler(std::move(scheduler)),
      m_watch(*m_scheduler),
      m_attempts(points.size()) {}

void cluster_backend::run(const std::function<void()>& on_progress) {
    m_points.cut_curves();
    m_points.directory().write_table();
    adopt();
    for (;;) {
        look();
        if (m_options.detach && any_unsure()) {
            sleep_for(1);
            look();
        }
        if (stop_requested() != 0) break;
        submit_waiting();
        if (m_options.detach || (jobs_open() == 0 && m_points.left() == 0)) break;
        // Short sweeps are asked for often, long ones seldom.
        const double until = now() + std::min(m_options.poll, std::max(1.0, now() / 20));
        while (now() < until && stop_requested() == 0) {
            on_progress();
            sleep_for(std::min(0.5, until - now()));
        }
        if (stop_requested() != 0) break;
    }
    if (stop_requested() != 0) cancel_all();
    finish();
}

/// Takes over jobs of an earlier call that may still be at work.
void cluster_backend::adopt() {
    for (submission& s : open_submissions(m_points.directory().path())) {
        if (s.version != version()) {
            warn(fmt::format("{}: was submitted by sare {}; cancelled and submitted anew", s.folder.string(),
                             s.version));
            m_scheduler->cancel_arrays({s.array});
            s.close();
            continue;
        }
        array a{std::move(s), {}, false};
        for (const auto& points : a.what.jobs) {
            if (std::any_of(points.begin(), points.end(),
                            [&](std::size_t p) { return p >= m_points.size(); }))
                throw config::error(
                    fmt::format("{}: points.txt is of another sweep", a.what.folder.string()));
            job j;
            j.points = points;
            j.cancelled = a.what.is_cancelled();
            j.done_before = done(points);
            for (const std::size_t p : points)
                if (m_points[p] == point_state::waiting) m_points.set(p, point_state::running);
            a.jobs.push_back(std::move(j));
        }
        m_tell(fmt::format("{} jobs were submitted before, as {} job {}", a.jobs.size(), m_scheduler->title(),
                           a.what.id()));
        m_arrays.push_back(std::move(a));
    }
}

std::size_t cluster_backend::done(const std::vector<std::size_t>& points) const {
    return static_cast<std::size_t>(std::count_if(
        points.begin(), points.end(), [&](std::size_t p) { return m_points[p] == point_state::done; }));
}

std::vector<std::string> cluster_backend::names() const {
    std::vector<std::string> all;
    for (const array& a : m_arrays) all.push_back(a.what.array);
    return all;
}

std::size_t cluster_backend::jobs_open() const {
    std::size_t n = 0;
    for (const array& a : m_arrays)
        n += static_cast<std::size_t>(
            std::count_if(a.jobs.begin(), a.jobs.end(), [](const job& j) { return !j.over; }));
    return n;
}

/// Looks at the scheduler first, then at the disk, which then has the results of ended jobs.
void cluster_backend::look() {
    const bool answered = ask();
    take_results();
    settle_jobs(answered);
    if (answered) cancel_past();
    close_arrays();
    if (m_changes != 0) m_points.directory().write_table();
    m_changes = 0;
}

bool cluster_backend::ask() {
    const auto found = m_watch.look(names());
    if (!found) return false;
    for (array& a : m_arrays) {
        const array_report& reports = found->at(a.what.array);
        a.was_seen = a.was_seen || !reports.empty();
        for (std::size_t i = 0; i < a.jobs.size(); ++i) {
            const auto report = reports.find(i);
            a.jobs[i].see(report == reports.end() ? nullptr : &report->second);
        }
    }
    return true;
}

/// Takes what the scheduler says about the job; null: nothing.
void cluster_backend::job::see(const job_report* found) {
    if (found != nullptr)
        report = *found;
    else if (report.is_alive())
        report.said = "forgotten";
    unseen = found != nullptr && found->is_alive() ? 0 : unseen + 1;
    if (report.stillborn) unseen = looks_until_lost;  // it is being cancelled
}

void cluster_backend::take_results() {
    const auto there = points_there(m_points.directory().path());
    for (const std::size_t p : there)
        if (p < m_points.size() && m_points[p] == point_state::running && m_points.take(p)) ++m_changes;
}

void cluster_backend::settle_jobs(bool answered) {
    std::vector<std::string> needless;  // wait to be repeated though all is there
    for (array& a : m_arrays)
        for (std::size_t i = 0; i < a.jobs.size(); ++i) {
            job& j = a.jobs[i];
            if (j.over) continue;
            const bool complete = done(j.points) == j.points.size();
            if (complete && j.unseen == 0 && j.report.now == job_report::state::waiting &&
                !j.report.id.empty())
                needless.push_back(j.report.id);
            if (complete || (answered && j.unseen >= looks_until_lost)) settle(a, i);
        }
    m_watch.cancel(needless);
}

/// A job is over. What it has left without a result waits again, unless that is hopeless: a job that has got
/// on may go on; for the points of one that has not that was an attempt, and the next time each is a job of
/// its own, so that one of them cannot keep the others from running.
void cluster_backend::settle(array& a, std::size_t number) {
    job& j = a.jobs[number];
    j.over = true;
    const auto lost = [&](std::size_t p) { return m_points[p] == point_state::running; };
    std::vector<std::size_t> failed, rest;
    for (const std::size_t p : a.what.failed(number))
        if (p < m_points.size() && lost(p)) failed.push_back(p);
    for (const std::size_t p : failed) m_points.set(p, point_state::failed);
    if (!failed.empty()) report_failed(a.what.log(number), failed, m_failures);
    for (const std::size_t p : j.points) {
        if (!lost(p)) continue;
        m_points.set(p, point_state::waiting);
        if (m_points.wanted(p)) rest.push_back(p);
    }
    if (rest.empty() || j.cancelled || !(a.was_seen || !a.what.id().empty())) return;
    const bool got_on = done(j.points) > j.done_before || !failed.empty();
    bool hopeless = j.report.cancelled || (j.report.timed_out && j.points.size() == 1);
    for (const std::size_t p : rest)
        if (!got_on && ++m_attempts[p] >= most_attempts) hopeless = true;
    if (!hopeless) return;
    for (const std::size_t p : rest) m_points.set(p, point_state::lost);
    complain(fmt::format(
        "{}: no result: {}; {}", points_text(rest),
        job_ended(m_scheduler->title(),
                  j.report.id.empty() ? fmt::format("{} (number {})", a.what.id(), number) : j.report.id,
                  j.report.said),
        last_words(a.what.log(number))));
}

/// Cancels jobs whose points are beyond the ends of their curves.
void cluster_backend::cancel_past() {
    std::vector<std::string> ids;
    for (array& a : m_arrays)
        for (job& j : a.jobs) {
            if (j.over || j.cancelled || j.report.id.empty()) continue;
            const bool any = std::any_of(j.points.begin(), j.points.end(), [&](std::size_t p) {
                return m_points[p] == point_state::running && m_points.wanted(p);
            });
            if (any || done(j.points) == j.points.size()) continue;
            ids.push_back(j.report.id);
            j.cancelled = true;
        }
    m_watch.cancel(ids);
}

void cluster_backend::close_arrays() {
    const auto open_ones = std::stable_partition(m_arrays.begin(), m_arrays.end(), [](const array& a) {
        return std::any_of(a.jobs.begin(), a.jobs.end(), [](const job& j) { return !j.over; });
    });
    std::for_each(open_ones, m_arrays.end(), [](const array& a) { a.what.close(); });
    m_arrays.erase(open_ones, m_arrays.end());
}

bool cluster_backend::any_unsure() const {
    for (const array& a : m_arrays)
        for (const job& j : a.jobs)
            if (!j.over && j.unseen == 1) return true;
    return false;
}

/// Returns the points that wait, by job: points of a network and a curve together, and low loads first, so
/// that jobs that begin late know where their curves have ended.
std::vector<std::vector<std::size_t>> cluster_backend::chunks() const {
    const sweep_plan& plan = m_points.plan();
    std::vector<std::size_t> rank(m_points.size());
    for (const auto& curve : plan.curves)
        for (std::size_t i = 0; i < curve.size(); ++i) rank[curve[i]] = i;
    std::vector<std::size_t> together;
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t p = 0; p < m_points.size(); ++p) {
        if (m_points[p] != point_state::waiting || !m_points.wanted(p)) continue;
        if (m_attempts[p] > 0)
            all.push_back({p});
        else
            together.push_back(p);
    }
    std::sort(together.begin(), together.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t p) {
            return std::make_tuple(plan.points[p].group, plan.points[p].curve, rank[p]);
        };
        return key(a) < key(b);
    });
    const std::size_t size = m_options.points_per_job != 0
                                 ? m_options.points_per_job
                                 : (m_points.size() + jobs_by_itself - 1) / jobs_by_itself;
    for (std::size_t i = 0; i < together.size(); i += size) {
        const auto begin = together.begin() + static_cast<std::ptrdiff_t>(i);
        all.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, together.size() - i)));
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return rank[a.front()] < rank[b.front()]; });
    return all;
}

void cluster_backend::submit_waiting() {
    if (!m_watch.answers() || now() < m_submit_again) return;
    const auto jobs = chunks();
    const std::size_t most = m_scheduler->most_jobs();
    for (std::size_t i = 0; i < jobs.size() && stop_requested() == 0; i += most) {
        const auto begin = jobs.begin() + static_cast<std::ptrdiff_t>(i);
        if (!submit({begin, begin + static_cast<std::ptrdiff_t>(std::min(most, jobs.size() - i))})) return;
    }
}

/// Returns false if the scheduler takes no more for now; throws if no job's end would help.
bool cluster_backend::submit(std::vector<std::vector<std::size_t>> jobs) {
    const fs::path directory = m_points.directory().path();
    array a{{new_submission_folder(directory), m_options.scheduler, array_name(directory), version(),
             m_source, m_options.jobs.processes, jobs},
            {},
            false};
    a.what.write();
    const array_request request{
        a.what.array,
        jobs.size(),
        {fs::read_symlink("/proc/self/exe").string(), "sweep-job", a.what.folder.string()},
        a.what.folder,
        "A sweep of sare. Job N of this array runs the points of line N, counted from 0, of points.txt "
        "beside this."};
    std::string id;
    try {
        id = m_scheduler->submit(request, m_options.jobs);
    } catch (const scheduler_error& problem) {
        std::error_code ignored;
        fs::remove_all(a.what.folder, ignored);
        if (jobs_open() == 0 && (!m_submitted || ++m_refusals > most_refusals)) throw;
        if (m_refused != problem.what()) warn(fmt::format("{}; tried again", problem.what()));
        m_refused = problem.what();
        m_submit_again = now() + polls_between * m_options.poll;
        return false;
    }
    a.what.write_id(id);
    m_submitted = true;
    m_refusals = 0;
    std::size_t count = 0;
    for (const auto& points : jobs) count += points.size();
    m_tell(fmt::format("{} job {}: {} jobs, {} points; {}", m_scheduler->title(), id, jobs.size(), count,
                       (directory / "jobs" / a.what.folder.filename()).string()));
    for (auto& points : jobs) {
        job j;
        j.done_before = done(points);
        for (const std::size_t p : points) m_points.set(p, point_state::running);
        j.points = std::move(points);
        a.jobs.push_back(std::move(j));
    }
    m_arrays.push_back(std::move(a));
    return true;
}

/// Cancels all jobs; those that do not end soon are left to the next call.
void cluster_backend::cancel_all() {
    if (m_arrays.empty()) return;
    try {
        m_scheduler->cancel_arrays(names());
    } catch (const scheduler_error& problem) {
        complain(fmt::format("{}; jobs of {} go on", problem.what(), m_points.directory().path().string()));
        return;
    }
    for (array& a : m_arrays) {
        a.what.mark_cancelled();
        for (job& j : a.jobs) j.cancelled = true;
    }
    for (const double until = now() + cancel_wait; now() < until;) {
        look();
        if (jobs_open() == 0) return;
        sleep_for(0.5);
    }
}

void cluster_backend::finish() {
    m_failures.finish();
    m_points.directory().write_failures(m_failures);
    if (jobs_open() == 0) {
        m_points.directory().clean();
        m_points.cut_curves();
    }
    m_points.directory().write_table();
}

std::string cluster_backend::activity() const {
    std::size_t running = 0, waiting = 0;
    std::string why;
    for (const array& a : m_arrays)
        for (const job& j : a.jobs) {
            if (j.over) continue;
            running += j.report.now == job_report::state::running ? 1 : 0;
            if (j.report.now != job_report::state::waiting) continue;
            ++waiting;
            why = j.report.said;
        }
    std::string text = fmt::format("jobs: {} running", running);
    if (waiting != 0) text += fmt::format(", {} waiting{}", waiting, why.empty() ? "" : " (" + why + ")");
    if (!m_watch.answers()) text += fmt::format(", {} does not answer", m_scheduler->title());
    return text;
}

}  // namespace sare::cli
