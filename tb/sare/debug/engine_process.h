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

/// A connection between two processes that carries lines, and file descriptors beside them.
class line_channel {
  public:
    explicit line_channel(int handle = -1) : m_handle(handle) {}
    line_channel(line_channel&& o) noexcept;
    line_channel& operator=(line_channel&& o) noexcept;
    ~line_channel();

    bool send(const std::string& line, int descriptor = -1) const;  ///< false: the other end is gone
    /// Waits for a line. Returns false if the other end is gone.
    bool receive(std::string& line);
    /// Returns the descriptor that came with the last line, which the caller closes; -1: none.
    int take_descriptor();
    int handle() const { return m_handle; }

  private:
    int m_handle;
    int m_descriptor = -1;
    std::string m_buffer;
};

/// The end in the process that runs the network. It handles the requests "keep" and "wake" itself: to keep a
/// copy of the process, and to let a copy go on.
class engine_side {
  public:
    explicit engine_side(line_channel front);
    /// Sends an answer (null: none) and returns the next request; ends the process when there is none.
    state_json exchange(const state_json& answer);
    void fail(const std::string& why);  ///< answers that the run has ended with an error
    /// Becomes non-zero by SIGINT.
    static volatile std::sig_atomic_t& interrupted();

  private:
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
    std::vector<int> m_copies;  ///< processes of copies made here, until they have ended
};

/// The processes as the front sees them: one that runs, and copies in earlier cycles.
class engine_processes {
  public:
    /// Starts a process that calls `body` with its end; `body` must not return.
    explicit engine_processes(const std::function<void(engine_side&)>& body);

    /// Asks the process that runs. Throws config::error if it has ended, or its run has failed.
    state_json ask(const state_json& request);
    /// Keeps a copy of the process that runs, which stands before cycle `now`. Returns "" or why there can be
    /// none.
    std::string keep(std::uint64_t now);
    /// Cycle before which the next copy is due.
    std::uint64_t next_copy() const { return m_copies.empty() ? 0 : m_copies.back().cycle + m_interval; }
    /// Lets the last copy before or at `cycle` run in the place of the process that runs. Returns its cycle.
    /// Throws config::error if there is none.
    std::uint64_t go_back(std::uint64_t cycle);

  private:
    struct copy {
        std::uint64_t cycle;
        line_channel front;
    };
    line_channel m_active;
    std::vector<copy> m_copies;       ///< by cycle
    std::uint64_t m_interval = 1000;  ///< cycles from one copy to the next: more, the longer the run
    std::string m_obstacle;           ///< why no copy could be made; "": all could
};

}  // namespace sare::cli
