// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/cluster/scheduler.h"

#include <functional>

/// An array of jobs that is submitted and awaited.
namespace sare::cli {

class command_option;
class command_parser;

/// Value of --on: commands run their jobs here.
constexpr const char* this_machine = "local";

struct array_options {
    std::string on = this_machine;  ///< this_machine, or the name of a scheduler
    job_options jobs;
    double poll = 10;  ///< most seconds between two questions to the scheduler

    /// Adds --on and the options of jobs. Returns all but --on, which make no sense without a cluster. `what`
    /// runs there: "points".
    std::vector<const command_option*> add_to(command_parser& command, const std::string& what);
};
/// Throws usage_error if one of `options` is given and nothing runs on a cluster.
void refuse_without_cluster(const std::vector<const command_option*>& options, const std::string& on);

/// Returns a name, made from that of a directory, that no other array of the cluster has.
std::string array_name(const std::filesystem::path& directory);

/// End of the jobs of an array.
struct array_end {
    std::string title;  ///< name of the batch system
    array_report jobs;  ///< last report on each job; jobs that it never knew are not in it

    /// Returns a line on a job without a result: the batch system's word for its end, if there is one, and
    /// the last line of its log.
    std::string no_result(std::size_t job, const std::filesystem::path& log) const;
};

/// Waits until each job of a submitted array is done, as `is_done` says, or over without that. A signal to
/// stop cancels the jobs. `on_look` is called before each question to the scheduler.
array_end await_array(const std::string& name, std::size_t jobs, const array_options& options,
                      const std::function<bool(std::size_t job)>& is_done,
                      const std::function<void()>& on_look);
/// Submits an array, and waits as await_array() does.
array_end run_array(const array_request& array, const array_options& options,
                    const std::function<bool(std::size_t job)>& is_done,
                    const std::function<void()>& on_look);

}  // namespace sare::cli
