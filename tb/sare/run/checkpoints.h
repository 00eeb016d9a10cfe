// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/process/progress_line.h"
#include "tb/sare/run/input.h"
#include "tlm/base/world.h"
#include "tlm/state/checkpoint_folder.h"

#include <optional>

/// Long runs: --checkpoint and --resume of `sare run`.
namespace sare::cli {

class command_parser;

struct checkpoint_options {
    std::string every;   ///< cycles, time or both: "1000000,10min"; "": none
    std::string resume;  ///< results folder of a run that has not ended

    void add_to(command_parser& command);
    /// Reads `every`; throws usage_error if malformed.
    checkpoint_rule rule() const;
};

/// The checkpoints of one run, which are beside its results, in DIR.checkpoints, until it ends. Several
/// processes have a folder each, and resume from the last cycle that all have.
class run_checkpoints {
  public:
    /// `results`: DIR. With `options.resume` opens the last complete checkpoint; throws config::error if
    /// there is none. `processes`: null for one; must outlive this.
    run_checkpoints(const checkpoint_options& options, const std::filesystem::path& results,
                    world* processes);

    /// Returns the experiment that is resumed, with the changes of the command line.
    experiment resumed(const input_options& input) const;
    /// Throws config::error if `e` is not the run that was written.
    void check_same(const experiment& e) const;
    /// Throws config::error if checkpoints of another run are in the way, or with `overwrite` removes them.
    /// With several processes the first one does it, before any writes.
    void make_way(bool overwrite) const;
    /// Sets resume, checkpoints and keep. This and `line` must outlive the run.
    void tell(run_control& control, const experiment& e, progress_line& line);
    /// Removes the checkpoints. If interrupted, keeps them; returns the command to resume, else "".
    std::string settle(run_status status) const;

  private:
    void open_last();
    void check_processes() const;
    void keep(const checkpoint_info& info, const state_function& state, progress_line& line) const;
    void remove_all() const;
    bool in_use() const { return m_from || !m_options.every.empty(); }

    checkpoint_options m_options;
    std::filesystem::path m_results, m_place;
    world* m_processes;
    checkpoint_folder m_folder;  ///< folder of this process
    std::optional<checkpoint_folder::opened> m_from;
};

}  // namespace sare::cli
