// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/dumpi_groups.h"
#include "traffic/trace/reader.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

/// DUMPI traces (sst-dumpi): a .meta file, and a binary one per process with its MPI calls.
namespace sare::traffic {
namespace {

using fn = dumpi_function;

constexpr std::int64_t gather_tag = -1001, scatter_tag = -1002;  ///< of what is written out here

/// A process: its calls become events.
class dumpi_process {
  public:
    dumpi_process(text_stream text, std::uint32_t task, std::vector<std::uint32_t> sizes,
                  dumpi_groups& groups, std::uint32_t tasks, std::set<std::string>& said)
        : m_stream(std::move(text)),
          m_task(task),
          m_sizes(std::move(sizes)),
          m_groups(groups),
          m_all(tasks),
          m_said(said) {}

    bool next(event& e) {
        while (m_events.empty()) {
            dumpi_call call;
            if (m_over || !m_stream.next(call)) {
                m_over = true;
                return false;
            }
            add_computation(call);
            add(call);
        }
        e = std::move(m_events.front());
        m_events.pop_front();
        e.number = ++m_number;
        return true;
    }
    const std::string& path() const { return m_stream.path(); }

  private:
    struct place {
        std::uint32_t number = 0;
        const communicator* group = nullptr;
    };

    /// Between the end of a call and the beginning of the next it computes.
    void add_computation(const dumpi_call& call) {
        if (!call.timed) return;
        constexpr double turn = 65536;  ///< seconds are kept in 16 bits
        double idle = call.begin - m_end;
        if (idle < -turn / 2) idle += turn;
        if (m_began && idle > 0) {
            event e;
            e.seconds = idle;
            m_events.push_back(std::move(e));
        }
        m_began = true;
        m_end = call.end;
    }

    place group(std::int64_t name) {
        if (name == dumpi_comm_world) return {0, &m_all};
        if (name == dumpi_comm_self) {
            const std::uint32_t number = m_groups.self(m_task);
            return {number, &m_groups.at(number)};
        }
        const auto found = m_names.find(name);
        if (found == m_names.end() || found->second == dumpi_groups::unknown)
            m_stream.fail("who is in communicator " + std::to_string(name) +
                          " is not known; those made by dup, split and cart_create are");
        return {found->second,
                found->second == 0 ? static_cast<const communicator*>(&m_all) : &m_groups.at(found->second)};
    }

    std::uint64_t bytes(std::int64_t count, std::int64_t datatype) const {
        if (count < 0) m_stream.fail("the count " + std::to_string(count) + " is negative");
        if (datatype < 0 || static_cast<std::size_t>(datatype) >= m_sizes.size())
            m_stream.fail("datatype " + std::to_string(datatype) + " is not in the table, which has " +
                          std::to_string(m_sizes.size()));
        return static_cast<std::uint64_t>(count) * m_sizes[static_cast<std::size_t>(datatype)];
    }
    std::vector<std::uint64_t> all_bytes(const std::vector<std::int64_t>& counts, std::int64_t datatype,
                                         const place& p) const {
        if (counts.size() != p.group->size())
            m_stream.fail("the call has " + std::to_string(counts.size()) + " counts, its communicator " +
                          std::to_string(p.group->size()) + " processes");
        std::vector<std::uint64_t> all;
        for (const auto n : counts) all.push_back(bytes(n, datatype));
        return all;
    }
    std::uint32_t rank(std::int64_t r, const place& p, const char* what) const {
        if (r < 0 || r >= p.group->size())
            m_stream.fail(std::string(what) + " " + std::to_string(r) + " is out of range; ranks are 0 to " +
                          std::to_string(p.group->size() - 1));
        return static_cast<std::uint32_t>(r);
    }

    /// A message's end; false where the partner is none (MPI_PROC_NULL).
    bool message(event& e, op what, std::int64_t count, std::int64_t datatype, std::int64_t peer,
                 std::int64_t tag, std::int64_t comm) {
        const bool receives = what == op::recv || what == op::irecv;
        if (receives ? peer < -1 : peer < 0) return false;
        const place p = group(comm);
        e.what = what;
        e.communicator = p.number;
        e.bytes = bytes(count, datatype);
        e.peer = peer == -1 ? any_source : rank(peer, p, receives ? "the source" : "the destination");
        e.tag = receives && tag == -1 ? any_tag : tag;
        return true;
    }
    /// What a receive from any source got, where that has been recorded.
    void resolve(event& e, const dumpi_call& call, std::int64_t comm) {
        if (call.statuses.size() != 1 || call.statuses[0].source < 0) return;
        if (e.peer == any_source) e.peer = rank(call.statuses[0].source, group(comm), "the source");
        if (e.tag == any_tag && call.statuses[0].tag >= 0) e.tag = call.statuses[0].tag;
    }
    void push(event e) { m_events.push_back(std::move(e)); }
    void left_out(const char* what) { m_said.insert(std::string(what) + " of the trace are left out"); }

    void begin_request(std::int64_t name, event e) {
        e.request = ++m_requests;
        m_open[name] = e.request;
        push(std::move(e));
    }
    void wait_for(std::int64_t name) {
        const auto found = m_open.find(name);
        if (found == m_open.end()) return;
        event e;
        e.what = op::wait;
        e.request = found->second;
        m_open.erase(found);
        push(std::move(e));
    }
    void wait_for(const std::vector<std::int64_t>& names, std::int64_t index) {
        if (index >= 0 && static_cast<std::size_t>(index) < names.size())
            wait_for(names[static_cast<std::size_t>(index)]);
    }
    void start(std::int64_t name) {
        const auto found = m_persistent.find(name);
        if (found == m_persistent.end())
            m_stream.fail("request " + std::to_string(name) + " is started, but was never made");
        if (found->second) begin_request(name, *found->second);
    }

    void add(const dumpi_call& c) {
        dumpi_making making;
        if (makes_communicator(c, making)) {
            m_names[making.made] = m_groups.made(m_task, m_makings++);
            return;
        }
        if (c.function <= fn::irecv || (c.function >= fn::send_init && c.function <= fn::sendrecv_replace))
            add_message(c);
        else if (c.function <= fn::testsome)
            add_completion(c);
        else
            add_collective(c);
    }

    void add_message(const dumpi_call& c) {
        const auto& v = c.values;
        event e;
        switch (c.function) {
            case fn::send:
            case fn::bsend:
            case fn::ssend:
            case fn::rsend:
                if (message(e, op::send, v[0], v[1], v[2], v[3], v[4])) push(std::move(e));
                break;
            case fn::recv:
                if (!message(e, op::recv, v[0], v[1], v[2], v[3], v[4])) break;
                resolve(e, c, v[4]);
                push(std::move(e));
                break;
            case fn::isend:
            case fn::ibsend:
            case fn::issend:
            case fn::irsend:
            case fn::irecv:
                if (message(e, c.function == fn::irecv ? op::irecv : op::isend, v[0], v[1], v[2], v[3], v[4]))
                    begin_request(v[5], std::move(e));
                break;
            case fn::send_init:
            case fn::bsend_init:
            case fn::ssend_init:
            case fn::rsend_init:
            case fn::recv_init: {
                const bool real = message(e, c.function == fn::recv_init ? op::irecv : op::isend, v[0], v[1],
                                          v[2], v[3], v[4]);
                m_persistent[v[5]] = real ? std::optional<event>(std::move(e)) : std::nullopt;
                break;
            }
            case fn::start:
                start(v[0]);
                break;
            case fn::startall:
                for (const auto name : c.arrays[0]) start(name);
                break;
            case fn::sendrecv:
                exchange(c, {v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}, v[8]);
                break;
            case fn::sendrecv_replace:
                exchange(c, {v[0], v[1], v[2], v[3]}, {v[0], v[1], v[4], v[5]}, v[6]);
                break;
            default:
                break;
        }
    }

    /// Counts, datatypes, partners and tags of both halves; the tags may differ.
    void exchange(const dumpi_call& c, const std::array<std::int64_t, 4>& out,
                  const std::array<std::int64_t, 4>& in, std::int64_t comm) {
        event sent, received;
        const bool sends = message(sent, op::isend, out[0], out[1], out[2], out[3], comm);
        if (sends) {
            sent.request = ++m_requests;
            push(sent);
        }
        if (message(received, op::recv, in[0], in[1], in[2], in[3], comm)) {
            resolve(received, c, comm);
            push(std::move(received));
        }
        if (!sends) return;
        event done;
        done.what = op::wait;
        done.request = sent.request;
        push(std::move(done));
    }

    /// A test that found something complete is a wait: what follows has seen it.
    void add_completion(const dumpi_call& c) {
        const auto& v = c.values;
        switch (c.function) {
            case fn::wait:
                wait_for(v[0]);
                break;
            case fn::test:
                if (v[1] != 0) wait_for(v[0]);
                break;
            case fn::request_free:
                m_open.erase(v[0]);
                break;
            case fn::waitany:
                wait_for(c.arrays[0], v[1]);
                break;
            case fn::testany:
                if (v[2] != 0) wait_for(c.arrays[0], v[1]);
                break;
            case fn::waitall:
                for (const auto name : c.arrays[0]) wait_for(name);
                break;
            case fn::testall:
                if (v[1] != 0)
                    for (const auto name : c.arrays[0]) wait_for(name);
                break;
            case fn::waitsome:
            case fn::testsome:
                for (const auto index : c.arrays[1]) wait_for(c.arrays[0], index);
                break;
            default:
                break;
        }
    }

    void collective(op what, std::uint64_t size, std::int64_t comm, std::int64_t root = 0) {
        const place p = group(comm);
        event e;
        e.what = what;
        e.communicator = p.number;
        e.bytes = size;
        e.root = rank(root, p, "the root");
        push(std::move(e));
    }
    void collective(op what, std::vector<std::uint64_t> counts, std::vector<std::uint64_t> received,
                    const place& p) {
        event e;
        e.what = what;
        e.communicator = p.number;
        e.counts = std::move(counts);
        e.receive_counts = std::move(received);
        push(std::move(e));
    }

    void add_collective(const dumpi_call& c) {
        const auto& v = c.values;
        switch (c.function) {
            case fn::barrier:
                collective(op::barrier, 0, v[0]);
                break;
            case fn::bcast:
                collective(op::bcast, bytes(v[0], v[1]), v[3], v[2]);
                break;
            case fn::gather:
            case fn::scatter:
                // A process's own block; the root may have left it in place, and has the number of the
                // others'.
                collective(c.function == fn::gather ? op::gather : op::scatter,
                           v.size() > 5 ? bytes(v[5], v[6]) : bytes(v[1], v[2]), v[4], v[3]);
                break;
            case fn::gatherv:
                one_by_one(c, op::send, bytes(v[2], v[3]), v[4], v[5], v[6], gather_tag);
                break;
            case fn::scatterv:
                one_by_one(c, op::recv, bytes(v[3], v[4]), v[5], v[6], v[2], scatter_tag);
                break;
            case fn::allgather:
            case fn::alltoall:
                collective(c.function == fn::allgather ? op::allgather : op::alltoall, bytes(v[2], v[3]),
                           v[4]);
                break;
            case fn::allgatherv: {
                const place p = group(v[4]);
                collective(op::allgatherv, all_bytes(c.arrays[0], v[3], p), {}, p);
                break;
            }
            case fn::alltoallv: {
                const place p = group(v[3]);
                collective(op::alltoallv, all_bytes(c.arrays[0], v[1], p), all_bytes(c.arrays[2], v[2], p),
                           p);
                break;
            }
            case fn::reduce:
                collective(op::reduce, bytes(v[0], v[1]), v[4], v[3]);
                break;
            case fn::allreduce:
                collective(op::allreduce, bytes(v[0], v[1]), v[3]);
                break;
            case fn::reduce_scatter: {
                const place p = group(v[3]);
                collective(op::reduce_scatter, all_bytes(c.arrays[0], v[1], p), {}, p);
                break;
            }
            case fn::scan:
                collective(op::scan, bytes(v[0], v[1]), v[3]);
                break;
            case fn::exscan:
                collective(op::exscan, bytes(v[0], v[1]), v[3]);
                break;
            case fn::alltoallw:
                left_out("calls of MPI_Alltoallw");
                break;
            case fn::accumulate:
            case fn::get:
            case fn::put:
            case fn::win_fence:
                left_out("one-sided calls");
                break;
            default:
                break;
        }
    }

    /// gatherv and scatterv, linear: only the root's record has the sizes of all.
    void one_by_one(const dumpi_call& c, op own, std::uint64_t size, std::int64_t root, std::int64_t comm,
                    std::int64_t datatype, std::int64_t tag) {
        const place p = group(comm);
        event e;
        e.communicator = p.number;
        e.tag = tag;
        e.peer = rank(root, p, "the root");
        if (c.arrays.empty()) {
            e.what = own;
            e.bytes = size;
            push(std::move(e));
            return;
        }
        const auto sizes = all_bytes(c.arrays[0], datatype, p);
        for (std::uint32_t r = 0; r < sizes.size(); ++r) {
            if (r == static_cast<std::uint32_t>(root)) continue;
            e.what = own == op::send ? op::recv : op::send;
            e.peer = r;
            e.bytes = sizes[r];
            push(e);
        }
    }

    dumpi_stream m_stream;
    std::uint32_t m_task;
    std::vector<std::uint32_t> m_sizes;
    dumpi_groups& m_groups;
    all_tasks m_all;
    std::set<std::string>& m_said;
    std::deque<event> m_events;  ///< of the last call
    std::uint64_t m_number = 0, m_requests = 0;
    std::size_t m_makings = 0;
    bool m_began = false, m_over = false;
    double m_end = 0;
    std::map<std::int64_t, std::uint32_t> m_names;  ///< communicators
    std::map<std::int64_t, std::uint64_t> m_open;   ///< requests, by their number in the process
    std::map<std::int64_t, std::optional<event>> m_persistent;
};

class dumpi_reader final : public trace_reader {
  public:
    explicit dumpi_reader(const trace_source& source) {
        text_stream meta = std::move(*source.text);
        read_meta(meta);
        // Once through all files: who is in which communicator, and the sizes of datatypes at their ends.
        std::vector<std::vector<dumpi_making>> makings;
        std::vector<std::vector<std::uint32_t>> sizes;
        for (std::uint64_t p = 0; p < m_claimed; ++p) {
            dumpi_stream stream(open(p));
            makings.emplace_back();
            dumpi_call call;
            dumpi_making making;
            while (stream.next(call))
                if (makes_communicator(call, making)) makings.back().push_back(making);
            sizes.push_back(stream.datatype_sizes());
        }
        m_groups = std::make_unique<dumpi_groups>(makings);
        for (std::uint32_t p = 0; p < m_claimed; ++p)
            m_processes.emplace_back(open(p), p, std::move(sizes[p]), *m_groups,
                                     static_cast<std::uint32_t>(m_claimed), m_said);
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_claimed); }
    config::location where(std::uint32_t task, const event&) const override {
        return {m_processes[task].path(), 0, 0};
    }
    bool next(std::uint32_t task, event& e) override {
        const std::size_t before = m_said.size();
        const bool more = m_processes[task].next(e);
        if (m_said.size() != before)
            for (const auto& what : m_said)
                if (std::find(warnings().begin(), warnings().end(), what) == warnings().end()) warn(what);
        return more;
    }
    const communicator& group(std::uint32_t id) const override { return m_groups->at(id); }

  private:
    void read_meta(text_stream& meta) {
        const auto slash = meta.path().rfind('/');
        const std::string folder = slash == std::string::npos ? "" : meta.path().substr(0, slash + 1);
        std::string line;
        while (meta.next(line)) {
            const auto equals = line.find('=');
            if (equals == std::string::npos) continue;
            const std::string key = line.substr(0, equals), text = line.substr(equals + 1);
            if (key == "numprocs") {
                const bool number = !text.empty() && text.size() < 9 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                m_claimed = number ? std::stoull(text) : 0;
                if (m_claimed == 0)
                    throw config::error(meta.where(),
                                        "numprocs must be a number of processes, not '" + text + "'");
            } else if (key == "fileprefix") {
                m_prefix = text.empty() ? "" : folder + text.substr(text.rfind('/') + 1);
            }
        }
        m_named_at = {meta.path(), 0, 0};
        if (m_claimed == 0 || m_prefix.empty())
            throw config::error(m_named_at, "a .meta file of DUMPI needs numprocs= and fileprefix=");
    }

    text_stream open(std::uint64_t process) const {
        std::string number = std::to_string(process);
        number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
        const std::string path = m_prefix + "-" + number + ".bin";
        for (const char* packed : {"", ".gz", ".bz2", ".xz", ".zst"})
            if (std::filesystem::exists(path + packed)) return text_stream(path + packed, m_named_at);
        return text_stream(path, m_named_at);
    }

    std::uint64_t m_claimed = 0;
    std::string m_prefix;
    config::location m_named_at;
    std::unique_ptr<dumpi_groups> m_groups;
    std::set<std::string> m_said;
    std::deque<dumpi_process> m_processes;
};

bool is_dumpi(const std::string& head) {
    const auto has = [&head](const std::string& key) {
        return head.compare(0, key.size(), key) == 0 || head.find("\n" + key) != std::string::npos;
    };
    return has("numprocs=") && has("fileprefix=");
}

[[maybe_unused]] const bool known = add_signature("dumpi", is_dumpi);

const config::registration<trace_reader, const trace_source&> registered{
    "dumpi", "DUMPI traces of sst-dumpi: the .meta file, beside its binary one per process.",
    config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const trace_source& s) {
        return new dumpi_reader(s);
    }};

}  // namespace
}  // namespace sare::traffic
