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

/// Options that say where a command shows its progress.
struct progress_options {
    bool quiet = false;  ///< true: progress is not shown on the terminal
    int lines_to = -1;   ///< file descriptor that gets lines of JSON, {"done": 0.5, "text": ...}; -1: none

    void add_to(command_parser& command);  ///< declares --quiet and --progress-fd
};

/// A line on stderr that is written over and over, at most five times a second, and erased at the end. It is
/// not shown without a terminal on stderr, nor in the first two seconds. Another program can have lines of
/// JSON (progress_options::lines_to); if it no longer reads them, this process sends itself SIGTERM.
class progress_line {
  public:
    explicit progress_line(const progress_options& options);
    explicit progress_line(bool quiet) : progress_line(progress_options{quiet}) {}
    ~progress_line() { erase(); }
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    /// Shows the progress of a run: phase, fraction done, cycle, cycles per second, time left.
    void show(const progress& p);
    /// Shows any other text. `done`: fraction done, in [0, 1], for the lines of JSON; negative: unknown.
    void show(const std::string& text, double done = -1);
    void erase();            ///< erases the line, if it is there, so that other lines can be printed
    double elapsed() const;  ///< seconds since this object was made

  private:
    using clock = std::chrono::steady_clock;
    bool due();
    void send(const std::string& text, double done);

    bool m_on;
    int m_lines_to;
    bool m_visible = false;
    clock::time_point m_begin = clock::now(), m_shown = m_begin, m_sampled = m_begin, m_sent{};
    std::uint64_t m_sampled_cycle = 0;
    double m_rate = 0;            ///< cycles per second since the sample before; 0: not known yet
    double m_first_done = -1;     ///< first known fraction; negative: none yet
    clock::time_point m_first{};  ///< time of m_first_done
};

/// Shows the stage of a command, and the seconds since this object was made, by a thread of its own: for work
/// whose progress is not known. Must not be held across fork().
class stage_line {
  public:
    explicit stage_line(const progress_options& options);
    ~stage_line();
    stage_line(const stage_line&) = delete;
    stage_line& operator=(const stage_line&) = delete;

    /// Begins a stage, such as "building the network". "": no stage; the line is erased, so that other lines
    /// can be printed.
    void begin(const std::string& stage);

  private:
    void tell();

    std::mutex m_mutex;  ///< guards m_line, m_stage and m_over
    std::condition_variable m_changed;
    progress_line m_line;
    std::string m_stage;
    bool m_over = false;  ///< true: the thread is to end
    std::thread m_thread;
};

}  // namespace sare::cli
