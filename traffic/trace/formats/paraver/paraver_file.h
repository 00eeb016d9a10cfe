// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <map>

/// The lines of a Paraver trace (.prv), and the names of its numbers in the .pcf file beside it.
namespace sare::traffic {

/// The effect of a call of MPI on a task.
struct mpi_call {
    enum kind : std::uint8_t {
        other,
        sends,
        receives,
        exchanges,
        starts,
        completes,
        collective,
        one_sided
    } does = other;
    bool blocks = true;     ///< true: a send, receive or collective is complete when the call ends
    op what = op::barrier;  ///< kind of a collective
};

/// The meaning of the types and values of events.
class paraver_labels {
  public:
    /// Begins with the numbers that Extrae uses, and adds those of the .pcf file. Throws config::error if
    /// that cannot be read.
    explicit paraver_labels(const std::string& pcf_path);

    enum class meaning : std::uint8_t { none, mpi, one_sided, sent, received, root, communicator };
    meaning of_type(std::int64_t type) const;  ///< none: a type of no use here
    /// Returns the call of MPI for a value of an event; null: it is not known.
    const mpi_call* call(std::int64_t value) const;
    /// True for the state in which a task computes.
    bool computes(std::int64_t state) const { return state == m_running; }

  private:
    void read(text_stream& pcf);
    void name_type(std::int64_t type, const std::string& label);

    std::map<std::int64_t, meaning> m_types;
    std::map<std::int64_t, mpi_call> m_calls;
    std::int64_t m_running = 1;
};

struct paraver_record {
    enum kind : std::uint8_t { state, events, message } what = state;
    std::uint32_t task = 0, line = 0;  ///< task, from 0; line of the file, from 1
    bool main_thread = true;           ///< true: of the first thread of the task
    std::uint64_t begin = 0, end = 0;  ///< state; message: begin of the send, departure of its data
    std::int64_t value = 0;            ///< value of a state
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< events: types and values
    std::uint32_t to = 0;                                      ///< message: task of the receiver
    bool to_main_thread = true;                                ///< message: to the receiver's first thread
    /// Message: time at which its receive was posted, time at which that has ended, and bytes.
    std::uint64_t posted = 0, received = 0, bytes = 0;
    std::int64_t tag = 0;  ///< message: its tag
};

/// A .prv file, read from its beginning.
class paraver_file {
  public:
    /// Reads the header. Throws config::error with the line for another text.
    explicit paraver_file(text_stream text);
    /// Reads the next state, events or message; returns false at the end of the file.
    bool next(paraver_record& r);

    std::uint32_t tasks() const { return m_tasks; }
    double tick_seconds() const { return m_tick; }  ///< seconds of a unit of time in records
    /// Returns the communicators by number; all lines that make them are before the records.
    const std::map<std::int64_t, std::vector<std::uint32_t>>& communicators() const {
        return m_communicators;
    }
    const std::string& path() const { return m_text.path(); }

  private:
    void read_header(const std::string& line);
    void read_communicator();
    void read_message(paraver_record& r);
    void split(const std::string& line);
    [[noreturn]] void fail(const std::string& what) const { throw config::error(m_text.where(), what); }
    std::int64_t integer(std::size_t field, const char* what) const;
    std::uint64_t time(std::size_t field) const;
    std::uint32_t task(std::size_t field) const;
    void need(std::size_t fields, const char* form) const;

    text_stream m_text;
    std::uint32_t m_tasks = 0;
    double m_tick = 1e-6;  ///< unit of times, in seconds
    std::map<std::int64_t, std::vector<std::uint32_t>> m_communicators;
    std::vector<std::string> m_fields;
    std::string m_line;
};

}  // namespace sare::traffic
