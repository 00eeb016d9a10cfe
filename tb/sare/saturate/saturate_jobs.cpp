// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/saturate_jobs.h"

#include "tb/sare/cluster/job_text.h"
#include "tb/sare/cluster/submission.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

#include <algorithm>

/// Each array of jobs has a folder, as that of a sweep (submission.h). Job N writes the rows of its
/// combinations into N.json.
namespace sare::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_jobs = 200;
/// Key, beside the numbers of combinations, of the runs that a job's search was allowed.
constexpr const char* most_runs_key = "most_runs";

fs::path rows_of(const submission& s, std::size_t job) {
    return s.folder / fmt::format("{}.json", job);
}

/// Both ends of a search: the command, which waits, and its jobs.
class saturate_waiter {
  public:
    saturate_waiter(const sweep_plan& plan, const claimed_directory& directory, const saturate_jobs& jobs,
                    const combinations::taker& take, const std::function<void(std::size_t)>& on_look)
        : m_plan(plan),
          m_directory(directory),
          m_jobs(jobs),
          m_take(take),
          m_on_look(on_look),
          m_done(plan.points.size()) {}

    void run() {
        for (submission& s : submissions(m_directory.path())) adopt(s);
        if (stop_requested() != 0) return;
        const std::vector<std::size_t> left = missing();
        if (left.empty()) return;
        submission s = submitted(left);
        const array_end end = wait_for(s);
        for (const std::size_t p : missing())
            if (stop_requested() == 0)
                m_take(p, {{"problem", end.no_result(job_of(s, p), s.log(job_of(s, p)))}});
    }

  private:
    void adopt(submission& s) {
        const bool ours = s.version == version();
        if (!s.is_over() && ours)
            wait_for(s);
        else if (ours)
            take_rows(s, false);
        else if (!s.is_over())
            replace(s);
    }
    static void replace(const submission& s) {
        warn(fmt::format("{}: was submitted by sare {}; cancelled and submitted anew", s.folder.string(),
                         s.version));
        make_scheduler(s.scheduler)->cancel_arrays({s.array});
        s.close();
    }

    submission submitted(const std::vector<std::size_t>& left) {
        const auto scheduler = make_scheduler(m_jobs.array.on);
        const std::size_t count = std::min({left.size(), most_jobs, scheduler->most_jobs()});
        submission s;
        s.folder = new_submission_folder(m_directory.path());
        s.scheduler = m_jobs.array.on;
        s.array = array_name(m_directory.path());
        s.version = version();
        s.source = m_jobs.source;
        s.processes = m_jobs.processes;
        s.jobs.resize(count);
        for (std::size_t k = 0; k < left.size(); ++k) s.jobs[k * count / left.size()].push_back(left[k]);
        job_options options = m_jobs.array.jobs;
        options.processes = m_jobs.processes;
        for (const sweep_point& p : m_plan.points)
            options.threads = std::max<std::size_t>(options.threads, p.what.threads);
        try {
            s.write();
            s.write_id(scheduler->submit({s.array, count, command_for(s), s.folder,
                                          "A search for saturation by sare. Job N of this array runs the "
                                          "combinations of line N of points.txt, counted from 0."},
                                         options));
        } catch (...) {
            s.close();
            throw;
        }
        return s;
    }
    std::vector<std::string> command_for(const submission& s) const {
        std::vector<std::string> line{fs::read_symlink("/proc/self/exe").string(), "saturate-job",
                                      fmt::format("--tolerance={}", m_jobs.search.tolerance),
                                      fmt::format("--latency-factor={}", m_jobs.search.latency_factor),
                                      fmt::format("--runs={}", m_jobs.search.most_runs)};
        const std::string store = m_jobs.store.place();
        line.push_back(store.empty() ? "--no-store" : "--store=" + fs::absolute(store).string());
        if (m_jobs.store.again) line.emplace_back("--again");
        line.push_back(s.folder.string());
        return line;
    }

    array_end wait_for(submission& s) {
        const auto is_done = [&](std::size_t job) { return fs::exists(rows_of(s, job)); };
        array_options array = m_jobs.array;
        array.on = s.scheduler;  // an earlier call may have used another one
        array_end end = await_array(s.array, s.jobs.size(), array, is_done, [&] {
            take_rows(s, true);
            m_on_look(m_done.size() - missing().size());
        });
        take_rows(s, true);
        if (stop_requested() == 0) s.close();
        return end;
    }
    /// Takes rows; failed ones of an earlier call are tried again, and those that more runs may find.
    void take_rows(const submission& s, bool failed_too) {
        for (std::size_t job = 0; job < s.jobs.size(); ++job) {
            if (std::all_of(s.jobs[job].begin(), s.jobs[job].end(),
                            [&](std::size_t p) { return is_done(p); }) ||
                !fs::exists(rows_of(s, job)))
                continue;
            const json rows = read_json(rows_of(s, job));
            for (const std::size_t p : s.jobs[job]) {
                const json row = rows.value(std::to_string(p), json());
                if (is_done(p) || row.is_null() || (row.contains("problem") && !failed_too)) continue;
                if (wants_more_runs(row, rows.value(most_runs_key, std::size_t{0}))) continue;
                m_take(p, row);
                m_done[p] = true;
            }
        }
    }

    /// True if a search that was allowed `most_runs` runs has used them up in vain, and more are allowed now.
    bool wants_more_runs(const json& row, std::size_t most_runs) const {
        return row.value("status", "") == "not found" && most_runs < m_jobs.search.most_runs &&
               row.at("runs").size() >= most_runs;
    }

    bool is_done(std::size_t p) const { return p >= m_done.size() || m_done[p]; }
    std::vector<std::size_t> missing() const {
        std::vector<std::size_t> all;
        for (std::size_t p = 0; p < m_done.size(); ++p)
            if (!m_done[p]) all.push_back(p);
        return all;
    }
    static std::size_t job_of(const submission& s, std::size_t p) {
        const auto has = [&](const auto& points) {
            return std::find(points.begin(), points.end(), p) != points.end();
        };
        return static_cast<std::size_t>(std::find_if(s.jobs.begin(), s.jobs.end(), has) - s.jobs.begin());
    }

    const sweep_plan& m_plan;
    const claimed_directory& m_directory;
    const saturate_jobs& m_jobs;
    const combinations::taker& m_take;
    const std::function<void(std::size_t)>& m_on_look;
    std::vector<bool> m_done;
};

struct saturate_job {
    std::string folder;
    std::size_t number = 0;
    saturation_options search;
    store_options store;
};

int run_job(const saturate_job& job) {
    const submission s = submission::read(fs::absolute(job.folder).lexically_normal());
    if (s.version != version())
        throw config::error(
            fmt::format("this is sare {}; the search was submitted by {}", version(), s.version));
    if (job.number >= s.jobs.size())
        throw usage_error(fmt::format("{}: has no job {}", job.folder, job.number));
    load_plugins(s.source.tree, s.source.folder);
    const sweep_plan plan = make_plan(s.source);
    const claimed_directory directory(s.directory(), "saturate");  // which the command holds
    catch_stop_signals();
    json rows = json::object();
    combinations(plan, s.jobs[job.number], directory, job.search, job.store)
        .run(
            s.processes, [&](std::size_t p, const json& row) { rows[std::to_string(p)] = row; },
            [](double) {});
    if (stop_requested() != 0) return exit_status::interrupted;
    rows[most_runs_key] = job.search.most_runs;
    replace_file(rows_of(s, job.number), text_of(rows));
    return exit_status::good;
}

}  // namespace

void run_saturate_jobs(const sweep_plan& plan, const claimed_directory& directory, const saturate_jobs& jobs,
                       const combinations::taker& take, const std::function<void(std::size_t)>& on_look) {
    saturate_waiter(plan, directory, jobs, take, on_look).run();
}

void add_saturate_job(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("saturate-job", "What a job of a search for saturation on a cluster runs");
    command->group("");  // not listed
    auto job = std::make_shared<saturate_job>();
    command->add_option("FOLDER", job->folder, "jobs/NNN of the search's directory")->required();
    command->add_option("N", job->number, "Which of its jobs, from 0")->required()->check(whole_number());
    command->add_option("--tolerance", job->search.tolerance, "As of saturate");
    command->add_option("--latency-factor", job->search.latency_factor, "As of saturate");
    command->add_option("--runs", job->search.most_runs, "As of saturate");
    job->store.add_to(*command);
    command->callback([&chosen, job] { chosen = [job] { return run_job(*job); }; });
}

}  // namespace sare::cli
