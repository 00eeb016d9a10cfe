// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/paraver/extrae_collective.h"
#include "traffic/trace/formats/paraver/paraver_file.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <list>
#include <set>
#include <unordered_map>

/// Paraver traces, as Extrae writes them. Their records are in order of time: a message has one, where it is
/// sent, and a call of MPI two events, where it begins and ends. Once through all, both halves of messages
/// are put down by their task; a second time, each call takes those whose times are within it.
namespace sare::traffic::variants::paraver {
namespace {

using meaning = paraver_labels::meaning;

struct half_message {
    std::uint64_t at = 0;    ///< time at which the send is called or the receive posted
    std::uint64_t done = 0;  ///< receive: time at which its message is there
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;
    std::uint32_t peer = 0;
};

/// A call of MPI that has begun.
struct open_call {
    bool is_open = false;
    std::int64_t type = 0;
    std::uint64_t begin = 0;
    std::uint32_t line = 0;
    mpi_call what;
    std::int64_t communicator = 0;
    bool named = false, root = false;  ///< true: it named its communicator; it is the root
    std::uint64_t sent = 0, received = 0;
};

/// The place of one task in its calls, in either pass.
struct call_state {
    open_call call;
    bool began = false, by_state = false;  ///< by_state: its computation is told by states
    std::uint64_t since = 0;               ///< begin of its computation, without states
};

struct task_state : call_state {
    std::vector<half_message> sends, receives;         ///< halves of messages, the earliest at the end
    std::list<event> events;                           ///< events read on the way to another task's
    std::multimap<std::uint64_t, std::uint64_t> open;  ///< requests of receives, by when they are done
    std::vector<std::uint64_t> open_collectives;
    std::map<std::uint32_t, std::size_t> given;  ///< number of collectives of each group
    std::uint64_t number = 0, requests = 0;
};

class paraver_reader final : public trace_reader {
  public:
    explicit paraver_reader(const trace_source& source)
        : m_labels(beside(source.path, ".pcf")),
          m_file(std::make_unique<paraver_file>(std::move(*source.text))) {
        m_path = source.path;
        for (const auto& [name, members] : m_file->communicators()) {
            m_groups.emplace_back(members);
            m_numbers[name] = static_cast<std::uint32_t>(m_groups.size());
        }
        go_through();
        m_file = std::make_unique<paraver_file>(text_stream(source.path, source.named_at));
    }

    std::uint32_t tasks() const override { return m_file->tasks(); }
    config::location where(std::uint32_t, const event& e) const override { return {m_path, e.line, 1}; }
    const communicator& group(std::uint32_t id) const override { return m_groups.at(id - 1); }

    bool next(std::uint32_t task, event& e) override {
        const auto found = m_tasks.find(task);
        if (found == m_tasks.end()) return false;
        task_state& t = found->second;
        while (t.events.empty())
            if (!read_record()) return false;
        e = std::move(t.events.front());
        t.events.pop_front();
        e.number = ++t.number;
        return true;
    }

  private:
    static std::string beside(const std::string& path, const char* suffix) {
        std::filesystem::path p(path);
        // NAME.prv, or NAME.prv.gz and so on.
        while (p.extension() != ".prv" && p.has_extension()) p.replace_extension();
        return p.replace_extension(suffix).string();
    }
    [[noreturn]] void fail(std::uint32_t line, const std::string& what) const {
        throw config::error({m_path, static_cast<int>(line), 1}, what);
    }
    void say(const std::string& text) {
        if (m_said.insert(text).second) warn(text);
    }

    /// Goes through the file a first time.
    void go_through() {
        std::unordered_map<std::uint32_t, call_state> states;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> calls;  ///< of a group, by a task
        paraver_record r;
        while (m_file->next(r)) {
            if (!of_main_thread(r)) continue;
            task_state& t = m_tasks[r.task];
            if (r.what == paraver_record::message) {
                t.sends.push_back({r.begin, 0, r.bytes, r.tag, r.to});
                m_tasks[r.to].receives.push_back({r.posted, r.received, r.bytes, r.tag, r.task});
            }
            if (r.what != paraver_record::events) continue;
            follow(states[r.task], r, [&](const open_call& c, std::uint64_t) {
                if (c.what.does != mpi_call::collective || (!c.named && !m_numbers.empty())) return;
                const std::uint32_t g = group_of(c, r.task);
                const std::size_t k = calls[{g, r.task}]++;
                auto& roots = m_roots[g];
                if (roots.size() <= k) roots.resize(k + 1, no_root);
                if (c.root) roots[k] = rank_in(g, r.task);
            });
        }
        for (auto& [task, t] : m_tasks)
            for (auto* all : {&t.sends, &t.receives}) {
                std::stable_sort(all->begin(), all->end(),
                                 [](const half_message& a, const half_message& b) { return a.at < b.at; });
                std::reverse(all->begin(), all->end());
            }
    }

    bool of_main_thread(const paraver_record& r) {
        if (r.main_thread && r.to_main_thread) return true;
        say("threads of a task besides its first are left out");
        return false;
    }

    /// Follows the calls of a task; `ended` is called with each, and the time of its end.
    template <class Ended>
    void follow(call_state& s, const paraver_record& r, Ended&& ended) {
        open_call& c = s.call;
        for (const auto& [type, value] : r.pairs) {
            const meaning m = m_labels.of_type(type);
            if (m == meaning::mpi || m == meaning::one_sided) {
                if (c.is_open && type == c.type) {
                    if (r.begin < c.begin) fail(r.line, "a call of MPI ends before it begins");
                    c.is_open = false;
                    ended(c, r.begin);
                }
                if (value != 0 && !c.is_open) begin(c, type, value, m, r);
            }
        }
        if (!c.is_open) return;
        // What a collective says of itself may be before the event that begins it, at its time.
        for (const auto& [type, value] : r.pairs) describe(c, m_labels.of_type(type), value, r);
    }
    void begin(open_call& c, std::int64_t type, std::int64_t value, meaning m,
               const paraver_record& r) const {
        c = {};
        c.is_open = true;
        c.type = type;
        c.begin = r.begin;
        c.line = r.line;
        const mpi_call* const known = m_labels.call(value);
        if (known != nullptr) c.what = *known;
        if (m == meaning::one_sided) c.what.does = mpi_call::one_sided;
    }
    void describe(open_call& c, meaning m, std::int64_t value, const paraver_record& r) const {
        if (m == meaning::sent || m == meaning::received) {
            if (value < 0) fail(r.line, fmt::format("the size of a collective is negative: {}", value));
            (m == meaning::sent ? c.sent : c.received) = static_cast<std::uint64_t>(value);
        } else if (m == meaning::root) {
            c.root = value != 0;
        } else if (m == meaning::communicator) {
            c.communicator = value;
            c.named = true;
        }
    }

    /// Returns the number in events; a trace without communicators has that of all tasks.
    std::uint32_t group_of(const open_call& c, std::uint32_t task) const {
        if (m_numbers.empty()) return 0;
        const auto found = m_numbers.find(c.communicator);
        if (found == m_numbers.end())
            fail(c.line, fmt::format("communicator {} is not defined", c.communicator));
        if (!m_groups[found->second - 1].has(task))
            fail(c.line, fmt::format("task {} is not in communicator {}", task + 1, c.communicator));
        return found->second;
    }
    std::uint32_t rank_in(std::uint32_t group, std::uint32_t task) const {
        return group == 0 ? task : m_groups[group - 1].rank(task);
    }

    /// Reads a record of the second pass; returns false at the end of the file.
    bool read_record() {
        paraver_record& r = m_record;
        if (!m_file->next(r)) return false;
        if (!r.main_thread || r.what == paraver_record::message) return true;
        task_state& t = m_tasks[r.task];
        if (r.what == paraver_record::state) {
            t.by_state = true;
            if (m_labels.computes(r.value)) compute(t, r.end - r.begin, r.line);
            return true;
        }
        if (!t.by_state && t.began && !t.call.is_open && begins_call(r)) {
            if (r.begin < t.since) fail(r.line, fmt::format("times of task {} go back", r.task + 1));
            compute(t, r.begin - t.since, r.line);
        }
        follow(t, r, [&](const open_call& c, std::uint64_t end) {
            t.began = true;
            t.since = end;
            ended(t, r.task, c, end);
        });
        return true;
    }
    bool begins_call(const paraver_record& r) const {
        return std::any_of(r.pairs.begin(), r.pairs.end(), [this](const auto& pair) {
            const meaning m = m_labels.of_type(pair.first);
            return pair.second != 0 && (m == meaning::mpi || m == meaning::one_sided);
        });
    }
    void compute(task_state& t, std::uint64_t ticks, std::uint32_t line) const {
        if (ticks == 0) return;
        event e = at(line);
        e.seconds = static_cast<double>(ticks) * m_file->tick_seconds();
        t.events.push_back(std::move(e));
    }
    static event at(std::uint32_t line) {
        event e;
        e.line = static_cast<int>(line);
        return e;
    }

    void ended(task_state& t, std::uint32_t task, const open_call& c, std::uint64_t end) {
        switch (c.what.does) {
            case mpi_call::sends:
                send(t, c, end, c.what.blocks ? op::send : op::isend, 0);
                break;
            case mpi_call::receives:
                receive(t, c, end, c.what.blocks);
                break;
            case mpi_call::exchanges: {
                const std::uint64_t request = t.requests + 1;
                const bool sends = send(t, c, end, op::isend, request);
                t.requests += sends ? 1 : 0;
                receive(t, c, end, true);
                if (sends) wait(t, c, request);
                break;
            }
            case mpi_call::starts:
                while (send(t, c, end, op::isend, 0)) continue;
                while (receive(t, c, end, false)) continue;
                break;
            case mpi_call::completes:
                complete(t, c, end);
                break;
            case mpi_call::collective:
                collective(t, task, c);
                break;
            case mpi_call::one_sided:
                say("one-sided calls of the trace are left out");
                break;
            case mpi_call::other:
                break;
        }
    }

    /// Takes the first message that is left within a call. Earlier messages belong to no call.
    bool take(std::vector<half_message>& all, const open_call& c, std::uint64_t end, half_message& m) {
        while (!all.empty() && all.back().at < c.begin) {
            say("messages outside of the calls of MPI are left out");
            all.pop_back();
        }
        if (all.empty() || all.back().at > end) return false;
        m = all.back();
        all.pop_back();
        return true;
    }
    static event of_message(const half_message& m, op what, const open_call& c) {
        event e = at(c.line);
        e.what = what;
        e.peer = m.peer;
        e.bytes = m.bytes;
        e.tag = m.tag;
        return e;
    }
    bool send(task_state& t, const open_call& c, std::uint64_t end, op what, std::uint64_t request) {
        half_message m;
        if (!take(t.sends, c, end, m)) return false;
        event e = of_message(m, what, c);
        e.request = request;
        t.events.push_back(std::move(e));
        return true;
    }
    bool receive(task_state& t, const open_call& c, std::uint64_t end, bool blocks) {
        half_message m;
        if (!take(t.receives, c, end, m)) return false;
        event e = of_message(m, blocks ? op::recv : op::irecv, c);
        if (!blocks) {
            e.request = ++t.requests;
            t.open.emplace(m.done, e.request);
        }
        t.events.push_back(std::move(e));
        return true;
    }
    static void wait(task_state& t, const open_call& c, std::uint64_t request) {
        event e = at(c.line);
        e.what = op::wait;
        e.request = request;
        t.events.push_back(std::move(e));
    }
    /// Completes receives that are done when the call ends; which it waited for is not recorded otherwise.
    void complete(task_state& t, const open_call& c, std::uint64_t end) {
        for (auto r = t.open.begin(); r != t.open.end() && r->first <= end; r = t.open.erase(r))
            wait(t, c, r->second);
        for (const auto request : t.open_collectives) wait(t, c, request);
        t.open_collectives.clear();
    }

    void collective(task_state& t, std::uint32_t task, const open_call& c) {
        if (!c.named && !m_numbers.empty()) fail(c.line, "a collective does not say its communicator");
        const std::uint32_t g = group_of(c, task);
        event common = at(c.line);
        common.communicator = g;
        const std::size_t k = t.given[g]++;
        const std::uint32_t ranks = g == 0 ? tasks() : m_groups[g - 1].size();
        if (has_root(c.what.what)) {
            const auto roots = m_roots.find(g);
            common.root = roots == m_roots.end() || roots->second.size() <= k ? no_root : roots->second[k];
            if (common.root == no_root)
                fail(c.line, "no task says that it is the root of this " + std::string(op_name(c.what.what)));
        }
        bool alike = false;
        auto all = events_of({c.what.what, rank_in(g, task), ranks, c.sent, c.received}, common, alike);
        if (alike)
            say("sizes for each process in collectives of several sizes are left out (all alike here)");
        for (event& e : all) {
            if (!c.what.blocks && is_collective(e.what)) {
                say("which call waits for a non-blocking collective is not recorded: the next that waits is "
                    "taken");
                e.request = ++t.requests;
                t.open_collectives.push_back(e.request);
            }
            t.events.push_back(std::move(e));
        }
    }

    static constexpr std::uint32_t no_root = ~0U;

    std::string m_path;
    paraver_labels m_labels;
    std::unique_ptr<paraver_file> m_file;
    std::deque<listed_tasks> m_groups;
    std::map<std::int64_t, std::uint32_t> m_numbers;  ///< our number of each communicator
    std::unordered_map<std::uint32_t, task_state> m_tasks;
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_roots;  ///< roots of each group's collectives
    paraver_record m_record;
    std::set<std::string> m_said;
};

[[maybe_unused]] const bool known =
    add_signature("paraver", [](const std::string& head) { return head.compare(0, 9, "#Paraver ") == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "paraver", "Paraver traces (.prv) of MPI programs, as Extrae writes them, with the .pcf beside them.",
    config::made<paraver_reader>};

}  // namespace
}  // namespace sare::traffic::variants::paraver
