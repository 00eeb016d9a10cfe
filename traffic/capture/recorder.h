// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/trace_file.h"

#include <atomic>
#include <mutex>
#include <set>

/// The record of an MPI program's process as a task of a trace (docs/capture.md). It knows nothing of MPI.
namespace sare::capture {

/// First tag of messages that stand for collectives (a gatherv), above all tags that a program can use.
constexpr std::int64_t own_tags = std::int64_t{1} << 32;

class recorder {
  public:
    /// Returns the only recorder: the wrapped functions belong to the whole process.
    static recorder& instance();

    /// True if SARE_TRACE_DIR in the environment names a folder.
    bool wanted() const { return !m_folder.empty(); }
    /// Begins the file of task `task` of `tasks`. `threaded`: several threads may be inside MPI at a time.
    void start(int task, int tasks, bool threaded);
    /// Writes the last interval of computation, and the end of the file. `how`: word on the way it ended.
    void finish(const char* how);
    bool running() const { return m_running; }    ///< start() was called, and finish() was not
    bool threaded() const { return m_threaded; }  ///< see start()

    /// Writes this thread's computation since its last event, then an event: a line of words, which are
    /// integers or texts; empty texts are left out. Returns the offset of the line in the file.
    template <class... Words>
    std::uint64_t event(const Words&... words) {
        std::string text = std::to_string(m_task);
        (append(text, words), ...);
        return write(text);
    }
    /// Returns the number of characters of a line before its first word: task number and blank.
    std::size_t prefix() const { return std::to_string(m_task).size() + 1; }
    /// Writes an event as event() does, unless the last event was the same and nothing was written since.
    void repeatable_event(const std::string& text);
    /// Writes a comment, after the computation of this thread.
    void note(const std::string& text) { write("# " + text); }
    /// Writes a line `communicator NUMBER TASK ...`, kept beside the tasks' files until the header is made.
    void communicator(const std::string& line);
    /// Overwrites bytes of the task's file from `offset` on.
    void patch(std::uint64_t offset, const std::string& text);
    /// Returns the first of `count` new names for requests in a row, from 1.
    std::int64_t name(std::size_t count = 1) { return m_names.fetch_add(static_cast<std::int64_t>(count)); }
    /// Prints a warning, once for each process.
    void warn(const std::string& text);

  private:
    recorder();
    static void append(std::string& text, std::int64_t number) { text += ' ' + std::to_string(number); }
    static void append(std::string& text, const std::string& word) {
        if (!word.empty()) text += ' ' + word;
    }
    std::uint64_t write(const std::string& text);

    std::string m_folder;
    int m_task = 0;           ///< rank of this process in MPI_COMM_WORLD
    bool m_running = false;   ///< true: events are recorded
    bool m_threaded = false;  ///< true: several threads may call MPI
    std::atomic<std::int64_t> m_names{1};
    std::mutex m_mutex;
    trace_file m_file, m_communicators;
    bool m_has_communicators = false;
    std::string m_last;            ///< text of the last event
    std::set<std::string> m_said;  ///< warnings that were printed
};

/// A thread's stay inside a function of MPI: the time outside is computation. Calls that MPI itself makes to
/// its functions are part of the program's call.
class call {
  public:
    call();
    ~call();
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    /// True if the program made the call, and it is to be recorded.
    bool recorded() const { return m_recorded; }

  private:
    bool m_recorded = false;
};

}  // namespace sare::capture
