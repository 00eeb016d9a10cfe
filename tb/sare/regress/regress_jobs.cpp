// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_jobs.h"

#include "tb/sare/cluster/job_text.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/regress/regress_choice.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

/// The folder `jobs` of a result has the script of the jobs and, of each job N, a log N.log and what its run
/// has found, N.json.
namespace sare::cli {
namespace {

namespace fs = std::filesystem;

struct regress_job {
    std::string file, folder;
    std::size_t processes = 1, number = 0;
};

fs::path result_of(const fs::path& folder, std::size_t job) {
    return folder / "jobs" / (fmt::format("{}.json", job));
}

int run_job(const regress_job& job) {
    regress_plan plan = read_regress_plan(job.file);
    const fs::path journal = fs::path(job.folder) / "journal";
    fix_seeds(plan, journal / "seeds.json");
    choose_runs(plan, read_choice(journal / "choice.json"));
    if (job.number >= plan.entries.size())
        throw usage_error(fmt::format("{}: has no run {}", job.file, job.number));
    catch_stop_signals();
    const regress_outcome o = run_entry(plan.entries[job.number], job.folder, {job.processes});
    if (stop_requested() != 0) return exit_status::interrupted;
    const fs::path result = result_of(job.folder, job.number), fresh = result.string() + ".new";
    write_file(fresh, text_of(to_json(o)));
    fs::rename(fresh, result);
    return exit_status::good;
}

}  // namespace

std::vector<regress_outcome> run_jobs(const regress_plan& plan, const std::string& file,
                                      const fs::path& folder, std::size_t processes, array_options options,
                                      const std::function<void(std::size_t)>& on_look) {
    const fs::path here = fs::absolute(folder);
    fs::create_directory(here / "jobs");
    const std::size_t count = plan.entries.size();
    const array_request array{
        array_name(here),
        count,
        {fs::read_symlink("/proc/self/exe").string(), "regress-job", fs::absolute(file).string(),
         here.string(), std::to_string(processes)},
        here / "jobs",
        "A regression of sare. Job N of this array runs the N-th of its runs, counted from 0."};
    options.jobs.processes = processes;
    const auto is_done = [&](std::size_t job) { return fs::exists(result_of(here, job)); };
    const array_end end = run_array(array, options, is_done, [&] {
        std::size_t done = 0;
        for (std::size_t job = 0; job < count; ++job) done += is_done(job) ? 1 : 0;
        on_look(done);
    });
    std::vector<regress_outcome> all;
    for (std::size_t job = 0; job < count; ++job) {
        const std::string& name = plan.entries[job].name;
        if (is_done(job))
            all.push_back(outcome_of(read_json(result_of(here, job))));
        else if (stop_requested() != 0)
            all.push_back({{{name, "start", "not run", "interrupted"}}, ""});
        else
            all.push_back(
                {{{name, "start", "error", end.no_result(job, here / "jobs" / (fmt::format("{}.log", job)))}},
                 ""});
    }
    return all;
}

void add_regress_job(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("regress-job", "What a job of a regression on a cluster runs");
    command->group("");  // not listed
    auto job = std::make_shared<regress_job>();
    command->add_option("FILE", job->file, "The regression (YAML)")->required();
    command->add_option("FOLDER", job->folder, "That of the results")->required();
    command->add_option("PROCESSES", job->processes, "At work")->required()->check(whole_number());
    command->add_option("N", job->number, "Which of its runs, from 0")->required()->check(whole_number());
    command->callback([&chosen, job] { chosen = [job] { return run_job(*job); }; });
}

}  // namespace sare::cli
