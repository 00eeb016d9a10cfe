// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/log/merged_records.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sare {

/// Keeps the events that the trace of one of several processes tells, each with its moment in the run
/// (packet_trace::telling), in temporary files. At the end tell() gives rank 0 the events of all processes in
/// the order in which one process would have told them. Each process numbers packets as it sees them; cycle
/// and node of injection identify a packet in all processes.
class told_events final : public packet_event_sink {
  public:
    /// Listens to `trace`, whose filter must take all packets and which must be destroyed before this object.
    /// Call once, before the trace starts; neither is checked.
    void listen_to(packet_trace& trace) {
        m_trace = &trace;
        trace.add(*this);
        trace.tell_parts(*this);
    }

    void take(const packet_event& e) override { append(told::event, e); }  ///< keeps an event
    /// Takes an event of a packet that left a router by a port that is known only when the packet arrives.
    void take_unplaced(const packet_event& e) { append(told::unplaced, e); }
    /// Takes the output port and VC, in `e`, by which the packet of an earlier take_unplaced() left, now that
    /// it has arrived behind that port.
    void take_place(const packet_event& e) { append(told::place, e); }
    /// Notes cycle and node of injection of the packet that gets the next number in this process.
    void know(cycle_t injected, std::uint32_t source) { m_packets.append({injected, source}); }
    /// Notes an injection in cycle `now` by `node`. `first`: cycle in which the first packet of the same
    /// message was injected.
    void take_injection(cycle_t now, std::uint32_t node, cycle_t first) {
        m_injections.append({now, node, first});
    }

    /// Tells `sink` of rank 0 the events of all ranks that `filter` takes. All ranks must call, once, after
    /// the trace's stop(); the other ranks' sinks get nothing.
    void tell(world& all, const trace_filter& filter, packet_event_sink& sink) {
        const std::map<identity, numbers> by_identity = number(gather_records(all, m_injections));
        const auto packets = gather_records(all, m_packets);
        std::vector<packet_event> unplaced;
        const auto give = [&](const packet_event& e) {
            if (filter.takes(e)) sink.take(e);
        };
        const auto place = [](std::uint32_t, const told& t) {
            return std::make_tuple(t.when.cycle, t.when.in, t.when.at);
        };
        merge_records(gather_records(all, m_told), place, [&](std::uint32_t rank, const told& t) {
            packet_event e = t.what;
            const numbers& its = by_identity.at(packets[rank].at(e.packet.number));
            e.packet.number = its.packet;
            e.packet.message = its.message;
            if (e.behind.is == blocker::kind::packet)
                e.behind.number = by_identity.at(packets[rank].at(e.behind.number)).packet;
            if (t.is == told::event) return give(e);
            if (t.is == told::unplaced) return unplaced.push_back(e);
            const auto others = std::stable_partition(unplaced.begin(), unplaced.end(), [&](const auto& u) {
                return u.packet.number == e.packet.number && u.place == e.place;
            });
            for (auto u = unplaced.begin(); u != others; ++u) {
                u->out_port = e.out_port;
                u->out_vc = e.out_vc;
                give(*u);
            }
            unplaced.erase(unplaced.begin(), others);
        });
        for (const packet_event& e : unplaced) give(e);
    }

  private:
    /// Identity of a packet in all processes: cycle and node of its injection.
    struct identity {
        cycle_t injected = 0;
        std::uint64_t source = 0;
        bool operator<(const identity& o) const {
            return std::tie(injected, source) < std::tie(o.injected, o.source);
        }
    };
    /// Injection of a packet; see take_injection().
    struct injection {
        cycle_t cycle = 0;
        std::uint64_t node = 0;
        cycle_t first = 0;
    };
    /// Numbers of a packet and of its message in all processes, from 0.
    struct numbers {
        std::uint64_t packet = 0, message = 0;
    };
    /// An event with the moment at which it was told.
    struct told {
        enum kind : std::uint64_t { event, unplaced, place };
        packet_trace::telling when;
        kind is = event;
        packet_event what;
    };

    void append(told::kind is, const packet_event& e) { m_told.append({m_trace->now(), is, e}); }
    /// Numbers packets and messages from 0, in order of the cycle and node of injection.
    static std::map<identity, numbers> number(const std::vector<record_file<injection>>& of_ranks) {
        std::map<identity, numbers> all;
        std::uint64_t messages = 0;
        const auto place = [](std::uint32_t, const injection& i) { return std::make_tuple(i.cycle, i.node); };
        merge_records(of_ranks, place, [&](std::uint32_t, const injection& i) {
            const std::uint64_t packet = all.size();
            const std::uint64_t message = i.first == i.cycle ? messages++ : all.at({i.first, i.node}).message;
            all[{i.cycle, i.node}] = {packet, message};
        });
        return all;
    }

    const packet_trace* m_trace = nullptr;  ///< trace that is listened to; null: none yet
    record_file<told> m_told;               ///< events in the order in which they were told
    record_file<identity> m_packets;        ///< packets by number in this process
    record_file<injection> m_injections;    ///< injections by nodes of this process, in order
};

}  // namespace sare
