// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/tools/check.h"

#include "tlm/base/pool.h"
#include "traffic/program/messages/queue_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace sare::traffic {
namespace {

constexpr std::uint64_t told_every = 65536;  ///< number of events
constexpr double longest_time = 1e30;        ///< seconds of the longest time line that can be drawn

class checker {
  public:
    checker(trace_reader& reader, std::size_t limit) : m_reader(reader), m_limit(limit) {}

    std::vector<std::string> run(const trace_progress& progress) {
        event e;
        std::uint64_t events = 0;
        for (bool more = true; more && m_problems.size() < m_limit;) try {
                std::uint32_t task = 0;
                more = m_reader.next_any(task, e);
                if (!more) break;
                look(task, e);
                if (++events % told_every == 0 && progress) progress(events);
            } catch (const config::error& wrong) {
                // A file that cannot be read on says so again and again.
                more = m_problems.empty() || m_problems.back() != wrong.what();
                if (more) m_problems.emplace_back(wrong.what());
            }
        finish();
        if (m_problems.size() > m_limit) m_problems.resize(m_limit);
        return m_problems;
    }

  private:
    struct seen {
        std::uint32_t task = 0;
        std::uint64_t number = 0, bytes = 0;
        int line = 0;
        op what = op::send;
        bool sends = false;
        std::uint32_t communicator = 0, peer = 0;
        std::int64_t tag = 0;
    };
    struct channel {
        std::deque<seen> sends, receives;
    };
    using channel_key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>;
    static int freedom(const channel_key& k) {
        return (std::get<1>(k) == any_source ? 1 : 0) + (std::get<3>(k) == any_tag ? 1 : 0);
    }
    static bool fits(const channel_key& sent, const channel_key& pattern) {
        const auto& [in, from, to, tag] = pattern;
        return std::get<0>(sent) == in && std::get<2>(sent) == to &&
               (from == any_source || std::get<1>(sent) == from) &&
               (tag == any_tag || std::get<3>(sent) == tag);
    }
    struct agreed {
        event first;
        std::uint32_t task = 0, tasks = 0;
    };

    void problem(std::uint32_t task, std::uint64_t number, int line, const std::string& what) {
        event e;
        e.line = line;
        m_problems.push_back(
            fmt::format("{}: task {}, event {}: {}", m_reader.where(task, e).text(), task, number, what));
    }

    void message(std::uint32_t task, const event& e, bool sends, std::uint32_t rank, std::uint64_t bytes) {
        const std::uint32_t peer = m_reader.task_of(e, rank);
        const channel_key key = sends ? std::tuple{e.communicator, task, peer, e.tag}
                                      : std::tuple{e.communicator, peer, task, e.tag};
        const seen mine{task, e.number, bytes, e.line, e.what, sends, e.communicator, peer, e.tag};
        if (sends) found_by_probes(key);
        if (peer == any_source || e.tag == any_tag) {
            m_wild.emplace_back(key, mine);
            return;
        }
        const std::uint32_t found = m_queues.pop(queue_key(key, !sends));
        if (found == queue_table::none) {
            const std::uint32_t slot = m_seen.take();
            m_seen[slot] = mine;
            m_queues.push(queue_key(key, sends), slot);
            return;
        }
        const seen& other = m_seen[found];
        compare(sends ? mine : other, sends ? other : mine);
        m_seen.give_back(found);
    }

    static queue_table::key queue_key(const channel_key& k, bool sends) {
        const auto& [in, source, destination, tag] = k;
        return {std::uint64_t{source} << 32 | destination, static_cast<std::uint64_t>(tag),
                std::uint64_t{in} << 1 | (sends ? 1 : 0)};
    }

    /// Collects what has found no partner, by channel and in order.
    void collect_left() {
        std::vector<const seen*> left;
        m_seen.for_each([&](std::uint32_t i) { left.push_back(&m_seen[i]); });
        std::sort(left.begin(), left.end(), [](const seen* a, const seen* b) {
            return std::tie(a->task, a->number) < std::tie(b->task, b->number);
        });
        for (const seen* const s : left) {
            const channel_key key = s->sends ? channel_key{s->communicator, s->task, s->peer, s->tag}
                                             : channel_key{s->communicator, s->peer, s->task, s->tag};
            (s->sends ? m_channels[key].sends : m_channels[key].receives).push_back(*s);
        }
    }

    void compare(const seen& sent, const seen& received) {
        if (sent.bytes <= received.bytes) return;
        problem(received.task, received.number, received.line,
                fmt::format(
                    "the receive of {} bytes is too small for the message of {} bytes from task {}, event {}",
                    received.bytes, sent.bytes, sent.task, sent.number));
    }

    static bool waits(const std::pair<const channel_key, channel>& c, const channel_key& pattern) {
        return !c.second.sends.empty() && fits(c.first, pattern);
    }

    /// Looks for a message for a probe: one that no receive has taken yet, or that is sent later.
    void probe(std::uint32_t task, const event& e) {
        const channel_key pattern{e.communicator, m_reader.task_of(e, e.peer), task, e.tag};
        if (!is_sent(pattern)) m_probes[task].emplace_back(pattern, seen{task, e.number, 0, e.line, e.what});
    }
    bool is_sent(const channel_key& pattern) const {
        const auto& [in, source, destination, tag] = pattern;
        if (source != any_source && tag != any_tag)
            return m_queues.front(queue_key(pattern, true)) != nullptr;
        bool found = false;
        m_seen.for_each([&](std::uint32_t i) {
            const seen& s = m_seen[i];
            found = found || (s.sends && fits({s.communicator, s.task, s.peer, s.tag}, pattern));
        });
        return found;
    }
    void found_by_probes(const channel_key& sent) {
        const auto of = m_probes.find(std::get<2>(sent));
        if (of == m_probes.end()) return;
        auto& all = of->second;
        all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& p) { return fits(sent, p.first); }),
                  all.end());
        if (all.empty()) m_probes.erase(of);
    }

    /// Matches receives that take several messages with messages that no other takes: those with a source or
    /// a tag come before those with neither.
    void match_wild() {
        std::stable_sort(m_wild.begin(), m_wild.end(),
                         [](const auto& a, const auto& b) { return freedom(a.first) < freedom(b.first); });
        for (const auto& [wanted, receive] : m_wild) {
            const channel_key& pattern = wanted;  // a name that a lambda may use
            const auto found = std::find_if(m_channels.begin(), m_channels.end(),
                                            [&](const auto& c) { return waits(c, pattern); });
            if (found == m_channels.end()) {
                problem(receive.task, receive.number, receive.line,
                        std::string(op_name(receive.what)) + " from any task or of any tag has no message");
                continue;
            }
            found->second.sends.pop_front();
            // Not to be looked at for every receive that follows.
            if (found->second.sends.empty() && found->second.receives.empty()) m_channels.erase(found);
        }
    }

    static bool rooted(op o) {
        return o == op::bcast || o == op::reduce || o == op::gather || o == op::gatherv || o == op::scatter ||
               o == op::scatterv;
    }
    static bool same_size(op o) {
        return o == op::bcast || o == op::reduce || o == op::allreduce || o == op::allgather ||
               o == op::alltoall || o == op::scan || o == op::exscan;
    }

    void collective(std::uint32_t task, const event& e) {
        group_calls& g = m_groups[e.communicator];
        const std::uint64_t k = g.calls[task]++;
        if (k == g.first_kept + g.open.size()) g.open.push_back({e, task, 0});
        agreed& a = g.open[k - g.first_kept];
        const std::string other = fmt::format(" of task {}, event {}", a.task, a.first.number);
        if (e.what != a.first.what)
            problem(task, e.number, e.line,
                    std::string(op_name(e.what)) + " meets " + op_name(a.first.what) + other);
        else if (rooted(e.what) && e.root != a.first.root)
            problem(
                task, e.number, e.line,
                fmt::format("{} with root {} meets root {}{}", op_name(e.what), e.root, a.first.root, other));
        else if (same_size(e.what) && e.bytes != a.first.bytes)
            problem(task, e.number, e.line,
                    fmt::format("{} of {} bytes meets one of {} bytes{}", op_name(e.what), e.bytes,
                                a.first.bytes, other));
        ++a.tasks;
        while (!g.open.empty() && g.open.front().tasks == members(e.communicator)) {
            g.open.pop_front();
            ++g.first_kept;
        }
    }

    std::uint32_t members(std::uint32_t communicator) const {
        return communicator == 0 ? m_reader.tasks() : m_reader.group(communicator).size();
    }

    void look(std::uint32_t task, const event& e) {
        switch (e.what) {
            case op::send:
            case op::isend:
                message(task, e, true, e.peer, e.bytes);
                break;
            case op::recv:
            case op::irecv:
                message(task, e, false, e.peer, e.bytes);
                break;
            case op::sendrecv:
                message(task, e, true, e.peer, e.bytes);
                message(task, e, false, e.from, e.from_bytes);
                break;
            case op::probe:
                probe(task, e);
                break;
            case op::wait:
                if (e.request == 0) problem(task, e.number, e.line, "wait for a request that is not open");
                break;
            default:
                if (is_collective(e.what)) collective(task, e);
        }
    }

    void finish() {
        collect_left();
        match_wild();
        for (const auto& [task, probes] : m_probes)
            for (const auto& [pattern, p] : probes) problem(task, p.number, p.line, "probe finds no message");
        for (const auto& [where, c] : m_channels) {
            const auto& [in, source, destination, tag] = where;
            for (const auto& s : c.sends)
                problem(
                    s.task, s.number, s.line,
                    fmt::format("{} to {}, tag {}, is never received", op_name(s.what), destination, tag));
            for (const auto& r : c.receives)
                problem(r.task, r.number, r.line,
                        fmt::format("{} from {}, tag {}, has no message", op_name(r.what), source, tag));
        }
        for (const auto& [communicator, g] : m_groups)
            for (const auto& a : g.open)
                problem(a.task, a.first.number, a.first.line,
                        fmt::format("{} is called by {} of {} tasks", op_name(a.first.what), a.tasks,
                                    members(communicator)));
    }

    trace_reader& m_reader;
    std::size_t m_limit;
    std::vector<std::string> m_problems;
    queue_table m_queues;  ///< numbers in m_seen that wait for a partner
    pool<seen> m_seen;
    std::map<channel_key, channel> m_channels;         ///< messages and receives without a partner in the end
    std::vector<std::pair<channel_key, seen>> m_wild;  ///< receives that take several messages
    /// Probes of each task that have found nothing so far.
    std::map<std::uint32_t, std::vector<std::pair<channel_key, seen>>> m_probes;
    struct group_calls {
        std::unordered_map<std::uint32_t, std::uint64_t> calls;  ///< number of calls of each task so far
        std::deque<agreed> open;                                 ///< calls that some tasks have not made yet
        std::uint64_t first_kept = 0;
    };
    std::map<std::uint32_t, group_calls> m_groups;  ///< calls by communicator
};

}  // namespace

std::vector<std::string> check_trace(trace_reader& reader, std::size_t limit,
                                     const trace_progress& progress) {
    return checker(reader, limit).run(progress);
}

time_line::slice& time_line::at(double seconds) {
    while (seconds >= m_width * static_cast<double>(most)) {
        for (std::size_t i = 0; i < m_slices.size(); ++i) {
            const slice s = std::exchange(m_slices[i], slice{});
            slice& to = m_slices[i / 2];
            to.messages += s.messages;
            to.bytes += s.bytes;
            to.collectives += s.collectives;
        }
        m_slices.resize((m_slices.size() + 1) / 2);
        m_width *= 2;
    }
    const auto i = static_cast<std::size_t>(seconds / m_width);
    if (i >= m_slices.size()) m_slices.resize(i + 1);
    return m_slices[i];
}

trace_info describe_trace(trace_reader& reader, double flops_per_second, const trace_progress& progress) {
    trace_info info;
    info.tasks = reader.tasks();
    std::vector<double> clock(info.tasks);
    std::uint64_t events = 0;
    std::uint32_t task = 0;
    for (event e; reader.next_any(task, e);) {
        ++info.events[static_cast<std::size_t>(e.what)];
        if (++events % told_every == 0 && progress) progress(events);
        info.seconds += e.seconds;
        info.flops += e.flops;
        time_line::slice& slice = info.when.at(clock[task]);
        clock[task] = std::min(clock[task] + e.seconds + e.flops / flops_per_second, longest_time);
        if (is_collective(e.what)) ++slice.collectives;
        const bool sends = e.what == op::send || e.what == op::isend || e.what == op::sendrecv;
        if (!sends && e.what != op::put && e.what != op::get) continue;
        ++info.messages;
        info.bytes += e.bytes;
        ++slice.messages;
        slice.bytes += e.bytes;
        trace_info::pair way{task, reader.task_of(e, e.peer)};
        if (e.what == op::get) std::swap(way.first, way.second);
        auto& flow = info.matrix[way];
        ++flow.messages;
        flow.bytes += e.bytes;
    }
    for (const double t : clock) info.longest = std::max(info.longest, t);
    return info;
}

}  // namespace sare::traffic
