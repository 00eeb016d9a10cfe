// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/program/program.h"
#include "traffic/trace/event.h"

#include <memory>
#include <string_view>

namespace sare::traffic {

class text_stream;

/// A reader of a trace file of one format; each format is a class that registers itself in trace_registry by
/// its name.
class trace_reader {
  public:
    virtual ~trace_reader() = default;
    /// Returns the number of tasks (ranks, processes) of the trace.
    virtual std::uint32_t tasks() const = 0;
    /// Reads the next event of a task, which must be below tasks(), into `e`; returns false after its last
    /// event. The result, and the numbers of communicators in it, do not depend on earlier calls for other
    /// tasks: a run that continues from a checkpoint reads in another order. Throws config::error with file,
    /// line, task and event if the event is malformed.
    virtual bool next(std::uint32_t task, event& e) = 0;
    /// Reads the next event of whichever task is cheapest to read, and sets `task` to it: in the order of the
    /// file, or of all tasks in turn; returns false when all tasks have ended. If an event throws
    /// config::error, its task is skipped from then on. next() does not return these events again.
    virtual bool next_any(std::uint32_t& task, event& e);
    /// Returns the file and line of an event that next() or next_any() gave for `task`.
    virtual config::location where(std::uint32_t task, const event& e) const = 0;
    /// Returns the communicator with the number `id`, above 0, that operation::communicator of an event has
    /// (0: all tasks). Throws std::out_of_range if the trace has no such communicator.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the trace has no communicator " + std::to_string(id));
    }
    /// Returns the task that has rank `rank` (not checked) in the communicator of `e`; any_source as it is.
    std::uint32_t task_of(const event& e, std::uint32_t rank) const {
        return e.communicator == 0 || rank == any_source ? rank : group(e.communicator).task(rank);
    }
    /// Returns warnings on suspicious parts of the trace that are no errors (an unknown datatype), each once,
    /// found by the events read so far.
    const std::vector<std::string>& warnings() const { return m_warnings; }

  protected:
    /// Adds a text to warnings(); the caller makes sure that it is new.
    void warn(const std::string& text) { m_warnings.push_back(text); }

  private:
    std::vector<std::string> m_warnings;
    std::vector<std::uint32_t> m_turns;  ///< tasks whose events next_any() has not read to their end
    std::size_t m_turn = 0;
    bool m_taken_in_turn = false;
};

/// The file that trace_registry makes a reader for.
struct trace_source {
    std::string path;           ///< path of the file
    config::location named_at;  ///< place in the configuration that named the file, for errors
    /// Open file of which nothing has been taken yet; the reader moves it out.
    std::shared_ptr<text_stream> text;
};

/// All trace formats, by name.
using trace_registry = config::registry<trace_reader, const trace_source&>;

/// A function that returns true if `head`, the first bytes of a file (decompressed, at most 4096), is the
/// begin of a file of its format.
using trace_signature = bool (*)(const std::string& head);
/// Adds a format, by its name, to those that "auto" recognises; called once, before main(), by the file of
/// its reader. Always returns true, so that a constant can be initialised by the call.
bool add_signature(const char* format, trace_signature matches);

/// Opens a trace and returns its reader. `format`: name of its format, or "auto": recognised by the first
/// bytes of the file. (An index file of SimGrid has no mark of its own: any text that no other format
/// recognises, and that is not named as YAML, is taken for one.) `named_at`: place for errors. Throws
/// config::error if the file cannot be opened, its format is unknown, or its header is malformed.
std::unique_ptr<trace_reader> open_trace(const std::string& path, const std::string& format = "auto",
                                         const config::location& named_at = {});

/// The words of a line of a trace, with checked conversions into numbers: each throws config::error, with
/// file, line, task and event, for a word that does not fit.
class event_line {
  public:
    event_line() = default;
    /// Makes a line without words. `at`: place of the line; `number`: number of its event in the task, from
    /// 1; 0: the line is no event, and errors do not name task and event.
    event_line(config::location at, std::uint32_t task, std::uint64_t number)
        : m_at(std::move(at)), m_task(task), m_number(number) {}
    /// Makes this the line that the stream `of`, which must live as long, gave last. An error has the place
    /// of the stream's last line at the time of the error. Words stay as they are.
    void belongs_to(const text_stream& of, std::uint32_t task, std::uint64_t number) {
        m_of = &of;
        m_task = task;
        m_number = number;
    }
    /// Makes this the line at `at`, of a file that is not read as a stream. Words stay as they are.
    void belongs_to(config::location at, std::uint32_t task, std::uint64_t number) {
        m_of = nullptr;
        m_at = std::move(at);
        m_task = task;
        m_number = number;
    }
    /// Returns an event_line of the same place, task and event, without words.
    event_line without_words() const;
    /// Splits `line` into words at blanks and tabs, in the place of the words of the previous line.
    void split(std::string_view line);
    /// Forgets all words but the first `size`, which must not be above size() (not checked).
    void cut(std::size_t size) { m_size = size; }
    /// Returns the number of words.
    std::size_t size() const { return m_size; }
    /// Returns word i, from 0, below size() (not checked).
    const std::string& word(std::size_t i) const { return m_words[i]; }
    /// Throws config::error at the place of the line with the text `what`, behind the numbers of task and
    /// event if the line is an event.
    [[noreturn]] void fail(const std::string& what) const;
    /// Calls fail() if there are fewer than `least` words behind the first two (task and action). `form`: the
    /// arguments as they should be, for the error.
    void need(std::size_t least, const char* form) const;
    /// @name Word `i`, below size() (not checked), as a number; `what`: what the number is, for errors
    /// @{
    /// Returns an integer from 0 to 9e15; forms such as "1e6" are allowed.
    std::uint64_t size_at(std::size_t i, const char* what) const;
    /// Returns a signed integer of 64 bits, in decimal.
    std::int64_t integer_at(std::size_t i, const char* what) const;
    double amount_at(std::size_t i, const char* what) const;  ///< returns a finite number, 0 or above
    /// Returns word `i` as the number of a task, which must be at least 0 and below `tasks`.
    std::uint32_t task_at(std::size_t i, const char* what, std::uint32_t tasks) const;
    /// @}

  private:
    config::location m_at;
    const text_stream* m_of = nullptr;  ///< stream whose last line this is; null: m_at is the place
    std::uint32_t m_task = 0;
    std::uint64_t m_number = 0;
    std::vector<std::string> m_words;  ///< words, of which only the first m_size are valid
    std::size_t m_size = 0;
};

}  // namespace sare::traffic
