// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/capture/trace_file.h"

#include <atomic>
#include <mutex>
#include <set>

/// Records what a process of an MPI program does, as a task of a trace in Sare's own format: docs/capture.md.
/// Knows nothing of MPI.
namespace sare::capture {

/// Tags of messages that the program did not send itself (a gatherv's) begin here, above all that MPI has.
constexpr std::int64_t own_tags = std::int64_t{1} << 32;

class recorder {
  public:
    /// The only one: what is wrapped are functions of the whole process.
    static recorder& instance();

    /// Whether a folder was named, by SARE_TRACE_DIR in the environment.
    bool wanted() const { return !m_folder.empty(); }
    /// Begins the file of a task. `threaded`: several threads may be inside MPI at a time.
    void start(int task, int tasks, bool threaded);
    /// The last interval of computation, and the end.
    void finish(const char* how);
    bool running() const { return m_running; }
    bool threaded() const { return m_threaded; }

    /// Writes an event, after the computation of this thread since its last one. Words are integers, or text;
    /// an empty one is left out. Gives the offset of the line.
    template <class... Words>
    std::uint64_t event(const Words&... words) {
        std::string text = std::to_string(m_task);
        (append(text, words), ...);
        return write(text);
    }
    /// Characters of a line before the action.
    std::size_t prefix() const { return std::to_string(m_task).size() + 1; }
    /// As event(), unless the last event was the same and nothing was written since.
    void repeatable_event(const std::string& text);
    /// A comment, after the computation of this thread.
    void note(const std::string& text) { write("# " + text); }
    /// A line `communicator NUMBER TASK ...`, kept beside the tasks' files until the header is made of all.
    void communicator(const std::string& line);
    void patch(std::uint64_t offset, const std::string& text);
    /// A name for a request; `count` of them in a row.
    std::int64_t name(std::size_t count = 1) { return m_names.fetch_add(static_cast<std::int64_t>(count)); }
    /// Said by each process once.
    void warn(const std::string& text);

  private:
    recorder();
    static void append(std::string& text, std::int64_t number) { text += ' ' + std::to_string(number); }
    static void append(std::string& text, const std::string& word) {
        if (!word.empty()) text += ' ' + word;
    }
    std::uint64_t write(const std::string& text);

    std::string m_folder;
    int m_task = 0;
    bool m_running = false, m_threaded = false;
    std::atomic<std::int64_t> m_names{1};
    std::mutex m_mutex;
    trace_file m_file, m_communicators;
    bool m_has_communicators = false;
    std::string m_last;  ///< the last event
    std::set<std::string> m_said;
};

/// A thread inside a function of MPI: outside it, its time is computation. Calls that MPI itself makes of MPI
/// are not the program's.
class call {
  public:
    call();
    ~call();
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    /// Whether the program made the call, and it is to be recorded.
    bool recorded() const { return m_recorded; }

  private:
    bool m_recorded = false;
};

}  // namespace sare::capture
