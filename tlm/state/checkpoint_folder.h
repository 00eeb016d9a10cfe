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

    const std::filesystem::path& path() const { return m_where; }
    /// True if it has no checkpoint, complete or not, or does not exist.
    bool empty() const { return all().empty(); }
    /// Writes a checkpoint into the folder, then removes those of later cycles and all but one of earlier
    /// ones. Throws state_error with file and reason; earlier checkpoints stay then.
    void write(const checkpoint_info& info, const state_function& state) const;
    /// Removes all its checkpoints, and the folder itself if nothing else is in it. Errors are ignored.
    void remove() const;
    /// Removes the checkpoint of a cycle, if there is one.
    void remove(std::uint64_t cycle) const;

    /// An open checkpoint and its file.
    struct opened {
        std::filesystem::path file;             ///< name of the file
        std::unique_ptr<std::ifstream> stream;  ///< stream that `what` reads from
        std::unique_ptr<checkpoint> what;       ///< the checkpoint, checked
    };
    /// Opens the last complete checkpoint of cycle `most` or earlier. If a later one of these is incomplete,
    /// calls `warn` with a line about it. Throws state_error if there is no complete one.
    opened last(const std::function<void(const std::string&)>& warn,
                std::uint64_t most = ~std::uint64_t{0}) const;

  private:
    /// Returns the files of checkpoints, in ascending order of their cycles.
    std::vector<std::filesystem::path> all() const;

    std::filesystem::path m_where;
};

}  // namespace sare
