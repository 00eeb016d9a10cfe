// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/checkpoint.h"

#include <filesystem>
#include <fstream>

namespace sare {

/// A folder with the last two checkpoints of a run. A file gets its name when it is on the disk, and never
/// before: whatever happens, the checkpoint before it is whole.
class checkpoint_folder {
  public:
    explicit checkpoint_folder(std::filesystem::path where) : m_where(std::move(where)) {}

    const std::filesystem::path& path() const { return m_where; }
    /// True if it has no checkpoint.
    bool empty() const { return all().empty(); }
    /// Writes a checkpoint into the folder. Throws state_error with file and reason; earlier ones stay.
    void write(const checkpoint_info& info, const state_function& state) const;
    /// Removes all its checkpoints, and the folder.
    void remove() const;
    /// Removes the checkpoint of a cycle.
    void remove(std::uint64_t cycle) const;

    /// An open file.
    struct opened {
        std::filesystem::path file;
        std::unique_ptr<std::ifstream> stream;
        std::unique_ptr<checkpoint> what;
    };
    /// Opens the last complete checkpoint, of cycle `most` or earlier; `warn` is told of incomplete ones.
    /// Throws state_error if there is none.
    opened last(const std::function<void(const std::string&)>& warn,
                std::uint64_t most = ~std::uint64_t{0}) const;

  private:
    /// Checkpoints in order of their cycles.
    std::vector<std::filesystem::path> all() const;

    std::filesystem::path m_where;
};

}  // namespace sare
