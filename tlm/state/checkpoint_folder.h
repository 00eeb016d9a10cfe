// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/checkpoint.h"

#include <filesystem>
#include <fstream>

namespace sare {

/// A folder with the last two checkpoints of a run. A file gets its final name only when all of it is on the
/// disk, so that whatever happens during a write, the checkpoint before it stays complete.
class checkpoint_folder {
  public:
    /// `where`: the folder, which write() makes if it does not exist.
    explicit checkpoint_folder(std::filesystem::path where) : m_where(std::move(where)) {}

    const std::filesystem::path& path() const { return m_where; }  ///< the folder, as the constructor got it
    /// True if the folder has no checkpoint, complete or not, or does not exist.
    bool empty() const { return all().empty(); }
    /// Writes a checkpoint of cycle info.cycle into the folder. Then removes the checkpoints of later cycles,
    /// and of earlier cycles all but the last. Throws state_error with file and reason if the checkpoint
    /// cannot be written; all others stay then.
    void write(const checkpoint_info& info, const state_function& state) const;
    /// Removes all checkpoints of the folder, and the folder itself if nothing else is in it. Errors are
    /// ignored.
    void remove() const;
    /// Removes the checkpoint of a cycle, if there is one. Errors are ignored.
    void remove(std::uint64_t cycle) const;

    /// An open checkpoint and its file.
    struct opened {
        std::filesystem::path file;             ///< path of the file
        std::unique_ptr<std::ifstream> stream;  ///< stream that `what` reads from
        std::unique_ptr<checkpoint> what;       ///< the checkpoint, checked
    };
    /// Opens the last complete checkpoint of cycle `most` or earlier. If a later checkpoint up to `most` is
    /// incomplete, calls `warn` with a line about it. Throws state_error if no checkpoint is complete.
    opened last(const std::function<void(const std::string&)>& warn,
                std::uint64_t most = ~std::uint64_t{0}) const;

  private:
    /// Returns the files of checkpoints, in ascending order of their cycles.
    std::vector<std::filesystem::path> all() const;

    std::filesystem::path m_where;  ///< the folder
};

}  // namespace sare
