// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/checkpoint.h"

#include <filesystem>
#include <fstream>

namespace sare {

/// A folder of a run's checkpoints, of which the last two are kept. A file has its name when it is on the
/// disk, and never before: whatever happens, the one before is whole.
class checkpoint_folder {
  public:
    explicit checkpoint_folder(std::filesystem::path where) : m_where(std::move(where)) {}

    const std::filesystem::path& path() const { return m_where; }
    /// There is none in it.
    bool empty() const { return all().empty(); }
    /// Makes the folder. Throws state_error, with the file and the reason; those before are still there.
    void write(const checkpoint_info& info, const state_function& state) const;
    /// All of its files go, and it, too.
    void remove() const;
    /// That of a cycle goes.
    void remove(std::uint64_t cycle) const;

    /// A file that is open.
    struct opened {
        std::filesystem::path file;
        std::unique_ptr<std::ifstream> stream;
        std::unique_ptr<checkpoint> what;
    };
    /// The last one that is whole, of cycle `most` at the latest; `warn` is told of those that are not.
    /// Throws state_error where there is none.
    opened last(const std::function<void(const std::string&)>& warn,
                std::uint64_t most = ~std::uint64_t{0}) const;

  private:
    /// From the first to the last.
    std::vector<std::filesystem::path> all() const;

    std::filesystem::path m_where;
};

}  // namespace sare
