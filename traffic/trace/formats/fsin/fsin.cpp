// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/line_store.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <sstream>

/// The traces of INSEE: what its traffic generator TrGen writes and its simulator FSIN replays, and the sends
/// and receives of MPE's ALOG, which FSIN reads, too. A line is an event of one task; those of a task are in
/// order, tasks may be mixed.
namespace sare::traffic::variants::fsin {
namespace {

constexpr const char* sent = "-101";
constexpr const char* received = "-102";
constexpr double unit_seconds = 1e-9;  ///< seconds of a unit of computation

class fsin_reader final : public trace_reader {
  public:
    explicit fsin_reader(const trace_source& source) : m_lines(std::move(*source.text)) {
        line_store::run at;
        parts l;
        while (m_lines.next(m_line, at)) {
            m_words.belongs_to(m_lines.where(at.line), 0, 0);
            if (!split(l)) continue;
            const std::size_t named = std::max(l.task, l.peer) + std::size_t{1};
            if (named > m_tasks.size()) m_tasks.resize(named);
            m_tasks[l.task].lines.add(at);
        }
        if (m_tasks.empty()) throw config::error({source.path, 1, 1}, "the trace has no event");
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    config::location where(std::uint32_t, const event& e) const override { return m_lines.where(line_of(e)); }

    bool next(std::uint32_t task, event& e) override {
        one& t = m_tasks[task];
        parts l;
        while (t.lines.next(m_lines, m_line)) {
            m_words.belongs_to(m_lines.where(t.lines.number()), task, t.number + 1);
            if (!split(l)) continue;
            e.clear();
            e.what = l.what;
            e.number = ++t.number;
            e.line = static_cast<int>(t.lines.number());
            if (l.what == op::compute) {
                e.seconds = m_words.amount_at(2, "the time") * unit_seconds;
            } else {
                e.peer = l.peer;
                e.tag = m_words.integer_at(l.tag, "the tag");
                e.bytes = m_words.size_at(l.tag + 1, "the size");
            }
            return true;
        }
        return false;
    }

  private:
    static constexpr std::uint32_t most_tasks = 1U << 20;

    struct one {
        line_cursor lines;
        std::uint64_t number = 0;
    };
    struct parts {
        op what = op::compute;
        std::uint32_t task = 0, peer = 0;
        std::size_t tag = 0;  ///< index of its word; the size is behind it
    };
    static std::uint32_t line_of(const event& e) { return static_cast<std::uint32_t>(e.line); }

    void need(std::size_t words, const char* form) const {
        if (m_words.size() != words) m_words.fail(std::string("the line must be: ") + form);
    }
    std::uint32_t task_at(std::size_t i) const { return m_words.task_at(i, "the task", most_tasks); }

    /// Splits a line; returns false for no event: comments, other records of ALOG, and messages to oneself.
    bool split(parts& l) {
        m_words.split(m_line);
        if (m_words.size() == 0 || m_words.word(0)[0] == '#') return false;
        const std::string& kind = m_words.word(0);
        if (kind == "c") {
            need(3, "c TASK TIME");
            l = {op::compute, task_at(1), 0, 0};
            return true;
        }
        if (kind == "s" || kind == "r") {
            need(5, "s or r, then FROM TO TAG BYTES");
            const bool sends = kind == "s";
            l = {sends ? op::send : op::recv, task_at(sends ? 1 : 2), task_at(sends ? 2 : 1), 3};
        } else if (kind == sent || kind == received) {
            need(8, "-101 or -102, then TASK THREAD PARTNER THREAD TIME TAG BYTES");
            l = {kind == sent ? op::send : op::recv, task_at(1), task_at(3), 6};
        } else if (kind.find_first_not_of("-0123456789") == std::string::npos) {
            return false;
        } else {
            m_words.fail("'" + kind + "' is no event; there are c, s, r, and of ALOG -101 and -102");
        }
        return l.task != l.peer;
    }

    line_store m_lines;
    std::vector<one> m_tasks;
    event_line m_words;
    std::string m_line;
};

/// True if the first line that is no comment is an event.
bool begins_so(const std::string& head) {
    std::istringstream lines(head);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::string kind;
        if (!(in >> kind) || kind[0] == '#') continue;
        std::size_t numbers = 0;
        for (std::string word; in >> word; ++numbers)
            if (word.find_first_not_of("-.0123456789") != std::string::npos) return false;
        return kind == "c"                  ? numbers == 2
               : kind == "s" || kind == "r" ? numbers == 4
                                            : (kind == sent || kind == received) && numbers == 7;
    }
    return false;
}

[[maybe_unused]] const bool known = add_signature("fsin", begins_so);

const config::registration<trace_reader, const trace_source&> registered{
    "fsin", "Traces of INSEE's TrGen and FSIN, as text.", config::made<fsin_reader>};

}  // namespace
}  // namespace sare::traffic::variants::fsin
