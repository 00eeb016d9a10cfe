// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <filesystem>
#include <functional>

namespace sare::cli {

/// Results of the cases of one `sare cosim`, each written to the disk when its case ends, so that the same
/// command can go on after an interrupt or a kill. The journal is a folder with the file cases.jsonl, a line
/// of JSON for each case, and the folder `counters` for Verilator's counters of covered lines and toggles.
class cosim_journal {
  public:
    /// Reads the cases of `folder`, which is made if it does not exist. `identity`: all on which results
    /// depend (program, RTL, file, names and seeds of cases, options); if that of the folder is another one,
    /// its cases are removed. Without cases its counters are removed, too. A last line that is cut off is
    /// dropped. Throws config::error if the folder cannot be written.
    cosim_journal(std::filesystem::path folder, const json& identity);

    /// Calls `take` with the number and the result of each case that the constructor has read, in the order
    /// in which they were added.
    void replay(const std::function<void(std::size_t number, const json& result)>& take) const;
    /// Returns true if the constructor has read a result of case `number`; false for one added since.
    bool has(std::size_t number) const;
    /// Appends the result of case `number` to the file; it is on the disk when the call returns. Throws
    /// config::error if it cannot be written.
    void add(std::size_t number, const json& result);
    /// Returns the folder for the counters of lines and toggles of each case; it exists.
    std::filesystem::path counters() const { return m_folder / "counters"; }

  private:
    std::filesystem::path m_folder;
    std::vector<std::pair<std::size_t, json>> m_kept;  ///< numbers and results of the cases read
};

}  // namespace sare::cli
