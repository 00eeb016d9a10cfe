// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/access_results.h"

#include "tlm/memory/timing/access_statistics.h"
#include "tlm/stats/table.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace sare {
namespace {

const table_form accesses_form{"accesses.csv", R"(
    bridge: text. SystemC name of the memory bridge, or of the CHI node.
    side: text. initiator or memory.
    number: count. Which one of its bridge's, in the order of binding.
    node: count. Of the network.
    accesses: count. That are over.
    reads: count. Of these.
    writes: count. Of these.
    errors: count. Of these, with another response than TLM_OK_RESPONSE.
    bytes: count in bytes. Of accesses without an error.
    bandwidth: number in bytes/s. Bytes by the time from 0 to the end.
    latency_mean: number in ns. From the access to the answer; of a memory, from the arrival.
    latency_p99: number in ns. That of 100 accesses 99 do not exceed.
    latency_max: number in ns. The longest.
    outstanding_mean: number in accesses. Under way, on average from time 0 to the end.
    outstanding_max: count in accesses. Sent and not answered; of a memory, requests held.
    queueing: number in ns. Mean of what an initiator's access waits outside of network and memory.
    request: number in ns. Mean of its request's time in the network.
    memory: number in ns. Mean of what the memory takes.
    response: number in ns. Mean of its response's time in the network.
    stalls: number in cycles. Mean of the cycles of both beyond those in an empty network.
)"};

double in_ns(const sc_core::sc_time& t) {
    return t / sc_core::sc_time(1, sc_core::SC_NS);
}

/// Mean over `count` accesses; NaN for none.
double mean(const sc_core::sc_time& sum, std::uint64_t count) {
    return in_ns(sum) / static_cast<double>(count);
}

}  // namespace

access_summary summary_of(const access_statistics& counted, const access_summary& whose) {
    access_summary s = whose;
    s.accesses = counted.accesses();
    s.reads = counted.reads();
    s.writes = counted.writes();
    s.errors = counted.errors();
    s.bytes = counted.bytes();
    const double seconds = sc_core::sc_time_stamp().to_seconds();
    const double step_ns = in_ns(sc_core::sc_time::from_value(1));
    s.bandwidth = seconds > 0 ? static_cast<double>(s.bytes) / seconds : 0;
    s.outstanding = seconds > 0 ? counted.time().to_seconds() / seconds : 0;
    const latency_summary latency = counted.latency();
    s.mean_ns = mean(counted.time(), s.accesses);
    s.p99_ns = latency.p99 * step_ns;
    s.max_ns = latency.max * step_ns;
    const access_statistics::parts& sums = counted.sums();
    s.queueing_ns = mean(sums.queueing, s.accesses);
    s.request_ns = mean(sums.request, s.accesses);
    s.memory_ns = mean(sums.memory, s.accesses);
    s.response_ns = mean(sums.response, s.accesses);
    s.stalls = static_cast<double>(sums.stalls) / static_cast<double>(s.accesses);
    return s;
}

void write_csv(std::ostream& out, const std::vector<access_summary>& all) {
    table t(accesses_form, out);
    for (const access_summary& s : all) {
        t.cell(s.bridge);
        t.cell(s.memory ? "memory" : "initiator");
        t.counts({s.number, s.node});
        t.counts({s.accesses, s.reads, s.writes, s.errors, s.bytes});
        for (const double x : {s.bandwidth, s.mean_ns, s.p99_ns, s.max_ns, s.outstanding}) t.cell(x);
        t.cell(s.most_outstanding);
        if (s.memory)
            t.no_cell(5);
        else
            for (const double x : {s.queueing_ns, s.request_ns, s.memory_ns, s.response_ns, s.stalls})
                t.cell(x);
        t.end_row();
    }
}

void print(std::ostream& out, const std::vector<access_summary>& all) {
    std::size_t width = 6;
    for (const access_summary& s : all) width = std::max(width, s.bridge.size());
    const auto row = [&](const auto& name, const auto& side, const auto&... cells) {
        out << std::left << std::setw(static_cast<int>(width)) << name << "  " << std::setw(12) << side
            << std::right;
        ((out << std::setw(10) << cells), ...);
        out << '\n';
    };
    const std::ios::fmtflags flags = out.flags();
    const std::streamsize precision = out.precision(1);
    out << std::fixed << "Accesses by " << sc_core::sc_time_stamp().to_string()
        << ": latency and its parts in ns\n";
    row("bridge", "", "accesses", "errors", "MB/s", "mean", "p99", "max", "queueing", "request", "memory",
        "response");
    for (const access_summary& s : all) {
        const std::string side = (s.memory ? "memory " : "initiator ") + std::to_string(s.number);
        if (s.accesses == 0)
            row(s.bridge, side, 0);
        else if (s.memory)
            row(s.bridge, side, s.accesses, s.errors, s.bandwidth / 1e6, s.mean_ns, s.p99_ns, s.max_ns);
        else
            row(s.bridge, side, s.accesses, s.errors, s.bandwidth / 1e6, s.mean_ns, s.p99_ns, s.max_ns,
                s.queueing_ns, s.request_ns, s.memory_ns, s.response_ns);
    }
    out.flags(flags);
    out.precision(precision);
}

}  // namespace sare
