// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_ugal.h"

namespace sare::variants::par {
namespace {

/// Progressive adaptive routing (Jiang, Kim and Dally, ISCA 2009): UGAL by the queues of each router, which a
/// packet on its minimal path asks again at the second router of the source's group, the one that the minimal
/// path's global link begins at. header.phase 1, in the deadlock check only: the packet turns there.
class par final : public dragonfly_ugal {
  public:
    par(const ugal_parameters& p, const config::value& section, const routing_context& context)
        : dragonfly_ugal("par", p, section, context, detours::late) {}

    std::uint32_t tabular_states() const override { return 0; }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        dragonfly_ugal::every_header(plain, out);
        // Where packets turn is up to the two groups that they may go to: one node of each group stands for
        // all of its destinations.
        if (plain.destination % (shape().a * shape().p) == 0) add_turns(plain, out);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        std::vector<route_header> all;
        every_minimal(plain, all);
        every_way_round(plain, all);
        add_turns(plain, all);
        for (const route_header& h : all) out.push_back({h, 1.0 / static_cast<double>(all.size())});
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        if (h.phase == 1 && has_moved(in) && may_turn(r, in, h)) {
            h.state = static_cast<std::uint16_t>(h.via);
            h.phase = 0;
        }
        dragonfly_ugal::route(r, in, in_vc, h, out);
    }

  protected:
    /// Minimal paths have local hops in the groups of source and destination only.
    bool may_turn(std::uint32_t r, std::uint32_t in, const route_header& h) const override {
        const bool by_global_link = has_moved(in) && in >= shape().a - 1;
        return !by_global_link && at(r).group != home(h.destination).group;
    }

  private:
    bool has_moved(std::uint32_t in) const { return in < shape().first_node_port(); }
    /// Appends headers of packets that turn at their second router, by every minimal path and every detour.
    void add_turns(const route_header& plain, std::vector<route_header>& out) const {
        std::vector<route_header> minimal, round;
        every_minimal(plain, minimal);
        every_way_round(plain, round);
        for (const route_header& m : minimal)
            for (const route_header& d : round) {
                if (m.state == 0 || path_of(d.state).via == none) continue;
                out.push_back(m);
                out.back().via = d.state;
                out.back().phase = 1;
            }
    }
};

const routing_registration<par, ugal_parameters> registered{
    "par",
    "Dragonflies: progressive adaptive routing, which is ugal_l with a second decision at the router of the "
    "minimal path's global link.",
    ugal_parameters::fields()};

}  // namespace
}  // namespace sare::variants::par
