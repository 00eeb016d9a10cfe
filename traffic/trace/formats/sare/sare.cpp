// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/sare/sare_line.h"
#include "traffic/trace/kept_events.h"
#include "traffic/trace/sparse_tasks.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

/// Sare's own text format, versions 1 to 3: docs/traces.md.
namespace sare::traffic::variants::sare {
namespace {

class sare_reader : public trace_reader {
  public:
    explicit sare_reader(const trace_source& source) {
        m_shared.push_back(std::make_unique<text_stream>(std::move(*source.text)));
        text_stream& text = *m_shared[0];
        std::string line;
        if (!text.next(line) || line.compare(0, 10, "sare-trace") != 0)
            throw config::error({source.path, 1, 1}, "the first line must be 'sare-trace 3'");
        const std::string first(without_comment(line));
        if (first != "sare-trace 1" && first != "sare-trace 2" && first != "sare-trace 3")
            throw config::error(
                {source.path, 1, 1},
                "version '" + first.substr(10) + "' of the format is not known; this reader knows 1 to 3");
        header(source);
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    config::location where(std::uint32_t task, const event& e) const override {
        return {m_shared[m_tasks.at(task).file]->path(), e.line, 1};
    }

    bool next(std::uint32_t task, event& e) override {
        task_state& t = m_tasks[task];
        if (!t.waiting.empty()) {
            t.waiting.take(e);
            return true;
        }
        for (std::uint32_t whose = 0; read(t.file, whose, e);) {
            if (whose == task) return true;
            m_tasks[whose].waiting.put(e);
        }
        return false;
    }

    bool next_any(std::uint32_t& task, event& e) override {
        while (m_file < m_shared.size()) {
            if (read(m_file, task, e)) return true;
            ++m_file;
        }
        return false;
    }

    const communicator& group(std::uint32_t id) const override { return m_groups->at(id); }

  private:
    struct task_state {
        std::size_t file = 0;
        std::uint64_t number = 0;
        bool wrong = false;  ///< true: an event had an error, later ones are passed over
        open_requests open;
        kept_events waiting;  ///< events read on the way to another task's
    };

    static std::string_view without_comment(std::string_view line) {
        line = line.substr(0, line.find('#'));
        return line.substr(0, line.find_last_not_of(" \t") + 1);
    }

    static constexpr std::uint32_t most_tasks = 16777216;

    /// Returns the number that a word is; `limit` if it is none, or not below that.
    static std::uint32_t whole_number(const std::string& word, std::uint32_t limit) {
        std::uint32_t n = 0;
        const char* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, n);
        return error == std::errc() && end == last && n < limit ? n : limit;
    }

    /// Reads `tasks N`, then `file TASK NAME` lines, up to the first event or the end.
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
                    wrong(fmt::format("task {} is out of range; tasks are 0 to {}", words.word(1),
                                      m_tasks.size() - 1));
                if (!with_file.insert(t).second) wrong("task " + words.word(1) + " has two files");
                const std::string& name = words.word(2);
                m_tasks[t].file = m_shared.size();
                m_shared.push_back(
                    std::make_unique<text_stream>(name[0] == '/' ? name : folder + name, text.where()));
            } else {
                m_line = line;
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
                    fmt::format("task {} has no 'file' line; either every task has one or none", t));
    }

    /// Reads the next event of a file and its task.
    bool read(std::size_t file, std::uint32_t& whose, event& e) {
        text_stream& text = *m_shared[file];
        for (;;) {
            if (file == 0 && m_holds)
                m_holds = false;
            else if (!text.next(m_line))
                return false;
            event_line& words = m_words;
            words.belongs_to(text, 0, 0);
            words.split(without_comment(m_line));
            if (words.size() == 0) continue;
            if (words.word(0) == "communicator") {
                m_groups->define(words);
                continue;
            }
            whose = whole_number(words.word(0), tasks());
            if (whose == tasks())
                words.fail(fmt::format("a line must begin with a task, 0 to {}, not '{}'", m_tasks.size() - 1,
                                       words.word(0)));
            task_state& t = m_tasks[whose];
            if (t.wrong) continue;
            t.wrong = true;
            words.belongs_to(text, whose, ++t.number);
            if (t.file != file) words.fail("the line is in the file of another task");
            e.clear();
            e.number = t.number;
            e.line = text.line();
            parse_event(words, whose, *m_groups, t.open, e);
            t.wrong = false;
            return true;
        }
    }

    std::vector<std::unique_ptr<text_stream>> m_shared;  ///< file of the header, then one per `file` line
    sparse_tasks<task_state> m_tasks;
    std::size_t m_file = 0;  ///< file that next_any() is at
    std::string m_line;
    event_line m_words;
    bool m_holds = false;  ///< true: the line is the first event's, read with the header
    std::optional<trace_groups> m_groups;
};

[[maybe_unused]] const bool known =
    add_signature("sare", [](const std::string& head) { return head.compare(0, 10, "sare-trace") == 0; });

const config::registration<trace_reader, const trace_source&> registered{
    "sare", "Sare's own text format: one event a line, one file or one per task.", config::made<sare_reader>};

}  // namespace
}  // namespace sare::traffic::variants::sare
