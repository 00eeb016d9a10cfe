// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/hyperx/hyperx_routing.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::dal {
namespace {

/// Dimensionally adaptive, load-balanced routing (J. Ahn et al., SC 2009): in each unfinished dimension a
/// packet may take one hop that does not finish it, so it takes two a dimension at most. The adaptive VCs are
/// 1 and on; VC 0 is the escape, by dimension order from where the packet is: finished dimensions stay
/// finished, so after a dimension's escape channel only those of higher ones are asked for.
///
/// header.state: the dimensions in which the packet was led astray. A hop that leaves its dimension
/// unfinished was one such.
class dal final : public hyperx_routing {
  public:
    dal(const config::value& section, const routing_context& context)
        : hyperx_routing("dal", context, section) {
        check_vcs(section, context, name(), {2, "the escape VC and 1 adaptive VC"});
        if (links() >= route_set::capacity || dimensions() > 16)
            throw config::error(place(section, "function"),
                                fmt::format("'function' is dal, which chooses among at most {} links along "
                                            "16 dimensions; a router of the network has {} along {}",
                                            route_set::capacity - 1, links(), dimensions()));
        m_all = vc_classes(0, context.vcs).all;
        m_adaptive = m_all & ~1U;
    }

    std::uint32_t max_candidates() const override { return links() + 1; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return true; }
    bool looks_at_congestion() const override { return true; }
    bool goes_round_failures() const override { return true; }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment& to = attachment_of(h.destination);
        if (r == to.router) return out.add(to.port, m_all);
        const auto *c = at(r), *t = at(to.router);
        remember(in, c, t, h);
        for (std::uint32_t d = 0; d < dimensions(); ++d)
            if (c[d] != t[d]) out.add(port(d, c[d], t[d]), m_adaptive);
        every_stray(c, t, h, [&](std::uint32_t p) { out.add(p, m_adaptive); });
        out.add(in_order(c, t), 1, true);
    }

    /// The link with least queue times hops, a finishing one among equals; and the escape.
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        const node_attachment& to = attachment_of(h.destination);
        if (r == to.router) return out.add(to.port, m_all);
        const auto *c = at(r), *t = at(to.router);
        remember(in, c, t, h);
        const std::uint32_t hops = count_unlike(c, t);
        std::uint32_t best = 0, least = 0xffffffff;
        const auto compare = [&](std::uint32_t p, std::uint32_t left) {
            const std::uint32_t cost = here.queue(p) * left;
            if (cost < least) best = p, least = cost;
        };
        for (std::uint32_t d = 0; d < dimensions(); ++d)
            if (c[d] != t[d]) compare(port(d, c[d], t[d]), hops);
        every_stray(c, t, h, [&](std::uint32_t p) { compare(p, hops + 1); });
        out.add(best, m_adaptive);
        out.add(in_order(c, t), 1, true);
    }

  private:
    void remember(std::uint32_t in, const std::uint16_t* c, const std::uint16_t* t, route_header& h) const {
        if (in >= links()) return;
        const std::uint32_t d = dimension_of(in);
        if (c[d] != t[d]) h.state = static_cast<std::uint16_t>(h.state | 1U << d);
    }
    /// Calls f(port) for each hop that does not finish its dimension and may be taken.
    template <class F>
    void every_stray(const std::uint16_t* c, const std::uint16_t* t, const route_header& h, F f) const {
        for (std::uint32_t d = 0; d < dimensions(); ++d) {
            if (c[d] == t[d] || (h.state >> d & 1) != 0) continue;
            for (std::uint32_t k = 0; k < dim(d).size; ++k)
                if (k != c[d] && k != t[d]) f(port(d, c[d], k));
        }
    }

    std::uint32_t m_all = 0, m_adaptive = 0;
};

const routing_registration<dal> registered{"dal",
                                           "HyperX: any unfinished dimension, by a detour once in each where "
                                           "queues say so; an escape VC by dimension order."};

}  // namespace
}  // namespace sare::variants::dal
