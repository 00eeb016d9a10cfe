// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/trace_file.h"

#include <atomic>
#include <mutex>
#include <set>

namespace sare::capture {

/// Lowest tag of messages that stand for a collective (a gatherv); above all tags that a program can use.
constexpr std::int64_t own_tags = std::int64_t{1} << 32;

/// Writes the record of an MPI program's process, which is a task of a trace (docs/capture.md): a file of
/// lines in Sare's text form, without a header. The class does not use MPI. Several threads may call its
/// functions at the same time.
class recorder {
  public:
    /// Returns the only recorder of the process.
    static recorder& instance();

    /// Returns true if the environment variable SARE_TRACE_DIR is set and not empty.
    bool wanted() const { return !m_folder.empty(); }
    /// Begins the file of task `task` of `tasks` tasks; does nothing unless wanted(). `threaded`: several
    /// threads may be inside MPI at a time.
    void start(int task, int tasks, bool threaded);
    /// Writes the last computation of the calling thread and a comment with `how`, a word on the way in which
    /// the program ended, and closes the file. Does nothing unless running().
    void finish(const char* how);
    bool running() const { return m_running; }  ///< true: start() was called, and finish() was not
    /// True: several threads may be inside MPI at a time, as start() was told.
    bool threaded() const { return m_threaded; }

    /// Writes the calling thread's computation since its last event, then an event: a line of task and words.
    /// Words are integers or texts; empty texts are left out. Returns the offset of the line in the file.
    template <class... Words>
    std::uint64_t event(const Words&... words) {
        std::string text = std::to_string(m_task);
        (append(text, words), ...);
        return write(text);
    }
    /// Returns the number of characters of an event's line before its first word: the task and a blank.
    std::size_t prefix() const { return std::to_string(m_task).size() + 1; }
    /// Writes an event as event() does; nothing if the last line written was the same event.
    void repeatable_event(const std::string& text);
    /// Writes the calling thread's computation since its last event, then a comment.
    void note(const std::string& text) { write("# " + text); }
    /// Writes `line`, "communicator NUMBER TASK ...", into a second file of this task, communicators-TASK,
    /// for the header of the trace.
    void communicator(const std::string& line);
    /// Overwrites the task's file with `text` from byte `offset` on.
    void patch(std::uint64_t offset, const std::string& text);
    /// Returns the first of `count` consecutive new names of requests; names begin with 1.
    std::int64_t name(std::size_t count = 1) { return m_names.fetch_add(static_cast<std::int64_t>(count)); }
    /// Prints a warning with the task on stderr; each text is printed once in each process.
    void warn(const std::string& text);

  private:
    recorder();
    static void append(std::string& text, std::int64_t number) { text += ' ' + std::to_string(number); }
    static void append(std::string& text, const std::string& word) {
        if (!word.empty()) text += ' ' + word;
    }
    std::uint64_t write(const std::string& text);

    std::string m_folder;
    int m_task = 0;           ///< number of the task
    bool m_running = false;   ///< true: events are recorded
    bool m_threaded = false;  ///< true: several threads may call MPI
    std::atomic<std::int64_t> m_names{1};
    std::mutex m_mutex;
    trace_file m_file, m_communicators;
    bool m_has_communicators = false;
    std::string m_last;            ///< text of the last line that is an event or a comment
    std::set<std::string> m_said;  ///< warnings that were printed
};

/// An object exists as long as a thread is inside a function of MPI; the time outside counts as computation.
/// Calls that MPI makes to its own functions belong to the program's call.
class call {
  public:
    call();
    ~call();
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    /// Returns true if the program (not MPI itself) made the call, and the recorder is running.
    bool recorded() const { return m_recorded; }

  private:
    bool m_recorded = false;
};

}  // namespace sare::capture
