// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>

/// Files by which a sweep, or a search for saturation, and its jobs tell each other things, in a folder for
/// each array of jobs, DIR/jobs/NNN: submission.json (what is swept), points.txt (a line for each job with
/// the numbers of its points), job.sh (the script), N.log (output of job N), N.failed (its points that would
/// fail again), `id` (of the array), `cancelled` (if the sweep has cancelled it), `over` (when no job is
/// left).
namespace sare::cli {

struct submission {
    std::filesystem::path folder;
    std::string scheduler, array, version;  ///< `array`: name in the cluster
    sweep_source source;
    std::size_t processes = 1;                   ///< processes of a job
    std::vector<std::vector<std::size_t>> jobs;  ///< points of each job

    /// Directory of the sweep.
    std::filesystem::path directory() const { return folder.parent_path().parent_path(); }
    std::filesystem::path log(std::size_t job) const { return folder / (std::to_string(job) + ".log"); }

    void write() const;
    static submission read(const std::filesystem::path& folder);  ///< throws config::error

    void write_id(const std::string& id) const;
    std::string id() const;  ///< "": unknown
    void write_failed(std::size_t job, const std::vector<std::size_t>& points) const;
    std::vector<std::size_t> failed(std::size_t job) const;
    void mark_cancelled() const;  ///< call from the sweep, which may be gone before its jobs
    bool is_cancelled() const;
    bool is_over() const;
    void close() const;
};

/// Makes the folder of a new submission in the directory of a sweep.
std::filesystem::path new_submission_folder(const std::filesystem::path& directory);
/// Returns all submissions, oldest first.
std::vector<submission> submissions(const std::filesystem::path& directory);
/// Returns the submissions whose jobs may still be at work.
std::vector<submission> open_submissions(const std::filesystem::path& directory);

/// Throws config::error if jobs are at work in the directory.
void refuse_jobs_at_work(const std::filesystem::path& directory);

}  // namespace sare::cli
