// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>

/// What a sweep, or a search for saturation, and its jobs tell each other, in files of a folder per array of
/// jobs, DIR/jobs/NNN: submission.json what is swept, points.txt a line per job with the numbers of its
/// points, job.sh the script, N.log what job N has said, N.failed the points of it that would fail again,
/// `id` that of the array, `cancelled` if the sweep has cancelled it, `over` when none of the jobs is left.
namespace sare::cli {

struct submission {
    std::filesystem::path folder;
    std::string scheduler, array, version;  ///< `array`: its name in the cluster
    sweep_source source;
    std::size_t processes = 1;                   ///< of a job
    std::vector<std::vector<std::size_t>> jobs;  ///< the points of each

    /// Of the sweep.
    std::filesystem::path directory() const { return folder.parent_path().parent_path(); }
    std::filesystem::path log(std::size_t job) const { return folder / (std::to_string(job) + ".log"); }

    void write() const;
    static submission read(const std::filesystem::path& folder);  ///< throws config::error

    void write_id(const std::string& id) const;
    std::string id() const;  ///< ""; not known
    void write_failed(std::size_t job, const std::vector<std::size_t>& points) const;
    std::vector<std::size_t> failed(std::size_t job) const;
    void mark_cancelled() const;  ///< by the sweep itself, which may be gone before the jobs are
    bool is_cancelled() const;
    bool is_over() const;
    void close() const;
};

/// Makes the folder of a new submission in the directory of a sweep.
std::filesystem::path new_submission_folder(const std::filesystem::path& directory);
/// Oldest first.
std::vector<submission> submissions(const std::filesystem::path& directory);
/// Those whose jobs may still be at work.
std::vector<submission> open_submissions(const std::filesystem::path& directory);

/// Throws config::error where jobs are at work in the directory.
void refuse_jobs_at_work(const std::filesystem::path& directory);

}  // namespace sare::cli
