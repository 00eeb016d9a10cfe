// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace sare::cli {

/// Reads lines from a terminal: with editing, history and completion where the program was built with
/// libedit, else as the terminal gives them. There must be at most one object in a process.
class edited_lines {
  public:
    /// Function that returns the words that may replace the last word of `line`; each begins with that word.
    using completer = std::function<std::vector<std::string>(const std::string& line)>;

    explicit edited_lines(completer complete);
    ~edited_lines();
    edited_lines(const edited_lines&) = delete;
    edited_lines& operator=(const edited_lines&) = delete;

    /// Shows `prompt` and reads a line into `line`. Returns false at the end of the input (Ctrl-D).
    bool read(const std::string& prompt, std::string& line);

  private:
    struct editor;
    editor* m_editor;  ///< state of libedit, owned; null: the program was built without it
    completer m_complete;
};

}  // namespace sare::cli
