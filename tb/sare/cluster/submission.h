// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>

/// Files by which a sweep, or a search for saturation, exchanges data with its jobs on a cluster.
namespace sare::cli {

/// The files of an array of jobs, in a folder DIR/jobs/NNN. submission.json has the experiment and axes;
/// points.txt a line for each job with the numbers of its points; job.sh the script. N.log has the output of
/// job N; N.failed the numbers of its points that would fail again. `id` has the batch system's id of the
/// array. `cancelled` exists if the sweep has cancelled the jobs, `over` when no job is left.
struct submission {
    std::filesystem::path folder;                ///< DIR/jobs/NNN, absolute
    std::string scheduler;                       ///< name of the batch system, as in scheduler_names()
    std::string array;                           ///< name of the array in the cluster
    std::string version;                         ///< version of the program that has submitted it
    sweep_source source;                         ///< experiment and axes
    std::size_t processes = 1;                   ///< number of processes of a job
    std::vector<std::vector<std::size_t>> jobs;  ///< numbers of the points of each job

    /// Returns the directory of the sweep or search, DIR.
    std::filesystem::path directory() const { return folder.parent_path().parent_path(); }
    /// Returns the path of the file with the output of job number `job`.
    std::filesystem::path log(std::size_t job) const { return folder / (std::to_string(job) + ".log"); }

    /// Writes submission.json and points.txt into the folder; throws config::error if the disk does not take
    /// them.
    void write() const;
    /// Reads what write() has written. Throws config::error if submission.json is missing or malformed;
    /// points.txt is not checked, and without it there are no jobs.
    static submission read(const std::filesystem::path& folder);

    /// @name Other files of the folder; a write throws config::error if the disk does not take it
    /// @{
    /// Writes the batch system's id of the array.
    void write_id(const std::string& id) const;
    std::string id() const;  ///< returns the batch system's id of the array; "": unknown
    /// Writes the numbers of the points of job `job` that would fail again into N.failed.
    void write_failed(std::size_t job, const std::vector<std::size_t>& points) const;
    /// Returns the numbers of the points in N.failed of job N; empty: there is no such file.
    std::vector<std::size_t> failed(std::size_t job) const;
    /// Makes the file `cancelled`, by which the jobs learn that they are cancelled; called by the sweep,
    /// which may end before its jobs.
    void mark_cancelled() const;
    bool is_cancelled() const;  ///< returns true if mark_cancelled() was called
    bool is_over() const;       ///< returns true if close() was called
    void close() const;         ///< makes the file `over`, which says that no job is left
    /// @}
};

/// Makes the folder of a new submission, the first free DIR/jobs/NNN, in the directory of a sweep, and
/// returns its absolute path. Throws config::error if the folder cannot be made.
std::filesystem::path new_submission_folder(const std::filesystem::path& directory);
/// Returns all submissions in the directory of a sweep or search, the oldest first; empty if there are none.
/// Throws config::error if one is damaged.
std::vector<submission> submissions(const std::filesystem::path& directory);
/// Returns the submissions whose jobs may still be at work: those that are not over. Throws config::error if
/// a submission is damaged.
std::vector<submission> open_submissions(const std::filesystem::path& directory);

/// Throws config::error if jobs are at work in the directory of a sweep or search, or their scheduler does
/// not answer. Closes submissions whose jobs have all ended.
void refuse_jobs_at_work(const std::filesystem::path& directory);

}  // namespace sare::cli
