// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

/// Connection matrices (`.cm`) of the data-centre simulator htsim: flows, each a message that begins at a
/// time in picoseconds, or when others have arrived.
namespace sare::traffic::variants::htsim {
namespace {

constexpr double unit_seconds = 1e-12;
constexpr std::uint32_t most_nodes = 1U << 24;

/// A line `SOURCE->DESTINATION [id I] start T | trigger I, size BYTES [recv_done_trigger I] [prio P]`.
struct flow_line {
    int line = 0;
    std::uint32_t source = 0, destination = 0;
    std::uint64_t bytes = 0;
    double start = -1;
    std::int64_t trigger = 0, fires = 0;  ///< that it waits for, and that its arrival fires; 0: none
};
/// A line `trigger id I oneshot | multishot | barrier [count N]`.
struct trigger_line {
    int line = 0;
    bool barrier = false;
    std::uint64_t count = 0;
};

/// Its tasks post all receives first, sleep and send; a flow with a trigger is beside, and needs receives.
class htsim_reader final : public trace_reader {
  public:
    explicit htsim_reader(const trace_source& source) : m_text(std::move(*source.text)) {
        std::string line;
        while (m_text.next(line)) {
            m_words.belongs_to(m_text.where(), 0, 0);
            m_words.split(line);
            if (m_words.size() != 0 && m_words.word(0)[0] != '#') read_line();
        }
        check_count("Connections", m_flows.size());
        check_count("Triggers", m_triggers.size());
        make_events();
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    config::location where(std::uint32_t, const event& e) const override {
        return {m_text.path(), e.line, 1};
    }
    bool next(std::uint32_t task, event& e) override {
        one& t = m_tasks[task];
        if (t.at == t.events.size()) return false;
        e = t.events[t.at++];
        e.number = t.at;
        return true;
    }

  private:
    struct one {
        std::vector<event> events;
        std::size_t at = 0;
        double clock = 0;
    };

    void read_line() {
        const std::string& word = m_words.word(0);
        if (word.find("->") != std::string::npos)
            flow(word.find("->"));
        else if (word == "trigger")
            trigger();
        else if (word == "Nodes" && m_words.size() == 2)
            m_tasks.resize(
                static_cast<std::size_t>(std::min<std::uint64_t>(m_words.size_at(1, "Nodes"), most_nodes)));
        else if ((word == "Connections" || word == "Triggers") && m_words.size() == 2)
            m_counts[word] = m_words.size_at(1, word.c_str());
        else
            m_words.fail("'" + word +
                         "' is not read here; there are Nodes N, Connections N, Triggers N, A->B and "
                         "trigger");
    }

    std::size_t value(std::size_t i) const {
        if (i + 1 >= m_words.size()) m_words.fail("'" + m_words.word(i) + "' has no number behind it");
        return i + 1;
    }

    void flow(std::size_t arrow) {
        flow_line f;
        f.line = m_text.line();
        event_line ends = m_words.without_words();
        const std::string word = m_words.word(0);
        ends.split(word.substr(0, arrow) + " " + word.substr(arrow + 2));
        if (ends.size() != 2) m_words.fail("'" + word + "' must be SOURCE->DESTINATION");
        f.source = ends.task_at(0, "the source", tasks());
        f.destination = ends.task_at(1, "the destination", tasks());
        if (f.source == f.destination) m_words.fail("a node sends to itself");
        for (std::size_t i = 1; i < m_words.size(); i += 2) {
            const std::string& key = m_words.word(i);
            if (key == "start")
                f.start = m_words.amount_at(value(i), "start");
            else if (key == "size")
                f.bytes = m_words.size_at(value(i), "size");
            else if (key == "trigger")
                f.trigger = m_words.integer_at(value(i), "trigger");
            else if (key == "recv_done_trigger")
                f.fires = m_words.integer_at(value(i), "recv_done_trigger");
            else if (key == "prio")
                m_priorities = true;
            else if (key == "send_done_trigger")
                m_words.fail(
                    "send_done_trigger fires with the last acknowledgement, and there are none here");
            else if (key != "id")
                m_words.fail("'" + key +
                             "' is not known; there are id, start, size, trigger, recv_done_trigger, prio");
        }
        if ((f.start < 0) == (f.trigger == 0)) m_words.fail("a flow has either 'start' or 'trigger'");
        m_flows.push_back(f);
    }

    void trigger() {
        trigger_line t;
        t.line = m_text.line();
        std::int64_t id = 0;
        for (std::size_t i = 1; i < m_words.size(); ++i) {
            const std::string& key = m_words.word(i);
            if (key == "id")
                id = m_words.integer_at(i = value(i), "id");
            else if (key == "count")
                t.count = m_words.size_at(i = value(i), "count");
            else if (key == "barrier")
                t.barrier = true;
            else if (key != "oneshot" && key != "multishot")
                m_words.fail("'" + key +
                             "' is not known; there are id, count, oneshot, multishot and barrier");
        }
        if (!m_triggers.emplace(id, t).second) m_words.fail(fmt::format("trigger {} is given twice", id));
    }

    void check_count(const std::string& what, std::size_t found) {
        const auto said = m_counts.find(what);
        if (said != m_counts.end() && said->second != found)
            throw config::error(m_text.where(),
                                fmt::format("'{} {}' is said, and there are {}", what, said->second, found));
    }

    event message(op what, std::size_t flow, std::uint32_t peer) const {
        event e;
        e.what = what;
        e.peer = peer;
        e.bytes = m_flows[flow].bytes;
        e.tag = static_cast<std::int64_t>(flow);
        e.request = 2 * flow + (what == op::irecv ? 2 : 3);
        e.line = m_flows[flow].line;
        return e;
    }

    void make_events() {
        if (m_tasks.empty())
            throw config::error(m_text.where(), "the file has no flows: 'Nodes N' is missing");
        if (m_priorities) warn("priorities of flows are not read");
        std::map<std::int64_t, std::vector<std::size_t>> fired_by;
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < m_flows.size(); ++k) {
            order.push_back(k);
            if (m_flows[k].fires != 0) fired_by[m_flows[k].fires].push_back(k);
            m_tasks[m_flows[k].destination].events.push_back(message(op::irecv, k, m_flows[k].source));
        }
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return m_flows[a].start < m_flows[b].start;
        });
        for (const std::size_t k : order)
            m_flows[k].trigger != 0 ? wait_for(k, fired_by[m_flows[k].trigger]) : send(k);
    }

    void send(std::size_t k) {
        const flow_line& f = m_flows[k];
        one& t = m_tasks[f.source];
        if (f.start > t.clock) {
            event sleep;
            sleep.what = op::sleep;
            sleep.seconds = (f.start - t.clock) * unit_seconds;
            sleep.line = f.line;
            t.events.push_back(sleep);
            t.clock = f.start;
        }
        t.events.push_back(message(op::isend, k, f.destination));
    }

    /// Adds a flow that begins when those of `others` have arrived, where it begins.
    void wait_for(std::size_t k, const std::vector<std::size_t>& others) {
        const flow_line& f = m_flows[k];
        const auto fail = [&](const std::string& what) {
            throw config::error({m_text.path(), f.line, 1}, fmt::format("trigger {} {}", f.trigger, what));
        };
        const auto trigger = m_triggers.find(f.trigger);
        if (trigger == m_triggers.end()) fail("has no line 'trigger id ...'");
        const std::uint64_t needed = trigger->second.barrier ? trigger->second.count : 1;
        if (others.size() != needed)
            fail(fmt::format("is fired by {} flows; only {} can be read, those that it waits for",
                             others.size(), needed));
        event e = message(op::send, k, f.destination);
        e.in_sequence = false;
        for (const std::size_t other : others) {
            if (m_flows[other].destination != f.source)
                fail(fmt::format(
                    "fires at node {}, and starts a flow at node {}; it can be read only at one node",
                    m_flows[other].destination, f.source));
            e.needs.push_back({2 * other + 2, false});
        }
        m_tasks[f.source].events.push_back(e);
    }

    text_stream m_text;
    event_line m_words;
    std::vector<one> m_tasks;
    std::vector<flow_line> m_flows;
    std::map<std::int64_t, trigger_line> m_triggers;
    std::map<std::string, std::uint64_t> m_counts;
    bool m_priorities = false;
};

bool begins_so(const std::string& head) {
    std::size_t at = head.find_first_not_of(" \t\r\n");
    while (at != std::string::npos && head[at] == '#')
        at = head.find_first_not_of(" \t\r\n", head.find('\n', at));
    return at != std::string::npos && head.compare(at, 6, "Nodes ") == 0;
}

[[maybe_unused]] const bool known = add_signature("htsim", begins_so);

const config::registration<trace_reader, const trace_source&> registered{
    "htsim", "Connection matrices (.cm) of htsim: flows by their start and size.",
    config::made<htsim_reader>};

}  // namespace
}  // namespace sare::traffic::variants::htsim
