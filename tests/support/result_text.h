// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/stats/results.h"

#include <sstream>
#include <string>

namespace sare::test {

/// Everything a run has found, digit by digit, but for the time and memory that it took.
class result_text {
  public:
    static std::string of(const run_result& r) {
        result_text t;
        t.m_out << std::hexfloat;
        t.add(to_string(r.status), r.reason, r.seed, r.cycles, r.measured_from, r.measured_to,
              r.clock_period_s);
        for (const counts* c : {&r.packets, &r.flits, &r.messages})
            t.add(c->generated, c->injected, c->consumed, c->dropped, c->copied);
        for (const auto& d : r.drops) t.add(d.cause, d.packets, d.flits);
        t.add(r.offered, r.injected, r.accepted);
        for (const latency_pair* p : {&r.packet_latency, &r.message_latency})
            for (const latency_summary* s : {&p->from_generation, &p->from_injection})
                t.add(s->count, s->mean, s->stddev, s->min, s->max, s->p50, s->p95, s->p99, s->p999, s->ci95);
        t.add(r.topology, r.nodes, r.routers, r.links, r.flit_hops, flow_style(r.workload));
        t.add_lists(r);
        return t.m_out.str();
    }

  private:
    template <class... T>
    void add(const T&... values) {
        ((m_out << values << ' '), ...);
        m_out << '\n';
    }
    void add_lists(const run_result& r) {
        for (const auto& b : r.batches) add(b.from, b.to, b.latency_mean, b.accepted, b.offered);
        for (const auto& s : r.series)
            add(s.cycle, s.offered, s.injected, s.accepted, s.latency_mean, s.packets_in_network);
        for (const auto& b : r.latency_histogram) add(b.low, b.high, b.from_generation, b.from_injection);
        for (const auto& l : r.link_loads) {
            add(l.from, l.from_port, l.to, l.to_port, l.kind);
            for (const std::uint32_t v : l.vc_flits) add(v);
        }
        for (const auto& n : r.node_loads) add(n.node, n.router);
        for (const auto& [of, columns] : r.figures)
            for (const figure_view& c : r.columns_of(of))
                for (std::size_t row = 0; row < c.size(); ++row)
                    c.visit(row, [&](const auto& x) { add(c.name(), x); });
        for (const auto& q : r.queue_occupancy) add(q.first, q.second);
        for (const auto& d : r.distances) add(d.hops, d.injected, d.consumed);
        for (const auto& m : r.matrix) add(m.source, m.destination, m.packets, m.flits);
        for (const auto& [name, text] : r.tables) add(name, text);
    }

    std::ostringstream m_out;
};

}  // namespace sare::test
