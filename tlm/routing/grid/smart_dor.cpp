// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

#include "tlm/base/sets.h"
#include "tlm/topology/link_parameters.h"

namespace sare::variants::smart_dor {
namespace {

/// Dimension order that may leave a busy channel at the first router by one hop along a later dimension, on
/// the VCs that dimension order leaves unused on that link. Those are only ever entered from nodes, so no
/// packet on a link waits for them and no cycle goes through them. Behind that hop the packet goes on as if
/// it had started there.
/// header.state: the ways from where dimension order starts, then the directions drawn for ties.
class smart_dor final : public grid_routing {
  public:
    smart_dor(const ring_parameters& p, const config::value& section, const routing_context& context)
        : grid_routing("smart_dor", context, section, p), m_rule(p.dateline) {
        if (!rings())
            throw config::error(place(section, "function"),
                                "'function' is smart_dor, which needs wrap links: dimension order leaves no "
                                "VC of a mesh unused; dor works");
        if (m_rule != dateline_rule::trc && m_rule != dateline_rule::basic)
            throw config::error(place(section, "dateline"),
                                std::string("'dateline' is ") + name_of(m_rule) +
                                    "; smart_dor takes the VCs that trc or basic leave unused");
        need_dimensions(section, 5);
        check_vcs(section, context, "smart_dor",
                  {2, std::string("one for each of the two classes of dateline ") + name_of(m_rule) +
                          " on a network with wrap links"});
    }

    std::uint32_t max_candidates() const override { return 2 * dimensions() + 1; }
    bool deterministic() const override { return false; }
    bool looks_at_congestion() const override { return true; }
    bool goes_round_failures() const override { return true; }

    void begin(route_header& h, rng& random) const override {
        h.state = start(attachment_of(h.source).router, attachment_of(h.destination).router, draw(random));
    }

    /// With all draws: a hop aside may bring a packet to where both ways are equally long.
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::uint32_t from = attachment_of(plain.source).router,
                            to = attachment_of(plain.destination).router;
        const std::uint32_t all = drawn_bits(random_ties() ? ~0U : 0);
        for (std::uint32_t some = all;; some = (some - 1) & all) {
            out.push_back(plain);
            out.back().state = start(from, to, random_ties() ? some : fixed_draw());
            if (some == 0) return;
        }
    }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        const std::uint32_t d = first_unlike(c, t);
        const bool first = in >= router_ports();
        if (!first && axis_of(in) > d)  // has come aside: dimension order would have finished d
            h.state = start(r, to.router, static_cast<std::uint32_t>(h.state) >> (2 * dimensions()));
        hop(d, c[d], t[d], h.state, m_vcs, out);
        if (!first) return;
        add_hops_aside(c, t, d + 1, h.state, true, out);
        if (!one_way()) add_hops_aside(c, t, d + 1, h.state, false, out);  // there it would be a whole ring
    }

    /// Aside only where every VC of dimension order holds flits beyond the link, and one aside holds none.
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        route_set all;
        route(r, in, in_vc, h, all);
        const auto empty = [&](const route_candidate& c) {
            vc_mask vcs = 0;
            for (const std::uint64_t v : members(c.vcs))
                if (here.used(c.port, h.vc_base + static_cast<std::uint32_t>(v)) == 0) add_member(vcs, v);
            return vcs;
        };
        if (all.size > 1 && empty(all.candidates[0]) == 0)
            for (std::uint32_t i = 1; i < all.size; ++i)
                if (const vc_mask vcs = empty(all.candidates[i]); vcs != 0)
                    return out.add(all.candidates[i].port, vcs);
        out.repeats = all.repeats;
        out.add(all.candidates[0].port, all.candidates[0].vcs);
    }

  private:
    /// Hops along dimensions from `first` on that bring a packet nearer, or those that do not.
    void add_hops_aside(const std::uint16_t* c, const std::uint16_t* t, std::uint32_t first,
                        std::uint32_t all_ways, bool nearer, route_set& out) const {
        for (std::uint32_t e = first; e < dimensions(); ++e)
            for (const bool negative : {false, true}) {
                if (!dim(e).ring || (negative && one_way())) continue;
                const bool shorter = c[e] != t[e] && negative == ((all_ways >> (2 * e) & 1) != 0);
                const std::uint32_t vcs = unused(e, c[e], negative);
                if (shorter == nearer && vcs != 0) out.add(dim(e).port + negative, vcs);
            }
    }

    std::uint32_t router_ports() const { return dimensions() * (one_way() ? 1 : 2); }
    std::uint32_t axis_of(std::uint32_t port) const { return one_way() ? port : port / 2; }
    std::uint32_t drawn_bits(std::uint32_t ties) const { return ties & ((1U << dimensions()) - 1); }

    std::uint16_t start(std::uint32_t from, std::uint32_t to, std::uint32_t ties) const {
        return static_cast<std::uint16_t>(ways(at(from), at(to), ties) | drawn_bits(ties)
                                                                             << (2 * dimensions()));
    }

    /// The VCs that dimension order uses for no packet on the link from coordinate c of dimension e. Links
    /// are counted in the direction of travel from behind the wrap link, which is the last.
    std::uint32_t unused(std::uint32_t e, std::uint32_t c, bool negative) const {
        const std::uint32_t last = dim(e).last, link = negative ? last - c : c;
        const std::uint32_t most_hops = one_way() ? last : (last + 1) / 2;
        if (link == last) return m_vcs.low;        // all that come here cross
        const bool behind = link + 1 < most_hops;  // reached by packets that have crossed
        const bool before = m_rule == dateline_rule::basic && link + most_hops > last;
        return behind || before ? 0 : m_vcs.high;
    }

    dateline_rule m_rule;
};

const routing_registration<smart_dor, ring_parameters> registered{
    "smart_dor",
    "Dimension order on rings; at the first router a busy channel may be left by one hop along a later "
    "dimension, on VCs that dimension order does not use there.",
    ring_fields()};

}  // namespace
}  // namespace sare::variants::smart_dor
