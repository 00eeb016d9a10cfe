// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/awaits_losses.h"
#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "traffic/gap/geometric.h"
#include "traffic/source/open_loop.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace sare::traffic::variants::request_reply {
namespace {

struct parameters : spatial_parameters {
    double load = 0;
    std::uint32_t outstanding = 4;
    config::value reply_length = config::value::scalar("5");
    cycle_t service_cycles = 0;
    std::uint64_t requests = 0;
    cycle_t time_out = usual_time_out;
};

/// Requests of class 0 by the pattern, replies of class 1 from their destination. With a load a node draws a
/// request every cycle with probability load / mean length, but none while `outstanding` are on their way;
/// without a load it keeps `outstanding` on their way. A round trip counts from the request's generation to
/// the consumption of the reply.
class request_reply : public workload, public loss_awaiting_workload {
  public:
    request_reply(parameters p, const config::value& section, const workload_context& c)
        : m_parameters(std::move(p)),
          m_folder(c.folder),
          m_length(make_length(m_parameters.length, {c.folder, c.flit_bytes})),
          m_reply(make_length(m_parameters.reply_length, {c.folder, c.flit_bytes})),
          m_probability(message_probability(m_parameters.load, m_length->mean(), section)),
          m_gaps(m_probability > 0 ? m_probability : 1.0) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_pattern = make_pattern(m_parameters, port, m_folder);
        m_length = padded(std::move(m_length), port.padded(1));
        m_reply = padded(std::move(m_reply), port.padded(1));
        m_nodes.resize(port.nodes());
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            node& n = m_nodes[i];
            n.arrivals = rng(port.seed(), stream::arrival, i);
            n.packets = rng(port.seed(), stream::packet, i);
            n.left = m_parameters.requests == 0 ? never : m_parameters.requests;
            if (!port.is_here(i) || m_pattern->silent(i)) continue;
            if (m_parameters.requests != 0) m_open += m_parameters.requests;
            draw(i, port.first_cycle());
        }
    }

    cycle_t next_tick() const override { return m_agenda.empty() ? never : m_agenda.top().when; }

    void tick(cycle_t now) override {
        while (!m_agenda.empty() && m_agenda.top().when <= now) {
            const entry e = m_agenda.top();
            m_agenda.pop();
            if (e.what == entry::kind::reply)
                send(e.node, e.to, 1, e.tag);
            else if (e.what == entry::kind::request)
                request(e.node, now);
            else
                end_trip(e.node);
        }
    }

    void delivered(const delivery& d) override {
        if (d.what.message_class == 0) {
            if (m_parameters.service_cycles == 0)
                send(d.what.destination, d.what.source, 1, d.what.tag);
            else
                m_agenda.push({m_port->now() + m_parameters.service_cycles, entry::kind::reply,
                               d.what.destination, d.what.source, d.what.tag});
            return;
        }
        const cycle_t trip = d.consumed - d.what.tag;
        ++m_trips;
        m_trip_sum += trip;
        m_longest = std::max(m_longest, trip);
        end_trip(d.what.destination);
    }

    /// Notes a loss: the node that has asked waits for the reply in vain.
    void lost(const message& m) override {
        ++m_lost;
        const std::uint32_t asked = m.message_class == 0 ? m.source : m.destination;
        m_agenda.push({m_port->now() + m_parameters.time_out, entry::kind::time_out, asked, 0, 0});
    }

    bool finished() const override { return m_parameters.requests != 0 && m_open == 0; }
    bool runs_to_completion() const override { return m_parameters.requests != 0; }
    traffic_loop loop() const override { return traffic_loop::closed; }
    double progress() const override {
        const std::uint64_t all = m_trips + m_open;
        return all == 0 || m_parameters.requests == 0
                   ? -1
                   : static_cast<double>(m_trips) / static_cast<double>(all);
    }
    std::uint32_t classes_needed() const override { return 2; }
    std::uint32_t largest_message() const override {
        return std::max(m_length->largest(), m_reply->largest());
    }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

    bool runs_by_nodes() const override { return true; }
    bool awaits_losses() const override { return true; }
    void add_up(world& all) override {
        m_trips = all.sum(m_trips);
        m_trip_sum = all.sum(m_trip_sum);
        m_longest = all.most(m_longest);
    }

    void serialize(archive& a) override {
        a(m_nodes, m_agenda, m_started, m_open, m_trips, m_trip_sum, m_longest, m_lost, m_generated);
        if (m_pattern != nullptr) m_pattern->serialize(a);
        m_length->serialize(a);
        m_reply->serialize(a);
    }

    config::value results() const override {
        config::value out = config::value::map({});
        const double mean = m_trips == 0 ? 0 : static_cast<double>(m_trip_sum) / static_cast<double>(m_trips);
        out.set("round_trips", config::number(m_trips));
        out.set("mean_round_trip_cycles", config::number(mean));
        out.set("max_round_trip_cycles", config::number(m_longest));
        if (m_lost != 0) out.set("lost", config::number(m_lost));
        return out;
    }

  private:
    struct node {
        rng arrivals, packets;
        std::uint32_t outstanding = 0;
        std::uint64_t left = 0;  ///< number of requests still to be made
    };
    struct entry {
        enum class kind : std::uint8_t { request, reply, time_out };
        cycle_t when;
        kind what;
        std::uint32_t node, to;
        std::uint64_t tag;  ///< cycle in which the request was generated
        bool operator>(const entry& o) const {
            return std::tie(when, what, node, to, tag) > std::tie(o.when, o.what, o.node, o.to, o.tag);
        }
    };

    /// Draws the next request of a node that may make one from `from` on; in this cycle it goes out at once.
    void draw(std::uint32_t i, cycle_t from) {
        node& n = m_nodes[i];
        while (n.left > 0 && n.outstanding < m_parameters.outstanding) {
            const cycle_t when = m_probability > 0 ? from - 1 + m_gaps.next(n.arrivals) : from;
            if (when > m_port->now() || !m_started) {
                m_agenda.push({when, entry::kind::request, i, 0, 0});
                return;
            }
            issue(i, when);
            if (m_probability > 0) from = when + 1;
        }
    }

    void end_trip(std::uint32_t i) {
        if (m_open > 0) --m_open;
        if (m_nodes[i].outstanding-- == m_parameters.outstanding) draw(i, m_port->now());
    }

    void request(std::uint32_t i, cycle_t now) {
        m_started = true;
        issue(i, now);
        draw(i, m_probability > 0 ? now + 1 : now);
    }

    void issue(std::uint32_t i, cycle_t now) {
        node& n = m_nodes[i];
        ++n.outstanding;
        --n.left;
        send(i, m_pattern->destination(i, n.packets), 0, now);
    }

    void send(std::uint32_t from, std::uint32_t to, std::uint32_t message_class, std::uint64_t tag) {
        message m;
        m.source = from;
        m.destination = to;
        m.message_class = message_class;
        m.flits = (message_class == 0 ? m_length : m_reply)->next(m_nodes[from].packets);
        m.generated = m_port->now();
        m.tag = tag;
        ++m_generated.messages;
        m_generated.flits += m.flits;
        m_port->send(m);
    }

    parameters m_parameters;
    std::string m_folder;
    std::unique_ptr<length_law> m_length, m_reply;
    double m_probability;
    geometric m_gaps;
    traffic_port* m_port = nullptr;
    std::unique_ptr<pattern> m_pattern;
    std::vector<node> m_nodes;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
    bool m_started = false;  ///< true: the first cycle has come, sending is allowed
    std::uint64_t m_open = 0;
    std::uint64_t m_trips = 0, m_trip_sum = 0;
    cycle_t m_longest = 0;
    std::uint64_t m_lost = 0;  ///< requests or replies lost, so round trips
    generated_counts m_generated;
};

const config::registration<workload, const workload_context&> registered{
    "request_reply",
    "Requests by the pattern, each answered by a reply; a limited number is on its way per node.",
    config::schema<parameters>()
        .number("load", &parameters::load, 0, 1e6, "flits/node/cycle",
                "requests drawn in every cycle while the limit allows; 0: as many as the limit allows")
        .include(spatial_fields())
        .number("outstanding", &parameters::outstanding, 1, 1 << 20, "requests",
                "at most so many on their way per node")
        .raw("reply_length", &parameters::reply_length, "length", "flits of a reply, like length",
             resolve_length)
        .number("service_cycles", &parameters::service_cycles, 0, 1e12, "cycles",
                "from the consumption of a request to its reply")
        .number("requests", &parameters::requests, 0, 1e15, "requests",
                "of each node, then it ends; 0: no end")
        .number("time_out", &parameters::time_out, 1, 1e12, "cycles", time_out_text),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        return in_class(p.message_class, std::make_unique<request_reply>(p, section, c));
    }};

}  // namespace
}  // namespace sare::traffic::variants::request_reply
