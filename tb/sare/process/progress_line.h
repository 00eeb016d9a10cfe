// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/simulation.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sare::cli {

class command_parser;

/// Where a command tells how far it is.
struct progress_options {
    bool quiet = false;  ///< not on the terminal
    int lines_to = -1;   ///< a file descriptor that gets lines of JSON, {"done": 0.5, "text": ...}; -1: none

    void add_to(command_parser& command);  ///< --quiet, --progress-fd
};

/// One line on stderr, written over and over and erased at the end; nothing where stderr is no terminal, and
/// nothing in the first two seconds. Another program gets lines of JSON.
class progress_line {
  public:
    explicit progress_line(const progress_options& options);
    explicit progress_line(bool quiet) : progress_line(progress_options{quiet}) {}
    ~progress_line() { erase(); }
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    void show(const progress& p);                          ///< of a run
    void show(const std::string& text, double done = -1);  ///< anything else; done: as of a run
    void erase();
    double elapsed() const;  ///< seconds

  private:
    using clock = std::chrono::steady_clock;
    bool due();
    void send(const std::string& text, double done);

    bool m_on;
    int m_lines_to;
    bool m_visible = false;
    clock::time_point m_begin = clock::now(), m_shown = m_begin, m_sampled = m_begin, m_sent{};
    std::uint64_t m_sampled_cycle = 0;
    double m_rate = 0;
    double m_first_done = -1;     ///< when it was known first; negative: not known yet
    clock::time_point m_first{};  ///< when that was
};

/// The stage that a command is at, and for how long, told by a thread of its own: for work that does not say
/// how far it is. Not to be held across fork().
class stage_line {
  public:
    explicit stage_line(const progress_options& options);
    ~stage_line();
    stage_line(const stage_line&) = delete;
    stage_line& operator=(const stage_line&) = delete;

    /// "building the network"; "": nothing, and the line is erased, so that other lines can be printed.
    void begin(const std::string& stage);

  private:
    void tell();

    std::mutex m_mutex;  ///< of all below
    std::condition_variable m_changed;
    progress_line m_line;
    std::string m_stage;
    bool m_over = false;
    std::thread m_thread;
};

}  // namespace sare::cli
