// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/program/program.h"
#include "traffic/trace/event.h"

#include <memory>
#include <string_view>

/// Trace formats: each is one reader, registered by name.
namespace sare::traffic {

class text_stream;

class trace_reader {
  public:
    virtual ~trace_reader() = default;
    virtual std::uint32_t tasks() const = 0;
    /// Reads the next event of a task; returns false after its last one. The result, and the numbers of
    /// communicators in it, do not depend on earlier calls for other tasks, since a run that continues from a
    /// checkpoint reads in another order. Throws config::error with file, line, task and event for a wrong
    /// one.
    virtual bool next(std::uint32_t task, event& e) = 0;
    /// Reads the event that is cheapest to read, of any task, and sets `task`: in the order of the file, or
    /// of all tasks in turn; returns false at the end. A task with an event that throws is skipped from then
    /// on. next() does not return these events again.
    virtual bool next_any(std::uint32_t& task, event& e);
    /// Returns the file and line of an event of a task.
    virtual config::location where(std::uint32_t task, const event& e) const = 0;
    /// Returns the communicator of a number that events have, above 0.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the trace has no communicator " + std::to_string(id));
    }
    /// Returns the task of a rank in an event; any_source stays as it is.
    std::uint32_t task_of(const event& e, std::uint32_t rank) const {
        return e.communicator == 0 || rank == any_source ? rank : group(e.communicator).task(rank);
    }
    /// Returns remarks on odd things that are no errors (an unknown datatype), each once.
    const std::vector<std::string>& warnings() const { return m_warnings; }

  protected:
    void warn(const std::string& text) { m_warnings.push_back(text); }

  private:
    std::vector<std::string> m_warnings;
    std::vector<std::uint32_t> m_turns;  ///< tasks that have events left for next_any()
    std::size_t m_turn = 0;
    bool m_taken_in_turn = false;
};

/// The file to read and the place in the configuration that named it.
struct trace_source {
    std::string path;
    config::location named_at;  ///< place in the configuration
    /// Open file of which nothing is read yet, for the reader to move out.
    std::shared_ptr<text_stream> text;
};

using trace_registry = config::registry<trace_reader, const trace_source&>;

/// A function that returns true for the first bytes of a file (decompressed, at most 4096) of a format.
using trace_signature = bool (*)(const std::string& head);
/// Adds a format that "auto" finds; called once by its reader's file.
bool add_signature(const char* format, trace_signature matches);

/// Opens a trace. `format`: name of its format, or "auto": by the first bytes of the file (an index of
/// SimGrid has no mark of its own, so it is any text that begins as no other format does). `named_at`: place
/// of errors. Throws config::error if the file cannot be opened.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const std::string& format = "auto",
                                         const config::location& named_at = {});

/// The words of a line of a trace, with checked conversions: each throws config::error, with file, line, task
/// and event, for a word that does not fit.
class event_line {
  public:
    event_line() = default;
    /// `at`: place of the line; `number`: number of the event in its task, from 1; 0: the line is no event.
    event_line(config::location at, std::uint32_t task, std::uint64_t number)
        : m_at(std::move(at)), m_task(task), m_number(number) {}
    /// Makes this the line that a stream gave last; its place is looked up if there is an error.
    void belongs_to(const text_stream& of, std::uint32_t task, std::uint64_t number) {
        m_of = &of;
        m_task = task;
        m_number = number;
    }
    /// Makes this a line of a file that is not read as a stream.
    void belongs_to(config::location at, std::uint32_t task, std::uint64_t number) {
        m_of = nullptr;
        m_at = std::move(at);
        m_task = task;
        m_number = number;
    }
    /// Returns an event_line for other words of the same line.
    event_line without_words() const;
    /// Splits a line at blanks and tabs. The words of the line before are overwritten.
    void split(std::string_view line);
    void cut(std::size_t size) { m_size = size; }  ///< forgets all words but the first `size`
    std::size_t size() const { return m_size; }
    const std::string& word(std::size_t i) const { return m_words[i]; }
    /// Throws config::error at the place of the line, with task and number of the event and the text `what`.
    [[noreturn]] void fail(const std::string& what) const;
    /// Calls fail() unless there are `least` words behind the first two (task and action). `form`: the line
    /// as it should be.
    void need(std::size_t least, const char* form) const;
    /// @name Word `i`, which must be below size(), as a number; `what`: its name, for errors
    /// @{
    std::uint64_t size_at(std::size_t i, const char* what) const;  ///< integer >= 0; "1e6" is one too
    std::int64_t integer_at(std::size_t i, const char* what) const;
    double amount_at(std::size_t i, const char* what) const;  ///< number >= 0
    /// Returns the number of a task, which must be below `tasks`.
    std::uint32_t task_at(std::size_t i, const char* what, std::uint32_t tasks) const;
    /// @}

  private:
    config::location m_at;
    const text_stream* m_of = nullptr;  ///< stream, in place of m_at
    std::uint32_t m_task = 0;
    std::uint64_t m_number = 0;
    std::vector<std::string> m_words;  ///< words, of which the first m_size count
    std::size_t m_size = 0;
};

}  // namespace sare::traffic
