// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/packet_event_file.h"

#include "tlm/inside/sorted_by.h"
#include "tlm/stats/log/perfetto.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <ostream>
#include <tuple>

namespace sare {
namespace {

using what = packet_event::what;

/// Orders events: within a cycle a packet comes before it goes. Drops come in the order in which routers ran.
auto time_of(const packet_event& e) {
    return std::make_tuple(e.cycle, static_cast<int>(e.is), e.is == what::dropped ? e.packet.number : 0);
}

const table_form events_form{"packet_events.csv", R"(
    cycle: count in cycles. When; of a stall, its first cycle.
    event: text. What happens: generated, injected, in, out, left, stall, consumed, dropped, flit_in,
        flit_out.
    packet: count. Its number, in order of injection.
    message: count. That of its message.
    class: count. Class of the message.
    source: count. Node that sends it.
    destination: count. Node that it goes to.
    node: count. Where, if at a node.
    router: count. Where, if in a router.
    in_port: text. Port that it came by.
    in_vc: count. VC of it.
    out_port: text. Port that it has.
    out_vc: count. VC of it.
    reason: text. Of a stall: behind, no_vc, no_credit, consumer, lost_va, lost_sa, link, clock.
    flit: count. Of a stall, a flit, and left: which flit of the packet, from 0.
    cycles: count in cycles. Of a stall: how long; of out: since it got its output VC; of flit_out: in which
        it waits for edges of the router on its way to the end of the link; of flit_in: before it, in which
        it may have waited while the clock stood still; empty: none.
    blocker: text. Of a stall, what it waits for: packet, node, sleep (of the link); empty: nobody, or not known.
    blocker_number: count. Number of that packet or node.
)"};

class csv_writer {
  public:
    csv_writer(std::ostream& out, const port_namer& names) : m_out(events_form, out), m_names(names) {}
    void add(const packet_event& e) {
        const traced_packet& p = e.packet;
        m_out.cell(e.cycle);
        m_out.cell(name_of(e.is));
        m_out.cell(p.number);
        m_out.cell(p.message);
        m_out.counts({std::uint32_t{p.message_class}, p.source, p.destination});
        if (e.at_node()) {
            m_out.cell(e.place);
            m_out.no_cell(10);
        } else {
            m_out.no_cell();
            add_in_router(e);
        }
        m_out.end_row();
    }

  private:
    void add_in_router(const packet_event& e) {
        m_out.cell(e.place);
        vc(e.place, e.in_port, e.in_vc);
        vc(e.place, e.out_port, e.out_vc);
        if (e.is == what::flit_in || e.is == what::flit_out) {
            m_out.no_cell();
            m_out.cell(std::uint32_t{e.flit});
            e.cycles == 0 ? m_out.no_cell() : m_out.cell(e.cycles);
            return m_out.no_cell(2);
        }
        if (e.is != what::stall) {
            m_out.no_cell();
            e.is == what::left ? m_out.cell(std::uint32_t{e.flit}) : m_out.no_cell();
            e.is == what::out ? m_out.cell(e.cycles) : m_out.no_cell();
            return m_out.no_cell(2);
        }
        m_out.cell(name_of(e.reason));
        m_out.counts({std::uint32_t{e.flit}, e.cycles});
        m_out.cell(name_of(e.behind.is));
        const bool numbered = e.behind.is == blocker::kind::packet || e.behind.is == blocker::kind::node;
        numbered ? m_out.cell(e.behind.number) : m_out.no_cell();
    }
    void vc(std::uint32_t router, port_number port, std::uint8_t vc) {
        if (port == packet_event::no_port) return m_out.no_cell(2);
        m_out.cell(m_names(router, port));
        m_out.cell(std::uint32_t{vc});
    }

    table m_out;
    const port_namer& m_names;
};

/// Writes slices. A FIFO shows its first packet only, so that slices of a track follow each other.
class slice_writer {
  public:
    slice_writer(std::ostream& out, const port_namer& names)
        : m_out(out, 3),
          m_names(names),
          m_routers(m_out.add_track("routers")),
          m_nodes(m_out.add_track("nodes")) {}

    void add(const packet_event& e) {
        if (e.at_node()) return add_at_node(e);
        if (e.is == what::dropped)
            return m_out.instant(router_track(e.place), e.cycle, "dropped " + name(e.packet),
                                 e.packet.number + 1, true);
        vc_track& t = track_of(e);
        switch (e.is) {
            case what::in:
                t.here.push_back(e);
                if (t.here.size() == 1) begin(t, e.cycle);
                break;
            case what::left:
                if (t.here.empty()) return;  // it came before the trace began
                m_out.end(t.on, e.cycle + 1);
                t.here.pop_front();
                if (!t.here.empty()) begin(t, e.cycle + 1);
                break;
            case what::stall:
                if (e.reason == stall_reason::behind) return;
                m_out.begin(t.on, e.cycle, name_of(e.reason));
                m_out.end(t.on, e.cycle + e.cycles);
                break;
            default:
                break;
        }
    }
    void close(cycle_t end) {
        for (auto& [place, t] : m_vcs)
            if (!t.here.empty()) m_out.end(t.on, end);
    }

  private:
    using track = perfetto_writer::track;
    struct vc_track {
        track on = perfetto_writer::none;
        std::deque<packet_event> here;  ///< packets here; the first is open
    };

    void begin(vc_track& t, cycle_t when) {
        const traced_packet& p = t.here.front().packet;
        m_out.begin(t.on, when, name(p), p.number + 1);
    }
    static std::string name(const traced_packet& p) {
        return fmt::format("packet {} to {}", p.number, p.destination);
    }
    track below(track& on, const std::string& what_it_is, track parent) {
        if (on == perfetto_writer::none) on = m_out.add_track(what_it_is, parent);
        return on;
    }
    track router_track(std::uint32_t r) { return below(m_router[r], fmt::format("router {}", r), m_routers); }
    vc_track& track_of(const packet_event& e) {
        vc_track& t = m_vcs[{e.place, e.in_port, e.in_vc}];
        if (t.on != perfetto_writer::none) return t;
        const track port =
            below(m_port[{e.place, e.in_port}], "in " + m_names(e.place, e.in_port), router_track(e.place));
        below(t.on, fmt::format("vc {}", e.in_vc), port);
        return t;
    }
    void add_at_node(const packet_event& e) {
        if (e.is == what::generated) return;
        const track on = below(m_node[e.place], fmt::format("node {}", e.place), m_nodes);
        m_out.instant(on, e.cycle, std::string(name_of(e.is)) + " " + name(e.packet), e.packet.number + 1,
                      e.is == what::consumed);
    }

    perfetto_writer m_out;
    const port_namer& m_names;
    track m_routers, m_nodes;
    std::map<std::uint32_t, track> m_router, m_node;
    std::map<std::pair<std::uint32_t, port_number>, track> m_port;
    std::map<std::tuple<std::uint32_t, port_number, std::uint8_t>, vc_track> m_vcs;
};

}  // namespace

void packet_event_file::write_csv(std::ostream& out) const {
    csv_writer to(out, m_names);
    sorted_by(m_events, time_of, [&](const packet_event& e) { to.add(e); });
}

void packet_event_file::write_perfetto(std::ostream& out, cycle_t end) const {
    slice_writer to(out, m_names);
    sorted_by(m_events, time_of, [&](const packet_event& e) { to.add(e); });
    to.close(end);
}

}  // namespace sare
