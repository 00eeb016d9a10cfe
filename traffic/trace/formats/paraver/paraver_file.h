// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <map>

/// Reader of Paraver traces: the records of the .prv file, and the .pcf file beside it that names types and
/// values.
namespace sare::traffic {

/// The effect of a function of MPI on the task that calls it.
struct mpi_call {
    /// other: no effect on messages; sends, receives: one message; exchanges: one message sent and one
    /// received; starts: persistent requests; completes: waits for requests; collective; one_sided: put, get
    /// and their synchronisation.
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
    bool blocks = true;     ///< true: a send, receive or collective has ended when the call ends
    op what = op::barrier;  ///< kind of the collective, if `does` is collective
};

/// The meaning of the numbers by which a trace names types of events, calls of MPI and states.
class paraver_labels {
  public:
    /// Begins with the numbers that Extrae uses, and adds the numbers of the .pcf file at `pcf_path`, if it
    /// exists. Throws config::error if it exists and cannot be read.
    explicit paraver_labels(const std::string& pcf_path);

    /// Meaning of the value of an event. mpi, one_sided: the call that begins, or 0 when it ends; sent,
    /// received: bytes in a collective; root: the task is the root of the collective; communicator:
    /// communicator of the collective; none: not used.
    enum class meaning : std::uint8_t { none, mpi, one_sided, sent, received, root, communicator };
    /// Returns the meaning of a type of events; none for an unknown type.
    meaning of_type(std::int64_t type) const;
    /// Returns the effect of the call of MPI that a value of an event of meaning mpi names; null for an
    /// unknown value. The pointer is valid as long as the labels.
    const mpi_call* call(std::int64_t value) const;
    /// Returns true if a task computes in the state with this number ("Running").
    bool computes(std::int64_t state) const { return state == m_running; }

  private:
    void read(text_stream& pcf);
    void name_type(std::int64_t type, const std::string& label);

    std::map<std::int64_t, meaning> m_types;
    std::map<std::int64_t, mpi_call> m_calls;
    std::int64_t m_running = 1;
};

/// A record of the trace: a state of a task, events of a task, or a message. Members that the kind `what`
/// does not use keep the values of earlier records.
struct paraver_record {
    enum kind : std::uint8_t { state, events, message } what = state;
    std::uint32_t task = 0, line = 0;  ///< number, from 0, of the task in the state, with the events, or that
                                       ///< sends; line of the file, from 1
    bool main_thread = true;  ///< true: the record is of the first thread of the task (state, events), or the
                              ///< message is sent by it
    std::uint64_t begin = 0, end = 0;  ///< Times, in the trace's unit. State: its begin and end. Events:
                                       ///< `begin` is their time. Message: start of the send, departure of
                                       ///< its data.
    std::int64_t value = 0;            ///< state: its number, for paraver_labels::computes()
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  ///< events: type and value of each
    std::uint32_t to = 0;                                      ///< message: task that receives it, from 0
    bool to_main_thread = true;  ///< message: true if the receiver's first thread receives it
    /// Message: time at which its receive was posted, and time at which the receive ended, both in the
    /// trace's unit; bytes.
    std::uint64_t posted = 0, received = 0, bytes = 0;
    std::int64_t tag = 0;  ///< message: tag
};

/// The header and the records of a .prv file, read once from its start to its end.
class paraver_file {
  public:
    /// Reads the header and the communicators. Throws config::error, with the line, if the text is no Paraver
    /// trace.
    explicit paraver_file(text_stream text);
    /// Reads the next state, events or message into `r`; skips comments and empty lines. Returns false at the
    /// end of the file. Throws config::error with the line for a malformed record, and for one of another
    /// kind.
    bool next(paraver_record& r);

    /// Returns the number of tasks.
    std::uint32_t tasks() const { return m_tasks; }
    /// Returns the seconds of a unit of the times in records; 1e-6 or 1e-9.
    double tick_seconds() const { return m_tick; }
    /// Returns the tasks (from 0) of each communicator in the order of ranks, by the trace's number of the
    /// communicator.
    const std::map<std::int64_t, std::vector<std::uint32_t>>& communicators() const {
        return m_communicators;
    }
    const std::string& path() const { return m_text.path(); }  ///< path of the .prv file

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
    double m_tick = 1e-6;  ///< seconds of a unit of the times in records
    std::map<std::int64_t, std::vector<std::uint32_t>> m_communicators;
    std::vector<std::string> m_fields;
    std::string m_line;
};

}  // namespace sare::traffic
