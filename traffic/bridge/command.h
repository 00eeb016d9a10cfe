// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sare::traffic {

/// A program that a run starts, in a process group of its own, which is killed when the object is destroyed.
/// If the process of the run dies, the program gets SIGTERM.
class command {
  public:
    /// Starts the program. `words`: the program and its arguments; `folder`: working directory, to which a
    /// program with a '/' in its name is relative; empty: working directory of the run. `log`: file for
    /// stdout and stderr. `more_environment`: names and values of environment variables that are added.
    /// Throws std::runtime_error if the program cannot be started, or `log` not be opened.
    command(const std::vector<std::string>& words, const std::string& folder, const std::string& log,
            const std::vector<std::pair<std::string, std::string>>& more_environment);
    ~command();
    command(const command&) = delete;
    command& operator=(const command&) = delete;

    /// Returns the program and its arguments, with blanks between them.
    const std::string& text() const { return m_text; }
    const std::string& log() const { return m_log; }  ///< path of the file with its output
    /// Returns how the program ended: "" for status 0, else a text such as "status 1" or "signal 9"; nullopt
    /// if it is running.
    std::optional<std::string> ended();
    /// Returns the last line of the program's output that is not blank, at most 200 characters of it; empty
    /// if there is none.
    std::string last_words() const;
    /// Waits until the program has ended, but at most `seconds` seconds of real time.
    void wait(double seconds);
    /// Ends the program: sends SIGTERM to its process group, and SIGKILL to processes that are left once the
    /// program has ended or 2 seconds have passed.
    void stop();

  private:
    /// Notes how the program ended, if it has; `how`: options of waitpid(), 0 to wait for its end.
    void reap(int how);

    std::string m_text, m_log;
    pid_t m_pid = -1;
    std::optional<std::string> m_end;
};

}  // namespace sare::traffic
