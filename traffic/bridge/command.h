// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sare::traffic {

/// A program that a run starts, in a process group of its own, which ends with this object. If the run is
/// killed, the program gets SIGTERM.
class command {
  public:
    /// Starts the program. `words`: program and arguments; a program with a '/' is relative to `folder`, its
    /// working directory. Its output goes to the file `log`. `more_environment`: names and values of further
    /// variables. Throws std::runtime_error if it cannot be started.
    command(const std::vector<std::string>& words, const std::string& folder, const std::string& log,
            const std::vector<std::pair<std::string, std::string>>& more_environment);
    ~command();
    command(const command&) = delete;
    command& operator=(const command&) = delete;

    const std::string& text() const { return m_text; }  ///< program and arguments, with blanks between them
    const std::string& log() const { return m_log; }    ///< path of the file with its output
    /// Returns how the program ended ("status 1", "signal 9"; "" for status 0); nothing while it runs.
    std::optional<std::string> ended();
    /// Returns the last line that the program has written, for messages: up to 200 characters.
    std::string last_words() const;
    /// Waits for the program's end, up to `seconds` of the host.
    void wait(double seconds);
    /// Sends SIGTERM to the whole group, and SIGKILL a moment later to processes that are left.
    void stop();

  private:
    /// Notes how the program ended, if it has; `how`: options of waitpid(), 0 to wait for its end.
    void reap(int how);

    std::string m_text, m_log;
    pid_t m_pid = -1;
    std::optional<std::string> m_end;
};

}  // namespace sare::traffic
