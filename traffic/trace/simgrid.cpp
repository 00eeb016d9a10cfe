// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"
#include "traffic/trace/text_stream.h"

#include <deque>
#include <map>
#include <set>
#include <tuple>

/// SimGrid's time-independent traces: an index file with one file per rank, lines `rank action arguments`,
/// sizes as counts of a datatype. Requests are named by (source, destination, tag) and become numbers here.
namespace sare::traffic {
namespace {

class simgrid_reader : public trace_reader {
  public:
    explicit simgrid_reader(const trace_source& source) {
        text_stream index = std::move(*source.text);
        const auto slash = source.path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : source.path.substr(0, slash + 1);
        std::string line;
        while (index.next(line)) {
            const auto from = line.find_first_not_of(" \t");
            if (from == std::string::npos || line[from] == '#') continue;
            const std::string name = line.substr(from, line.find_last_not_of(" \t") - from + 1);
            m_ranks.emplace_back(text_stream(name[0] == '/' ? name : folder + name, index.where()));
        }
        if (m_ranks.empty())
            throw config::error({source.path, 1, 1}, "the index names no rank file; it needs one a line");
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_ranks.size()); }
    config::location where(std::uint32_t task, const event& e) const override {
        return {m_ranks[task].text.path(), e.line, 1};
    }

    bool next(std::uint32_t task, event& e) override {
        rank& r = m_ranks[task];
        std::string line;
        while (r.text.next(line)) {
            event_line words(r.text.where(), task, r.number + 1);
            words.split(line);
            if (words.size() == 0 || words.word(0)[0] == '#') continue;
            if (words.size() < 2) words.fail("the line is too short; it needs: rank action");
            if (words.integer_at(0, "the rank") != static_cast<std::int64_t>(task))
                words.fail("the line is of rank " + words.word(0));
            if (r.finalized) words.fail("'" + words.word(1) + "' after finalize");
            ++r.number;
            e = event{};
            e.number = r.number;
            e.line = r.text.where().line;
            if (parse(words, r, task, e)) return true;
        }
        if (!r.finalized)
            throw config::error(r.text.where(), "task " + std::to_string(task) + ", event " +
                                                    std::to_string(r.number) +
                                                    ": the trace ends early; 'finalize' is missing");
        return false;
    }

  private:
    using key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  ///< source, destination, tag

    struct rank {
        explicit rank(text_stream t) : text(std::move(t)) {}
        text_stream text;
        std::uint64_t number = 0, requests = 0;
        bool finalized = false;
        std::map<key, std::deque<std::uint64_t>> open;
    };

    /// Bytes of a count of a datatype id at word i; doubles where there is none.
    std::uint64_t unit(const event_line& w, std::size_t i) {
        static constexpr std::uint64_t sizes[] = {8, 4, 1, 2, 8, 4, 1};
        if (i >= w.size()) return 8;
        const std::int64_t id = w.integer_at(i, "the datatype");
        if (id >= 0 && id < 7) return sizes[id];
        if (m_unknown.insert(id).second)
            warn("datatype " + std::to_string(id) + " is not known; counted as 4 bytes");
        return 4;
    }
    std::uint32_t root(const event_line& w, std::size_t i) const {
        return i < w.size() ? w.task_at(i, "the root", tasks()) : 0;
    }
    std::vector<std::uint64_t> counts(const event_line& w, std::size_t i, std::uint64_t size) const {
        std::vector<std::uint64_t> all;
        for (std::size_t k = 0; k < m_ranks.size(); ++k) all.push_back(w.size_at(i + k, "the count") * size);
        return all;
    }

    /// False for actions that are no events (init, finalize, ...).
    bool parse(const event_line& w, rank& r, std::uint32_t task, event& e) {
        const std::string& action = w.word(1);
        const auto known = actions().find(action);
        if (known == actions().end()) {
            std::vector<std::string> names;
            for (const auto& [name, o] : actions()) names.push_back(name);
            const std::string near = config::nearest(action, names);
            w.fail("unknown action '" + action + "'" +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
        }
        if (action == "finalize") r.finalized = true;
        if (known->second == none) return false;
        e.what = static_cast<op>(known->second);
        const std::size_t n = m_ranks.size();
        switch (e.what) {
            case op::compute:
                w.need(1, "flops");
                e.flops = w.amount_at(2, "the amount");
                break;
            case op::sleep:
                w.need(1, "seconds");
                e.seconds = w.amount_at(2, "the time");
                break;
            case op::send:
            case op::isend:
            case op::recv:
            case op::irecv:
                w.need(3, "partner tag count [datatype]");
                e.peer = w.task_at(2, "the partner", tasks());
                e.tag = w.integer_at(3, "the tag");
                e.bytes = w.size_at(4, "the size") * unit(w, 5);
                if (e.what == op::isend || e.what == op::irecv) {
                    e.request = ++r.requests;
                    r.open[e.what == op::isend ? key{task, e.peer, e.tag} : key{e.peer, task, e.tag}]
                        .push_back(e.request);
                }
                break;
            case op::sendrecv:
                w.need(4, "count destination count source [datatype [datatype]]");
                e.bytes = w.size_at(2, "the size") * unit(w, 6);
                e.peer = w.task_at(3, "the destination", tasks());
                e.from_bytes = w.size_at(4, "the size") * unit(w, w.size() > 7 ? 7 : 6);
                e.from = w.task_at(5, "the source", tasks());
                break;
            case op::wait:
            case op::test: {
                w.need(3, "source destination tag");
                const key which{w.task_at(2, "the source", tasks()), w.task_at(3, "the destination", tasks()),
                                w.integer_at(4, "the tag")};
                if (e.what == op::test) break;
                const auto found = r.open.find(which);
                if (found == r.open.end()) break;
                e.request = found->second.front();
                found->second.pop_front();
                if (found->second.empty()) r.open.erase(found);
                break;
            }
            case op::waitall:
                r.open.clear();
                break;
            case op::barrier:
            case op::mark:
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
                w.need(n + 1, "count, a count per rank, [root [datatype [datatype]]]");
                w.size_at(2, "the size");
                e.root = root(w, 3 + n);
                e.counts = counts(w, 3, unit(w, w.size() > 5 + n ? 5 + n : 4 + n));
                break;
            case op::allgatherv:
                w.need(n + 1, "count, a count per rank, [datatype]");
                w.size_at(2, "the size");
                e.counts = counts(w, 3, w.size() == 3 + n + n ? 8 : unit(w, 3 + n));
                break;
            case op::scatterv:
                w.need(n + 1, "a count per rank, count, [root [datatype [datatype]]]");
                w.size_at(2 + n, "the size");
                e.root = root(w, 3 + n);
                e.counts = counts(w, 2, unit(w, 4 + n));
                break;
            case op::reduce_scatter:
                w.need(n + 1, "a count per rank, flops, [datatype]");
                e.counts = counts(w, 2, unit(w, 3 + n));
                e.flops = w.amount_at(2 + n, "the amount");
                break;
            case op::alltoallv:
                w.need(2 * n + 2, "size, a count per rank, size, a count per rank, [datatype [datatype]]");
                e.counts = counts(w, 3, unit(w, 4 + 2 * n));
                e.receive_counts = counts(w, 4 + n, unit(w, w.size() > 5 + 2 * n ? 5 + 2 * n : 4 + 2 * n));
                break;
        }
        return true;
    }

    static constexpr int none = -1;
    static const std::map<std::string, int>& actions() {
        static const std::map<std::string, int> all = [] {
            std::map<std::string, int> m;
            for (std::size_t i = 0; i < op_count; ++i) m[op_name(static_cast<op>(i))] = static_cast<int>(i);
            m["reducescatter"] = m["reduceScatter"] = m["reduce_scatter"];
            m.erase("reduce_scatter");
            m.erase("mark");
            m["sendRecv"] = m["sendrecv"];
            for (const auto& [c, v] : {std::pair{"allToAll", "alltoall"},
                                       {"allToAllV", "alltoallv"},
                                       {"gatherV", "gatherv"},
                                       {"scatterV", "scatterv"},
                                       {"allGather", "allgather"},
                                       {"allGatherV", "allgatherv"},
                                       {"waitAll", "waitall"},
                                       {"allReduce", "allreduce"}})
                m[c] = m[v];
            for (const char* silent : {"init", "finalize", "comm_size", "comm_split", "comm_dup", "location"})
                m[silent] = none;
            return m;
        }();
        return all;
    }

    std::vector<rank> m_ranks;
    std::set<std::int64_t> m_unknown;
};

const config::registration<trace_reader, const trace_source&> registered{
    "simgrid", "SimGrid's time-independent traces: an index file that names one file per rank.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const trace_source& s) {
        return new simgrid_reader(s);
    }};

}  // namespace
}  // namespace sare::traffic
