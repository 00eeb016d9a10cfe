// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/line_store.h"
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"
#include "traffic/trace/tools/by_messages.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

/// SimGrid's time-independent traces: an index file with one file per rank, or one of all ranks; lines `rank
/// action arguments`, sizes as counts of a datatype. Requests are named by (source, destination, tag) and
/// become numbers here.
namespace sare::traffic::variants::simgrid {
namespace {

/// Checks an index. Text of any other kind is taken for one too: its first word is then no file.
void check_index(const std::string& first, const text_stream& index) {
    std::error_code none;
    if (!std::filesystem::exists(first, none))
        throw config::error(index.where(),
                            "no trace format that is known here, and no index of SimGrid, whose lines name "
                            "files: there is no '" +
                                first + "'");
}

class simgrid_reader : public trace_reader {
  public:
    explicit simgrid_reader(const trace_source& source) {
        text_stream index = std::move(*source.text);
        const auto slash = source.path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : source.path.substr(0, slash + 1);
        std::string line;
        std::vector<text_stream> files;
        while (index.next(line)) {
            const auto from = line.find_first_not_of(" \t");
            if (from == std::string::npos || line[from] == '#') continue;
            std::string name = line.substr(from, line.find_last_not_of(" \t") - from + 1);
            if (name[0] != '/') name.insert(0, folder);
            if (files.empty()) check_index(name, index);
            files.emplace_back(name, index.where());
        }
        if (files.empty())
            throw config::error(
                {source.path, 1, 1},
                "the index names no file; it needs that of each rank, a line each, or one of all");
        if (files.size() == 1)
            share(std::move(files[0]));
        else
            for (text_stream& file : files) m_ranks.emplace_back().own.emplace(std::move(file));
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_ranks.size()); }
    config::location where(std::uint32_t task, const event& e) const override {
        const rank& r = m_ranks[task];
        return {r.own ? r.own->path() : m_shared->path(), e.line, 1};
    }

    bool next(std::uint32_t task, event& e) override {
        rank& r = m_ranks[task];
        while (r.more.empty() && next_line(r)) {
            event_line& words = m_words;
            if (r.own)
                words.belongs_to(*r.own, task, r.number + 1);
            else
                words.belongs_to(place(r), task, r.number + 1);
            words.split(m_line);
            if (words.size() == 0 || words.word(0)[0] == '#') continue;
            if (words.size() < 2) words.fail("the line is too short; it needs: rank action");
            if (words.integer_at(0, "the rank") != static_cast<std::int64_t>(task))
                words.fail("the line is of rank " + words.word(0));
            if (r.finalized) words.fail("'" + words.word(1) + "' after finalize");
            ++r.number;
            e.clear();
            e.number = r.number;
            e.line = r.own ? r.own->line() : static_cast<int>(r.lines.number());
            if (parse(words, r, task, e)) return true;
        }
        if (!r.more.empty()) {
            e = std::move(r.more.back());
            r.more.pop_back();
            return true;
        }
        if (!r.finalized)
            throw config::error(
                place(r), fmt::format("task {}, event {}: the trace ends early; 'finalize' is missing", task,
                                      r.number));
        return false;
    }

  private:
    static constexpr std::uint32_t most_shared = 1U << 20;   ///< limit on the ranks of a file of all
    static constexpr std::uint32_t nobody = any_source - 1;  ///< partner that stands for MPI_PROC_NULL
    static constexpr std::int64_t undefined = -333, any_source_word = -555, any_tag_word = -444;
    using key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  ///< source, destination, tag

    struct rank {
        std::optional<text_stream> own;  ///< file of its own; none: its lines are in that of all
        line_cursor lines;
        std::uint64_t number = 0, requests = 0;
        bool finalized = false;
        std::map<key, std::deque<std::uint64_t>> open;
        std::map<op, std::deque<std::uint64_t>> collectives;  ///< open collectives that go on beside it
        std::vector<event> more;  ///< rest of the last line, the next event at the end
    };

    /// Shares a file of all ranks, as many as its lines name.
    void share(text_stream file) {
        m_shared.emplace(std::move(file));
        line_store::run at;
        while (m_shared->next(m_line, at)) {
            m_words.belongs_to(m_shared->where(at.line), 0, 0);
            m_words.split(m_line);
            if (m_words.size() == 0 || m_words.word(0)[0] == '#') continue;
            const std::uint32_t task = m_words.task_at(0, "the rank", most_shared);
            if (task >= m_ranks.size()) m_ranks.resize(task + std::size_t{1});
            m_ranks[task].lines.add(at);
        }
        if (m_ranks.empty()) m_ranks.resize(1);  // whose 'finalize' is missing
    }
    bool next_line(rank& r) { return r.own ? r.own->next(m_line) : r.lines.next(*m_shared, m_line); }
    config::location place(const rank& r) const {
        return r.own ? r.own->where() : m_shared->where(r.lines.number());
    }

    void say(const std::string& text) {
        if (m_said.insert(text).second) warn(text);
    }

    /// Returns the bytes of a count of the datatype id at word i; doubles if there is none.
    std::uint64_t unit(const event_line& w, std::size_t i) {
        // As SMPI 3.32 numbers them, and MPI_Type_size gives them there.
        static constexpr std::uint8_t sizes[] = {8, 4, 1,  2,  8, 4, 1, 8,  1, 1,  2,  4, 8, 8, 16, 4,  1,
                                                 1, 2, 4,  8,  1, 2, 4, 8,  8, 16, 32, 8, 8, 8, 16, 16, 8,
                                                 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8,  16};
        if (i >= w.size()) return 8;
        const std::int64_t id = w.integer_at(i, "the datatype");
        if (id >= 0 && id < static_cast<std::int64_t>(std::size(sizes))) return sizes[id];
        constexpr std::int64_t packed = 57, count = 59;
        if (id == packed) return 1;
        if (id == count) return 8;
        say(fmt::format("datatype {} is not known; counted as 4 bytes", id));
        return 4;
    }
    std::uint32_t root(const event_line& w, std::size_t i) const {
        return i < w.size() ? w.task_at(i, "the root", tasks()) : 0;
    }
    std::uint32_t partner(const event_line& w, std::size_t i, const char* what, bool receives) {
        const std::int64_t n = w.integer_at(i, what);
        constexpr std::int64_t null_word = -666, old_any = -1;
        if (n == null_word || (!receives && n == undefined)) return nobody;
        if (!receives || (n != undefined && n != any_source_word && n != old_any))
            return w.task_at(i, what, tasks());
        if (n == undefined)
            say("a source of -333 is any or none (MPI_PROC_NULL), which the format does not tell apart; here "
                "it is any");
        return any_source;
    }
    std::int64_t tag(const event_line& w, std::size_t i, bool receives) const {
        const std::int64_t n = w.integer_at(i, "the tag");
        return receives && (n == any_tag_word || n == -1) ? any_tag : n;
    }
    std::vector<std::uint64_t> counts(const event_line& w, std::size_t i, std::uint64_t size) const {
        std::vector<std::uint64_t> all;
        for (std::size_t k = 0; k < m_ranks.size(); ++k) all.push_back(w.size_at(i + k, "the count") * size);
        return all;
    }

    /// Checks lines with a count per rank: no communicator is named, but their length depends on it.
    void check_length(const event_line& w, std::size_t least, std::size_t written, std::size_t most,
                      const char* form) {
        w.need(least, form);
        const std::size_t words = w.size() - 2;
        if (words > most)
            w.fail(
                fmt::format("the line is too long for {} ranks; '{}' needs: {}", tasks(), w.word(1), form));
        if (words < written)
            say(fmt::format(
                "'{}' has fewer words than SMPI writes for {} ranks: one in a smaller communicator, which "
                "the format does not name, would look so; it is read as one of all ranks",
                w.word(1), tasks()));
    }

    /// Parses a line; returns false for actions that are no events (init, finalize, ...).
    bool parse(const event_line& w, rank& r, std::uint32_t task, event& e) {
        const auto known = actions().find(lower(w.word(1)));
        if (known == actions().end()) unknown(w);
        const action& a = known->second;
        if (a.what == none) {
            if (known->first == "finalize") r.finalized = true;
            if (known->first == "comm_split")
                say("communicators are split, but the format does not say who is in which, nor what is "
                    "called in which: collectives are read as those of all ranks");
            return false;
        }
        if (a.what == one_sided) {
            say("one-sided calls of the trace are left out");
            return false;
        }
        if (a.what == restarted)
            w.fail("'" + w.word(1) + "' (a persistent request) has no source in this format; not read");
        e.what = static_cast<op>(a.what);
        if (is_collective(e.what)) {
            parse_collective(w, r, task, e, a.beside);
            return e.what != op::gatherv && e.what != op::scatterv;
        }
        return parse_other(w, r, task, e);
    }

    [[noreturn]] static void unknown(const event_line& w) {
        std::vector<std::string> names;
        for (const auto& [name, a] : actions()) names.push_back(name);
        const std::string near = config::nearest(w.word(1), names);
        w.fail("unknown action '" + w.word(1) + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }

    bool parse_other(const event_line& w, rank& r, std::uint32_t task, event& e) {
        switch (e.what) {
            case op::compute:
                w.need(1, "flops");
                e.flops = w.amount_at(2, "the amount");
                break;
            case op::sleep:
                w.need(1, "seconds");
                e.seconds = w.amount_at(2, "the time");
                break;
            case op::sendrecv:
                return parse_exchange(w, e);
            case op::wait:
            case op::test: {
                // waitany does not say which: the oldest then.
                if (lower(w.word(1)) == "waitany") return wait_for_oldest(r, e);
                w.need(3, "source destination tag");
                const std::int64_t from = w.integer_at(2, "the source"),
                                   to = w.integer_at(3, "the destination"), name = tag(w, 4, true);
                const key which{from < 0 ? any_source : w.task_at(2, "the source", tasks()),
                                to < 0 ? nobody : w.task_at(3, "the destination", tasks()), name};
                if (e.what == op::test) break;
                e.request = take(r, which);
                // Nothing has been begun to or from nobody, nor for a collective that is blocking here.
                return e.request != 0 || (to >= 0 && (name == any_tag || name > -100));
            }
            case op::waitall:
                r.open.clear();
                r.collectives.clear();
                break;
            default:
                return parse_message(w, r, task, e);
        }
        return true;
    }

    bool parse_message(const event_line& w, rank& r, std::uint32_t task, event& e) {
        const bool receives = e.what == op::recv || e.what == op::irecv;
        w.need(3, "partner tag count [datatype]");
        e.peer = partner(w, 2, "the partner", receives);
        e.tag = tag(w, 3, receives);
        e.bytes = w.size_at(4, "the size") * unit(w, 5);
        if (e.peer == nobody) return false;
        if (e.what == op::isend || e.what == op::irecv) {
            e.request = ++r.requests;
            r.open[receives ? key{e.peer, task, e.tag} : key{task, e.peer, e.tag}].push_back(e.request);
        }
        return true;
    }

    bool parse_exchange(const event_line& w, event& e) {
        w.need(4, "count destination count source [datatype [datatype]]");
        e.bytes = w.size_at(2, "the size") * unit(w, 6);
        e.peer = partner(w, 3, "the destination", false);
        e.from_bytes = w.size_at(4, "the size") * unit(w, w.size() > 7 ? 7 : 6);
        e.from = partner(w, 5, "the source", true);
        if (e.peer != nobody && e.from != nobody) return true;
        if (e.peer == nobody && e.from == nobody) return false;
        e.what = e.peer == nobody ? op::recv : op::send;
        if (e.peer == nobody) {
            e.peer = e.from;
            e.bytes = e.from_bytes;
        }
        e.from = 0;
        e.from_bytes = 0;
        return true;
    }

    /// Takes the oldest open request of a name; 0 for one that is not open. Requests of collectives have a
    /// tag of SMPI's own, one per kind.
    static std::uint64_t take(rank& r, const key& which) {
        static const std::map<std::int64_t, op> inner = {
            {-113, op::reduce},     {-446, op::gather}, {-1113, op::alltoall},      {-557, op::allgather},
            {-224, op::scatter},    {-889, op::scan},   {-1001, op::alltoallv},     {-779, op::barrier},
            {-668, op::allgatherv}, {-3335, op::bcast}, {-890, op::reduce_scatter}, {-4446, op::allreduce}};
        const auto kind = inner.find(std::get<2>(which));
        if (kind != inner.end()) {
            const auto open = r.collectives.find(kind->second);
            return open == r.collectives.end() ? 0 : take_first(r.collectives, open);
        }
        const auto found = r.open.find(which);
        return found == r.open.end() ? 0 : take_first(r.open, found);
    }
    template <class Map>
    static std::uint64_t take_first(Map& all, typename Map::iterator at) {
        const std::uint64_t request = at->second.front();
        at->second.pop_front();
        if (at->second.empty()) all.erase(at);
        return request;
    }
    bool wait_for_oldest(rank& r, event& e) {
        say("waitany does not say what it waited for: the request that was begun first is meant");
        auto oldest = r.open.end();
        for (auto k = r.open.begin(); k != r.open.end(); ++k)
            if (oldest == r.open.end() || k->second.front() < oldest->second.front()) oldest = k;
        if (oldest != r.open.end()) e.request = take_first(r.open, oldest);
        return oldest != r.open.end();
    }

    void parse_collective(const event_line& w, rank& r, std::uint32_t task, event& e, bool beside) {
        switch (e.what) {
            case op::barrier:
                break;
            case op::bcast:
                w.need(1, "count [root [datatype]]");
                e.bytes = w.size_at(2, "the size") * unit(w, 4);
                e.root = root(w, 3);
                break;
            case op::reduce:
                w.need(2, "count flops [root [datatype]]");
                e.bytes = w.size_at(2, "the size") * unit(w, 5);
                e.flops = w.amount_at(3, "the amount");
                e.root = root(w, 4);
                break;
            case op::allreduce:
            case op::scan:
            case op::exscan:
                w.need(2, "count flops [datatype]");
                e.bytes = w.size_at(2, "the size") * unit(w, 4);
                e.flops = w.amount_at(3, "the amount");
                break;
            case op::alltoall:
            case op::allgather:
                w.need(2, "count count [datatype [datatype]]");
                e.bytes = w.size_at(2, "the size") * unit(w, 4);
                w.size_at(3, "the size");
                break;
            case op::gather:
            case op::scatter:
                w.need(2, "count count [root [datatype [datatype]]]");
                // What a leaf of the tree sends or gets counts: the root's other number may be 0.
                e.root = root(w, 4);
                e.bytes = e.what == op::gather ? w.size_at(2, "the size") * unit(w, 5)
                                               : w.size_at(3, "the size") * unit(w, w.size() > 6 ? 6 : 5);
                break;
            case op::gatherv:
            case op::scatterv:
                parse_parts(w, r, task, e);
                return;
            default:
                parse_counts(w, e);
        }
        if (!beside) return;
        e.request = ++r.requests;
        r.collectives[e.what].push_back(e.request);
    }

    /// Parses gatherv and scatterv: the others' counts are 0 but at the root.
    void parse_parts(const event_line& w, rank& r, std::uint32_t task, event& e) {
        const std::size_t n = m_ranks.size();
        const bool gathers = e.what == op::gatherv;
        check_length(w, n + 1, n + 4, n + 4,
                     gathers ? "count, a count per rank, [root [datatype [datatype]]]"
                             : "a count per rank, count, [root [datatype [datatype]]]");
        const std::uint64_t sent = unit(w, 4 + n), received = unit(w, w.size() > 5 + n ? 5 + n : 4 + n);
        const std::uint64_t own = w.size_at(gathers ? 2 : 2 + n, "the size") * (gathers ? sent : received);
        e.root = root(w, 3 + n);
        auto parts =
            by_messages(gathers, e, task, own, counts(w, gathers ? 3 : 2, gathers ? received : sent));
        r.more.assign(std::make_move_iterator(parts.rbegin()), std::make_move_iterator(parts.rend()));
    }

    void parse_counts(const event_line& w, event& e) {
        const std::size_t n = m_ranks.size();
        switch (e.what) {
            case op::allgatherv:
                check_length(w, n + 1, n + 3, 2 * n + 3, "count, a count per rank, [datatype]");
                w.size_at(2, "the size");
                // Places of parts may follow, with or without a datatype before them.
                e.counts = counts(w, 3, w.size() > n + 5 && w.size() <= 3 + 2 * n ? 8 : unit(w, 3 + n));
                break;
            case op::reduce_scatter:
                check_length(w, n + 1, n + 2, n + 2, "a count per rank, flops, [datatype]");
                e.counts = counts(w, 2, unit(w, 3 + n));
                e.flops = w.amount_at(2 + n, "the amount");
                break;
            default:
                check_length(w, 2 * n + 2, 2 * n + 4, 2 * n + 4,
                             "size, a count per rank, size, a count per rank, [datatype [datatype]]");
                e.counts = counts(w, 3, unit(w, 4 + 2 * n));
                e.receive_counts = counts(w, 4 + n, unit(w, w.size() > 5 + 2 * n ? 5 + 2 * n : 4 + 2 * n));
        }
    }

    static constexpr int none = -1, one_sided = -2, restarted = -3;
    struct action {
        int what = none;      ///< an op, or one of none, one_sided and restarted
        bool beside = false;  ///< true: it goes on until it is waited for
    };

    static std::string lower(std::string word) {
        for (char& c : word)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return word;
    }

    /// Returns the actions by name in small letters: versions differ in the large ones.
    static const std::map<std::string, action>& actions() {
        static const std::map<std::string, action> all = [] {
            std::map<std::string, action> m;
            for (std::size_t i = 0; i < op_count; ++i) {
                const auto o = static_cast<op>(i);
                std::string name = op_name(o);
                if (o == op::mark) continue;
                if (o == op::reduce_scatter) name = "reducescatter";
                m[name].what = static_cast<int>(i);
                if (is_collective(o)) m["i" + name] = {static_cast<int>(i), true};
            }
            m["waitany"] = m["wait"];
            for (const char* kind : {"b", "s", "r"}) {
                m[std::string(kind) + "send"] = m["send"];
                m["i" + std::string(kind) + "send"] = m["isend"];
            }
            for (const char* silent : {"init", "finalize", "comm_size", "comm_split", "comm_dup", "location"})
                m[silent].what = none;
            for (const char* call : {"put",
                                     "get",
                                     "accumulate",
                                     "rput",
                                     "rget",
                                     "raccumulate",
                                     "get_accumulate",
                                     "rget_accumulate",
                                     "fetch_and_op",
                                     "compare_and_swap",
                                     "win_fence",
                                     "win_post",
                                     "win_start",
                                     "win_complete",
                                     "win_wait",
                                     "win_lock",
                                     "win_unlock",
                                     "win_lock_all",
                                     "win_unlock_all",
                                     "win_flush",
                                     "win_flush_local",
                                     "win_flush_all",
                                     "win_flush_local_all"})
                m[call].what = one_sided;
            m["start"].what = restarted;
            return m;
        }();
        return all;
    }

    std::vector<rank> m_ranks;
    std::optional<line_store> m_shared;
    std::string m_line;
    event_line m_words;
    std::set<std::string> m_said;
};

const config::registration<trace_reader, const trace_source&> registered{
    "simgrid",
    "SimGrid's time-independent traces: an index file that names one file per rank, or one of all.",
    config::made<simgrid_reader>};

}  // namespace
}  // namespace sare::traffic::variants::simgrid
