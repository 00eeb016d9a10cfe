// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/packet_event_file.h"

#include "tlm/inside/sorted_by.h"
#include "tlm/stats/perfetto.h"

#include <charconv>
#include <deque>
#include <map>
#include <ostream>
#include <string_view>
#include <tuple>

namespace sare {
namespace {

using what = packet_event::what;

/// Within a cycle a packet comes before it goes.
auto time_of(const packet_event& e) {
    return std::make_tuple(e.cycle, static_cast<int>(e.is));
}

/// A line at a time: streams take more instructions a number than the network does a flit.
class csv_writer {
  public:
    csv_writer(std::ostream& out, const port_namer& names) : m_out(out), m_names(names) {
        m_out << "cycle,event,packet,message,class,source,destination,node,router,in_port,in_vc,out_port,"
                 "out_vc,reason,flit,cycles\n";
    }
    void add(const packet_event& e) {
        const traced_packet& p = e.packet;
        m_line.clear();
        number(e.cycle);
        text(name_of(e.is));
        number(p.number);
        number(p.message);
        number(p.message_class);
        number(p.source);
        number(p.destination);
        if (e.at_node()) {
            number(e.place);
            m_line += ",,,,,,,,";
        } else {
            m_line += ',';
            add_in_router(e);
        }
        m_line.back() = '\n';
        m_out.write(m_line.data(), static_cast<std::streamsize>(m_line.size()));
    }

  private:
    void add_in_router(const packet_event& e) {
        number(e.place);
        vc(e.place, e.in_port, e.in_vc);
        vc(e.place, e.out_port, e.out_vc);
        if (e.is != what::stall) {
            m_line += ",,,";
            return;
        }
        text(name_of(e.reason));
        number(e.flit);
        number(e.cycles);
    }
    void vc(std::uint32_t router, std::uint8_t port, std::uint8_t vc) {
        if (port == packet_event::no_port) {
            m_line += ",,";
            return;
        }
        text(m_names(router, port));
        number(vc);
    }
    void text(std::string_view word) {
        m_line += word;
        m_line += ',';
    }
    void number(std::uint64_t n) {
        char digits[20];
        m_line.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
        m_line += ',';
    }

    std::ostream& m_out;
    const port_namer& m_names;
    std::string m_line;
};

/// A FIFO shows its first packet only, so that slices of a track follow each other.
class slice_writer {
  public:
    slice_writer(std::ostream& out, const port_namer& names)
        : m_out(out, 3),
          m_names(names),
          m_routers(m_out.add_track("routers")),
          m_nodes(m_out.add_track("nodes")) {}

    void add(const packet_event& e) {
        if (e.at_node()) return add_at_node(e);
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
        std::deque<packet_event> here;  ///< packets, the first of which is open
    };

    void begin(vc_track& t, cycle_t when) {
        const traced_packet& p = t.here.front().packet;
        m_out.begin(t.on, when, name(p), p.number + 1);
    }
    static std::string name(const traced_packet& p) {
        return "packet " + std::to_string(p.number) + " to " + std::to_string(p.destination);
    }
    track below(track& on, const std::string& what_it_is, track parent) {
        if (on == perfetto_writer::none) on = m_out.add_track(what_it_is, parent);
        return on;
    }
    vc_track& track_of(const packet_event& e) {
        vc_track& t = m_vcs[{e.place, e.in_port, e.in_vc}];
        if (t.on != perfetto_writer::none) return t;
        const track router = below(m_router[e.place], "router " + std::to_string(e.place), m_routers);
        const track port = below(m_port[{e.place, e.in_port}], "in " + m_names(e.place, e.in_port), router);
        below(t.on, "vc " + std::to_string(e.in_vc), port);
        return t;
    }
    void add_at_node(const packet_event& e) {
        if (e.is == what::generated) return;
        const track on = below(m_node[e.place], "node " + std::to_string(e.place), m_nodes);
        m_out.instant(on, e.cycle, std::string(name_of(e.is)) + " " + name(e.packet), e.packet.number + 1,
                      e.is == what::consumed);
    }

    perfetto_writer m_out;
    const port_namer& m_names;
    track m_routers, m_nodes;
    std::map<std::uint32_t, track> m_router, m_node;
    std::map<std::pair<std::uint32_t, std::uint8_t>, track> m_port;
    std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>, vc_track> m_vcs;
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
