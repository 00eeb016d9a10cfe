// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/program/program.h"
#include "traffic/trace/event.h"

#include <memory>

/// Trace formats: each is one reader, registered by name.
namespace sare::traffic {

class text_stream;

class trace_reader {
  public:
    virtual ~trace_reader() = default;
    virtual std::uint32_t tasks() const = 0;
    /// The next event of a task; false after its last. Throws config::error with file, line, task and event.
    virtual bool next(std::uint32_t task, event& e) = 0;
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
    /// `number` from 1; 0: the line is no event.
    event_line(config::location at, std::uint32_t task, std::uint64_t number)
        : m_at(std::move(at)), m_task(task), m_number(number) {}
    /// Splits at blanks and tabs.
    void split(const std::string& line);
    void cut(std::size_t size) { m_words.resize(size); }  ///< forgets the words from there on
    std::size_t size() const { return m_words.size(); }
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
    std::uint32_t m_task;
    std::uint64_t m_number;
    std::vector<std::string> m_words;
};

}  // namespace sare::traffic
