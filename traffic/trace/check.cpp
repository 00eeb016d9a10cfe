// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/check.h"

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
        m_collective.assign(n, 0);
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

    void message(std::uint32_t task, const event& e, bool sends, std::uint32_t peer, std::uint64_t bytes) {
        const auto key = sends ? std::tuple{task, peer, e.tag} : std::tuple{peer, task, e.tag};
        channel& c = m_channels[key];
        const seen mine{task, e.number, bytes, e.line, e.what};
        auto& partners = sends ? c.receives : c.sends;
        if (partners.empty()) {
            (sends ? c.sends : c.receives).push_back(mine);
            return;
        }
        const seen& other = partners.front();
        const seen& sent = sends ? mine : other;
        const seen& received = sends ? other : mine;
        if (sent.bytes > received.bytes)
            problem(received.task, received.number, received.line,
                    "the receive of " + std::to_string(received.bytes) +
                        " bytes is too small for the message of " + std::to_string(sent.bytes) +
                        " bytes from task " + std::to_string(sent.task) + ", event " +
                        std::to_string(sent.number));
        partners.pop_front();
        if (c.sends.empty() && c.receives.empty()) m_channels.erase(key);
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
        const std::uint64_t k = m_collective[task]++;
        if (k == m_first_kept + m_agreed.size()) m_agreed.push_back({e, task, 0});
        agreed& a = m_agreed[k - m_first_kept];
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
        while (!m_agreed.empty() && m_agreed.front().tasks == m_reader.tasks()) {
            m_agreed.pop_front();
            ++m_first_kept;
        }
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
        for (const auto& [key, c] : m_channels) {
            const auto& [source, destination, tag] = key;
            for (const auto& s : c.sends)
                problem(s.task, s.number, s.line,
                        std::string(op_name(s.what)) + " to " + std::to_string(destination) + ", tag " +
                            std::to_string(tag) + ", is never received");
            for (const auto& r : c.receives)
                problem(r.task, r.number, r.line,
                        std::string(op_name(r.what)) + " from " + std::to_string(source) + ", tag " +
                            std::to_string(tag) + ", has no message");
        }
        for (const auto& a : m_agreed)
            problem(a.task, a.first.number, a.first.line,
                    std::string(op_name(a.first.what)) + " is called by " + std::to_string(a.tasks) + " of " +
                        std::to_string(m_reader.tasks()) + " tasks");
    }

    trace_reader& m_reader;
    std::size_t m_limit;
    std::vector<std::string> m_problems;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, channel> m_channels;
    std::vector<std::uint64_t> m_collective;  ///< collectives of each task so far
    std::deque<agreed> m_agreed;              ///< collectives not yet reached by all tasks
    std::uint64_t m_first_kept = 0;
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
            auto& flow = info.matrix[{t, e.peer}];
            ++flow.messages;
            flow.bytes += e.bytes;
        }
    return info;
}

}  // namespace sare::traffic
