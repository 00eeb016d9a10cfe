// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <string>

namespace sare::cli {

/// A directory of many runs, on which one process works at a time, and which the same command can continue.
/// WHAT.json identifies its content ("sweep.json").
class claimed_directory {
  public:
    /// `what`: the command that writes such directories: "sweep". Neither makes nor locks the directory.
    claimed_directory(std::filesystem::path where, std::string what)
        : m_where(std::move(where)), m_what(std::move(what)) {}
    ~claimed_directory();
    claimed_directory(const claimed_directory&) = delete;
    claimed_directory& operator=(const claimed_directory&) = delete;

    const std::filesystem::path& path() const { return m_where; }
    /// True if WHAT.json equals `identity` beside its keys "program" and "file"; false if the directory is
    /// missing or empty. Throws config::error for other content.
    bool holds(const json& identity) const;
    /// Makes the directory, or finds in it what holds() accepts, and locks it for this process until it ends
    /// or this object is deleted. Throws config::error, without a change, for other content, or if another
    /// process has locked it. `anew`: true to replace any result of sare.
    void claim(const json& identity, bool anew = false);
    /// Removes the unfinished results (*.partial-*) that killed runs have left in `folder`.
    void clean(const std::filesystem::path& folder) const;

  private:
    void lock();
    void empty();
    std::filesystem::path m_where;
    std::string m_what;
    int m_lock = -1;  ///< file descriptor of the lock; -1: not locked
};

}  // namespace sare::cli
