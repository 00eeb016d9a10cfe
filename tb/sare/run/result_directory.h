// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// Directories of results.
namespace sare::cli {

/// A result directory that appears when it is complete, never half of one.
class result_directory {
  public:
    /// Rule for a place where there is something already. refuse: an error; replace: a result there is
    /// replaced.
    enum class existing { refuse, replace };

    /// Makes WHERE.partial-HOST-PID beside the directory, and its parents, so that a place that cannot be
    /// written is found before the simulation. Throws config::error if they cannot be made. If `where` exists
    /// and is not vacant (see is_vacant()), throws with `refuse`; with `replace` throws unless it is a result
    /// (see is_result()), which commit() then replaces.
    result_directory(std::filesystem::path where, existing rule);
    /// Removes the partial directory unless commit() was successful.
    ~result_directory();
    result_directory(const result_directory&) = delete;
    result_directory& operator=(const result_directory&) = delete;

    /// Returns the partial directory, which is to be written into.
    const std::filesystem::path& path() const { return m_partial; }
    /// Returns the place of the finished directory.
    const std::filesystem::path& final_path() const { return m_where; }
    /// Renames path() to final_path(). With `replace`, a result that is there, even one made after the
    /// constructor, is first moved aside, and removed when the new one is in place. Throws config::error if a
    /// step fails, or for anything there that is not vacant and, with `replace`, no result. What was there
    /// then stays or is moved back, and the destructor removes the new results.
    void commit();

  private:
    void put_in_place();

    std::filesystem::path m_where, m_partial;
    existing m_rule;
    bool m_committed = false;
};

/// Returns true if the process that made `partial`, the partial directory of a result (WHERE.partial-HOST-PID
/// of result_directory), may still be at work: it is alive, or ran on another machine.
bool is_at_work(const std::filesystem::path& partial);
/// Returns the first vacant one (see is_vacant()) of the names wanted, wanted-2, wanted-3, ...
std::filesystem::path free_name(const std::filesystem::path& wanted);
/// Returns true if the directory has a summary.json, sweep.json, saturate.json, cosim.json or regress.json,
/// one of which each result of Sare has.
bool is_result(const std::filesystem::path& where);
/// Returns true if `where` does not exist, or is an empty directory that can be read.
bool is_vacant(const std::filesystem::path& where);
/// Makes the directory `where` and its parents, unless it exists or `where` is empty. Throws config::error,
/// which names `wanted`, if that fails.
void make_directories(const std::filesystem::path& where, const std::filesystem::path& wanted);

}  // namespace sare::cli
