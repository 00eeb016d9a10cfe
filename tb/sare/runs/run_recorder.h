// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_record.h"
#include "tb/sare/runs/store_options.h"

/// A command's access to the store. A run is valid without its record: a failure is a warning, printed once.
namespace sare::cli {

/// Records the runs of a command in the user's store of runs.
class run_recorder {
  public:
    /// Opens the store of `options`, and closes it again, so that a wrong name is an error (store_error)
    /// before anything runs. Without a store this object does nothing.
    explicit run_recorder(const store_options& options);

    /// Returns true if there is a store.
    bool is_on() const { return !m_file.empty(); }
    /// Returns the directory of a finished run of `e` by this version, so that it need not be run again;
    /// empty if there is none, or with --again.
    std::filesystem::path known(const experiment& e);
    /// Records a directory with the results of `e`: a run, or a point of the sweep with the id `sweep` (0: of
    /// none). `name`: used if `e` has none.
    void add(const experiment& e, const std::string& name, const std::filesystem::path& directory,
             std::int64_t sweep = 0);
    /// Adds a record of any kind. Returns its id in the store; 0 on failure, or without a store.
    std::int64_t add(const run_record& r);
    /// Removes the record of `directory`, whose results have been removed.
    void forget(const std::filesystem::path& directory);

  private:
    void warn_once(const std::string& what);

    std::string m_file;              ///< path of the store; "": there is none
    bool m_again, m_warned = false;  ///< --again; true: a warning was printed
};

/// Copies the directory `from` into `to`, over what is there. Throws config::error if a file cannot be read
/// or written.
void copy_results(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sare::cli
