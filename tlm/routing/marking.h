// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/routing/routing.h"

#include <cstdint>

namespace sare {

/// The section `marking`: routers mark packets by the length of the queue of the output that they ask for, as
/// RED does with ECN (Floyd and Jacobson 1993; RFC 3168). The queue is congestion_view::queue(), the shortest
/// one of all candidates, plus the flits in the packet's own buffer.
struct marking_params {
    std::uint32_t kmin = 0;  ///< length of a queue, in flits, below which no packet is marked
    /// Length of a queue, in flits, from which on every packet is marked; 0: routers mark nothing.
    std::uint32_t kmax = 0;
    double pmax = 1;  ///< share, 0 to 1, of packets that a queue just below kmax marks

    /// True if routers mark packets; false: probability() has no meaning.
    bool is_given() const { return kmax != 0; }
    /// Returns the probability, 0 to 1, that a packet is marked that finds `queue` flits in the queue: 0
    /// below kmin, linear up to pmax, 1 from kmax on.
    double probability(std::uint32_t queue) const {
        if (queue < kmin) return 0;
        return queue >= kmax ? 1 : pmax * (queue - kmin) / (kmax - kmin);
    }
    /// Throws config::error at `at` if kmin is above kmax.
    void check(const config::location& at) const;
    static config::schema<marking_params> fields();  ///< schema of the section `marking`
};

/// A routing function that routes as another one does, and marks packets (route_header::marked). A packet
/// once marked stays marked.
class marking_routing final : public routing_function {
  public:
    /// `inner`: the function that routes, which must outlive this object.
    marking_routing(const routing_function& inner, const marking_params& p) : m_inner(inner), m_params(p) {}

    std::string name() const override { return m_inner.name(); }
    std::uint32_t max_candidates() const override { return m_inner.max_candidates(); }
    bool deterministic() const override { return m_inner.deterministic(); }
    bool needs_escape() const override { return m_inner.needs_escape(); }
    void begin(route_header& h, rng& random) const override { m_inner.begin(h, random); }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        m_inner.route(r, in, in_vc, h, out);
    }
    bool looks_at_congestion() const override { return true; }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override;
    std::uint32_t board_delay() const override { return m_inner.board_delay(); }
    bool forks() const override { return m_inner.forks(); }
    const multicast_table* groups() const override { return m_inner.groups(); }
    void expect(const route_header& h) const override { m_inner.expect(h); }

  private:
    const routing_function& m_inner;
    const marking_params m_params;
};

}  // namespace sare
