// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

/// A result directory that appears when it is complete, never half of one.
namespace sare::cli {

class result_directory {
  public:
    enum class existing { refuse, replace };

    /// Makes DIR.partial-HOST-PID beside the directory, so that a place that cannot be written is found
    /// before the simulation. An existing directory that is not empty is refused, or with `replace` replaced
    /// later if it is one of ours.
    result_directory(std::filesystem::path where, existing rule);
    /// Removes the partial directory unless it was committed.
    ~result_directory();
    result_directory(const result_directory&) = delete;
    result_directory& operator=(const result_directory&) = delete;

    const std::filesystem::path& path() const { return m_partial; }  ///< to be written into
    const std::filesystem::path& final_path() const { return m_where; }
    /// Renames it to its place; what was there before goes now.
    void commit();

  private:
    void put_in_place();

    std::filesystem::path m_where, m_partial;
    existing m_rule;
    bool m_committed = false;
};

/// Returns `wanted`, or the first of wanted-2, wanted-3, ... that does not exist.
std::filesystem::path free_name(const std::filesystem::path& wanted);
/// True for a directory that a run or a sweep has written.
bool is_result(const std::filesystem::path& where);
/// True if it does not exist or is an empty directory.
bool is_vacant(const std::filesystem::path& where);
/// Makes a directory and its parents; a config::error names `wanted`.
void make_directories(const std::filesystem::path& where, const std::filesystem::path& wanted);

}  // namespace sare::cli
