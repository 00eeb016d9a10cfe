// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"
#include "traffic/trace/formats/dumpi/dumpi_groups.h"
#include "traffic/trace/formats/dumpi/dumpi_requests.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace sare::traffic {

/// Reader of the events of one process of a DUMPI trace: turns each call of MPI, and the time between calls,
/// into events.
class dumpi_process {
  public:
    /// Results of a first pass through the file of the process.
    struct findings {
        std::vector<std::uint32_t> sizes;  ///< bytes of an element of each datatype, by the number of the
                                           ///< datatype
        std::set<std::uint64_t> null_receives;  ///< numbers of the calls of MPI_Irecv that receive from
                                                ///< MPI_PROC_NULL
    };
    /// `text`: the file of the process, from its start; `task`: the number of the process; `groups`: the
    /// communicators of all processes; `tasks`: number of processes; `said`: set of texts on calls that are
    /// left out, shared by all processes, to which this process adds. `groups` and `said` must live as long
    /// as the object.
    dumpi_process(text_stream text, std::uint32_t task, findings of, const dumpi_groups& groups,
                  std::uint32_t tasks, std::set<std::string>& said)
        : m_stream(std::move(text)),
          m_task(task),
          m_sizes(std::move(of.sizes)),
          m_null_receives(std::move(of.null_receives)),
          m_groups(groups),
          m_all(tasks),
          m_said(said) {}

    /// Reads the next event into `e`, and numbers it; returns false after the last one. Throws config::error
    /// with file and call if the file is damaged, or a call cannot be replayed.
    bool next(event& e);
    /// Returns the path of the file of the process.
    const std::string& path() const { return m_stream.path(); }

  private:
    /// A communicator as this process uses it.
    struct place {
        /// Number of the communicator in events.
        std::uint32_t number = 0;
        /// Members of the communicator by rank; not owned.
        const communicator* group = nullptr;
        /// First rank in `group` that the process can name as a peer, and number of such ranks: all ranks, or
        /// the other side of an intercommunicator.
        std::uint32_t first_peer = 0, peers = 0;
        std::uint32_t side = 0;  ///< intercommunicator: number of the communicator of the process's own side;
                                 ///< else 0
    };

    // dumpi_process.cpp: computation, messages and their ends
    void add_computation(const dumpi_call& call);
    place group(std::int64_t name) const;
    void check_said(const dumpi_call& call) const;
    std::uint64_t bytes(std::int64_t count, std::int64_t datatype) const;
    std::uint32_t rank(std::int64_t r, const place& p, const char* what) const;
    bool partner(event& e, op what, std::int64_t peer, std::int64_t tag, std::int64_t comm);
    bool message(event& e, op what, std::int64_t count, std::int64_t datatype, std::int64_t peer,
                 std::int64_t tag, std::int64_t comm);
    static bool is_from_none(const dumpi_call& call, std::int64_t peer);
    void resolve(event& e, const dumpi_call& call, std::int64_t comm);
    void push(event e) { m_events.push_back(std::move(e)); }
    void left_out(const char* what) { m_said.insert(std::string(what) + " of the trace are left out"); }
    void begin_request(std::int64_t name, event e);
    void wait_for(std::int64_t name);
    void start(std::int64_t name);
    void add(const dumpi_call& c);
    void add_message(const dumpi_call& c);
    void exchange(const dumpi_call& c, const std::array<std::int64_t, 4>& out,
                  const std::array<std::int64_t, 4>& in, std::int64_t comm);
    void add_probe(const dumpi_call& c);
    void add_completion(const dumpi_call& c);

    // dumpi_collectives.cpp: collectives, one-sided calls
    void add_collective(const dumpi_call& c);
    void collective(op what, std::uint64_t size, std::int64_t comm, std::int64_t root = 0);
    void collective(op what, std::vector<std::uint64_t> counts, std::vector<std::uint64_t> received,
                    const place& p);
    std::vector<std::uint64_t> all_bytes(const std::vector<std::int64_t>& counts, std::int64_t datatype,
                                         const place& p) const;
    std::vector<std::uint64_t> all_bytes(const std::vector<std::int64_t>& counts,
                                         const std::vector<std::int64_t>& datatypes, const place& p) const;
    void one_by_one(const dumpi_call& c, op own, std::uint64_t size, std::int64_t root, std::int64_t comm,
                    std::int64_t datatype, std::int64_t tag);
    // dumpi_between.cpp: collectives of intercommunicators
    bool add_between(const dumpi_call& c);
    void reduce_between(std::uint64_t size, const place& p);
    void exchange_between(const std::vector<std::uint64_t>& sent, const std::vector<std::uint64_t>& received,
                          const place& p);

    // dumpi_collectives.cpp again
    void add_one_sided(const dumpi_call& c);
    void add_one_sided(op what, std::int64_t window, std::int64_t target, std::uint64_t size);

    dumpi_stream m_stream;
    std::uint32_t m_task;
    std::vector<std::uint32_t> m_sizes;
    std::set<std::uint64_t> m_null_receives;
    const dumpi_groups& m_groups;
    all_tasks m_all;
    std::set<std::string>& m_said;
    std::deque<event> m_events;                  ///< events that next() has not returned yet
    std::uint64_t m_number = 0, m_requests = 0;  ///< number of events returned, and of requests made, so far
    std::size_t m_makings = 0;  ///< number of calls read that make groups, communicators or windows
    bool m_began = false, m_over = false;
    double m_end = 0;                             ///< time, in seconds, at which the last call ended
    std::map<std::int64_t, std::size_t> m_names;  ///< call that made a communicator last, as an index of
                                                  ///< dumpi_groups::made(), by the process's number of the
                                                  ///< communicator
    std::map<std::int64_t, place> m_windows;  ///< communicator of each window, by the process's number of the
                                              ///< window
    /// Name (operation::request) of each open request, by the process's number of the request.
    std::map<std::int64_t, std::uint64_t> m_open;
    /// Event that a persistent request begins when it is started, by the process's number of the request;
    /// empty: none, since its peer is MPI_PROC_NULL.
    std::map<std::int64_t, std::optional<event>> m_persistent;
};

}  // namespace sare::traffic
