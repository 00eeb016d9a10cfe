// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_record.h"
#include "tb/sare/runs/store_options.h"

/// A command's access to the store. A run is valid without its record: failures are warnings, once.
namespace sare::cli {

class run_recorder {
  public:
    /// Opens the store, so that a wrong name is an error before anything runs; no store: nothing.
    explicit run_recorder(const store_options& options);

    bool is_on() const { return !m_file.empty(); }
    /// Returns the directory of a run of `e` that need not be run again; empty if there is none.
    std::filesystem::path known(const experiment& e);
    /// Records a directory with the results of `e`: a run, or a point of a sweep. `name`: used if `e` has
    /// none.
    void add(const experiment& e, const std::string& name, const std::filesystem::path& directory,
             std::int64_t sweep = 0);
    /// Records anything else. Returns its number, 0 on failure.
    std::int64_t add(const run_record& r);
    /// Removes the record of a directory that has been removed.
    void forget(const std::filesystem::path& directory);

  private:
    void warn_once(const std::string& what);

    std::string m_file;
    bool m_again, m_warned = false;
};

/// Copies results; throws config::error if the disk does not take them.
void copy_results(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sare::cli
