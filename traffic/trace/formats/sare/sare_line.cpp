// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/sare/sare_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace sare::traffic {
namespace {

/// The words that follow `task action` on a line, for each action.
struct grammar {
    op what;
    std::size_t least;  ///< number of words; one more per task with `per_task`
    std::size_t per_task;
    const char* form;
    std::size_t most = 0;  ///< number of further words that there may be
};

const std::unordered_map<std::string, grammar>& actions() {
    static const std::unordered_map<std::string, grammar> all = {
        {"compute", {op::compute, 1, 0, "seconds"}},
        {"flops", {op::compute, 1, 0, "operations"}},
        {"sleep", {op::sleep, 1, 0, "seconds"}},
        {"send", {op::send, 2, 0, "destination bytes [tag]", 1}},
        {"isend", {op::isend, 4, 0, "destination bytes tag request"}},
        {"recv", {op::recv, 2, 0, "source bytes [tag]", 1}},
        {"irecv", {op::irecv, 4, 0, "source bytes tag request"}},
        {"sendrecv", {op::sendrecv, 4, 0, "destination bytes source bytes [tag]", 1}},
        {"put", {op::put, 2, 0, "destination bytes"}},
        {"get", {op::get, 2, 0, "source bytes"}},
        {"flush", {op::flush, 0, 0, "[destination]", 1}},
        {"probe", {op::probe, 2, 0, "source tag"}},
        {"wait", {op::wait, 1, 0, "request"}},
        {"waitall", {op::waitall, 0, 0, ""}},
        {"test", {op::test, 1, 0, "request"}},
        {"mark", {op::mark, 1, 0, "number"}},
        {"barrier", {op::barrier, 0, 0, ""}},
        {"fence", {op::fence, 0, 0, ""}},
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

constexpr std::int64_t most_communicators = INT32_MAX;

/// Returns the name of a request as an operation has it, which is not 0.
std::uint64_t name_of(std::int64_t request) {
    return request == 0 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(request);
}

class event_parser {
  public:
    event_parser(event_line& words, std::uint32_t task, const trace_groups& groups, open_requests& open,
                 event& e)
        : w(words), m_task(task), m_groups(groups), m_open(open), m(e) {}

    void parse() {
        if (w.size() < 2) w.fail("the line is too short; it needs: task action");
        read_options();
        const std::string action = w.word(1);
        const auto known = actions().find(action);
        if (known == actions().end()) unknown(action);
        const grammar& g = known->second;
        m.what = g.what;
        m_group = &m_groups.of(m.communicator, m_task, w);
        check_length(action, g);
        if (g.per_task != 0)
            read_counts(g);
        else
            read_arguments(action, g);
        open(g);
    }

  private:
    [[noreturn]] void unknown(const std::string& action) const {
        std::vector<std::string> names;
        for (const auto& [name, g] : actions()) names.push_back(name);
        const std::string near = config::nearest(action, names);
        w.fail("unknown action '" + action + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }

    /// Reads words behind the arguments: `beside`, and those with `=`.
    void read_options() {
        std::size_t first = 2;
        while (first < w.size() && w.word(first) != "beside" && w.word(first).find('=') == std::string::npos)
            ++first;
        for (std::size_t i = first; i < w.size(); ++i) read_option(w.word(i));
        w.cut(first);
    }

    void read_option(const std::string& word) {
        if (word == "beside") {
            m.in_sequence = false;
            return;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string key = word.substr(0, equals);
        std::string list = word.substr(std::min(equals + 1, word.size()));
        std::replace(list.begin(), list.end(), ',', ' ');
        event_line values = w.without_words();
        values.split(list);
        if (values.size() == 0) w.fail("'" + word + "' needs a value");
        const bool needs = key == "after" || key == "begun";
        if (values.size() > 1 && !needs) w.fail("'" + word + "' has more than one value");
        if (key == "on") {
            const std::int64_t number = values.integer_at(0, "the communicator");
            if (number < 0 || number > most_communicators) w.fail("there is no communicator " + list);
            m.communicator = static_cast<std::uint32_t>(number);
        } else if (key == "name") {
            m.request = name_of(values.integer_at(0, "the name"));
        } else if (key == "seconds") {
            m.seconds = values.amount_at(0, "the time");
        } else if (key == "flops") {
            m.flops = values.amount_at(0, "the amount");
        } else if (needs) {
            for (std::size_t i = 0; i < values.size(); ++i)
                m.needs.push_back({name_of(values.integer_at(i, "the name")), key == "begun"});
        } else {
            w.fail("unknown option '" + word +
                   "'; there are on=, name=, after=, begun=, seconds=, flops= and beside");
        }
    }

    void check_length(const std::string& action, const grammar& g) const {
        const std::size_t least = g.least + g.per_task * m_group->size();
        w.need(least, g.form);
        if (w.size() <= 2 + least + g.most) return;
        const std::string needs = *g.form == '\0' ? "nothing" : g.form;
        w.fail("the line is too long; '" + action + "' needs: " + needs);
    }

    std::uint32_t rank_at(std::size_t i, const char* what) const {
        return w.task_at(i, what, m_group->size());
    }
    std::uint32_t source_at(std::size_t i, const char* what) const {
        return w.word(i) == "any" ? any_source : rank_at(i, what);
    }
    /// Returns a tag; no tag is tag 0.
    std::int64_t tag_at(std::size_t i) const {
        if (i >= w.size()) return 0;
        const bool receives = m.what == op::recv || m.what == op::irecv || m.what == op::probe;
        return receives && w.word(i) == "any" ? any_tag : w.integer_at(i, "the tag");
    }

    void read_counts(const grammar& g) {
        const std::size_t n = m_group->size();
        for (std::size_t k = 0; k < n; ++k) m.counts.push_back(w.size_at(2 + g.least + k, "the size"));
        for (std::size_t k = n; k < g.per_task * n; ++k)
            m.receive_counts.push_back(w.size_at(2 + g.least + k, "the size"));
        if (g.least == 1) m.root = rank_at(2, "the root");
    }

    void read_arguments(const std::string& action, const grammar& g) {
        switch (g.what) {
            case op::compute:
                (action == "flops" ? m.flops : m.seconds) = w.amount_at(2, "the amount");
                break;
            case op::sleep:
                m.seconds = w.amount_at(2, "the time");
                break;
            case op::send:
            case op::isend:
            case op::recv:
            case op::irecv:
                m.peer = g.what == op::send || g.what == op::isend ? rank_at(2, "the partner")
                                                                   : source_at(2, "the partner");
                m.bytes = w.size_at(3, "the size");
                m.tag = tag_at(4);
                if (g.least == 4) m.request = w.word(5) == "-" ? 0 : name_of(w.integer_at(5, "the request"));
                break;
            case op::sendrecv:
                m.peer = rank_at(2, "the destination");
                m.bytes = w.size_at(3, "the size");
                m.from = source_at(4, "the source");
                m.from_bytes = w.size_at(5, "the size");
                m.tag = tag_at(6);
                break;
            case op::put:
            case op::get:
                m.peer = rank_at(2, "the partner");
                m.bytes = w.size_at(3, "the size");
                break;
            case op::flush:
                m.peer = w.size() > 2 ? rank_at(2, "the partner") : any_source;
                break;
            case op::probe:
                m.peer = source_at(2, "the source");
                m.tag = tag_at(3);
                break;
            case op::wait: {
                const std::uint64_t name = name_of(w.integer_at(2, "the request"));
                if (m_open.erase(name) != 0) m.request = name;
                break;
            }
            case op::waitall:
                m_open.clear();
                break;
            case op::bcast:
            case op::reduce:
            case op::gather:
            case op::scatter:
                m.root = rank_at(2, "the root");
                m.bytes = w.size_at(3, "the size");
                break;
            case op::mark:
                m.tag = w.integer_at(2, "the number");
                break;
            case op::test:
                if (const std::int64_t name = w.integer_at(2, "the request"); name != 0)
                    m.request = name_of(name);
                break;
            case op::barrier:
            case op::fence:
                break;
            default:
                m.bytes = w.size_at(2, "the size");
                break;
        }
    }

    /// Opens a request for an operation of a sequence that goes on beside its task and may be waited for.
    void open(const grammar& g) {
        const bool waits = g.what == op::isend || g.what == op::irecv || g.what == op::put ||
                           g.what == op::get || is_collective(g.what);
        if (!waits || !m.in_sequence || m.request == 0) return;
        if (!m_open.insert(m.request).second)
            w.fail("request " + (g.least == 4 ? w.word(5) : std::to_string(m.request)) +
                   " is open already; wait for it first");
    }

    event_line& w;
    std::uint32_t m_task;
    const trace_groups& m_groups;
    open_requests& m_open;
    event& m;
    const communicator* m_group = nullptr;
};

}  // namespace

void trace_groups::define(const event_line& words) {
    if (words.size() < 3) words.fail("the line must be 'communicator NUMBER TASK ...'");
    const std::int64_t number = words.integer_at(1, "the number");
    if (number < 1 || number > most_communicators)
        words.fail(fmt::format("the number of a communicator must be from 1 to {}", most_communicators));
    std::vector<std::uint32_t> tasks;
    std::set<std::uint32_t> seen;
    for (std::size_t i = 2; i < words.size(); ++i) {
        tasks.push_back(words.task_at(i, "task", m_tasks));
        if (!seen.insert(tasks.back()).second) words.fail("task " + words.word(i) + " is named twice");
    }
    if (!m_listed.emplace(static_cast<std::uint32_t>(number), listed_tasks(std::move(tasks))).second)
        words.fail("communicator " + words.word(1) + " is there already");
}

const communicator& trace_groups::of(std::uint32_t number, std::uint32_t task,
                                     const event_line& words) const {
    if (number == 0) return m_all;
    const auto found = m_listed.find(number);
    if (found == m_listed.end())
        words.fail(fmt::format(
            "there is no communicator {}; a line 'communicator NUMBER TASK ...' before makes one", number));
    if (!found->second.has(task)) words.fail(fmt::format("the task is not in communicator {}", number));
    return found->second;
}

void parse_event(event_line& words, std::uint32_t task, const trace_groups& groups, open_requests& open,
                 event& e) {
    event_parser(words, task, groups, open, e).parse();
}

}  // namespace sare::traffic
