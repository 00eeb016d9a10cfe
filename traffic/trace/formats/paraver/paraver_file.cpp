// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/paraver/paraver_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

namespace sare::traffic {
namespace {

constexpr std::uint64_t most_paraver_tasks = 16777216;

bool to_integer(const std::string& text, std::int64_t& n) {
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, n);
    return error == std::errc() && end == last;
}

/// Returns the calls by the names of MPI, without "MPI_" and in small letters.
const std::map<std::string, mpi_call>& calls_by_name() {
    static const std::map<std::string, mpi_call> all = [] {
        std::map<std::string, mpi_call> m;
        for (const char* name : {"send", "bsend", "ssend", "rsend"}) {
            m[name] = {mpi_call::sends, true, {}};
            m["i" + std::string(name)] = {mpi_call::sends, false, {}};
        }
        m["recv"] = m["mrecv"] = {mpi_call::receives, true, {}};
        m["irecv"] = m["imrecv"] = {mpi_call::receives, false, {}};
        m["sendrecv"] = m["sendrecv_replace"] = {mpi_call::exchanges, true, {}};
        m["start"] = m["startall"] = {mpi_call::starts, false, {}};
        for (const char* name :
             {"wait", "waitall", "waitany", "waitsome", "test", "testall", "testany", "testsome"})
            m[name] = {mpi_call::completes, true, {}};
        for (std::size_t i = 0; i < op_count; ++i) {
            const auto o = static_cast<op>(i);
            if (!is_collective(o)) continue;
            m[op_name(o)] = {mpi_call::collective, true, o};
            m["i" + std::string(op_name(o))] = {mpi_call::collective, false, o};
        }
        m["reduce_scatter_block"] = m["reduce_scatter"];
        m["ireduce_scatter_block"] = m["ireduce_scatter"];
        m["alltoallw"] = m["alltoallv"];
        m["ialltoallw"] = m["ialltoallv"];
        return m;
    }();
    return all;
}

struct numbered {
    std::int64_t value;
    const char* name;
};
/// Values of Extrae's events of MPI, for calls that are used.
constexpr numbered extrae_calls[] = {
    {1, "send"},
    {2, "recv"},
    {3, "isend"},
    {4, "irecv"},
    {5, "wait"},
    {6, "waitall"},
    {7, "bcast"},
    {8, "barrier"},
    {9, "reduce"},
    {10, "allreduce"},
    {11, "alltoall"},
    {12, "alltoallv"},
    {13, "gather"},
    {14, "gatherv"},
    {15, "scatter"},
    {16, "scatterv"},
    {17, "allgather"},
    {18, "allgatherv"},
    {30, "scan"},
    {33, "bsend"},
    {34, "ssend"},
    {35, "rsend"},
    {36, "ibsend"},
    {37, "issend"},
    {38, "irsend"},
    {39, "test"},
    {41, "sendrecv"},
    {42, "sendrecv_replace"},
    {59, "waitany"},
    {60, "waitsome"},
    {80, "reduce_scatter"},
    {123, "start"},
    {124, "startall"},
    {125, "testall"},
    {126, "testany"},
    {128, "testsome"},
    {154, "ireduce"},
    {155, "iallreduce"},
    {156, "ibarrier"},
    {157, "ibcast"},
    {158, "ialltoall"},
    {159, "ialltoallv"},
    {160, "iallgather"},
    {161, "iallgatherv"},
    {162, "igather"},
    {163, "igatherv"},
    {164, "iscatter"},
    {165, "iscatterv"},
    {166, "ireduce_scatter"},
    {167, "iscan"},
    {168, "reduce_scatter_block"},
    {169, "ireduce_scatter_block"},
    {170, "alltoallw"},
    {171, "ialltoallw"},
};

std::string small(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

paraver_labels::paraver_labels(const std::string& pcf_path) {
    constexpr std::int64_t first = 50000001, one_sided = 50000004, last = 50000005, sizes = 50100001;
    for (std::int64_t type = first; type <= last; ++type) m_types[type] = meaning::mpi;
    m_types[one_sided] = meaning::one_sided;
    m_types[sizes] = meaning::sent;
    m_types[sizes + 1] = meaning::received;
    m_types[sizes + 2] = meaning::root;
    m_types[sizes + 3] = meaning::communicator;
    for (const auto& [value, name] : extrae_calls) m_calls[value] = calls_by_name().at(name);
    if (!std::filesystem::exists(pcf_path)) return;
    text_stream pcf(pcf_path, {pcf_path, 0, 0});
    read(pcf);
}

paraver_labels::meaning paraver_labels::of_type(std::int64_t type) const {
    const auto found = m_types.find(type);
    return found == m_types.end() ? meaning::none : found->second;
}

const mpi_call* paraver_labels::call(std::int64_t value) const {
    const auto found = m_calls.find(value);
    return found == m_calls.end() ? nullptr : &found->second;
}

void paraver_labels::name_type(std::int64_t type, const std::string& label) {
    static const std::map<std::string, meaning> names = {
        {"mpi point-to-point", meaning::mpi},
        {"mpi collective comm", meaning::mpi},
        {"mpi other", meaning::mpi},
        {"mpi i/o", meaning::mpi},
        {"mpi one-sided", meaning::one_sided},
        {"send size in mpi global op", meaning::sent},
        {"recv size in mpi global op", meaning::received},
        {"root in mpi global op", meaning::root},
        {"communicator in mpi global op", meaning::communicator},
        {"mpi global op send size", meaning::sent},
        {"mpi global op recv size", meaning::received},
        {"mpi global op is root?", meaning::root},
        {"mpi global op communicator", meaning::communicator}};
    const auto found = names.find(small(label));
    if (found != names.end()) m_types[type] = found->second;
}

/// Reads blocks: STATES with lines `NUMBER NAME`; EVENT_TYPE with lines `COLOUR TYPE NAME`, and VALUES for
/// all of its types with lines `NUMBER NAME`. All else is how it is drawn.
void paraver_labels::read(text_stream& pcf) {
    enum { nothing, states, types, values } in = nothing;
    bool of_mpi = false;
    std::string line;
    while (pcf.next(line)) {
        const std::size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t");
        if (begin == std::string::npos) continue;
        const std::string text = line.substr(begin, end - begin + 1);
        if (text[0] < '0' || text[0] > '9') {
            if (text == "EVENT_TYPE") of_mpi = false;
            in = text == "STATES"       ? states
                 : text == "EVENT_TYPE" ? types
                 : text == "VALUES"     ? values
                                        : nothing;
            continue;
        }
        if (in == nothing) continue;
        const auto word = [&text](std::size_t from, std::size_t& behind) {
            const std::size_t at = std::min(text.find_first_not_of(" \t", from), text.size());
            behind = std::min(text.find_first_of(" \t", at), text.size());
            return text.substr(at, behind - at);
        };
        std::size_t behind = 0;
        std::int64_t n = 0;
        std::string number = word(0, behind);
        if (in == types) number = word(behind, behind);
        if (!to_integer(number, n))
            throw config::error(pcf.where(), "expected a number and a name, not '" + text + "'");
        const std::size_t name_at = std::min(text.find_first_not_of(" \t", behind), text.size());
        const std::string name = small(text.substr(name_at));
        if (in == states && name == "running") m_running = n;
        if (in == types) {
            name_type(n, name);
            of_mpi = of_mpi || of_type(n) == meaning::mpi;
        }
        if (in != values || !of_mpi) continue;
        const auto known = calls_by_name().find(name.compare(0, 4, "mpi_") == 0 ? name.substr(4) : "");
        if (known != calls_by_name().end())
            m_calls[n] = known->second;
        else
            m_calls[n] = {};
    }
}

paraver_file::paraver_file(text_stream text) : m_text(std::move(text)) {
    if (!m_text.next(m_line)) fail("a Paraver trace begins with '#Paraver ('");
    read_header(m_line);
    while (m_text.head(1) == "c" || m_text.head(1) == "C") {
        m_text.next(m_line);
        split(m_line);
        read_communicator();
    }
}

/// Reads `#Paraver (DATE):TIME[_ns]:NODES(...):APPLICATIONS:TASKS(THREADS:NODE,...)[,COMMUNICATORS]`.
void paraver_file::read_header(const std::string& line) {
    const char* const form = "the header must be '#Paraver (DATE):TIME:NODES:1:TASKS(THREADS:NODE,...)'";
    const std::size_t date = line.find("):");
    if (line.compare(0, 9, "#Paraver ") != 0 || date == std::string::npos) fail(form);
    const std::size_t nodes = line.find(':', date + 2);
    if (nodes == std::string::npos) fail(form);
    const std::string duration = line.substr(date + 2, nodes - date - 2);
    constexpr double nanosecond = 1e-9;
    if (duration.size() > 3 && duration.compare(duration.size() - 3, 3, "_ns") == 0) m_tick = nanosecond;
    // Nodes may have their processors in parentheses, without a colon.
    const std::size_t applications = line.find(':', nodes + 1);
    const std::size_t tasks =
        applications == std::string::npos ? applications : line.find(':', applications + 1);
    const std::size_t open = line.find('(', tasks), close = line.find(')', open);
    if (tasks == std::string::npos || open == std::string::npos || close == std::string::npos) fail(form);
    if (line.substr(applications + 1, tasks - applications - 1) != "1")
        fail("a trace of " + line.substr(applications + 1, tasks - applications - 1) +
             " applications; one is read");
    std::int64_t count = 0;
    if (!to_integer(line.substr(tasks + 1, open - tasks - 1), count) || count < 1 ||
        static_cast<std::uint64_t>(count) > most_paraver_tasks)
        fail("the number of tasks must be from 1 to 16777216, not '" +
             line.substr(tasks + 1, open - tasks - 1) + "'");
    const auto listed = 1 + std::count(line.begin() + static_cast<std::ptrdiff_t>(open),
                                       line.begin() + static_cast<std::ptrdiff_t>(close), ',');
    if (listed != count) fail(fmt::format("the header claims {} tasks, and lists {}", count, listed));
    m_tasks = static_cast<std::uint32_t>(count);
}

void paraver_file::split(const std::string& line) {
    m_fields.clear();
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(':', at), line.size());
        m_fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
}

void paraver_file::need(std::size_t fields, const char* form) const {
    if (m_fields.size() < fields) fail("the record is too short; it needs: " + std::string(form));
}

std::int64_t paraver_file::integer(std::size_t field, const char* what) const {
    std::int64_t n = 0;
    if (!to_integer(m_fields[field], n))
        fail(std::string(what) + " must be an integer, not '" + m_fields[field] + "'");
    return n;
}

std::uint64_t paraver_file::time(std::size_t field) const {
    const std::int64_t n = integer(field, "a time");
    if (n < 0) fail("a time is negative: " + m_fields[field]);
    return static_cast<std::uint64_t>(n);
}

std::uint32_t paraver_file::task(std::size_t field) const {
    const std::int64_t n = integer(field, "the task");
    if (n < 1 || n > static_cast<std::int64_t>(m_tasks))
        fail(fmt::format("task {} is out of range; tasks are 1 to {}", m_fields[field], m_tasks));
    return static_cast<std::uint32_t>(n - 1);
}

/// Reads `c:APPLICATION:NUMBER:SIZE:TASK:...`.
void paraver_file::read_communicator() {
    need(4, "c:application:number:size:task:...");
    std::vector<std::uint32_t> members;
    std::set<std::uint32_t> seen;
    for (std::size_t i = 4; i < m_fields.size(); ++i) {
        members.push_back(task(i));
        if (!seen.insert(members.back()).second) fail("task " + m_fields[i] + " is named twice");
    }
    const std::int64_t claimed = integer(3, "the size");
    if (claimed != static_cast<std::int64_t>(members.size()))
        fail(fmt::format("communicator {} claims {} tasks, and has {}", m_fields[2], m_fields[3],
                         members.size()));
    if (!members.empty() && !m_communicators.emplace(integer(2, "the communicator"), members).second)
        fail("communicator " + m_fields[2] + " is there already");
}

/// `3:CPU:APPLICATION:TASK:THREAD:CALLED:SENT:CPU:APPLICATION:TASK:THREAD:POSTED:RECEIVED:BYTES:TAG`
void paraver_file::read_message(paraver_record& r) {
    need(15,
         "3:cpu:application:task:thread:called:sent:cpu:application:task:thread:posted:received:bytes:tag");
    r.what = paraver_record::message;
    r.begin = time(5);
    r.end = time(6);
    r.to = task(9);
    r.to_main_thread = integer(10, "the thread") == 1;
    r.posted = time(11);
    r.received = time(12);
    const std::int64_t bytes = integer(13, "the size");
    if (bytes < 0) fail("the size is negative: " + m_fields[13]);
    r.bytes = static_cast<std::uint64_t>(bytes);
    r.tag = integer(14, "the tag");
}

bool paraver_file::next(paraver_record& r) {
    while (m_text.next(m_line)) {
        if (m_line.empty() || m_line[0] == '#') continue;
        split(m_line);
        if (m_line[0] == 'c' || m_line[0] == 'C') fail("communicators must be before the records");
        const std::int64_t kind = integer(0, "the kind of a record");
        if (kind < 1 || kind > 3)
            fail("records of kind " + m_fields[0] + " are not known; there are 1, 2 and 3");
        need(5, "kind:cpu:application:task:thread");
        r.pairs.clear();
        r.line = static_cast<std::uint32_t>(m_text.where().line);
        r.task = task(3);
        r.main_thread = integer(4, "the thread") == 1;
        if (kind == 3) {
            read_message(r);
        } else if (kind == 1) {
            need(8, "1:cpu:application:task:thread:begin:end:state");
            r.what = paraver_record::state;
            r.begin = time(5);
            r.end = time(6);
            r.value = integer(7, "the state");
            if (r.end < r.begin) fail("the state ends before it begins");
        } else {
            need(8, "2:cpu:application:task:thread:time:type:value");
            if (m_fields.size() % 2 != 0) fail("a type of event has no value");
            r.what = paraver_record::events;
            r.begin = r.end = time(5);
            for (std::size_t i = 6; i < m_fields.size(); i += 2)
                r.pairs.emplace_back(integer(i, "the type"), integer(i + 1, "the value"));
        }
        return true;
    }
    return false;
}

}  // namespace sare::traffic
