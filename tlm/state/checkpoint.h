// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/archive.h"

#include <functional>
#include <iosfwd>
#include <memory>

/// Checkpoints as they lie in a file: "SARECKPT", the version of the format, and one zstd frame, with its
/// checksum, of what is told before all else, of the state and of an end mark.
namespace sare {

/// Both directions of a state.
using state_function = std::function<void(archive&)>;

/// What a checkpoint is of.
struct checkpoint_info {
    std::string config;       ///< the resolved configuration, or what stands for it
    std::string folder;       ///< that names of files in it are relative to; "" where it has none
    std::uint64_t cycle = 0;  ///< the first one that has not been run
    std::string named{};      ///< `folder` as the user named it, from where the run began
    void serialize(archive& a) { a(config, folder, cycle, named); }
};

/// Throws state_error where the stream takes no more; what stands in it then is no checkpoint.
void write_checkpoint(std::ostream& to, checkpoint_info info, const state_function& state);

/// A checkpoint that is whole: all of it has been looked at, and its sum is right.
class checkpoint {
  public:
    /// Reads from where the stream stands to its end, and can go back there. Throws state_error for what is
    /// no checkpoint, is cut short or damaged, or was written by another version of the program (layout()).
    explicit checkpoint(std::istream& from);
    ~checkpoint();
    checkpoint(const checkpoint&) = delete;
    checkpoint& operator=(const checkpoint&) = delete;

    const checkpoint_info& info() const { return m_info; }
    /// Once; it reads all that was written, or throws state_error, which means a mistake of the program.
    void restore(const state_function& state);

  private:
    class reader;
    std::unique_ptr<reader> m_reader;
    checkpoint_info m_info;
};

/// What decides how state lies in a file: the sources of the model and its traffic, and the compiler.
std::string checkpoint_layout();

}  // namespace sare
