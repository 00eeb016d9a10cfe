// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/config/schema.h"
#include "tlm/inside/packet_event.h"
#include "tlm/router_api/connection.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sare {

class fabric;
class router_watch;
class told_events;

/// Which events of which packets; all of them, unless it says otherwise.
struct trace_filter {
    config::number_set packets = everything(), sources = everything(), destinations = everything(),
                       classes = everything(), routers = everything();
    std::uint32_t kinds = packet_event_usual;                    ///< a bit for each packet_event::what
    cycle_t from = 0, to = std::numeric_limits<cycle_t>::max();  ///< events of cycles from <= cycle < to

    bool takes(const packet_event& e) const;
    static config::number_set everything() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

/// What each packet does in each router, for any number of sinks. Looks on from start() to stop(), before the
/// first cycle or in mid-run, beside other observers; no router or NIC knows of it, and a network that is not
/// traced pays nothing.
///
///     sare::packet_event_file events([&](auto r, auto p) { return sare::port_name(map, r, p); });
///     sare::packet_trace trace(engine.net(), filter);  // after elaboration
///     trace.add(events);
///     trace.start();
///     engine.run_until(1000);
///     trace.stop();
///     events.write_csv(std::cout);
class packet_trace final : public observer, public flit_observer, public cycle_observer {
  public:
    /// Of a network that is elaborated, which outlives it. Routers that there are not are passed over.
    explicit packet_trace(fabric& net, const trace_filter& filter = {});
    ~packet_trace() override;
    packet_trace(const packet_trace&) = delete;
    packet_trace& operator=(const packet_trace&) = delete;

    /// It outlives the trace.
    void add(packet_event_sink& sink) { m_sinks.push_back(&sink); }
    /// Packets that are in the network already get numbers as they are seen. Twice makes no difference.
    void start();
    /// Stalls under way are told as far as they have come.
    void stop();

    /// @name As a network calls it
    /// @{
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record& m, cycle_t now) override;
    void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) override;
    void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) override;
    void cycle_over(cycle_t t) override;
    void packets_taken_out(cycle_t t) override;
    /// @}

    /// Of several processes, whose routers are watched each in its own: `parts` is told, too, what the others
    /// must know of this one. It outlives the trace.
    void tell_parts(told_events& parts) { m_parts = &parts; }
    /// When it is that something is being told: in a cycle links come first, then nodes that receive, nodes
    /// that send, and routers, by number.
    struct telling {
        enum stage : std::uint32_t { link, receiver, sender, router };
        cycle_t cycle = 0;
        stage in = link;
        std::uint32_t at = 0;
    };
    const telling& now() const { return m_now; }

    /// What packet a slot of the pool is; throws std::out_of_range for a slot that there is not.
    const traced_packet& packet_in(std::uint32_t slot);

  private:
    static constexpr std::uint32_t unwatched = ~std::uint32_t{0};
    static constexpr cycle_t never = ~cycle_t{0};
    struct known_packet {
        traced_packet facts;
        cycle_t injected = never;  ///< with `source`; else the slot is another packet
        std::uint64_t source = 0;
    };
    struct known_message {
        std::uint64_t number = 0;
        cycle_t generated = 0;
        std::uint32_t source = 0;
        bool known = false;
    };

    bool is_watched(const link_end& e) const {
        return e.what == link_end::kind::router && m_watch_of[e.id] != unwatched;
    }
    bool is_known(std::uint32_t slot, const packet& p) const {
        return slot < m_packets.size() && m_packets[slot].injected == p.injected &&
               m_packets[slot].source == p.route.source;
    }
    bool is_asked(const link_end& e) const {
        return e.what == link_end::kind::router && m_filter.routers.contains(e.id);
    }
    void watch_routers();
    void end_watches();
    std::uint32_t slot_of(const packet& p) const;
    std::uint64_t message_of(const packet& p);
    void notify(const packet_event& e);
    void notify_of_router(packet_event e);
    void notify_at(packet_event::what is, const traced_packet& p, std::uint32_t place, cycle_t when);
    void give_up(std::uint64_t number);
    void place_packet(std::uint64_t number, const link_end& left_by, std::uint8_t vc);

    fabric& m_net;
    const trace_filter m_filter;
    std::vector<packet_event_sink*> m_sinks;
    bool m_runs = false;
    std::vector<std::pair<link_end, link_end>> m_links;
    std::vector<std::uint32_t> m_watch_of;  ///< by router: in m_watches, or unwatched
    std::vector<router_watch> m_watches;
    std::vector<known_packet> m_packets;    ///< by slot
    std::vector<known_message> m_messages;  ///< by slot
    std::uint64_t m_packet_count = 0, m_message_count = 0;
    std::vector<packet_event> m_found;  ///< in a cycle of a router
    /// Of packets that left a router by a port that only shows where they come next.
    std::vector<packet_event> m_unplaced;
    told_events* m_parts = nullptr;
    telling m_now;
};

}  // namespace sare
