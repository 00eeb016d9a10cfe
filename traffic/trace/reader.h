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
    /// Reads the next event of a task; returns false after its last. The result does not depend on what has
    /// been asked for other tasks before, nor do numbers of communicators: a run that goes on from a
    /// checkpoint reads in another order. Throws config::error with file, line, task and event.
    virtual bool next(std::uint32_t task, event& e) = 0;
    /// Reads the event of any task that costs least to get: in the order of the file, or of all tasks in
    /// turn; returns false at the end. A task whose event throws is passed over from then on. next() does not
    /// return such an event again.
    virtual bool next_any(std::uint32_t& task, event& e);
    /// Returns the file and line of an event of a task.
    virtual config::location where(std::uint32_t task, const event& e) const = 0;
    /// Returns a communicator that its events name; 0 is never asked for.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the trace has no communicator " + std::to_string(id));
    }
    /// Returns the task that a rank in an event means.
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
    config::location named_at;
    std::shared_ptr<text_stream> text;  ///< file, open and not read yet, for the reader to take over
};

using trace_registry = config::registry<trace_reader, const trace_source&>;

/// A function that returns true for the first bytes of a file (decompressed, at most 4096) of a format.
using trace_signature = bool (*)(const std::string& head);
/// Adds a format that "auto" finds; called once by its reader's file.
bool add_signature(const char* format, trace_signature matches);

/// Opens a trace in a format by its name, or, for "auto", by the file's first bytes. An index of SimGrid has
/// no mark of its own: it is any text that begins as no other format does.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const std::string& format = "auto",
                                         const config::location& named_at = {});

/// The words of a line, with checked conversions; every error names file, line, task and event.
class event_line {
  public:
    event_line() = default;
    /// `number` from 1; 0: the line is no event.
    event_line(config::location at, std::uint32_t task, std::uint64_t number)
        : m_at(std::move(at)), m_task(task), m_number(number) {}
    /// Makes it the line that a stream gave last, whose place is looked up for an error.
    void belongs_to(const text_stream& of, std::uint32_t task, std::uint64_t number) {
        m_of = &of;
        m_task = task;
        m_number = number;
    }
    /// Makes it a line of a file that is not read as a stream.
    void belongs_to(config::location at, std::uint32_t task, std::uint64_t number) {
        m_of = nullptr;
        m_at = std::move(at);
        m_task = task;
        m_number = number;
    }
    /// Returns an event_line for other words of the same line.
    event_line without_words() const;
    /// Splits a line at blanks and tabs. The words' memory is used again.
    void split(std::string_view line);
    void cut(std::size_t size) { m_size = size; }  ///< forgets the words from there on
    std::size_t size() const { return m_size; }
    const std::string& word(std::size_t i) const { return m_words[i]; }
    [[noreturn]] void fail(const std::string& what) const;
    /// Fails unless there are `least` words beyond the first two (task and action).
    void need(std::size_t least, const char* form) const;
    std::uint64_t size_at(std::size_t i, const char* what) const;  ///< integer >= 0; "1e6" is one too
    std::int64_t integer_at(std::size_t i, const char* what) const;
    double amount_at(std::size_t i, const char* what) const;  ///< number >= 0
    std::uint32_t task_at(std::size_t i, const char* what, std::uint32_t tasks) const;

  private:
    config::location m_at;
    const text_stream* m_of = nullptr;  ///< stream, in place of m_at
    std::uint32_t m_task = 0;
    std::uint64_t m_number = 0;
    std::vector<std::string> m_words;  ///< words, of which the first m_size count
    std::size_t m_size = 0;
};

}  // namespace sare::traffic
