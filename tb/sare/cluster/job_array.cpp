// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/job_array.h"

#include "tb/sare/cluster/job_text.h"
#include "tb/sare/cluster/scheduler_watch.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Looks in a row that do not find a job before it counts as over: it may not be listed yet, or its result
/// not visible here.
constexpr int looks = 3;

/// Returns false if a signal came.
bool wait_for(double seconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (stop_requested() == 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return stop_requested() == 0;
}

}  // namespace

std::vector<const command_option*> array_options::add_to(command_parser& command, const std::string& what) {
    std::vector<std::string> places = scheduler_names();
    places.insert(places.begin(), this_machine);
    command.add_option("--on", on, "PLACE", "Where " + what + " run: local (default), or as jobs of slurm")
        ->check(one_of(places));
    std::vector<const command_option*> all;
    const auto add = [&](const char* name, auto& value, const char* type, const char* sentence) {
        command_option* option = command.add_option(name, value, type, sentence)->group("On a cluster");
        all.push_back(option);
        return option;
    };
    add("--partition", jobs.partition, "NAME", "Partition of the jobs");
    add("--time", jobs.time, "TIME", "Limit of time of a job, as the scheduler writes it (2:00:00)");
    add("--account", jobs.account, "NAME", "Account that the jobs are charged to");
    add("--submit-option", jobs.more, "OPTION",
        "Option of sbatch, passed on as it is (--submit-option=--mem=4G); may be given again")
        ->allow_extra_args(false)
        ->check([](const std::string& word) {
            return word.rfind('-', 0) == 0
                       ? ""
                       : "must be an option, such as --submit-option=--mem=4G, not '" + word + "'";
        });
    add("--at-once", jobs.at_once, "N",
        "Jobs that run at the same time (default: as many as there is room for)")
        ->check(whole_number(1, 100000));
    add("--poll", poll, "SECONDS", "Between two questions to the scheduler, at most (default: 10)")
        ->check(number_within(0.2, 3600));
    return all;
}

void refuse_without_cluster(const std::vector<const command_option*>& options, const std::string& on) {
    for (const command_option* option : options)
        if (on == this_machine && option->count() != 0)
            throw usage_error(fmt::format("{} is of jobs on a cluster; add --on slurm", option->get_name()));
}

std::string array_name(const fs::path& directory) {
    std::string name = "sare-";
    for (const char c : fs::absolute(directory / ".").lexically_normal().parent_path().filename().string())
        if (name.size() < 25 && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'))
            name += c;
    std::random_device random;
    return name + fmt::format("-{:08x}{:08x}", random(), random());
}

std::string array_end::no_result(std::size_t job, const fs::path& log) const {
    const auto its = jobs.find(job);
    const std::string ended = its == jobs.end() || its->second.is_alive()
                                  ? ""
                                  : job_ended(title, its->second.id, its->second.said) + "; ";
    return "its job has left no result: " + ended + last_words(log);
}

array_end await_array(const std::string& name, std::size_t jobs, const array_options& options,
                      const std::function<bool(std::size_t)>& is_done, const std::function<void()>& on_look) {
    const auto scheduler = make_scheduler(options.on);
    scheduler_watch watch(*scheduler);
    array_end end{scheduler->title(), {}};
    std::vector<int> unseen(jobs);
    const auto is_over = [&](std::size_t job) { return unseen[job] >= looks || is_done(job); };
    while (wait_for(options.poll)) {
        on_look();
        const auto reports = watch.look({name});
        std::size_t over = 0;
        for (std::size_t job = 0; job < jobs; ++job) {
            if (reports) {
                const array_report& alive = reports->at(name);
                const auto its = alive.find(job);
                if (its != alive.end()) end.jobs[job] = its->second;
                unseen[job] = its != alive.end() && its->second.is_alive() ? 0 : unseen[job] + 1;
            }
            over += is_over(job) ? 1 : 0;
        }
        if (over == jobs) return end;
    }
    scheduler->cancel_arrays({name});
    return end;
}

array_end run_array(const array_request& array, const array_options& options,
                    const std::function<bool(std::size_t)>& is_done, const std::function<void()>& on_look) {
    const auto scheduler = make_scheduler(options.on);
    if (array.jobs > scheduler->most_jobs())
        throw scheduler_error(fmt::format("{}: an array has {} jobs at most here, not {}", scheduler->title(),
                                          scheduler->most_jobs(), array.jobs));
    scheduler->submit(array, options.jobs);
    return await_array(array.name, array.jobs, options, is_done, on_look);
}

}  // namespace sare::cli
