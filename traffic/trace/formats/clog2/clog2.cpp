// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/clog2/clog2_file.h"
#include "traffic/trace/reader.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>

/// Logs of MPE2 (CLOG-2). The file is read twice: for the communicators, which members tell of when they have
/// made them, and the names of states; then event by event.
namespace sare::traffic::variants::clog2 {
namespace {

constexpr std::int32_t sent = -101, received = -102;
constexpr std::int32_t world_made = 0, intercommunicator_made = 1000;

/// Returns the collective of a call; op::compute: none.
op collective_of(const std::string& call) {
    static const std::map<std::string, op> all{{"MPI_Barrier", op::barrier},
                                               {"MPI_Bcast", op::bcast},
                                               {"MPI_Reduce", op::reduce},
                                               {"MPI_Allreduce", op::allreduce},
                                               {"MPI_Allgather", op::allgather},
                                               {"MPI_Allgatherv", op::allgather},
                                               {"MPI_Alltoall", op::alltoall},
                                               {"MPI_Alltoallv", op::alltoall},
                                               {"MPI_Gather", op::gather},
                                               {"MPI_Gatherv", op::gather},
                                               {"MPI_Scatter", op::scatter},
                                               {"MPI_Scatterv", op::scatter},
                                               {"MPI_Reduce_scatter", op::reduce_scatter},
                                               {"MPI_Scan", op::scan}};
    const auto found = all.find(call);
    return found == all.end() ? op::compute : found->second;
}

/// True for a send that is over when the call is.
bool blocks(const std::string& call) {
    return call == "MPI_Send" || call == "MPI_Ssend" || call == "MPI_Bsend" || call == "MPI_Rsend";
}

class clog2_reader final : public trace_reader {
  public:
    explicit clog2_reader(const trace_source& source)
        : m_file(text_stream(source.path, source.named_at)), m_processes(m_file.processes()) {
        clog2_file first(std::move(*source.text));
        clog2_record r;
        std::map<std::int32_t, std::map<std::int32_t, std::uint32_t>> members;
        while (first.next(r))
            if (r.is == clog2_record::communicator)
                add_member(first, r, members);
            else if (r.is == clog2_record::state_definition)
                add_state(first, r);
        if (m_world < 0) first.fail("no process tells of MPI_COMM_WORLD");
        for (const auto& [id, ranks] : members) add_group(first, id, ranks);
        if (m_groups.at(0).size() != tasks())
            first.fail(
                fmt::format("of {} processes {} tell of MPI_COMM_WORLD", tasks(), m_groups.at(0).size()));
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_processes.size()); }
    config::location where(std::uint32_t, const event&) const override { return {m_file.path(), 0, 0}; }
    const communicator& group(std::uint32_t id) const override { return m_groups.at(id); }

    bool next(std::uint32_t task, event& e) override {
        process& p = m_processes[task];
        while (p.waiting.empty())
            if (!read_record()) return false;
        e = std::move(p.waiting.front());
        p.waiting.pop_front();
        e.number = ++p.number;
        return true;
    }

  private:
    struct process {
        std::deque<event> waiting;
        std::vector<std::string> calls;  ///< calls of MPI that it is in
        std::optional<double> since;     ///< begin of its computation; none: it has not begun
        std::uint64_t number = 0;
    };

    void add_member(const clog2_file& f, const clog2_record& r,
                    std::map<std::int32_t, std::map<std::int32_t, std::uint32_t>>& members) {
        const std::int32_t how = f.number(r, 0), id = f.number(r, 1), rank = f.number(r, 2),
                           task = f.number(r, 3);
        if (rank < 0 || task < 0) return;  // freed, or the other side of an intercommunicator
        if (static_cast<std::uint32_t>(task) >= tasks() || static_cast<std::uint32_t>(rank) >= tasks())
            f.fail(fmt::format("process {} is out of range; there are {}", std::max(task, rank), tasks()));
        if (how == world_made) {
            if (m_world >= 0 && m_world != id) f.fail("processes that were spawned are not read");
            m_world = id;
        }
        if (how == intercommunicator_made) m_sides.insert(id);
        members[id][rank] = static_cast<std::uint32_t>(task);
    }
    void add_group(const clog2_file& f, std::int32_t id, const std::map<std::int32_t, std::uint32_t>& ranks) {
        std::vector<std::uint32_t> all;
        for (const auto& [rank, task] : ranks) {
            if (rank != static_cast<std::int32_t>(all.size()))
                f.fail(fmt::format("rank {} of communicator {} does not tell of it", all.size(), id));
            all.push_back(task);
        }
        if (std::set<std::uint32_t>(all.begin(), all.end()).size() != all.size())
            f.fail(fmt::format("a process is in communicator {} twice", id));
        const auto number = id == m_world ? 0 : static_cast<std::uint32_t>(m_numbers.size() + 1);
        m_numbers.emplace(id, number);
        m_groups.emplace(number, listed_tasks(all));
    }
    void add_state(const clog2_file& f, const clog2_record& r) {
        const std::string name = clog2_file::text(r, 40, 32);
        if (name.compare(0, 4, "MPI_") != 0) return;
        m_begins[f.number(r, 1)] = name;
        m_ends.insert(f.number(r, 2));
    }

    void say(const std::string& text) {
        if (m_said.insert(text).second) warn(text);
    }

    bool read_record() {
        if (m_over || !m_file.next(m_record)) {
            m_over = true;
            return false;
        }
        const clog2_record& r = m_record;
        if (r.is != clog2_record::bare_event && r.is != clog2_record::cargo_event &&
            r.is != clog2_record::message)
            return true;
        process& p = m_processes[task_of(r.communicator_id, r.rank)];
        if (!std::isfinite(r.time)) m_file.fail("its time is no number");
        if (!p.since) p.since = r.time;  // which may be negative: clocks were shifted
        if (r.is == clog2_record::message)
            message(p, r);
        else
            call(p, r);
        return true;
    }

    std::uint32_t number_of(std::int32_t id) const {
        const auto found = m_numbers.find(id);
        if (found == m_numbers.end()) m_file.fail(fmt::format("no process tells of communicator {}", id));
        return found->second;
    }
    std::uint32_t task_of(std::int32_t id, std::int32_t rank) const {
        const listed_tasks& all = m_groups.at(number_of(id));
        if (rank < 0 || static_cast<std::uint32_t>(rank) >= all.size())
            m_file.fail(fmt::format("rank {} is not in communicator {}", rank, id));
        return all.task(static_cast<std::uint32_t>(rank));
    }

    /// Adds the computation between two calls.
    static void computed_until(process& p, double time) {
        if (p.calls.empty() && time > *p.since) {
            event e;
            e.what = op::compute;
            e.seconds = time - *p.since;
            p.waiting.push_back(e);
        }
        p.since = std::max(*p.since, time);
    }

    void call(process& p, const clog2_record& r) {
        const std::int32_t which = m_file.number(r, 0);
        if (const auto found = m_begins.find(which); found != m_begins.end()) {
            computed_until(p, r.time);
            if (p.calls.empty()) collective(p, r.communicator_id, found->second);
            p.calls.push_back(found->second);
        } else if (m_ends.count(which) != 0) {
            if (!p.calls.empty()) p.calls.pop_back();
            p.since = std::max(*p.since, r.time);
        }
    }
    /// Adds a collective without a size and with rank 0 as root, as none is logged.
    void collective(process& p, std::int32_t id, const std::string& name) {
        event e;
        e.what = collective_of(name);
        if (e.what == op::compute) return;
        if (m_sides.count(id) != 0)
            m_file.fail(name + " of an intercommunicator is not read: no log tells of both sides as one");
        e.communicator = number_of(id);
        if (e.what == op::reduce_scatter) e.counts.assign(m_groups.at(e.communicator).size(), 0);
        if (e.what != op::barrier)
            say("the log has no sizes and roots of collectives: each is empty, and of rank 0");
        p.waiting.push_back(e);
    }
    void message(process& p, const clog2_record& r) {
        const std::int32_t which = m_file.number(r, 0), id = m_file.number(r, 1), rank = m_file.number(r, 2),
                           bytes = m_file.number(r, 4);
        if (which != sent && which != received)
            m_file.fail(fmt::format("there is no event {} of messages", which));
        if (bytes < 0) m_file.fail(fmt::format("a message of {} bytes", bytes));
        computed_until(p, r.time);
        event e;
        const std::uint32_t peer = task_of(id, rank);
        // Between the two sides of an intercommunicator, by their ranks in the world.
        e.communicator = id == r.communicator_id ? number_of(id) : 0;
        e.peer = e.communicator == 0 ? peer : static_cast<std::uint32_t>(rank);
        e.what = which == received                           ? op::recv
                 : p.calls.empty() || blocks(p.calls.back()) ? op::send
                                                             : op::isend;
        e.tag = m_file.number(r, 3);
        e.bytes = static_cast<std::uint64_t>(bytes);
        p.waiting.push_back(e);
    }

    clog2_file m_file;
    std::vector<process> m_processes;
    clog2_record m_record;
    bool m_over = false;
    std::int32_t m_world = -1;
    std::map<std::int32_t, std::uint32_t> m_numbers;  ///< our number of each communicator of the log
    std::map<std::uint32_t, listed_tasks> m_groups;   ///< communicators by number
    std::set<std::int32_t> m_sides;                ///< communicators that are a side of an intercommunicator
    std::map<std::int32_t, std::string> m_begins;  ///< calls of MPI by the event that begins them
    std::set<std::int32_t> m_ends;
    std::set<std::string> m_said;
};

[[maybe_unused]] const bool known = add_signature("clog2", [](const std::string& head) {
    return head.compare(0, std::string(clog2_file::magic).size(), clog2_file::magic) == 0;
});

const config::registration<trace_reader, const trace_source&> registered{
    "clog2", "CLOG-2, the logs of MPE2 that came with MPICH.", config::made<clog2_reader>};

}  // namespace
}  // namespace sare::traffic::variants::clog2
