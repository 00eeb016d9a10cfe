// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/transaction_trace.h"

#include "tlm/memory/access_id.h"
#include "tlm/memory/memory_map.h"
#include "tlm/stats/log/perfetto.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

namespace sare {
namespace {

const table_form transactions_form{"transactions.csv", R"(
    initiator: text. Bridge and number of the initiator.
    memory: text. The same of the memory that answered, or last; empty: none.
    command: text. read or write.
    address: text. Of the initiator, hexadecimal.
    bytes: count in bytes. Length of the data.
    id: count. access_id; 0 without it.
    status: text. TLM response.
    made: number in ns. When the initiator called.
    answered: number in ns. When it had the answer.
    queueing: number in ns. Waited outside of network and memory.
    request: number in ns. Request in the network.
    memory_time: number in ns. With the memory.
    response: number in ns. Response in the network.
    request_hops: count. Routers that the request passed.
    response_hops: count. Routers that the response passed.
    stalls: count in cycles. Of both in the network beyond those of an empty one.
    request_packets: text. Numbers in order of injection, as in packet_events.csv.
    response_packets: text. The same.
)"};

double ns_of(const sc_core::sc_time& t) {
    return t / sc_core::sc_time(1, sc_core::SC_NS);
}

/// Slices of one owner, side by side where they overlap: each on the first track that is free.
class lanes {
  public:
    lanes(perfetto_writer& out, std::string name, perfetto_writer::track parent)
        : m_out(out), m_name(std::move(name)), m_parent(parent) {}

    void slice(const sc_core::sc_time& from, const sc_core::sc_time& to, const std::string& name,
               std::uint64_t flow) {
        const auto begin = static_cast<cycle_t>(ns_of(from) + 0.5);
        const auto end = std::max(begin, static_cast<cycle_t>(ns_of(to) + 0.5));
        auto free =
            std::find_if(m_lanes.begin(), m_lanes.end(), [&](const auto& l) { return l.end <= begin; });
        if (free == m_lanes.end()) free = m_lanes.insert(free, {m_out.add_track(m_name, m_parent), 0});
        m_out.begin(free->on, begin, name, flow);
        m_out.end(free->on, end);
        free->end = end;
    }

  private:
    struct lane {
        perfetto_writer::track on;
        cycle_t end;
    };
    perfetto_writer& m_out;
    std::string m_name;
    perfetto_writer::track m_parent;
    std::vector<lane> m_lanes;
};

/// A slice that is to be written in order of time.
struct slice {
    std::string owner;
    sc_core::sc_time from, to;
    std::string name;
    std::uint64_t flow;
};

void write_group(perfetto_writer& out, const std::string& group, std::vector<slice> all) {
    std::stable_sort(all.begin(), all.end(), [](const slice& a, const slice& b) { return a.from < b.from; });
    const perfetto_writer::track parent = out.add_track(group);
    std::map<std::string, lanes> owners;
    for (const slice& s : all)
        owners.try_emplace(s.owner, out, s.owner, parent).first->second.slice(s.from, s.to, s.name, s.flow);
}

std::string numbers_of(const std::vector<access_packet>& packets, bool response) {
    std::string all;
    for (const access_packet& p : packets)
        if (p.response == response) all += (all.empty() ? "" : " ") + std::to_string(p.number);
    return all;
}

std::string hex_of(std::uint64_t x) {
    std::ostringstream text;
    text << "0x" << std::hex << x;
    return text.str();
}

}  // namespace

std::string transaction_trace::transaction::name() const {
    return fmt::format("{}{} B at {}{}{}", write ? "write " : "read ", bytes, hex_of(address),
                       id == 0 ? "" : fmt::format(", ID {}", id),
                       status == "TLM_OK_RESPONSE" ? "" : ": " + status);
}

bool transaction_trace::transaction::came_to_memory() const {
    if (memory.empty()) return false;
    return status == "TLM_OK_RESPONSE" || times.memory_done > times.request_injected;
}

void transaction_trace::start() {
    if (!m_runs) m_runs = m_map.set_trace(this);
}

void transaction_trace::stop() {
    if (m_runs) m_map.set_trace(nullptr);
    m_runs = false;
}

void transaction_trace::take(const std::string& initiator, const tlm::tlm_generic_payload& p,
                             const std::string& memory, const access_times& times,
                             const std::vector<access_packet>& packets) {
    transaction& t = m_all.emplace_back();
    t.initiator = initiator;
    t.memory = memory;
    t.write = p.is_write();
    t.address = p.get_address();
    t.bytes = p.get_data_length();
    t.id = id_of(p);
    t.status = p.get_response_string();
    t.times = times;
    t.packets = packets;
}

void transaction_trace::write_csv(std::ostream& out) const {
    table lines(transactions_form, out);
    for (const transaction& t : m_all) {
        lines.cell(t.initiator);
        lines.cell(t.memory);
        lines.cell(t.write ? "write" : "read");
        lines.cell(hex_of(t.address));
        lines.counts({t.bytes, t.id});
        lines.cell(t.status);
        for (const sc_core::sc_time& x : {t.times.made, t.times.answered, t.times.queueing(),
                                          t.times.request(), t.times.memory(), t.times.response()})
            lines.cell(ns_of(x));
        lines.counts({t.times.request_hops, t.times.response_hops});
        lines.cell(t.times.request_stalls + t.times.response_stalls);
        lines.cell(numbers_of(t.packets, false));
        lines.cell(numbers_of(t.packets, true));
        lines.end_row();
    }
}

void transaction_trace::write_perfetto(std::ostream& out) const {
    std::vector<slice> initiators, packets, memories;
    std::uint64_t flow = 0;
    for (const transaction& t : m_all) {
        const std::string name = t.name();
        initiators.push_back({t.initiator, t.times.made, t.times.answered, name, ++flow});
        for (const access_packet& p : t.packets)
            packets.push_back(
                {fmt::format("node {}", p.source), p.injected, t.end_of(p),
                 fmt::format("packet {} to {}, {}{}{}", p.number, p.destination, p.flits,
                             p.flits == 1 ? " flit" : " flits", p.consumed > p.injected ? "" : ", lost"),
                 flow});
        if (t.came_to_memory())
            memories.push_back({t.memory, t.times.memory_begun, t.times.memory_done, name, flow});
    }
    perfetto_writer to(out, 4);
    write_group(to, "initiators", std::move(initiators));
    write_group(to, "packets", std::move(packets));
    write_group(to, "memories", std::move(memories));
}

}  // namespace sare
