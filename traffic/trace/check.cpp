// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/check.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace sare::traffic {
namespace {

class checker {
  public:
    checker(trace_reader& reader, std::size_t limit) : m_reader(reader), m_limit(limit) {}

    std::vector<std::string> run() {
        const std::uint32_t n = m_reader.tasks();
        std::vector<bool> open(n, true);
        // Task by task, an event each: what is unmatched stays short.
        for (std::uint32_t left = n; left > 0 && m_problems.size() < m_limit;)
            for (std::uint32_t t = 0; t < n; ++t) {
                if (!open[t]) continue;
                event e;
                bool more = false;
                try {
                    more = m_reader.next(t, e);
                } catch (const config::error& wrong) {
                    m_problems.push_back(wrong.what());
                }
                if (more) {
                    look(t, e);
                } else {
                    open[t] = false;
                    --left;
                }
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
        m_problems.push_back(m_reader.where(task, e).text() + ": task " + std::to_string(task) + ", event " +
                             std::to_string(number) + ": " + what);
    }

    void message(std::uint32_t task, const event& e, bool sends, std::uint32_t rank, std::uint64_t bytes) {
        const std::uint32_t peer = m_reader.task_of(e, rank);
        const channel_key key = sends ? std::tuple{e.communicator, task, peer, e.tag}
                                      : std::tuple{e.communicator, peer, task, e.tag};
        const seen mine{task, e.number, bytes, e.line, e.what};
        if (peer == any_source || e.tag == any_tag) {
            m_wild.emplace_back(key, mine);
            return;
        }
        channel& c = m_channels[key];
        auto& partners = sends ? c.receives : c.sends;
        if (partners.empty()) {
            (sends ? c.sends : c.receives).push_back(mine);
            return;
        }
        const seen& other = partners.front();
        compare(sends ? mine : other, sends ? other : mine);
        partners.pop_front();
        if (c.sends.empty() && c.receives.empty()) m_channels.erase(key);
    }

    void compare(const seen& sent, const seen& received) {
        if (sent.bytes <= received.bytes) return;
        problem(received.task, received.number, received.line,
                "the receive of " + std::to_string(received.bytes) +
                    " bytes is too small for the message of " + std::to_string(sent.bytes) +
                    " bytes from task " + std::to_string(sent.task) + ", event " +
                    std::to_string(sent.number));
    }

    /// A receive that takes several messages gets one that no other takes: those with a source or a tag come
    /// before those with neither.
    void match_wild() {
        std::stable_sort(m_wild.begin(), m_wild.end(),
                         [](const auto& a, const auto& b) { return freedom(a.first) < freedom(b.first); });
        for (const auto& [pattern, receive] : m_wild) {
            const auto found = std::find_if(m_channels.begin(), m_channels.end(), [&](const auto& c) {
                return !c.second.sends.empty() && fits(c.first, pattern);
            });
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
        const std::string other =
            " of task " + std::to_string(a.task) + ", event " + std::to_string(a.first.number);
        if (e.what != a.first.what)
            problem(task, e.number, e.line,
                    std::string(op_name(e.what)) + " meets " + op_name(a.first.what) + other);
        else if (rooted(e.what) && e.root != a.first.root)
            problem(task, e.number, e.line,
                    std::string(op_name(e.what)) + " with root " + std::to_string(e.root) + " meets root " +
                        std::to_string(a.first.root) + other);
        else if (same_size(e.what) && e.bytes != a.first.bytes)
            problem(task, e.number, e.line,
                    std::string(op_name(e.what)) + " of " + std::to_string(e.bytes) + " bytes meets one of " +
                        std::to_string(a.first.bytes) + " bytes" + other);
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
            case op::wait:
                if (e.request == 0) problem(task, e.number, e.line, "wait for a request that is not open");
                break;
            default:
                if (is_collective(e.what)) collective(task, e);
        }
    }

    void finish() {
        match_wild();
        for (const auto& [where, c] : m_channels) {
            const auto& [in, source, destination, tag] = where;
            for (const auto& s : c.sends)
                problem(s.task, s.number, s.line,
                        std::string(op_name(s.what)) + " to " + std::to_string(destination) + ", tag " +
                            std::to_string(tag) + ", is never received");
            for (const auto& r : c.receives)
                problem(r.task, r.number, r.line,
                        std::string(op_name(r.what)) + " from " + std::to_string(source) + ", tag " +
                            std::to_string(tag) + ", has no message");
        }
        for (const auto& [communicator, g] : m_groups)
            for (const auto& a : g.open)
                problem(a.task, a.first.number, a.first.line,
                        std::string(op_name(a.first.what)) + " is called by " + std::to_string(a.tasks) +
                            " of " + std::to_string(members(communicator)) + " tasks");
    }

    trace_reader& m_reader;
    std::size_t m_limit;
    std::vector<std::string> m_problems;
    std::map<channel_key, channel> m_channels;
    std::vector<std::pair<channel_key, seen>> m_wild;  ///< receives that take several messages
    struct group_calls {
        std::map<std::uint32_t, std::uint64_t> calls;  ///< of each task so far
        std::deque<agreed> open;                       ///< not yet called by all tasks
        std::uint64_t first_kept = 0;
    };
    std::map<std::uint32_t, group_calls> m_groups;  ///< by communicator
};

}  // namespace

std::vector<std::string> check_trace(trace_reader& reader, std::size_t limit) {
    return checker(reader, limit).run();
}

trace_info describe_trace(trace_reader& reader) {
    trace_info info;
    info.tasks = reader.tasks();
    event e;
    std::vector<bool> open(info.tasks, true);
    for (std::uint32_t left = info.tasks; left > 0;)
        for (std::uint32_t t = 0; t < info.tasks; ++t) {
            if (!open[t]) continue;
            if (!reader.next(t, e)) {
                open[t] = false;
                --left;
                continue;
            }
            ++info.events[static_cast<std::size_t>(e.what)];
            info.seconds += e.seconds;
            info.flops += e.flops;
            if (e.what != op::send && e.what != op::isend && e.what != op::sendrecv) continue;
            ++info.messages;
            info.bytes += e.bytes;
            auto& flow = info.matrix[{t, reader.task_of(e, e.peer)}];
            ++flow.messages;
            flow.bytes += e.bytes;
        }
    return info;
}

}  // namespace sare::traffic
