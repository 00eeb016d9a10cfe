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
    /// The next event of a task; false after its last. It is the same whatever has been asked for other tasks
    /// before, numbers of communicators too: a run that goes on from a checkpoint reads in another order.
    /// Throws config::error with file, line, task and event.
    virtual bool next(std::uint32_t task, event& e) = 0;
    /// The next event of whichever task's costs least to get: in the order of the file, or of all tasks in
    /// turn; false at the end. A task whose event throws is passed over from then on. What is asked so is not
    /// asked by next() as well.
    virtual bool next_any(std::uint32_t& task, event& e);
    /// The file and line of an event of a task.
    virtual config::location where(std::uint32_t task, const event& e) const = 0;
    /// A communicator that its events name; 0 is never asked for.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the trace has no communicator " + std::to_string(id));
    }
    /// The task that a rank in an event means.
    std::uint32_t task_of(const event& e, std::uint32_t rank) const {
        return e.communicator == 0 || rank == any_source ? rank : group(e.communicator).task(rank);
    }
    /// What is odd without being an error (an unknown datatype); each said once.
    const std::vector<std::string>& warnings() const { return m_warnings; }

  protected:
    void warn(const std::string& text) { m_warnings.push_back(text); }

  private:
    std::vector<std::string> m_warnings;
    std::vector<std::uint32_t> m_turns;  ///< of next_any(): tasks that have events left
    std::size_t m_turn = 0;
    bool m_taken_in_turn = false;
};

/// The file to read and the place in the configuration that named it.
struct trace_source {
    std::string path;
    config::location named_at;
    std::shared_ptr<text_stream> text;  ///< the file, open and not read yet: for the reader to take over
};

using trace_registry = config::registry<trace_reader, const trace_source&>;

/// Whether the first bytes of a file (decompressed, at most 4096) are those of a format.
using trace_signature = bool (*)(const std::string& head);
/// How "auto" finds a format: called once by its reader's file.
bool add_signature(const char* format, trace_signature matches);

/// Opens a trace in a format by its name, or by what the file begins with for "auto". An index of SimGrid has
/// no mark of its own: it is what is text and begins as no other format does.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const std::string& format = "auto",
                                         const config::location& named_at = {});

/// Words of a line and checked conversions; every error says file, line, task and event.
class event_line {
  public:
    event_line() = default;
    /// `number` from 1; 0: the line is no event.
    event_line(config::location at, std::uint32_t task, std::uint64_t number)
        : m_at(std::move(at)), m_task(task), m_number(number) {}
    /// The line that a stream gave last, whichever that is: its place is asked for where there is an error.
    void belongs_to(const text_stream& of, std::uint32_t task, std::uint64_t number) {
        m_of = &of;
        m_task = task;
        m_number = number;
    }
    /// A line of a file that is not read as a stream.
    void belongs_to(config::location at, std::uint32_t task, std::uint64_t number) {
        m_of = nullptr;
        m_at = std::move(at);
        m_task = task;
        m_number = number;
    }
    /// For other words of the same line.
    event_line without_words() const;
    /// Splits at blanks and tabs. The words' memory is used again.
    void split(std::string_view line);
    void cut(std::size_t size) { m_size = size; }  ///< forgets the words from there on
    std::size_t size() const { return m_size; }
    const std::string& word(std::size_t i) const { return m_words[i]; }
    [[noreturn]] void fail(const std::string& what) const;
    /// Error unless there are `least` words beyond the first two (task and action).
    void need(std::size_t least, const char* form) const;
    std::uint64_t size_at(std::size_t i, const char* what) const;  ///< an integer >= 0; "1e6" is one too
    std::int64_t integer_at(std::size_t i, const char* what) const;
    double amount_at(std::size_t i, const char* what) const;  ///< a number >= 0
    std::uint32_t task_at(std::size_t i, const char* what, std::uint32_t tasks) const;

  private:
    config::location m_at;
    const text_stream* m_of = nullptr;  ///< in place of m_at
    std::uint32_t m_task = 0;
    std::uint64_t m_number = 0;
    std::vector<std::string> m_words;  ///< the first m_size
    std::size_t m_size = 0;
};

}  // namespace sare::traffic
