// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/write/write_goal.h"

#include "traffic/program/duration.h"
#include "traffic/program/executor/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

/// Sequences as requirements: GOAL is told label by label what an operation waits for.
namespace sare::traffic {
namespace {

/// A condition: an operation of the schedule has ended, or begun.
struct condition {
    std::uint32_t label = 0;
    bool begun = false;
};
using conditions = std::vector<condition>;

/// The tags by which messages of all ranks are known: GOAL has tags from 0 to 2^32 - 2, and no communicators.
class goal_tags {
  public:
    std::uint32_t of(std::uint32_t context, std::int64_t tag) {
        if (context == 0 && tag >= 0 && tag < first_other) return static_cast<std::uint32_t>(tag);
        const auto [at, added] =
            m_others.emplace(std::pair{context, tag}, static_cast<std::uint32_t>(first_other + m_next));
        if (added && ++m_next == most) throw config::error("more tags than a schedule of GOAL can have");
        m_contexts = m_contexts || context != 0;
        return at->second;
    }
    bool contexts() const { return m_contexts; }
    std::uint64_t renamed() const { return m_next; }

  private:
    static constexpr std::int64_t first_other = std::int64_t{1} << 31, most = first_other - 1;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_others;
    std::int64_t m_next = 0;
    bool m_contexts = false;
};

class goal_writer {
  public:
    goal_writer(trace_reader& reader, const goal_choices& choices, std::ostream& out)
        : m_reader(reader),
          m_choices(choices),
          m_out(out),
          m_all(reader.tasks()),
          m_collectives(choices.collectives, reader.tasks()) {}

    void write() {
        m_out << "num_ranks " << m_reader.tasks() << "\n";
        event e;
        for (m_task = 0; m_task < m_reader.tasks(); ++m_task) {
            m_labels = 0;
            m_fraction = 0;
            m_front.clear();
            m_open.clear();
            m_names.clear();
            m_out << "rank " << m_task << " {\n";
            while (m_reader.next(m_task, e)) put(e);
            m_out << "}\n";
        }
        if (m_any_tag && m_tags.contexts())
            throw config::error(
                "a schedule of GOAL has no communicators and no collectives but by their tags, which this "
                "trace's receives of any tag would take");
    }

    std::vector<std::string> notes() const {
        std::vector<std::string> all;
        const auto say = [&](std::uint64_t count, const std::string& what) {
            if (count != 0) all.push_back(fmt::format("{} {}", count, what));
        };
        for (const auto& [what, count] : m_written_out)
            say(count, std::string("calls of ") + op_name(what) + " are written out as messages, by " +
                           m_choices.collectives.of(what).name);
        say(m_marks, "marks are left out");
        say(m_flops, "computations are given in operations: written as nanoseconds at " +
                         config::number_text(m_choices.flops_per_second) + " a second");
        say(m_rounded, "computations are no whole nanoseconds: what is left is carried to the next");
        say(m_tags.renamed(), "tags of communicators, collectives, or that are negative, have other numbers");
        return all;
    }

  private:
    struct name {
        conditions begun, ended;
    };
    struct open_request {
        std::uint64_t request = 0;
        conditions ended;
    };

    /// A chain of operations of the schedule, for one of the trace.
    struct chain {
        conditions at;     ///< conditions that the next one waits for
        conditions own;    ///< ends of posted ones that the chain has not waited for
        conditions begun;  ///< begin of its first one
        bool empty = true;
    };

    [[noreturn]] void fail(const event& e, const std::string& what) const {
        throw config::error(m_reader.where(m_task, e),
                            fmt::format("task {}, event {}: {}", m_task, e.number, what));
    }

    /// Returns a chain that waits for what the operation of the trace waits for: its sequence, and its needs.
    chain start(const event& e) const {
        chain c;
        c.at = m_front;
        for (const requirement& n : e.needs) {
            const auto found = m_names.find(n.request);
            if (found == m_names.end()) continue;
            const conditions& more = n.begun ? found->second.begun : found->second.ended;
            c.at.insert(c.at.end(), more.begin(), more.end());
        }
        c.begun = c.at;
        return c;
    }

    void put(const event& e) {
        chain c = start(e);
        const bool named_collective = is_collective(e.what) && e.request != 0;
        conditions ended;  // of what a wait is for
        switch (e.what) {
            case op::compute:
            case op::sleep:
                break;
            case op::send:
            case op::isend:
                post_send(c, e, e.peer);
                break;
            case op::recv:
            case op::irecv:
                post_receive(c, e, e.peer, e.bytes);
                break;
            case op::sendrecv:
                post_receive(c, e, e.from, e.from_bytes);
                post_send(c, e, e.peer);
                break;
            case op::wait:
                wait(c, e.request);
                break;
            case op::waitall:
                for (const open_request& r : m_open) c.at.insert(c.at.end(), r.ended.begin(), r.ended.end());
                m_open.clear();
                break;
            case op::mark:
                ++m_marks;
                break;
            case op::test:
                break;
            default:
                if (!is_collective(e.what))
                    fail(e, std::string("a schedule of GOAL has no ") + op_name(e.what));
                put_collective(c, e);
        }
        const bool goes_on = e.what == op::isend || e.what == op::irecv;
        if (goes_on)
            ended = c.own;
        else
            wait_for_own(c);
        compute(c, e);
        if (!goes_on) ended = c.at;
        if (e.request != 0 && e.what != op::wait && e.what != op::test) m_names[e.request] = {c.begun, ended};
        if (!e.in_sequence) return;
        if (goes_on || named_collective) m_open.push_back({e.request, ended});
        if (!named_collective) m_front = c.at;
    }

    void wait(chain& c, std::uint64_t request) {
        if (request == 0) return;
        const auto open = std::find_if(m_open.begin(), m_open.end(),
                                       [&](const open_request& r) { return r.request == request; });
        conditions ended;
        if (open != m_open.end()) {
            ended = open->ended;
            m_open.erase(open);
        } else if (const auto found = m_names.find(request); found != m_names.end()) {
            ended = found->second.ended;
        }
        c.at.insert(c.at.end(), ended.begin(), ended.end());
        m_names.erase(request);
    }

    void put_collective(chain& c, const event& e) {
        if (m_choices.collectives.of(e.what).carrier != collective_carrier::tasks)
            throw config::error(
                std::string("a schedule of GOAL has messages between ranks alone, and 'collectives.") +
                op_name(algorithm_family(e.what)) + "' is " + m_choices.collectives.of(e.what).name);
        ++m_written_out[e.what];
        const communicator& group = e.communicator == 0 ? m_all : m_reader.group(e.communicator);
        const std::uint32_t number = m_collectives.begin(m_task, e, group);
        const std::uint32_t tag =
            m_tags.of(e.communicator | collectives::own_context, m_collectives.call(number));
        while (const step* const s = m_collectives.next(number)) {
            if (s->from != step::no_task) post(c, "recv", s->from_bytes, "from", s->from, tag);
            if (s->to != step::no_task) post(c, "send", s->bytes, "to", s->to, tag);
            if (s->wait) wait_for_own(c);
        }
        m_collectives.end(number);
    }

    std::uint32_t tag_of(const event& e) {
        if (e.tag != any_tag) return m_tags.of(e.communicator, e.tag);
        m_any_tag = true;
        if (e.communicator != 0) m_tags.of(e.communicator, 0);
        return ~std::uint32_t{0};
    }
    void post_send(chain& c, const event& e, std::uint32_t to) {
        post(c, "send", e.bytes, "to", m_reader.task_of(e, to), tag_of(e));
    }
    void post_receive(chain& c, const event& e, std::uint32_t from, std::uint64_t bytes) {
        post(c, "recv", bytes, "from", m_reader.task_of(e, from), tag_of(e));
    }

    /// Writes a message; all ones are any source, any tag.
    void post(chain& c, const char* what, std::uint64_t bytes, const char* way, std::uint32_t peer,
              std::uint32_t tag) {
        const auto number = [](std::uint32_t n) {
            return n == ~std::uint32_t{0} ? std::string("-1") : std::to_string(n);
        };
        m_out << 'l' << m_labels << ": " << what << ' ' << bytes << "b " << way << ' ' << number(peer);
        if (tag != 0) m_out << " tag " << number(tag);
        m_out << '\n';
        c.own.push_back({m_labels, false});
        posted(c);
        c.at = {{m_labels - 1, true}};
    }

    void compute(chain& c, const event& e) {
        const double seconds = e.seconds + e.flops / m_choices.flops_per_second;
        m_flops += e.flops > 0 ? 1 : 0;
        const double before = m_fraction;
        const std::uint64_t ns = whole_cycles(seconds, 1e-9, m_fraction);
        m_rounded += std::abs(m_fraction - before) > 1e-6 ? 1 : 0;
        // In a sequence none is as good as one of no time.
        if (ns == 0 && (e.in_sequence || e.what != op::compute)) return;
        m_out << 'l' << m_labels << ": calc " << ns << '\n';
        posted(c);
        c.at = {{m_labels - 1, false}};
    }

    /// Labels the operation of the last line, which waits for what the chain waits for.
    void posted(chain& c) {
        std::sort(c.at.begin(), c.at.end(), [](const condition& a, const condition& b) {
            return std::tie(a.label, a.begun) < std::tie(b.label, b.begun);
        });
        const std::uint32_t* before = nullptr;  // that it has ended is more than that it has begun
        for (const condition& n : c.at) {
            if (before != nullptr && *before == n.label) continue;
            m_out << 'l' << m_labels << (n.begun ? " irequires l" : " requires l") << n.label << '\n';
            before = &n.label;
        }
        if (c.empty) c.begun = {{m_labels, true}};
        c.empty = false;
        ++m_labels;
    }

    static void wait_for_own(chain& c) {
        if (c.own.empty()) return;
        c.at = std::move(c.own);
        c.own.clear();
    }

    trace_reader& m_reader;
    const goal_choices& m_choices;
    std::ostream& m_out;
    all_tasks m_all;
    collectives m_collectives;
    goal_tags m_tags;
    bool m_any_tag = false;
    // of the task
    std::uint32_t m_task = 0, m_labels = 0;
    double m_fraction = 0;             ///< fraction of a nanosecond, carried over
    conditions m_front;                ///< conditions of the next operation of the sequence
    std::vector<open_request> m_open;  ///< requests that waitall, or a name, waits for
    std::unordered_map<std::uint64_t, name> m_names;
    std::uint64_t m_marks = 0, m_flops = 0, m_rounded = 0;
    std::map<op, std::uint64_t> m_written_out;
};

}  // namespace

std::vector<std::string> write_goal(trace_reader& reader, const goal_choices& choices, std::ostream& out) {
    goal_writer w(reader, choices, out);
    w.write();
    return w.notes();
}

}  // namespace sare::traffic
