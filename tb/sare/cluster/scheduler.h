// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Interface to the batch system of a cluster. Each kind has a file of its own, and its name in
/// scheduler.cpp.
namespace sare::cli {

/// Error of the batch system, in its own words, as one line.
class scheduler_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Options of jobs that a user gives; "" leaves the choice to the batch system.
struct job_options {
    std::string partition;  ///< partition (queue) of the jobs
    std::string time;       ///< limit of the time that a job runs, as the batch system writes it: "2:00:00"
    std::string account;    ///< account that the jobs are charged to
    std::vector<std::string> more;  ///< further options of the batch system, passed on unchanged
    std::size_t processes = 1;      ///< number of processes of a job, which run on one machine
    std::size_t threads = 1;        ///< number of threads of a process, each on a core
    std::size_t at_once = 0;  ///< largest number of jobs of an array that run at the same time; 0: no limit
};

/// An array of jobs: job i runs `command` with the word i appended.
struct array_request {
    std::string name;                  ///< name that is unique in the cluster, of letters, digits, '-', '_'
    std::size_t jobs = 0;              ///< number of jobs, at least 1; they have the numbers 0 to jobs - 1
    std::vector<std::string> command;  ///< command line, with absolute paths
    std::filesystem::path folder;  ///< folder, with an absolute path, that gets the script job.sh, and a log
                                   ///< N.log of each job N
    std::string about;             ///< comment line in the script, on the purpose of the jobs
};

/// A job that the batch system knows of.
struct job_report {
    /// Present state of the job.
    enum class state { waiting, running, ended } now = state::waiting;
    std::string said;  ///< the batch system's word for the state, "TIMEOUT"; of a waiting job, why it waits
    std::string id;    ///< id of the job, as the batch system's commands take it
    bool cancelled = false;  ///< true: the job has ended because somebody cancelled it
    bool timed_out = false;  ///< true: the job has ended because it took longer than allowed
    bool held = false;       ///< true: the job waits until somebody releases it
    /// True: the job is held since it could not be started; a new job in its place might start.
    bool stillborn = false;

    bool is_alive() const { return now != state::ended; }  ///< true: the job waits or runs
};
using array_report = std::map<std::size_t, job_report>;  ///< reports of jobs, by their numbers

/// A batch system, to which jobs are submitted.
class batch_scheduler {
  public:
    virtual ~batch_scheduler() = default;
    virtual std::string title() const = 0;      ///< returns the name in messages: "Slurm"
    virtual std::size_t most_jobs() const = 0;  ///< returns the largest number of jobs of an array
    /// Submits an array and returns its id. Throws scheduler_error if nothing was submitted, config::error if
    /// the script cannot be written.
    virtual std::string submit(const array_request& array, const job_options& options) = 0;
    /// Returns the reports of arrays, by name. A job or array that is missing in the result has ended long
    /// ago, so that the batch system has forgotten it, or is not listed yet. Throws scheduler_error if there
    /// is no answer. `names` must not be empty.
    virtual std::map<std::string, array_report> look(const std::vector<std::string>& names) = 0;
    /// Cancels all jobs of the arrays with the names `names`. Throws scheduler_error if the batch system
    /// refuses or does not answer.
    virtual void cancel_arrays(const std::vector<std::string>& names) = 0;
    /// Cancels the jobs with the ids `ids` (job_report::id). Throws scheduler_error if the batch system
    /// refuses or does not answer.
    virtual void cancel_jobs(const std::vector<std::string>& ids) = 0;
};

/// Makes the scheduler with a name in scheduler_names(); throws std::logic_error for any other name, and
/// scheduler_error if that batch system is not on this machine or does not answer.
std::unique_ptr<batch_scheduler> make_scheduler(const std::string& name);
/// Returns the names of the batch systems that jobs can be submitted to.
std::vector<std::string> scheduler_names();

/// Makes the scheduler for Slurm. Throws scheduler_error if Slurm is not on this machine or does not answer.
std::unique_ptr<batch_scheduler> make_slurm();

}  // namespace sare::cli
