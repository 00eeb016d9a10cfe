// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/archive.h"

#include <functional>
#include <iosfwd>
#include <memory>

/// Format of a checkpoint: "SARECKPT" and the version of the format; a frame compressed by zstd that holds
/// the layout (checkpoint_layout()), checkpoint_info, the state and an end mark; the end mark again and the
/// checksum of the frame.
namespace sare {

/// Function that writes all state of a run to an archive, or reads it from there (archive::reads()).
using state_function = std::function<void(archive&)>;

/// Description of a checkpoint.
struct checkpoint_info {
    /// Configuration of the run, as YAML with all defaults; or a text that describes how the network was
    /// built.
    std::string config;
    std::string folder;       ///< folder to which file names in `config` are relative; "": no folder
    std::uint64_t cycle = 0;  ///< first cycle that has not been run
    /// `folder` as the user wrote it, relative to the folder in which the run was started.
    std::string named{};
    void serialize(archive& a) { a(config, folder, cycle, named); }
};

/// Writes a checkpoint. Throws state_error if `state` cannot be written or the stream takes no more; the
/// stream then holds no valid checkpoint.
void write_checkpoint(std::ostream& to, checkpoint_info info, const state_function& state);

/// A complete checkpoint, opened for reading: the constructor has read all of it, and its checksum is right.
class checkpoint {
  public:
    /// Checks all of `from`, which must be seekable and outlive this object. Throws state_error if it is no
    /// checkpoint, is cut short or damaged, or is of another build of the program (checkpoint_layout()).
    explicit checkpoint(std::istream& from);
    ~checkpoint();
    checkpoint(const checkpoint&) = delete;
    checkpoint& operator=(const checkpoint&) = delete;

    /// Returns the description that was written with the state.
    const checkpoint_info& info() const { return m_info; }
    /// Reads the state; call once. Throws state_error if `state` reads more or less than was written.
    void restore(const state_function& state);

  private:
    class reader;
    std::unique_ptr<reader> m_reader;
    checkpoint_info m_info;
};

/// Returns a text that is the same for two builds of the program if one can read checkpoints of the other. It
/// has digests of the model's and the traffic's sources, and the version of the compiler.
std::string checkpoint_layout();

}  // namespace sare
