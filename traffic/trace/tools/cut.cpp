// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/tools/cut.h"

#include <fmt/format.h>

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <map>
#include <set>

/// A window of a trace. The events of a task in it follow one another, so the sends of a channel in it do,
/// and its receives, and a task's calls of a communicator: that the n-th send meets the n-th receive is all
/// that has to be known, and a channel is four numbers.
namespace sare::traffic {
namespace {

/// The numbers in the window, which follow one another.
struct range {
    std::uint64_t first = 0, count = 0;
    void add(bool inside) {
        if (inside)
            ++count;
        else if (count == 0)
            ++first;
    }
    bool has(std::uint64_t n) const { return n >= first && n - first < count; }
};

struct channel {
    range sends, receives;
    std::uint64_t wild = 0;                           ///< number of sends that receives with a wildcard take
    std::uint64_t seen_sends = 0, seen_receives = 0;  ///< numbers of the second reading
};

struct channel_key {
    std::uint32_t communicator = 0, source = 0, destination = 0;
    std::int64_t tag = 0;
    bool operator==(const channel_key& o) const {
        return communicator == o.communicator && source == o.source && destination == o.destination &&
               tag == o.tag;
    }
    bool wild() const { return source == any_source || tag == any_tag; }
    bool takes(const channel_key& sent) const {
        return communicator == sent.communicator && destination == sent.destination &&
               (source == any_source || source == sent.source) && (tag == any_tag || tag == sent.tag);
    }
};
struct channel_hash {
    std::size_t operator()(const channel_key& k) const {
        std::size_t h = k.communicator;
        boost::hash_combine(h, k.source);
        boost::hash_combine(h, k.destination);
        boost::hash_combine(h, k.tag);
        return h;
    }
};

constexpr std::uint32_t outside = ~std::uint32_t{0};

class cutter {
  public:
    cutter(trace_reader& reader, const cut_window& window)
        : m_reader(&reader), m_window(window), m_all(reader.tasks()), m_new(reader.tasks(), outside) {
        const std::uint32_t n = reader.tasks();
        for (std::uint32_t i = 0; i < (window.tasks.empty() ? n : window.tasks.size()); ++i) {
            const std::uint32_t t = window.tasks.empty() ? i : window.tasks[i];
            if (t >= n) throw config::error(fmt::format("there is no task {}; tasks are 0 to {}", t, n - 1));
            m_new[t] = m_kept++;
        }
        m_calls.resize(n);
    }

    /// Reads the trace a first time: which sends, receives and calls of each task are in the window.
    void look() {
        std::vector<double> clock(m_new.size());
        std::uint32_t task = 0;
        for (event e; m_reader->next_any(task, e);) {
            if (m_new[task] == outside) continue;
            const bool inside = in_window(clock[task], e);
            if (sends(e.what)) {
                const channel_key key{e.communicator, task, m_reader->task_of(e, e.peer), e.tag};
                if (m_new[key.destination] != outside) m_channels[key].sends.add(inside);
            }
            if (receives(e.what)) look_at_receive(task, e, inside);
            if (is_collective(e.what)) m_calls[task][e.communicator].in.add(inside);
        }
        match_wild();
    }

    /// Reads the same trace a second time, and writes.
    cut_counts write(trace_reader& again,
                     const std::function<std::unique_ptr<trace_sink>(trace_header)>& make) {
        m_reader = &again;
        const auto sink =
            make({m_kept, [this](std::uint32_t id) -> const communicator& { return group(id); }});
        std::vector<double> clock(m_new.size());
        m_open.resize(m_new.size());
        m_wild_seen.resize(m_new.size());
        std::uint32_t task = 0;
        for (event e; again.next_any(task, e);) {
            if (m_new[task] == outside) continue;
            const bool inside = in_window(clock[task], e);
            if (!keep(task, e, inside) || !inside) continue;
            sink->put(m_new[task], e);
            ++m_counts.events;
        }
        sink->finish();
        return m_counts;
    }

  private:
    static bool sends(op o) { return o == op::send || o == op::isend || o == op::sendrecv; }
    static bool receives(op o) { return o == op::recv || o == op::irecv || o == op::sendrecv; }

    bool in_window(double& clock, const event& e) const {
        const double begin = clock;
        clock += e.seconds + e.flops / m_window.flops_per_second;
        return begin >= m_window.from && begin < m_window.to;
    }

    channel_key receive_key(std::uint32_t task, const event& e) const {
        return {e.communicator, m_reader->task_of(e, e.what == op::sendrecv ? e.from : e.peer), task, e.tag};
    }

    void look_at_receive(std::uint32_t task, const event& e, bool inside) {
        const channel_key key = receive_key(task, e);
        if (key.wild()) {
            m_wild[task].push_back({key, inside, false});
        } else if (m_new[key.source] != outside) {
            m_channels[key].receives.add(inside);
        }
    }

    /// Gives tasks with wildcards messages of the window in order; sends that are left in a channel go to
    /// wildcards that name a source or a tag before those with neither.
    void match_wild() {
        if (m_wild.empty()) return;
        std::map<std::uint32_t, std::vector<std::pair<const channel_key, channel>*>> to;
        for (auto& each : m_channels)
            if (m_wild.count(each.first.destination) != 0) to[each.first.destination].push_back(&each);
        for (auto& [task, list] : m_wild)
            for (const int freedom : {1, 2})
                for (wild_receive& w : list) {
                    const int free = (w.key.source == any_source ? 1 : 0) + (w.key.tag == any_tag ? 1 : 0);
                    if (!w.inside || free != freedom) continue;
                    for (auto* const each : to[task]) {
                        channel& c = each->second;
                        if (!w.key.takes(each->first) || c.sends.count <= c.receives.count + c.wild) continue;
                        ++c.wild;
                        w.kept = true;
                        break;
                    }
                }
    }

    /// True if the n-th send (receive) of a channel stays: its partner is in the window.
    bool send_stays(const channel_key& key) {
        channel& c = m_channels[key];
        const std::uint64_t n = c.seen_sends++;
        if (m_wild.count(key.destination) == 0) return c.receives.has(n);
        return n - c.sends.first < std::min(c.sends.count, c.receives.count) + c.wild;
    }
    bool receive_stays(std::uint32_t task, const channel_key& key) {
        if (key.wild()) return m_wild[task][m_wild_seen[task]++].kept;
        channel& c = m_channels[key];
        const std::uint64_t n = c.seen_receives++;
        if (m_wild.count(task) == 0) return c.sends.has(n);
        return n - c.receives.first < std::min(c.sends.count, c.receives.count);
    }

    /// Makes of an event what is left of it; returns false for nothing. Counts all events, inside or not.
    bool keep(std::uint32_t task, event& e, bool inside) {
        std::set<std::uint64_t>& open = m_open[task];
        m_left_out = false;
        if (sends(e.what) || receives(e.what))
            keep_message(task, e, inside);
        else if (is_collective(e.what))
            keep_collective(task, e, inside);
        else if (is_one_sided(e.what) && inside)
            keep_one_sided(e);
        else if (e.what == op::wait && inside)
            keep_wait(open, e);
        else if (e.what > op::mark)
            throw config::error(m_reader->where(task, e), std::string(op_name(e.what)) + " cannot be cut");
        if (!inside) return false;
        if (e.what == op::waitall) open.clear();
        const bool waited_for = e.what == op::isend || e.what == op::irecv || e.what == op::put ||
                                e.what == op::get || is_collective(e.what);
        if (waited_for && e.in_sequence && e.request != 0) open.insert(e.request);
        return e.what != op::compute || e.seconds > 0 || e.flops > 0 || !e.in_sequence || !m_left_out;
    }

    /// Leaves only an event's computation, and its place in a graph.
    void leave_out(event& e) {
        m_left_out = true;
        operation rest;
        rest.in_sequence = e.in_sequence;
        rest.seconds = e.seconds;
        rest.flops = e.flops;
        rest.needs = std::move(e.needs);
        if (!e.in_sequence) rest.request = e.request;
        static_cast<operation&>(e) = std::move(rest);
    }

    void keep_message(std::uint32_t task, event& e, bool inside) {
        bool sent = false, received = false;
        const bool is_sent = sends(e.what), is_received = receives(e.what);
        if (is_sent) {
            const channel_key key{e.communicator, task, m_reader->task_of(e, e.peer), e.tag};
            sent = m_new[key.destination] != outside && send_stays(key);
        }
        if (is_received) {
            const channel_key key = receive_key(task, e);
            received = (key.source == any_source || m_new[key.source] != outside) && receive_stays(task, key);
        }
        if (!inside) return;
        m_counts.messages += (is_sent && !sent ? 1 : 0) + (is_received && !received ? 1 : 0);
        if (!sent && !received) return leave_out(e);
        if (is_sent && is_received && !sent) {
            e.what = op::recv;
            e.peer = e.from;
            e.bytes = e.from_bytes;
        } else if (is_sent && is_received && !received) {
            e.what = op::send;
        }
        if (e.what != op::sendrecv) e.from = 0, e.from_bytes = 0;
        e.peer = new_rank(e.communicator, e.peer);
        if (e.what == op::sendrecv) e.from = new_rank(e.communicator, e.from);
    }

    static bool is_one_sided(op o) {
        return o == op::put || o == op::get || o == op::flush || o == op::probe;
    }
    /// Keeps a one-sided operation. A probe goes: what it finds may be outside; the receive waits as well.
    void keep_one_sided(event& e) {
        if (e.what == op::probe) {
            ++m_counts.probes;
            return leave_out(e);
        }
        if (e.peer == any_source) return;
        const bool stays = m_new[m_reader->task_of(e, e.peer)] != outside;
        if (stays) {
            e.peer = new_rank(e.communicator, e.peer);
            return;
        }
        m_counts.messages += e.what == op::flush ? 0 : 1;
        leave_out(e);
    }

    void keep_wait(std::set<std::uint64_t>& open, event& e) {
        if (open.erase(e.request) != 0) return;
        ++m_counts.waits;
        leave_out(e);
    }

    void keep_collective(std::uint32_t task, event& e, bool inside) {
        calls& mine = m_calls[task][e.communicator];
        const std::uint64_t n = mine.seen++;
        if (!inside) return;
        const communicator& old = e.communicator == 0 ? m_all : m_reader->group(e.communicator);
        const bool rooted = e.what == op::bcast || e.what == op::reduce || e.what == op::gather ||
                            e.what == op::gatherv || e.what == op::scatter || e.what == op::scatterv;
        if (!common_calls(e.communicator, old).has(n) || (rooted && m_new[old.task(e.root)] == outside)) {
            ++m_counts.collectives;
            return leave_out(e);
        }
        if (rooted) e.root = new_rank(e.communicator, e.root);
        for (auto* const list : {&e.counts, &e.receive_counts}) {
            std::size_t kept = 0;
            for (std::uint32_t r = 0; r < list->size(); ++r)
                if (m_new[old.task(r)] != outside) (*list)[kept++] = (*list)[r];
            list->resize(kept);
        }
    }

    /// Returns the calls that all its tasks in the cut have in their windows.
    const range& common_calls(std::uint32_t id, const communicator& group) {
        const auto found = m_common.find(id);
        if (found != m_common.end()) return found->second;
        std::uint64_t first = 0, last = UINT64_MAX;
        for (std::uint32_t r = 0; r < group.size(); ++r) {
            if (m_new[group.task(r)] == outside) continue;
            const range& in = m_calls[group.task(r)][id].in;
            first = std::max(first, in.first);
            last = std::min(last, in.first + in.count);
        }
        return m_common[id] = {first, last > first ? last - first : 0};
    }

    /// Returns the tasks of a communicator that are in the cut, by their new numbers, in order of ranks.
    const listed_tasks& group(std::uint32_t id) {
        const auto found = m_groups.find(id);
        if (found != m_groups.end()) return found->second;
        const communicator& old = m_reader->group(id);
        std::vector<std::uint32_t> members;
        for (std::uint32_t r = 0; r < old.size(); ++r)
            if (m_new[old.task(r)] != outside) members.push_back(m_new[old.task(r)]);
        return m_groups.emplace(id, listed_tasks(std::move(members))).first->second;
    }
    std::uint32_t new_rank(std::uint32_t id, std::uint32_t rank) {
        if (rank == any_source) return rank;
        return id == 0 ? m_new[rank] : group(id).rank(m_new[m_reader->group(id).task(rank)]);
    }

    struct wild_receive {
        channel_key key;
        bool inside = false, kept = false;
    };
    struct calls {
        range in;
        std::uint64_t seen = 0;
    };

    trace_reader* m_reader;
    const cut_window& m_window;
    all_tasks m_all;
    std::vector<std::uint32_t> m_new;  ///< new number of every task, or outside
    std::uint32_t m_kept = 0;
    std::unordered_map<channel_key, channel, channel_hash> m_channels;  ///< channels between tasks of the cut
    std::map<std::uint32_t, std::vector<wild_receive>> m_wild;          ///< receives of every task, in order
    std::vector<std::size_t> m_wild_seen;
    std::vector<std::map<std::uint32_t, calls>> m_calls;  ///< calls of every task, by communicator
    std::map<std::uint32_t, range> m_common;
    std::map<std::uint32_t, listed_tasks> m_groups;
    std::vector<std::set<std::uint64_t>> m_open;  ///< requests of every task that are in the cut
    bool m_left_out = false;                      ///< true: the event of keep() is left out
    cut_counts m_counts;
};

}  // namespace

cut_counts cut_trace(const std::function<std::unique_ptr<trace_reader>()>& open, const cut_window& window,
                     const std::function<std::unique_ptr<trace_sink>(trace_header)>& make) {
    const auto first = open(), second = open();
    cutter cut(*first, window);
    cut.look();
    return cut.write(*second, make);
}

}  // namespace sare::traffic
