// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/scheduler.h"

#include <functional>

/// Arrays of jobs that are submitted and awaited.
namespace sare::cli {

class command_option;
class command_parser;

/// Value of --on with which commands run on this machine, without a scheduler.
constexpr const char* this_machine = "local";

/// Options on the place where jobs run, and on the jobs.
struct array_options {
    std::string on = this_machine;  ///< this_machine, or the name of a scheduler
    job_options jobs;               ///< options of the jobs
    double poll = 10;               ///< largest number of seconds between two questions to the scheduler

    /// Declares --on and the options of jobs. Returns the options of jobs, which make no sense without a
    /// cluster, for refuse_without_cluster(). `what`: plural noun for the jobs' work in the help: "points".
    std::vector<const command_option*> add_to(command_parser& command, const std::string& what);
};
/// Throws usage_error if one of `options` is given although `on`, the value of --on, is this_machine.
void refuse_without_cluster(const std::vector<const command_option*>& options, const std::string& on);

/// Returns a name for an array that no other array of the cluster has: "sare-", the name of the directory, of
/// which letters, digits, '-' and '_' are kept, and random digits.
std::string array_name(const std::filesystem::path& directory);

/// The end of the jobs of an array.
struct array_end {
    std::string title;  ///< name of the batch system: "Slurm"
    /// Last report on each job, by job number; jobs that the batch system never listed are missing.
    array_report jobs;

    /// Returns a line on a job without a result: the batch system's word for the job's end, if there is one,
    /// and the last line of its log.
    std::string no_result(std::size_t job, const std::filesystem::path& log) const;
};

/// Waits until each of the `jobs` jobs (0 to `jobs` - 1) of the submitted array `name` is done, as `is_done`
/// says, or is over without that: three looks in a row found it ended, or did not find it. A signal to stop
/// cancels the jobs, and ends the wait. `on_look` is called before each question to the scheduler. Throws as
/// make_scheduler() does, and scheduler_error if the jobs cannot be cancelled; a scheduler that does not
/// answer in between is asked again.
array_end await_array(const std::string& name, std::size_t jobs, const array_options& options,
                      const std::function<bool(std::size_t job)>& is_done,
                      const std::function<void()>& on_look);
/// Submits an array, and waits as await_array() does. Also throws scheduler_error if the array has too many
/// jobs for the batch system, or is refused.
array_end run_array(const array_request& array, const array_options& options,
                    const std::function<bool(std::size_t job)>& is_done,
                    const std::function<void()>& on_look);

}  // namespace sare::cli
