// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/archive.h"

#include <functional>
#include <iosfwd>
#include <memory>

/// Format of a checkpoint: "SARECKPT", its version; a zstd frame of layout, checkpoint_info, state and end
/// mark; the mark again and the sum of the frame.
namespace sare {

/// Writes a state, or reads it.
using state_function = std::function<void(archive&)>;

/// Description of a checkpoint.
struct checkpoint_info {
    std::string config;       ///< resolved YAML, or a build's description
    std::string folder;       ///< folder that file names in it are relative to; "": none
    std::uint64_t cycle = 0;  ///< first cycle that has not been run
    std::string named{};      ///< `folder` as the user named it, relative to where the run began
    void serialize(archive& a) { a(config, folder, cycle, named); }
};

/// Writes a checkpoint. Throws state_error if the stream takes no more; it then holds no checkpoint.
void write_checkpoint(std::ostream& to, checkpoint_info info, const state_function& state);

/// A complete checkpoint: all of it has been read, and its sum is right.
class checkpoint {
  public:
    /// Checks all of `from`, which is seekable and outlives this. Throws state_error for no checkpoint, one
    /// that is cut short or damaged, and one of another build of the program (checkpoint_layout()).
    explicit checkpoint(std::istream& from);
    ~checkpoint();
    checkpoint(const checkpoint&) = delete;
    checkpoint& operator=(const checkpoint&) = delete;

    const checkpoint_info& info() const { return m_info; }
    /// Reads the state; call once. Throws state_error if it is not all read, a mistake of the program.
    void restore(const state_function& state);

  private:
    class reader;
    std::unique_ptr<reader> m_reader;
    checkpoint_info m_info;
};

/// Returns what determines the form of a state: sources of the model and its traffic, and compiler.
std::string checkpoint_layout();

}  // namespace sare
