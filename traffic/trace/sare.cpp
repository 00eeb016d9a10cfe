// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/sare_line.h"
#include "traffic/trace/text_stream.h"

#include <charconv>
#include <list>
#include <set>

/// Sare's own text format, versions 1 and 2: docs/traces.md.
namespace sare::traffic {
namespace {

class sare_reader : public trace_reader {
  public:
    explicit sare_reader(const trace_source& source) {
        m_shared.push_back(std::make_unique<text_stream>(std::move(*source.text)));
        text_stream& text = *m_shared[0];
        std::string line;
        if (!text.next(line) || line.compare(0, 10, "sare-trace") != 0)
            throw config::error({source.path, 1, 1}, "the first line must be 'sare-trace 2'");
        const std::string first = without_comment(line);
        if (first != "sare-trace 1" && first != "sare-trace 2")
            throw config::error(
                {source.path, 1, 1},
                "version '" + first.substr(10) + "' of the format is not known; this reader knows 1 and 2");
        header(source);
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    config::location where(std::uint32_t task, const event& e) const override {
        return {m_shared[m_tasks[task].file]->path(), e.line, 1};
    }

    bool next(std::uint32_t task, event& e) override {
        task_state& t = m_tasks[task];
        while (t.waiting.empty()) {
            event other;
            std::uint32_t whose = 0;
            if (!read(t.file, whose, other)) return false;
            m_tasks[whose].waiting.push_back(std::move(other));
        }
        e = std::move(t.waiting.front());
        t.waiting.pop_front();
        return true;
    }

    const communicator& group(std::uint32_t id) const override { return m_groups->at(id); }

  private:
    struct task_state {
        std::size_t file = 0;
        std::uint64_t number = 0;
        open_requests open;
        std::list<event> waiting;  ///< read on the way to another task's; small while it is empty
    };

    static std::string without_comment(const std::string& line) {
        const std::string text = line.substr(0, line.find('#'));
        const auto end = text.find_last_not_of(" \t");
        return end == std::string::npos ? "" : text.substr(0, end + 1);
    }

    static constexpr std::uint32_t most_tasks = 16777216;

    /// The number that a word is; `limit` where it is none, or not below that.
    static std::uint32_t whole_number(const std::string& word, std::uint32_t limit) {
        std::uint32_t n = 0;
        const char* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, n);
        return error == std::errc() && end == last && n < limit ? n : limit;
    }

    /// `tasks N`, then `file TASK NAME` lines, up to the first event or the end.
    void header(const trace_source& source) {
        text_stream& text = *m_shared[0];
        const auto slash = source.path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : source.path.substr(0, slash + 1);
        std::string line;
        std::set<std::uint32_t> with_file;
        while (text.next(line)) {
            event_line words(text.where(), 0, 0);
            words.split(without_comment(line));
            if (words.size() == 0) continue;
            const auto wrong = [&](const std::string& what) { throw config::error(text.where(), what); };
            if (m_tasks.empty()) {
                const std::uint32_t count = words.size() == 2 && words.word(0) == "tasks"
                                                ? whole_number(words.word(1), most_tasks + 1)
                                                : 0;
                if (count < 1 || count > most_tasks)
                    wrong("the second line must be 'tasks N', N from 1 to 16777216");
                m_tasks.resize(count);
                m_groups.emplace(tasks());
            } else if (words.word(0) == "communicator") {
                m_groups->define(words);
            } else if (words.word(0) == "file") {
                if (words.size() != 3) wrong("the line must be 'file TASK NAME'");
                const std::uint32_t t = whole_number(words.word(1), tasks());
                if (t == tasks())
                    wrong("task " + words.word(1) + " is out of range; tasks are 0 to " +
                          std::to_string(m_tasks.size() - 1));
                if (!with_file.insert(t).second) wrong("task " + words.word(1) + " has two files");
                const std::string& name = words.word(2);
                m_tasks[t].file = m_shared.size();
                m_shared.push_back(
                    std::make_unique<text_stream>(name[0] == '/' ? name : folder + name, text.where()));
            } else {
                m_held = line;
                m_holds = true;
                break;
            }
        }
        if (m_tasks.empty())
            throw config::error(text.where(), "the second line must be 'tasks N', N from 1 to 16777216");
        if (with_file.empty()) return;
        for (std::uint32_t t = 0; t < m_tasks.size(); ++t)
            if (with_file.count(t) == 0)
                throw config::error(
                    text.where(),
                    "task " + std::to_string(t) + " has no 'file' line; either every task has one or none");
    }

    /// The next event of a file and its task.
    bool read(std::size_t file, std::uint32_t& whose, event& e) {
        text_stream& text = *m_shared[file];
        std::string line;
        for (;;) {
            if (file == 0 && m_holds) {
                line = m_held;
                m_holds = false;
            } else if (!text.next(line)) {
                return false;
            }
            event_line first(text.where(), 0, 0);
            const std::string bare = without_comment(line);
            first.split(bare);
            if (first.size() == 0) continue;
            if (first.word(0) == "communicator") {
                m_groups->define(first);
                continue;
            }
            whose = whole_number(first.word(0), tasks());
            if (whose == tasks())
                throw config::error(text.where(), "a line must begin with a task, 0 to " +
                                                      std::to_string(m_tasks.size() - 1) + ", not '" +
                                                      first.word(0) + "'");
            task_state& t = m_tasks[whose];
            event_line words(text.where(), whose, ++t.number);
            words.split(bare);
            if (t.file != file) words.fail("the line is in the file of another task");
            e = event{};
            e.number = t.number;
            e.line = text.where().line;
            parse_event(words, whose, *m_groups, t.open, e);
            return true;
        }
    }

    std::vector<std::unique_ptr<text_stream>> m_shared;  ///< the header's file, then one per `file` line
    std::vector<task_state> m_tasks;
    std::string m_held;  ///< the first event's line, read with the header
    bool m_holds = false;
    std::optional<trace_groups> m_groups;
};

[[maybe_unused]] const bool known =
    add_signature("sare", [](const std::string& head) { return head.compare(0, 10, "sare-trace") == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "sare", "Sare's own text format: one event a line, one file or one per task.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const trace_source& s) {
        return new sare_reader(s);
    }};

}  // namespace
}  // namespace sare::traffic
