// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/debug/state_json.h"

#include <csignal>
#include <functional>
#include <string>
#include <vector>

/// The process that runs a network under the debugger, and copies of it (fork) that stand still in earlier
/// cycles: whatever a router, a workload or a plugin is, a copy has all of its state.
namespace sare::cli {

/// One end of a connection between two processes that carries lines of text, and file descriptors beside
/// them. It owns its descriptor.
class line_channel {
  public:
    explicit line_channel(int handle = -1) : m_handle(handle) {}
    line_channel(line_channel&& o) noexcept;
    line_channel& operator=(line_channel&& o) noexcept;
    ~line_channel();

    /// Sends a line, with a file descriptor unless that is -1; returns false if the other end is gone.
    bool send(const std::string& line, int descriptor = -1) const;
    /// Waits for a line and sets `line` to it, without its end. Returns false if the other end is gone.
    bool receive(std::string& line);
    /// Returns the descriptor that came with the last line, which the caller must close; -1: none came.
    int take_descriptor();
    int handle() const { return m_handle; }  ///< descriptor of the connection; -1: there is none

  private:
    int m_handle;
    int m_descriptor = -1;
    std::string m_buffer;
};

/// The end of the connection in the process that runs the network. It handles two requests itself: "keep"
/// makes a copy of the process, "wake" lets a copy go on.
class engine_side {
  public:
    explicit engine_side(line_channel front);
    /// Sends an answer (null: sends none) and returns the next request; ends the process if the other end is
    /// gone.
    state_json exchange(const state_json& answer);
    void fail(const std::string& why);  ///< answers that the run has ended with an error
    /// Returns a flag that SIGINT sets to a value other than 0.
    static volatile std::sig_atomic_t& interrupted();

  private:
    /// An open regular file: descriptor, position in bytes, and flags of fcntl().
    struct open_file {
        int descriptor;
        long long offset;
        int flags;
    };
    std::string why_not_kept() const;
    void keep();
    void wait_as_copy();
    std::vector<open_file> files() const;

    line_channel m_front;
    std::vector<int> m_before;  ///< descriptors open at the start
    std::vector<int> m_copies;  ///< ids of the processes of copies made here that have not ended
};

/// The processes of a run, as the process of the user interface sees them: one that runs, and copies that
/// stand in earlier cycles.
class engine_processes {
  public:
    /// Starts a process that calls `body` with its end of the connection; `body` must not return. Throws
    /// config::error if no process can be made.
    explicit engine_processes(const std::function<void(engine_side&)>& body);

    /// Sends `request` to the process that runs, and returns its answer. Throws config::error if it has
    /// ended, or its run has failed.
    state_json ask(const state_json& request);
    /// Keeps a copy of the process that runs, which stands before cycle `now`. Returns "", or the reason why
    /// there can be no copy. Of 16 copies, every second one is removed first.
    std::string keep(std::uint64_t now);
    /// Returns the cycle before which the next copy is due.
    std::uint64_t next_copy() const { return m_copies.empty() ? 0 : m_copies.back().cycle + m_interval; }
    /// Replaces the process that runs by the last copy that stands at `cycle` or before; later copies are
    /// removed. Returns the cycle of the copy. Throws config::error if there is none.
    std::uint64_t go_back(std::uint64_t cycle);

  private:
    /// A copy that stands before `cycle`, and the connection to it.
    struct copy {
        std::uint64_t cycle;
        line_channel front;
    };
    line_channel m_active;
    std::vector<copy> m_copies;  ///< copies, by ascending cycle
    /// Number of cycles from one copy to the next; doubled when copies are removed.
    std::uint64_t m_interval = 1000;
    std::string m_obstacle;  ///< reason why the last copy could not be made; "": it was made
};

}  // namespace sare::cli
