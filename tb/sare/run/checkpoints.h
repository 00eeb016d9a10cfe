// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/process/progress_line.h"
#include "tb/sare/run/input.h"
#include "tlm/base/world.h"
#include "tlm/state/checkpoint_folder.h"

#include <optional>

/// Checkpoints of long runs: --checkpoint and --resume of `sare run`.
namespace sare::cli {

class command_parser;

/// Options --checkpoint and --resume: the interval of checkpoints, and the run that is resumed.
struct checkpoint_options {
    /// Interval of checkpoints in cycles, in time of the wall clock, or both: "1000000,10min"; "": none are
    /// written.
    std::string every;
    std::string resume;  ///< results folder of a run that has not ended; "": none is resumed

    /// Declares --checkpoint and --resume.
    void add_to(command_parser& command);
    /// Returns `every` as numbers; throws usage_error if it is malformed.
    checkpoint_rule rule() const;
};

/// Writes a checkpoint of a run before cycle `cycle`, from which `sare run --resume results` goes on. Returns
/// the folder. Throws state_error with file and reason.
std::string save_checkpoint(const experiment& e, const std::filesystem::path& results, cycle_t cycle,
                            const state_function& state);

/// The checkpoints of one run, which stand beside its results, in DIR.checkpoints, until the run ends.
/// Several processes have a folder each, and resume from the last cycle that all have.
class run_checkpoints {
  public:
    /// `results`: DIR. With `options.resume` opens the last complete checkpoint; throws config::error if
    /// there is none. `processes`: the processes of the run; null: there is one alone. It must outlive this
    /// object.
    run_checkpoints(const checkpoint_options& options, const std::filesystem::path& results,
                    world* processes);

    /// Returns the experiment that is resumed, with the settings of the command line `input` over it. Call it
    /// only with `options.resume`.
    experiment resumed(const input_options& input) const;
    /// Throws config::error if `e` is another experiment than that of the checkpoint: a parameter differs
    /// that is neither `threads` nor in the sections `checks` and `cosim`. Does nothing unless a run is
    /// resumed.
    void check_same(const experiment& e) const;
    /// Throws config::error if checkpoints of an earlier run are in the way of new ones; with `overwrite`
    /// removes them instead. Does nothing if this run is resumed or writes no checkpoints. With several
    /// processes, call it in the first one alone, before any process writes.
    void make_way(bool overwrite) const;
    /// Sets `resume`, `checkpoints` and `keep` of `control`. This object and `line` must outlive the run.
    void tell(run_control& control, const experiment& e, progress_line& line);
    /// Removes the checkpoints and returns ""; if the run was interrupted, keeps them and returns the command
    /// that resumes the run ("" if there are none). Call it at the end of the run, in all processes.
    std::string settle(run_status status) const;

  private:
    void open_last();
    void check_processes() const;
    void keep(const checkpoint_info& info, const state_function& state, progress_line& line) const;
    void remove_all() const;
    bool in_use() const { return m_from || !m_options.every.empty(); }

    checkpoint_options m_options;
    std::filesystem::path m_results, m_place;  ///< DIR, and DIR.checkpoints
    world* m_processes;                        ///< processes of the run; null: there is one alone
    checkpoint_folder m_folder;                ///< folder of this process
    /// Checkpoint from which the run is resumed; nothing: the run begins anew.
    std::optional<checkpoint_folder::opened> m_from;
};

}  // namespace sare::cli
