// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/credit_limit.h"

#include "tlm/network/rounded.h"
#include "tlm/network/router_plan.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/pipelined_model.h"
#include "tlm/topology/serialisation.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sare {
namespace {

/// Writing end of a link: its delays in cycles of its own clock.
struct sending_end {
    clock_ratio clock;
    std::uint32_t flit_delay, credit_delay;
};

sending_end sender_of(const network_channel& c, const topology& map, const router_plan& plan,
                      const nic_params& nic) {
    if (c.what == network_channel::kind::injection)
        return {map.clock(node_id(c.from)), nic.delay, nic.credit_delay};
    const router_terms& terms = plan.terms(c.from);
    return {map.clock(router_id(c.from)), terms.flit_delay, terms.credit_delay};
}

link_attributes link_of(const network_channel& c, const topology& map) {
    return c.what == network_channel::kind::injection ? map.injection_link(node_id(c.from))
                                                      : map.link(router_id(c.from), port_id(c.port));
}

/// A link that is slower by its credits than by its width.
struct slowed_link {
    network_channel channel;
    credit_limit limit;
    double share;  ///< of the flits that its width lets through
};

class slowest_link {
  public:
    slowest_link(const topology& map, const router_plan& plan, const nic_params& nic)
        : m_map(map), m_plan(plan), m_nic(nic) {
        for (std::uint32_t r = 0; r < map.routers(); ++r)
            for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
                if (const port_peer to = map.peer(router_id(r), port_id(p));
                    to.what == port_peer::kind::router)
                    look_at({network_channel::kind::link, r, p, to.id}, map.clock(router_id(r)),
                            map.clock(router_id(to.id)));
        for (std::uint32_t n = 0; n < map.nodes(); ++n)
            look_at({network_channel::kind::injection, n, 0, 0}, map.clock(node_id(n)),
                    map.clock(map.router_of(node_id(n))));
    }
    const std::optional<slowed_link>& found() const { return m_found; }

  private:
    void look_at(const network_channel& c, clock_ratio own, clock_ratio other) {
        const std::optional<credit_limit> limit = credit_limit_of(c, m_map, m_plan, m_nic);
        if (!limit) return;
        const double share = limit->rate() * flit_period(link_of(c, m_map), own.period(), other.period());
        if (share < 1 && (!m_found || share < m_found->share)) m_found = slowed_link{c, *limit, share};
    }

    const topology& m_map;
    const router_plan& m_plan;
    const nic_params& m_nic;
    std::optional<slowed_link> m_found;
};

}  // namespace

std::optional<credit_limit> credit_limit_of(const network_channel& channel, const topology& map,
                                            const router_plan& plan, const nic_params& nic) {
    if (channel.what == network_channel::kind::ejection) return std::nullopt;
    const bool injects = channel.what == network_channel::kind::injection;
    const std::uint32_t to = injects ? map.router_of(node_id(channel.from)).value : channel.to;
    const router_terms& receiver = plan.terms(to);
    if (!receiver.on_links.empty() || receiver.deflects || receiver.owns_nodes) return std::nullopt;
    const sending_end from = sender_of(channel, map, plan, nic);
    const link_attributes link = link_of(channel, map);
    const double own = from.clock.period(), other = map.clock(router_id(to)).period();
    double cycles = (from.flit_delay + from.credit_delay) * own + receiver.input_delay * other;
    if (link.synchroniser != 0 && own != other) {
        // Each way is on the link in cycles of its writer and in the synchroniser in those of its reader.
        cycles += (link.latency + link.cycles_per_flit + link.credit_synchroniser - 2) * own +
                  (link.latency + link.synchroniser - 1) * other;
    } else {
        cycles += (2 * link.latency + link.cycles_per_flit - 1) * link.clock.period();
        // Between two clocks the last cycle of each way leads to the next edge, which may be as near as one
        // cycle.
        if (own != other) cycles -= std::min(cycles - 1, 2 * (link.clock.period() - 1));
    }
    return credit_limit{receiver.vcs, receiver.mean_depth(), cycles};
}

double switch_limit_of(const network_channel& channel, const topology& map, const router_plan& plan) {
    using kind = network_channel::kind;
    double most = std::numeric_limits<double>::infinity();
    const auto limit = [&](std::uint32_t router, double (*rate)(const switch_rates&, std::uint32_t vcs)) {
        if (const auto* const model = dynamic_cast<const pipelined_model*>(&plan.model(router)))
            most = std::min(
                most, rate(model->rates(), plan.terms(router).vcs) / map.clock(router_id(router)).period());
    };
    if (channel.what != kind::injection)
        limit(channel.from, [](const switch_rates& r, std::uint32_t) { return r.per_output; });
    if (channel.what == kind::ejection) return most;
    limit(channel.what == kind::injection ? map.router_of(node_id(channel.from)).value : channel.to,
          [](const switch_rates& r, std::uint32_t vcs) { return r.per_vc * vcs; });
    return most;
}

std::string warning_of_credits(const topology& map, const router_plan& plan, const nic_params& nic) {
    const auto found = slowest_link(map, plan, nic).found();
    if (!found) return "";
    const credit_limit& l = found->limit;
    const double full = l.depth / found->share;
    return fmt::format(
        "the buffers are short for the round trip of a credit: the link {} carries at most {}% of what its "
        "width allows, with {}{} of {}{} and {} cycles until a credit is back; 'router.depth: {}' would fill "
        "it",
        text_of(found->channel, map.names()), rounded(100 * found->share), l.vcs, l.vcs == 1 ? " VC" : " VCs",
        l.depth, l.depth == 1 ? " flit" : " flits", rounded(l.round_trip),
        static_cast<std::uint64_t>(full + 0.999999));
}

}  // namespace sare
