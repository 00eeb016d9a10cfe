// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/debug/engine_process.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sare::cli {

/// The commands of `sare debug`, for a terminal, a script or a page: each line of text is answered by a JSON
/// object.
class debugger {
  public:
    /// `run`: the processes of the run; must outlive the object. `results`: folder of results for which
    /// `save` writes a checkpoint if the command names no other.
    debugger(engine_processes& run, std::string results) : m_run(run), m_results(std::move(results)) {}

    /// Does the command in `line` and returns its answer; an answer with the key "error" is a refusal. An
    /// empty line does `back` if that was the last command, else `step`. A line that begins with # is a
    /// comment, whose answer is null.
    state_json command(const std::string& line);
    /// Runs up to the state before cycle `cycle`, forwards or back, without a stop at breakpoints. Throws
    /// config::error if it cannot go back.
    state_json go_to(std::uint64_t cycle);
    bool has_quit() const { return m_has_quit; }   ///< true: the command `quit` was given
    std::uint64_t cycle() const { return m_now; }  ///< cycle before which the run stands
    /// Status of the run in summary.json; "": it is not over.
    const std::string& status() const { return m_status; }
    /// Returns the words that may replace the last, unfinished word of `line`; each begins with that word.
    std::vector<std::string> completions(const std::string& line);

  private:
    struct command_entry;
    using words = std::vector<std::string>;
    static const std::vector<command_entry>& commands();
    static const command_entry& find(const std::string& name);

    state_json run_to(std::uint64_t target, bool breaks);
    state_json step(const words& args);
    state_json go_on(const words& args);
    state_json until(const words& args);
    state_json back(const words& args);
    state_json set_break(const words& args);
    state_json list(const words& args);
    state_json remove(const words& args);
    state_json show(const words& args);
    state_json waits(const words& args);
    state_json figure(const words& args);
    state_json save(const words& args);
    state_json help(const words& args);
    state_json quit(const words& args);
    state_json keep_last(state_json answer);

    engine_processes& m_run;
    std::string m_results, m_last = "step", m_status;
    std::map<std::uint64_t, std::string> m_breaks;  ///< texts of breakpoints by their numbers, from 1
    std::uint64_t m_break_count = 0, m_now = 0;
    bool m_has_quit = false;
};

/// Returns an answer as text for people: a list of objects as a table, any other value as a line with its
/// key.
std::string text_of_answer(const state_json& answer);

}  // namespace sare::cli
