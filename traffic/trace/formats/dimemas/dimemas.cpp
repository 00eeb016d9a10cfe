// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/paraver/extrae_collective.h"
#include "traffic/trace/line_store.h"
#include "traffic/trace/reader.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

/// Dimemas traces: a header, communicators, then the records of task after task, as prv2dim writes them.
namespace sare::traffic::variants::dimemas {
namespace {

constexpr std::uint64_t most_tasks = 16777216;

/// The kind of a record: the first number of a line.
enum class record : std::int64_t {
    nothing = 0,
    burst = 1,
    send = 2,
    receive = 3,
    collective = 10,
    gpu = 11,
    mark = 20
};

/// A search for the root of a collective. Extrae names it by its rank; prv2dim writes 1 at the root and 0 at
/// the others. The sizes tell as well, unless they are 0.
class root_votes {
  public:
    void add(const extrae_collective& c, std::int64_t field) {
        if (is_root_by_size(c)) m_by_size = m_by_size == none ? c.rank : several;
        m_same = m_same && (m_field == unset || m_field == field);
        m_field = field;
        if (field == 1) m_flagged = m_flagged == none ? c.rank : several;
    }
    /// Returns the root's rank; `ranks` if it cannot be told.
    std::uint32_t root(std::uint32_t ranks) const {
        if (m_by_size < ranks) return m_by_size;
        if (m_same && m_field >= 0 && m_field < ranks) return static_cast<std::uint32_t>(m_field);
        return std::min(m_flagged, ranks);
    }

  private:
    static constexpr std::uint32_t none = ~0U, several = ~0U - 1;
    static constexpr std::int64_t unset = INT64_MIN;
    std::int64_t m_field = unset;
    std::uint32_t m_by_size = none, m_flagged = none;
    bool m_same = true;
};

class dimemas_reader final : public trace_reader {
  public:
    explicit dimemas_reader(const trace_source& source) : m_lines(std::move(*source.text)) {
        std::string line;
        line_store::run at;
        if (!m_lines.next(line, at) || line.compare(0, 9, "#DIMEMAS:") != 0)
            throw config::error(m_lines.where(1), line.compare(0, 5, "SDDFA") == 0
                                                      ? "the old form of Dimemas traces (SDDF) is not read; "
                                                        "prv2dim writes the one that begins with #DIMEMAS"
                                                      : "a Dimemas trace begins with '#DIMEMAS:'");
        read_header(line);
        // Once through all: where the records of each task are, and who is the root of what.
        while (m_lines.next(line, at)) look_at(line, at);
    }

    std::uint32_t tasks() const override { return m_count; }
    config::location where(std::uint32_t, const event& e) const override {
        return m_lines.where(static_cast<std::uint32_t>(e.line));
    }
    const communicator& group(std::uint32_t id) const override { return m_groups.at(id - 1); }

    bool next(std::uint32_t task, event& e) override {
        const auto found = m_tasks.find(task);
        if (found == m_tasks.end()) return false;
        task_state& t = found->second;
        std::string line;
        while (t.more.empty() && t.lines.next(m_lines, line)) {
            event_line w = words(line, t.lines.number(), task, t.number + 1);
            e = event{};
            e.line = static_cast<int>(t.lines.number());
            e.number = t.number + 1;
            if (!read_record(w, task, t, e)) continue;
            ++t.number;
            return true;
        }
        if (t.more.empty()) return false;
        e = std::move(t.more.back());
        t.more.pop_back();
        e.number = ++t.number;
        return true;
    }

  private:
    using receive_key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  ///< group, source, tag
    using call_key = std::pair<std::uint32_t, std::int64_t>;                     ///< group, kind

    struct task_state {
        line_cursor lines;
        std::uint64_t number = 0, requests = 0;
        std::map<receive_key, std::deque<std::uint64_t>> open;
        std::map<call_key, std::deque<std::uint64_t>> open_calls;
        std::map<std::uint32_t, std::size_t> calls, given;  ///< collectives of each group: all, so far
        std::vector<event> more;  ///< rest of the last record, the next event at the end
    };

    [[noreturn]] void fail(std::uint32_t line, const std::string& what) const {
        throw config::error(m_lines.where(line), what);
    }

    static std::string blanks(std::string line) {
        std::replace(line.begin(), line.end(), ':', ' ');
        return line;
    }
    event_line words(const std::string& line, std::uint32_t number, std::uint32_t task,
                     std::uint64_t event_number) const {
        event_line w(m_lines.where(number), task, event_number);
        w.split(blanks(line));
        return w;
    }

    /// `#DIMEMAS:NAME:OFFSETS:TASKS(THREADS,...),COMMUNICATORS`
    void read_header(const std::string& line) {
        const char* const form =
            "the header must be '#DIMEMAS:NAME:OFFSETS:TASKS(THREADS,...),COMMUNICATORS'";
        const std::size_t offsets = line.find(':', 9),
                          machine = line.find(':', std::min(offsets, line.size() - 1) + 1);
        const std::size_t open = line.find('(', machine), close = line.find(')', open);
        if (offsets == std::string::npos || machine == std::string::npos || open == std::string::npos ||
            close == std::string::npos)
            fail(1, form);
        event_line w(m_lines.where(1), 0, 0);
        std::string list =
            line.substr(machine + 1, open - machine - 1) + " " + line.substr(open + 1, close - open - 1);
        std::replace(list.begin(), list.end(), ',', ' ');
        w.split(list);
        if (w.size() == 0) fail(1, form);
        const std::uint64_t count = w.size_at(0, "the number of tasks");
        if (count < 1 || count > most_tasks) fail(1, "the number of tasks must be from 1 to 16777216");
        if (w.size() - 1 != count)
            fail(1,
                 fmt::format("the header claims {} tasks, and has the threads of {}", count, w.size() - 1));
        m_count = static_cast<std::uint32_t>(count);
    }

    void look_at(const std::string& line, const line_store::run& at) {
        if (line.empty() || line[0] == '#' || line[0] == 's') return;  // s: where records are
        if (line[0] == 'd') {
            define(words(line, at.line, 0, 0));
            return;
        }
        const event_line w = words(line, at.line, 0, 0);
        if (w.size() < 3) w.fail("a record needs: kind:task:thread");
        const std::uint32_t task = w.task_at(1, "task", m_count);
        if (w.integer_at(2, "the thread") != 0) {
            say("threads of a task besides its first are left out");
            return;
        }
        task_state& t = m_tasks[task];
        t.lines.add(at);
        if (static_cast<record>(w.integer_at(0, "the kind")) != record::collective) return;
        const call c = read_call(w, task);
        if (!c.known) return;
        if (c.synchronism == awaits) return;
        auto& votes = m_roots[c.group];
        const std::size_t k = t.calls[c.group]++;
        if (votes.size() <= k) votes.resize(k + 1);
        votes[k].add(c.totals, c.root);
    }

    /// `d:1:NUMBER:SIZE:TASK:...`; files (2) and windows (3) are nothing here.
    void define(const event_line& w) {
        if (w.size() < 2) w.fail("a definition needs: d:kind");
        if (w.integer_at(1, "the kind") != 1) return;
        if (w.size() < 4) w.fail("a communicator needs: d:1:number:size:task:...");
        const std::uint64_t size = w.size_at(3, "the size");
        if (w.size() - 4 != size)
            w.fail(fmt::format("communicator {} claims {} tasks, and has {}", w.word(2), w.word(3),
                               w.size() - 4));
        if (size == 0) return;
        std::vector<std::uint32_t> members;
        std::set<std::uint32_t> seen;
        for (std::size_t i = 4; i < w.size(); ++i) {
            members.push_back(w.task_at(i, "task", m_count));
            if (!seen.insert(members.back()).second) w.fail("task " + w.word(i) + " is named twice");
        }
        m_groups.emplace_back(std::move(members));
        const auto number = static_cast<std::uint32_t>(m_groups.size());
        if (!m_numbers.emplace(w.integer_at(2, "the communicator"), number).second)
            w.fail("communicator " + w.word(2) + " is there already");
    }

    /// Returns the number in events of the communicator at a word; a trace without any has that of all tasks.
    std::uint32_t group_at(const event_line& w, std::size_t i, std::uint32_t task) const {
        const auto found = m_numbers.find(w.integer_at(i, "the communicator"));
        if (found == m_numbers.end() && m_numbers.empty()) return 0;
        if (found == m_numbers.end())
            w.fail("communicator " + w.word(i) +
                   " is not defined; a line 'd:1:NUMBER:SIZE:TASK:...' makes one");
        if (!m_groups[found->second - 1].has(task)) w.fail("the task is not in communicator " + w.word(i));
        return found->second;
    }
    std::uint32_t rank_in(std::uint32_t group, std::uint32_t task, const event_line& w) const {
        if (group == 0) return task;
        if (!m_groups[group - 1].has(task))
            w.fail(fmt::format("task {} is not in the communicator of the record", task));
        return m_groups[group - 1].rank(task);
    }

    void say(const std::string& text) {
        if (m_said.insert(text).second) warn(text);
    }

    /// Reads a record; returns false for one that is no event.
    bool read_record(event_line& w, std::uint32_t task, task_state& t, event& e) {
        switch (static_cast<record>(w.integer_at(0, "the kind"))) {
            case record::nothing:
            case record::mark:
                return false;
            case record::burst:
            case record::gpu:
                if (w.size() != 4) w.fail("a burst needs: 1:task:thread:seconds");
                e.seconds = w.amount_at(3, "the time");
                return true;
            case record::send:
            case record::receive:
                return read_message(w, task, t, e);
            case record::collective:
                return read_collective(w, task, t, e);
        }
        w.fail("records of kind " + w.word(0) + " are not known; there are 0, 1, 2, 3, 10, 11 and 20");
    }

    /// `2:task:thread:partner[:thread]:bytes:tag:communicator:synchronism`, and so for receives.
    bool read_message(const event_line& w, std::uint32_t task, task_state& t, event& e) {
        const bool sends = static_cast<record>(w.integer_at(0, "the kind")) == record::send;
        if (w.size() != 8 && w.size() != 9)
            w.fail("a message needs: kind:task:thread:partner[:thread]:bytes:tag:communicator:" +
                   std::string(sends ? "synchronism" : "type"));
        const std::size_t i = w.size() - 4;
        if (w.size() == 9 && w.integer_at(4, "the thread") > 0) {
            say("threads of a task besides its first are left out");
            return false;
        }
        const std::uint32_t partner = w.task_at(3, "the partner", m_count);
        e.communicator = group_at(w, i + 2, task);
        e.peer = rank_in(e.communicator, partner, w);
        e.bytes = w.size_at(i, "the size");
        e.tag = w.integer_at(i + 1, "the tag");
        const std::int64_t how = w.integer_at(i + 3, sends ? "the synchronism" : "the type");
        if (how < 0 || how > 3)
            w.fail(std::string(sends ? "synchronism" : "type") + " " + w.word(i + 3) +
                   " is out of range; 0 to 3");
        constexpr std::int64_t immediate = 2, posts = 1;
        if (sends) {
            e.what = (how & immediate) != 0 ? op::isend : op::send;
            return true;
        }
        auto& open = t.open[{e.communicator, e.peer, e.tag}];
        e.what = how == 0 ? op::recv : op::irecv;
        if (how == posts) {
            e.request = ++t.requests;
            open.push_back(e.request);
        } else if (how > posts) {
            e = wait_of(e, take(open));
        }
        if (open.empty()) t.open.erase({e.communicator, e.peer, e.tag});
        return true;
    }
    static event wait_of(const event& e, std::uint64_t request) {
        event w;
        w.number = e.number;
        w.line = e.line;
        w.what = op::wait;
        w.request = request;
        return w;
    }
    /// Takes the oldest; 0 if there is none.
    static std::uint64_t take(std::deque<std::uint64_t>& open) {
        if (open.empty()) return 0;
        const std::uint64_t first = open.front();
        open.pop_front();
        return first;
    }

    static constexpr std::int64_t begins = 0, awaits = 2;  ///< synchronisms besides 1, all at once
    struct call {
        extrae_collective totals;
        std::uint32_t group = 0;
        std::int64_t kind = 0, root = 0, synchronism = 1;
        bool known = true;  ///< false: a call of an accelerator
    };

    /// `10:task:thread:kind:communicator:root:thread:sent:received[:synchronism]`
    call read_call(const event_line& w, std::uint32_t task) {
        static constexpr op kinds[] = {op::barrier,        op::bcast,     op::gather,    op::gatherv,
                                       op::scatter,        op::scatterv,  op::allgather, op::allgatherv,
                                       op::alltoall,       op::alltoallv, op::reduce,    op::allreduce,
                                       op::reduce_scatter, op::scan};
        if (w.size() != 9 && w.size() != 10)
            w.fail(
                "a collective needs: "
                "10:task:thread:kind:communicator:root:thread:sent:received[:synchronism]");
        call c;
        c.kind = w.integer_at(3, "the kind of collective");
        if (w.integer_at(4, "the communicator") < 0) {
            say("synchronisations with accelerators are left out");
            c.known = false;
            return c;
        }
        // From 13 on (with synchronism; 14 without) versions of Dimemas number them differently.
        constexpr std::int64_t alike = 12;
        if (c.kind < 0 || c.kind > alike + (w.size() == 9 ? 1 : 0))
            w.fail("collective " + w.word(3) +
                   " is none, or another in another version of Dimemas; not read");
        c.totals.what = kinds[c.kind];
        c.group = group_at(w, 4, task);
        c.totals.ranks = c.group == 0 ? m_count : m_groups[c.group - 1].size();
        c.totals.rank = rank_in(c.group, task, w);
        c.root = w.integer_at(5, "the root");
        c.totals.sent = w.size_at(7, "the size sent");
        c.totals.received = w.size_at(8, "the size received");
        if (w.size() == 10) c.synchronism = w.integer_at(9, "the synchronism");
        if (c.synchronism < begins || c.synchronism > awaits)
            w.fail("synchronism " + w.word(9) + " is out of range; 0 to 2");
        return c;
    }

    bool read_collective(const event_line& w, std::uint32_t task, task_state& t, event& e) {
        const call c = read_call(w, task);
        if (!c.known) return false;
        auto& open = t.open_calls[{c.group, c.kind}];
        if (c.synchronism == awaits) {
            e = wait_of(e, take(open));
            return e.request != 0;
        }
        e.communicator = c.group;
        if (has_root(c.totals.what)) {
            e.root = root_of(c, t);
            if (e.root == c.totals.ranks)
                w.fail("neither the sizes nor the fields of the tasks tell the root");
        }
        ++t.given[c.group];
        bool alike = false;
        auto all = events_of(c.totals, e, alike);
        if (alike)
            say("sizes for each process in collectives of several sizes are left out (all alike here)");
        if (c.synchronism == begins && all.size() == 1 && is_collective(all[0].what)) {
            all[0].request = ++t.requests;
            open.push_back(all[0].request);
        }
        t.more.assign(std::make_move_iterator(all.rbegin()), std::make_move_iterator(all.rend()));
        return false;
    }
    std::uint32_t root_of(const call& c, task_state& t) const {
        return m_roots.at(c.group).at(t.given[c.group]).root(c.totals.ranks);
    }

    line_store m_lines;
    std::uint32_t m_count = 0;
    std::deque<listed_tasks> m_groups;
    std::map<std::int64_t, std::uint32_t> m_numbers;  ///< our number of each communicator
    std::unordered_map<std::uint32_t, task_state> m_tasks;
    std::map<std::uint32_t, std::vector<root_votes>> m_roots;  ///< roots of each group's calls
    std::set<std::string> m_said;
};

[[maybe_unused]] const bool known = add_signature("dimemas", [](const std::string& head) {
    return head.compare(0, 9, "#DIMEMAS:") == 0 || head.compare(0, 6, "SDDFA;") == 0;
});

const config::registration<trace_reader, const trace_source&> registered{
    "dimemas", "Dimemas traces: bursts, messages and collectives, task after task.",
    config::made<dimemas_reader>};

}  // namespace
}  // namespace sare::traffic::variants::dimemas
