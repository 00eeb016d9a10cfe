// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <functional>

namespace sare::cli {

/// Results of the cases of one `sare cosim`, written as they come, so that the same command can go on after
/// an interrupt or a kill: a folder with cases.jsonl, and `counters` for the counters of covered RTL.
class cosim_journal {
  public:
    /// Makes `folder`, or finds the cases that are in it. `identity`: the program, the RTL and the options on
    /// which results depend; cases of another identity are dropped. Throws config::error if the folder cannot
    /// be written.
    cosim_journal(std::filesystem::path folder, const json& identity);

    /// Calls `take` with the number and the result of each case that was kept.
    void replay(const std::function<void(std::size_t number, const json& result)>& take) const;
    /// True if the result of a case was kept.
    bool has(std::size_t number) const;
    /// Keeps the result of case `number`; it is in the file when the call returns.
    void add(std::size_t number, const json& result);
    /// Folder for the counters of lines and toggles of each case.
    std::filesystem::path counters() const { return m_folder / "counters"; }

  private:
    std::filesystem::path m_folder;
    std::vector<std::pair<std::size_t, json>> m_kept;
};

}  // namespace sare::cli
