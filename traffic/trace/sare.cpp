// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <list>
#include <map>
#include <set>

/// Sare's own text format, version 1: docs/traces.md.
namespace sare::traffic {
namespace {

/// What follows `task action` on a line, per action.
struct grammar {
    op what;
    std::size_t least;  ///< words; one more per task where `per_task`
    std::size_t per_task;
    const char* form;
};

const std::map<std::string, grammar>& actions() {
    static const std::map<std::string, grammar> all = {
        {"compute", {op::compute, 1, 0, "seconds"}},
        {"flops", {op::compute, 1, 0, "operations"}},
        {"sleep", {op::sleep, 1, 0, "seconds"}},
        {"send", {op::send, 2, 0, "destination bytes [tag]"}},
        {"isend", {op::isend, 4, 0, "destination bytes tag request"}},
        {"recv", {op::recv, 2, 0, "source bytes [tag]"}},
        {"irecv", {op::irecv, 4, 0, "source bytes tag request"}},
        {"sendrecv", {op::sendrecv, 4, 0, "destination bytes source bytes [tag]"}},
        {"wait", {op::wait, 1, 0, "request"}},
        {"waitall", {op::waitall, 0, 0, ""}},
        {"test", {op::test, 1, 0, "request"}},
        {"mark", {op::mark, 1, 0, "number"}},
        {"barrier", {op::barrier, 0, 0, ""}},
        {"bcast", {op::bcast, 2, 0, "root bytes"}},
        {"reduce", {op::reduce, 2, 0, "root bytes"}},
        {"gather", {op::gather, 2, 0, "root bytes"}},
        {"scatter", {op::scatter, 2, 0, "root bytes"}},
        {"allreduce", {op::allreduce, 1, 0, "bytes"}},
        {"allgather", {op::allgather, 1, 0, "bytes"}},
        {"alltoall", {op::alltoall, 1, 0, "bytes"}},
        {"scan", {op::scan, 1, 0, "bytes"}},
        {"exscan", {op::exscan, 1, 0, "bytes"}},
        {"gatherv", {op::gatherv, 1, 1, "root, bytes of every task"}},
        {"scatterv", {op::scatterv, 1, 1, "root, bytes of every task"}},
        {"allgatherv", {op::allgatherv, 0, 1, "bytes of every task"}},
        {"reduce_scatter", {op::reduce_scatter, 0, 1, "bytes of every task"}},
        {"alltoallv", {op::alltoallv, 0, 2, "bytes sent to every task, bytes received from every task"}},
    };
    return all;
}

class sare_reader : public trace_reader {
  public:
    explicit sare_reader(const trace_source& source) {
        m_shared.push_back(std::make_unique<text_stream>(std::move(*source.text)));
        text_stream& text = *m_shared[0];
        std::string line;
        if (!text.next(line) || line.compare(0, 10, "sare-trace") != 0)
            throw config::error({source.path, 1, 1}, "the first line must be 'sare-trace 1'");
        if (without_comment(line) != "sare-trace 1")
            throw config::error({source.path, 1, 1}, "version '" + without_comment(line).substr(10) +
                                                         "' of the format is not known; this reader knows 1");
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

  private:
    struct task_state {
        std::size_t file = 0;
        std::uint64_t number = 0, requests = 0;
        std::map<std::int64_t, std::uint64_t> open;  ///< the trace's name of a request to its number
        std::list<event> waiting;  ///< read on the way to another task's; small while it is empty
    };

    static std::string without_comment(const std::string& line) {
        const std::string text = line.substr(0, line.find('#'));
        const auto end = text.find_last_not_of(" \t");
        return end == std::string::npos ? "" : text.substr(0, end + 1);
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
                const auto count =
                    words.size() == 2 && words.word(0) == "tasks" ? std::atoll(words.word(1).c_str()) : 0;
                if (count < 1 || count > 16777216)
                    wrong("the second line must be 'tasks N', N from 1 to 16777216");
                m_tasks.resize(static_cast<std::size_t>(count));
            } else if (words.word(0) == "file") {
                if (words.size() != 3) wrong("the line must be 'file TASK NAME'");
                char* end = nullptr;
                const long long task = std::strtoll(words.word(1).c_str(), &end, 10);
                if (*end != '\0' || task < 0 || task >= static_cast<long long>(m_tasks.size()))
                    wrong("task " + words.word(1) + " is out of range; tasks are 0 to " +
                          std::to_string(m_tasks.size() - 1));
                const auto t = static_cast<std::uint32_t>(task);
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
            char* end = nullptr;
            const long long task = std::strtoll(first.word(0).c_str(), &end, 10);
            if (*end != '\0' || task < 0 || task >= static_cast<long long>(m_tasks.size()))
                throw config::error(text.where(), "a line must begin with a task, 0 to " +
                                                      std::to_string(m_tasks.size() - 1) + ", not '" +
                                                      first.word(0) + "'");
            whose = static_cast<std::uint32_t>(task);
            task_state& t = m_tasks[whose];
            event_line words(text.where(), whose, ++t.number);
            words.split(bare);
            if (t.file != file) words.fail("the line is in the file of another task");
            e = event{};
            e.number = t.number;
            e.line = text.where().line;
            parse(words, t, e);
            return true;
        }
    }

    void parse(const event_line& w, task_state& t, event& e) const {
        if (w.size() < 2) w.fail("the line is too short; it needs: task action");
        const std::string& action = w.word(1);
        const auto known = actions().find(action);
        if (known == actions().end()) {
            std::vector<std::string> names;
            for (const auto& [name, g] : actions()) names.push_back(name);
            const std::string near = config::nearest(action, names);
            w.fail("unknown action '" + action + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
        }
        const grammar& g = known->second;
        const std::size_t n = m_tasks.size();
        w.need(g.least + g.per_task * n, g.form);
        const bool tagged = g.what == op::send || g.what == op::recv || g.what == op::sendrecv;
        if (w.size() > 2 + g.least + g.per_task * n + (tagged ? 1 : 0))
            w.fail("the line is too long; '" + action + "' needs: " + g.form);
        e.what = g.what;
        if (g.per_task != 0) {
            for (std::size_t k = 0; k < n; ++k) e.counts.push_back(w.size_at(2 + g.least + k, "the size"));
            for (std::size_t k = n; k < g.per_task * n; ++k)
                e.receive_counts.push_back(w.size_at(2 + g.least + k, "the size"));
            if (g.least == 1) e.root = w.task_at(2, "the root", tasks());
            return;
        }
        switch (g.what) {
            case op::compute:
                (action == "flops" ? e.flops : e.seconds) = w.amount_at(2, "the amount");
                break;
            case op::sleep:
                e.seconds = w.amount_at(2, "the time");
                break;
            case op::send:
            case op::isend:
            case op::recv:
            case op::irecv:
                e.peer = w.task_at(2, "the partner", tasks());
                e.bytes = w.size_at(3, "the size");
                if (w.size() > 4) e.tag = w.integer_at(4, "the tag");
                if (g.least == 4) {
                    e.request = ++t.requests;
                    if (!t.open.emplace(w.integer_at(5, "the request"), e.request).second)
                        w.fail("request " + w.word(5) + " is open already; wait for it first");
                }
                break;
            case op::sendrecv:
                e.peer = w.task_at(2, "the destination", tasks());
                e.bytes = w.size_at(3, "the size");
                e.from = w.task_at(4, "the source", tasks());
                e.from_bytes = w.size_at(5, "the size");
                if (w.size() > 6) e.tag = w.integer_at(6, "the tag");
                break;
            case op::wait: {
                const auto found = t.open.find(w.integer_at(2, "the request"));
                if (found == t.open.end()) break;
                e.request = found->second;
                t.open.erase(found);
                break;
            }
            case op::waitall:
                t.open.clear();
                break;
            case op::bcast:
            case op::reduce:
            case op::gather:
            case op::scatter:
                e.root = w.task_at(2, "the root", tasks());
                e.bytes = w.size_at(3, "the size");
                break;
            case op::mark:
                e.tag = w.integer_at(2, "the number");
                break;
            case op::test:
            case op::barrier:
                break;
            default:
                e.bytes = w.size_at(2, "the size");
                break;
        }
    }

    std::vector<std::unique_ptr<text_stream>> m_shared;  ///< the header's file, then one per `file` line
    std::vector<task_state> m_tasks;
    std::string m_held;  ///< the first event's line, read with the header
    bool m_holds = false;
};

const config::registration<trace_reader, const trace_source&> registered{
    "sare", "Sare's own text format: one event a line, one file or one per task.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const trace_source& s) {
        return new sare_reader(s);
    }};

}  // namespace
}  // namespace sare::traffic
