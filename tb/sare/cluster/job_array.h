// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/scheduler.h"

#include <functional>

/// An array of jobs that is submitted and waited for.
namespace sare::cli {

class command_option;
class command_parser;

/// Where commands run what they have to run.
constexpr const char* this_machine = "local";

struct array_options {
    std::string on = this_machine;  ///< or a scheduler's name
    job_options jobs;
    double poll = 10;  ///< seconds between two questions to the scheduler, at most

    /// Adds --on, and what is said of jobs: all but --on, which make no sense without a cluster. `what` runs
    /// there: "points".
    std::vector<const command_option*> add_to(command_parser& command, const std::string& what);
};
/// Throws usage_error where one of them is given and nothing runs on a cluster.
void refuse_without_cluster(const std::vector<const command_option*>& options, const std::string& on);

/// A name that no other array of the cluster has, from that of a directory.
std::string array_name(const std::filesystem::path& directory);

/// How the jobs of an array have ended.
struct array_end {
    std::string title;  ///< of the batch system
    array_report jobs;  ///< what it said of each last; those that it never knew of are not in it

    /// A line on a job without a result: the batch system's word for its end, if there is one, and the last
    /// of its log.
    std::string no_result(std::size_t job, const std::filesystem::path& log) const;
};

/// Returns when each job of an array that was submitted is done, as `is_done` says, or over without that. A
/// signal to stop cancels the jobs. `on_look` is called before each question to the scheduler.
array_end await_array(const std::string& name, std::size_t jobs, const array_options& options,
                      const std::function<bool(std::size_t job)>& is_done,
                      const std::function<void()>& on_look);
/// Submits one and waits likewise.
array_end run_array(const array_request& array, const array_options& options,
                    const std::function<bool(std::size_t job)>& is_done,
                    const std::function<void()>& on_look);

}  // namespace sare::cli
