// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <string>

namespace sare::cli {

/// A directory of many runs, on which one process works at a time, and which a later call of the same command
/// can continue. WHAT.json ("sweep.json") identifies its content.
class claimed_directory {
  public:
    /// `what`: the command that writes such directories, as in "sweep". The constructor neither makes nor
    /// locks the directory.
    claimed_directory(std::filesystem::path where, std::string what)
        : m_where(std::move(where)), m_what(std::move(what)) {}
    /// Unlocks the directory.
    ~claimed_directory();
    claimed_directory(const claimed_directory&) = delete;
    claimed_directory& operator=(const claimed_directory&) = delete;

    const std::filesystem::path& path() const { return m_where; }  ///< the directory
    /// Returns true if WHAT.json equals `identity` in all but its keys "program" and "file"; false if the
    /// directory is missing or empty. Throws config::error for any other content.
    bool holds(const json& identity) const;
    /// Makes the directory, or finds in it what holds() accepts, and locks it for this process until it ends
    /// or this object is deleted (on file systems without locks nothing is locked). Throws config::error for
    /// other content, which stays as it is, or if another process has locked it. `anew`: true: first removes
    /// the content of the directory, which must be a result of sare.
    void claim(const json& identity, bool anew = false);
    /// Removes the unfinished results (*.partial-*) that killed runs have left in `folder`; errors are
    /// ignored.
    void clean(const std::filesystem::path& folder) const;

  private:
    void lock();
    void empty();
    std::filesystem::path m_where;
    std::string m_what;
    int m_lock = -1;  ///< file descriptor of the lock; -1: not locked
};

}  // namespace sare::cli
