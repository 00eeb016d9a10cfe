// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/submission.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/sweep/sweep_schedule.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

/// The command of a sweep's jobs. Not for people: `sare sweep --on ...` writes it into the jobs' script.
namespace sare::cli {
namespace {

/// The job to run: folder of the submission, and number in it.
struct job_id {
    std::string folder;
    std::size_t number = 0;
};

int run_job(const job_id& job) {
    const submission s = submission::read(std::filesystem::absolute(job.folder).lexically_normal());
    if (s.version != version())
        throw config::error(
            fmt::format("this is sare {}; the sweep was submitted by {}", version(), s.version));
    if (job.number >= s.jobs.size())
        throw usage_error(fmt::format("{}: has no job {}", job.folder, job.number));
    load_plugins(s.source.tree, s.source.folder);
    const sweep_plan plan = make_plan(s.source);
    for (const std::size_t p : s.jobs[job.number])
        if (p >= plan.points.size())
            throw config::error(
                fmt::format("{}: points.txt names point {} of {}", job.folder, p, plan.points.size()));
    sweep_directory directory(s.directory(), plan, sweep_directory::part::member);
    catch_stop_signals();
    sweep_points points(plan, directory, &s.jobs[job.number]);
    sweep_schedule(points, s.processes, sweep_failures(true)).run([] {});
    if (stop_requested() != 0) return exit_status::interrupted;
    std::vector<std::size_t> failed;
    for (std::size_t p = 0; p < points.size(); ++p)
        if (points[p] == point_state::failed) failed.push_back(p);
    if (!failed.empty()) s.write_failed(job.number, failed);
    return points.failed() == 0 ? exit_status::good : exit_status::failure;
}

}  // namespace

void add_sweep_job(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("sweep-job", "What a job of a sweep on a cluster runs");
    command->group("");  // not listed
    auto job = std::make_shared<job_id>();
    command->add_option("FOLDER", job->folder, "jobs/NNN of a sweep's directory")->required();
    command->add_option("N", job->number, "Which of its jobs, from 0")->required()->check(whole_number());
    command->callback([&chosen, job] { chosen = [job] { return run_job(*job); }; });
}

}  // namespace sare::cli
