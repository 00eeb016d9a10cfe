// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// The batch system of a cluster: one file per kind, and its name in scheduler.cpp.
namespace sare::cli {

/// In the batch system's own words, as one line.
class scheduler_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What a user says of the jobs; "" leaves it to the batch system.
struct job_options {
    std::string partition, time, account;
    std::vector<std::string> more;  ///< options of the batch system, passed on as they are
    std::size_t processes = 1;      ///< of a job
    std::size_t threads = 1;        ///< of a process, a core each
    std::size_t at_once = 0;  ///< jobs of an array that run at the same time; 0: as many as there is room for
};

/// An array of jobs: job i of them runs `command` with the word i behind it.
struct array_request {
    std::string name;                  ///< its own in all the cluster: letters, digits, '-', '_'
    std::size_t jobs = 0;              ///< their numbers are 0 to jobs - 1
    std::vector<std::string> command;  ///< with absolute paths
    std::filesystem::path folder;      ///< absolute: gets the script, and of each job N a log N.log
    std::string about;                 ///< a line for who reads the script
};

/// A job that the batch system knows of.
struct job_report {
    enum class state { waiting, running, ended } now = state::waiting;
    std::string said;        ///< its word for that, such as "TIMEOUT"; of one that waits why it does
    std::string id;          ///< of the job, as its commands take it
    bool cancelled = false;  ///< ended because somebody wanted it to
    bool timed_out = false;  ///< ended because it took longer than it was given
    bool held = false;       ///< waits until somebody lets it go
    bool stillborn = false;  ///< held since it could not be started; another one may

    bool is_alive() const { return now != state::ended; }
};
using array_report = std::map<std::size_t, job_report>;  ///< by number

class batch_scheduler {
  public:
    virtual ~batch_scheduler() = default;
    virtual std::string title() const = 0;      ///< as messages call it
    virtual std::size_t most_jobs() const = 0;  ///< of an array
    /// Answers the array's id; throws with nothing submitted.
    virtual std::string submit(const array_request& array, const job_options& options) = 0;
    /// By name of array; a job that is not in it is over, and forgotten. Throws where it does not answer.
    virtual std::map<std::string, array_report> look(const std::vector<std::string>& names) = 0;
    /// All jobs of the arrays. Throws where that cannot be.
    virtual void cancel_arrays(const std::vector<std::string>& names) = 0;
    /// Some jobs, by id.
    virtual void cancel_jobs(const std::vector<std::string>& ids) = 0;
};

/// By one of scheduler_names(). Throws scheduler_error where there is no such batch system, or it does not
/// answer.
std::unique_ptr<batch_scheduler> make_scheduler(const std::string& name);
std::vector<std::string> scheduler_names();

/// One each per file.
std::unique_ptr<batch_scheduler> make_slurm();

}  // namespace sare::cli
