// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/goal/goal_schedule.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

/// GOAL schedules as text (LogGOPSim, ATLAHS).
namespace sare::traffic::variants::goal {
namespace {

/// The words of a line, with braces, colons and a number's unit. Comments, over several lines too, are left
/// out.
class goal_words {
  public:
    explicit goal_words(text_stream text) : m_text(std::move(text)) {}
    /// Goes to the next line that has words; returns false at the end of the file.
    bool next_line() {
        std::string line;
        while (m_text.next(line)) {
            split(line);
            if (!m_words.empty()) return true;
        }
        return false;
    }
    bool at_end() const { return m_at == m_words.size(); }
    std::string peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_words.size() ? m_words[m_at + ahead] : "";
    }
    std::string take() {
        std::string word = peek();
        if (!at_end()) ++m_at;
        return word;
    }
    bool take_if(const char* word) {
        if (peek() != word) return false;
        ++m_at;
        return true;
    }
    void expect(const char* word) {
        if (!take_if(word)) fail("expected '" + std::string(word) + "', not " + seen());
    }
    std::uint64_t number(const char* what, std::uint64_t most) {
        const std::string word = peek();
        if (word.empty() || word.size() > 18 || word.find_first_not_of("0123456789") != std::string::npos)
            fail(std::string(what) + " must be an integer, not " + seen());
        const std::uint64_t n = std::stoull(take());
        if (n > most) fail(fmt::format("{} {} is out of range; at most {}", what, word, most));
        return n;
    }
    std::string seen() const { return at_end() ? "the end of the line" : "'" + peek() + "'"; }
    [[noreturn]] void fail(const std::string& what) const { throw config::error(m_text.where(), what); }
    std::uint32_t line() const { return static_cast<std::uint32_t>(m_text.where().line); }
    const std::string& path() const { return m_text.path(); }

  private:
    static bool part_of_word(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
    static bool digit(char c) { return c >= '0' && c <= '9'; }

    void split(const std::string& line) {
        m_words.clear();
        m_at = 0;
        for (std::size_t i = 0; i < line.size();) {
            if (m_in_comment) {
                const auto end = line.find("*/", i);
                if (end == std::string::npos) return;
                m_in_comment = false;
                i = end + 2;
            } else if (line.compare(i, 2, "//") == 0) {
                return;
            } else if (line.compare(i, 2, "/*") == 0) {
                m_in_comment = true;
                i += 2;
            } else if (line[i] == ' ' || line[i] == '\t') {
                ++i;
            } else {
                i = add(line, i);
            }
        }
    }

    std::size_t add(const std::string& line, std::size_t from) {
        std::size_t end = from + 1;
        if (line.compare(from, 2, "-1") == 0 || digit(line[from]))
            while (end < line.size() && digit(line[end])) ++end;
        else if (part_of_word(line[from]))
            while (end < line.size() && part_of_word(line[end])) ++end;
        m_words.push_back(line.substr(from, end - from));
        return end;
    }

    text_stream m_text;
    std::vector<std::string> m_words;
    std::size_t m_at = 0;
    bool m_in_comment = false;
};

class goal_parser {
  public:
    using ranks = std::unordered_map<std::uint32_t, kept_events>;

    goal_parser(text_stream text, ranks& into) : m_words(std::move(text)), m_ranks(into) {}

    std::uint32_t read() {
        while (m_words.next_line())
            while (!m_words.at_end()) read_item();
        if (m_open)
            m_words.fail(fmt::format("the schedule ends early: the '}}' of rank {} is missing", m_number));
        if (m_count == 0) m_words.fail("the schedule must begin with 'num_ranks N'");
        return m_count;
    }
    std::uint64_t cpus() const { return m_cpus; }
    bool nics() const { return m_nics; }

  private:
    void read_item() {
        if (!m_open) {
            if (m_count == 0) {
                m_words.expect("num_ranks");
                m_count = static_cast<std::uint32_t>(m_words.number("the number of ranks", most_goal_ranks));
                if (m_count == 0) m_words.fail("a schedule has at least one rank");
            } else {
                m_words.expect("rank");
                open_rank();
            }
        } else if (m_words.take_if("}")) {
            close_rank();
        } else {
            read_statement();
            if (!m_words.at_end() && m_words.peek() != "}")
                m_words.fail("expected the end of the line, not " + m_words.seen());
        }
    }

    void open_rank() {
        m_number = static_cast<std::uint32_t>(m_words.number("the rank", m_count - 1));
        m_words.expect("{");
        if (!m_ranks.try_emplace(m_number).second)
            m_words.fail(fmt::format("rank {} is there already", m_number));
        m_open = true;
        m_labels.clear();
    }

    void read_statement() {
        const std::string after = m_words.peek(1);
        if (after == "requires" || after == "irequires") {
            goal_edge e;
            e.line = m_words.line();
            e.later = labelled();
            e.begun = m_words.take() == "irequires";
            e.earlier = labelled();
            m_rank.operations[e.earlier].needed = true;
            m_rank.edges.push_back(e);
            return;
        }
        if (after == ":") {
            const std::string label = m_words.take();
            m_words.take();
            const auto number = static_cast<std::uint32_t>(m_rank.operations.size());
            if (!m_labels.emplace(label, number).second)
                m_words.fail("label '" + label + "' is there already");
        }
        read_operation();
    }

    std::uint32_t labelled() {
        const auto found = m_labels.find(m_words.peek());
        if (found == m_labels.end())
            m_words.fail(fmt::format("rank {} has no operation with label {} before this line", m_number,
                                     m_words.seen()));
        m_words.take();
        return found->second;
    }

    void read_operation() {
        goal_operation o;
        o.line = m_words.line();
        if (m_words.take_if("calc")) {
            o.size = m_words.number("the time", UINT64_MAX);
        } else if (m_words.peek() == "send" || m_words.peek() == "recv") {
            o.what = m_words.take() == "send" ? op::send : op::recv;
            read_message(o);
        } else {
            m_words.fail("expected send, recv, calc, 'LABEL requires LABEL' or '}', not " + m_words.seen());
        }
        if (m_words.take_if("cpu")) m_cpus = std::max(m_cpus, m_words.number("the cpu", 255) + 1);
        if (m_words.take_if("nic") && m_words.number("the nic", 255) != 0) m_nics = true;
        m_rank.operations.push_back(o);
    }

    void read_message(goal_operation& o) {
        const bool receives = o.what == op::recv;
        o.size = m_words.number("the size", UINT64_MAX);
        m_words.expect("b");
        m_words.expect(receives ? "from" : "to");
        o.peer = receives && m_words.take_if("-1")
                     ? goal_wild
                     : static_cast<std::uint32_t>(m_words.number("the peer", m_count - 1));
        if (m_words.take_if("tag"))
            o.tag = receives && m_words.take_if("-1")
                        ? goal_wild
                        : static_cast<std::uint32_t>(m_words.number("the tag", goal_wild - 1));
    }

    void close_rank() {
        m_ranks[m_number] = in_order(std::exchange(m_rank, {}), m_number, m_words.path());
        m_open = false;
    }

    goal_words m_words;
    ranks& m_ranks;
    goal_rank m_rank;
    bool m_open = false;  ///< true: its braces are open
    std::uint32_t m_number = 0, m_count = 0;
    std::unordered_map<std::string, std::uint32_t> m_labels;
    std::uint64_t m_cpus = 1;
    bool m_nics = false;
};

class goal_reader final : public goal_schedule {
  public:
    explicit goal_reader(const trace_source& source) : goal_schedule(source.path) {
        goal_parser parser(std::move(*source.text), m_ranks);
        m_count = parser.read();
        say(parser.cpus(), parser.nics());
    }
};

/// True for a schedule, which begins with its number of ranks; comments may be before it.
bool is_goal(const std::string& head) {
    std::size_t at = 0;
    for (;;) {
        at = head.find_first_not_of(" \t\r\n", at);
        if (at == std::string::npos) return false;
        if (head.compare(at, 2, "//") == 0)
            at = head.find('\n', at);
        else if (head.compare(at, 2, "/*") == 0)
            at = std::min(head.find("*/", at + 2), head.size() - 2) + 2;
        else
            return head.compare(at, 9, "num_ranks") == 0;
    }
}

[[maybe_unused]] const bool known = add_signature("goal", is_goal);

const config::registration<trace_reader, const trace_source&> registered{
    "goal", "GOAL schedules as text (LogGOPSim, ATLAHS): a graph of operations per rank.",
    config::made<goal_reader>};

}  // namespace
}  // namespace sare::traffic::variants::goal
