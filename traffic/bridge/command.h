// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sare::traffic {

/// A program that a run starts: in a process group of its own, which ends with the run, however that ends.
class command {
  public:
    /// `words`: program and arguments; a program with a '/' is relative to `folder`, its working directory.
    /// What it says goes to the file `log`. Throws std::runtime_error where it cannot be started.
    command(const std::vector<std::string>& words, const std::string& folder, const std::string& log,
            const std::vector<std::pair<std::string, std::string>>& more_environment);
    ~command();
    command(const command&) = delete;
    command& operator=(const command&) = delete;

    const std::string& text() const { return m_text; }
    const std::string& log() const { return m_log; }
    /// How it ended ("status 1", "signal 9"), "" for status 0; nothing while it runs.
    std::optional<std::string> ended();
    /// The last line that it has written, for messages: up to 200 characters.
    std::string last_words() const;
    /// Waits for its end, up to `seconds` of the host.
    void wait(double seconds);
    /// SIGTERM to all of its group, and SIGKILL to what is left a moment later.
    void stop();

  private:
    std::string m_text, m_log;
    pid_t m_pid = -1;
    std::optional<std::string> m_end;
};

}  // namespace sare::traffic
