// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/process/progress_line.h"
#include "tb/sare/run/input.h"
#include "tlm/base/world.h"
#include "tlm/state/checkpoint_folder.h"

#include <optional>

/// Long runs: what --checkpoint and --resume make of `sare run`.
namespace sare::cli {

class command_parser;

struct checkpoint_options {
    std::string every;   ///< "" or as written: "1000000", "10min", "1000000,10min"
    std::string resume;  ///< the folder of the results of a run that has not come to its end

    void add_to(command_parser& command);
    /// Throws usage_error for what is no rule.
    checkpoint_rule rule() const;
};

/// The checkpoints of one run, which lie beside its results in DIR.checkpoints until it has come to its end.
/// Of several processes each has a folder there, and they go on from the last cycle that all have.
class run_checkpoints {
  public:
    /// `results`: DIR. With `options.resume` the last whole checkpoint is opened, or a config::error thrown.
    /// `processes`: null for one; it outlives this.
    run_checkpoints(const checkpoint_options& options, const std::filesystem::path& results,
                    world* processes);

    /// The experiment that is gone on with: as it was, with what the command line sets.
    experiment resumed(const input_options& input) const;
    /// Throws config::error where `e` is not the run that was written.
    void check_same(const experiment& e) const;
    /// Throws config::error where those of another run are in the way; `overwrite`: they go. Of several
    /// processes the first one does it, before any writes.
    void make_way(bool overwrite) const;
    /// `line` and `e` outlive the run.
    void tell(run_control& control, const experiment& e, progress_line& line);
    /// After the run: they stay for what was interrupted. Gives how to go on, or "".
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
    checkpoint_folder m_folder;  ///< of this process
    std::optional<checkpoint_folder::opened> m_from;
};

}  // namespace sare::cli
