// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/base/function.h"
#include "tlm/config/schema.h"
#include "tlm/inside/packet_event.h"
#include "tlm/router_api/connection.h"

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace sare {

class fabric;
class message_numbers;
class router_watch;
class told_events;

/// Filter of the events that a trace tells; by default it takes all kinds but flit_in and flit_out.
struct trace_filter {
    /// Numbers of packets (traced_packet::number), source nodes, destination nodes, message classes and
    /// routers. An event is told if the sets contain all numbers of its packet and, if it happens in a
    /// router, `routers` contains the router.
    config::number_set packets = everything(), sources = everything(), destinations = everything(),
                       classes = everything(), routers = everything();
    std::uint32_t kinds = packet_event_usual;                    ///< kinds of events: bit k for kind k
    cycle_t from = 0, to = std::numeric_limits<cycle_t>::max();  ///< events in network cycles [from, to)

    /// True if the event fits all members but `routers`, which packet_trace applies.
    bool takes(const packet_event& e) const;
    /// Returns the set of all numbers.
    static config::number_set everything() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

/// Tells any number of sinks the events of each packet in each router, from start() to stop(). It may start
/// before the first cycle or in mid-run, beside other observers. No router or NIC knows of it, and a network
/// without a trace pays nothing. A *slot* is flit::packet, the index in network_view::packets().
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
    /// Makes a trace that has not started. `net` must be elaborated and outlive the trace. The filter may
    /// name routers that do not exist.
    explicit packet_trace(fabric& net, const trace_filter& filter = {});
    ~packet_trace() override;
    packet_trace(const packet_trace&) = delete;
    packet_trace& operator=(const packet_trace&) = delete;

    /// Adds a sink, which must live until stop() or the end of the trace; added twice, it is told twice.
    void add(packet_event_sink& sink) { m_sinks.push_back(&sink); }
    /// Makes the trace call `f` after each cycle of the network for each router of filter.routers. `f` gets
    /// the events found in the router in the cycle, whatever the rest of the filter. Calls begin 10,000
    /// cycles before filter.from, or at start() if that is later. A second each_cycle() replaces `f`.
    void each_cycle(function<void(const router_watch&, const std::vector<packet_event>&)> f) {
        m_each_cycle = std::move(f);
    }
    /// Starts the trace between two cycles; call once (does nothing while it runs). Packets that are already
    /// in the network are numbered when they are first seen.
    void start();
    /// Ends the trace between two cycles; stalls that are not over are told with their length so far. Does
    /// nothing if the trace does not run. The destructor calls it.
    void stop();

    /// @name Calls of the network
    /// @{
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record& m, cycle_t now) override;
    void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) override;
    void flit_arrives(std::uint32_t link, const flit& f, const packet& p, cycle_t now) override;
    void cycle_over(cycle_t t) override;
    void packets_taken_out(cycle_t t) override;
    /// @}

    /// Makes the trace one of several processes, each of which watches its own routers. `parts`, which must
    /// outlive the trace, gets the facts by which it joins the events of all processes. For told_events.
    void tell_parts(told_events& parts) { m_parts = &parts; }
    /// Moment at which something is told: within a cycle links come first, then nodes that receive, nodes
    /// that send, and routers, by number.
    struct telling {
        enum stage : std::uint32_t { link, receiver, sender, router };
        cycle_t cycle = 0;     ///< network cycle; ~0 for events told by stop()
        stage in = link;       ///< part of the cycle
        std::uint32_t at = 0;  ///< number of the link, node or router
    };
    const telling& now() const { return m_now; }  ///< moment of the event that is being told

    /// Returns the packet in a slot, which gets the next number if it is new; throws std::out_of_range for a
    /// slot that the pool does not have. The reference is valid until the next call.
    const traced_packet& packet_in(std::uint32_t slot);

  private:
    static constexpr std::uint32_t unwatched = ~std::uint32_t{0};  ///< element of m_watch_of: no watch
    static constexpr cycle_t never = ~cycle_t{0};
    /// Packet seen last in a slot, identified by cycle and node of its injection.
    struct known_packet {
        traced_packet facts;
        cycle_t injected = never;  ///< cycle of injection; never: no packet, or it has ended
        std::uint64_t source = 0;
    };

    /// True for a router that has a watch in this process.
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
    void look_inside();
    void watch_routers();
    void end_watches();
    std::uint32_t slot_of(const packet& p) const;
    void notify(const packet_event& e);
    void notify_of_router(packet_event e);
    void notify_at(packet_event::what is, const traced_packet& p, std::uint32_t place, cycle_t when);
    void give_up(std::uint64_t number);
    void place_packet(std::uint64_t number, const link_end& left_by, std::uint8_t vc);

    fabric& m_net;
    const trace_filter m_filter;
    std::vector<packet_event_sink*> m_sinks;
    bool m_runs = false;          ///< true between start() and stop()
    bool m_looks_inside = false;  ///< true: routers are watched, since the first cycle of the filter is near
    std::vector<std::pair<link_end, link_end>> m_links;  ///< ends of each observed link
    std::vector<std::uint32_t> m_watch_of;               ///< index in m_watches, or unwatched; by router
    std::deque<router_watch> m_watches;
    std::vector<known_packet> m_packets;  ///< packets by slot
    std::uint64_t m_packet_count = 0;     ///< number of packets numbered so far
    std::unique_ptr<message_numbers> m_messages;
    function<void(const router_watch&, const std::vector<packet_event>&)> m_each_cycle;
    std::vector<packet_event> m_found;  ///< events of a router in a cycle
    /// Events of packets that left a router by a port that is known only when they arrive.
    std::vector<packet_event> m_unplaced;
    told_events* m_parts = nullptr;  ///< see tell_parts(); null: one process
    telling m_now;                   ///< see now()
};

}  // namespace sare
