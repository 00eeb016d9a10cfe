// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace sare::cli {

/// Reads lines from a terminal: with editing, history and completion where the program was built with
/// libedit, else as the terminal gives them. One object a process.
class edited_lines {
  public:
    /// Returns the words that may end a line, each of which begins with its last word.
    using completer = std::function<std::vector<std::string>(const std::string& line)>;

    explicit edited_lines(completer complete);
    ~edited_lines();
    edited_lines(const edited_lines&) = delete;
    edited_lines& operator=(const edited_lines&) = delete;

    /// Reads a line; false at its end (Ctrl-D).
    bool read(const std::string& prompt, std::string& line);

  private:
    struct editor;
    editor* m_editor;  ///< null: no editing
    completer m_complete;
};

}  // namespace sare::cli
