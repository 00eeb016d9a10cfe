// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/topology.h"

#include <algorithm>

/// How long links were paused by the routers that they lead to (priority flow control).
namespace sare {
namespace pauses_of_run {
namespace {

class pauses final : public statistic {
  public:
    explicit pauses(const network_view& net) : m_net(net) {
        const topology& map = *net.map();
        for (std::uint32_t r = 0; r < map.routers(); ++r)
            for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
                if (map.peer(router_id(r), port_id(p)).what != port_peer::kind::none)
                    m_links.push_back({link_end::kind::router, r, p});
        for (std::uint32_t n = 0; n < map.nodes(); ++n) m_links.push_back({link_end::kind::nic, n, 0});
        m_cycles.resize(m_links.size());
    }

    void start(cycle_t now) override { count(now); }
    void stop(cycle_t now) override { count(now); }
    void serialize(archive& a) override { a(m_cycles); }
    void add_up(world& all) override { all.sum(m_cycles.data(), m_cycles.size()); }

    /// Returns the cycles of pauses in the measured window, by link in the order of run_result::link_loads.
    const std::vector<std::uint64_t>& cycles() const { return m_cycles; }

  private:
    /// Puts the cycles since the call before into m_cycles, by link.
    void count(cycle_t now) {
        for (std::size_t k = 0; k < m_links.size(); ++k) {
            const link_end& from = m_links[k];
            const bool here =
                from.what == link_end::kind::router ? m_net.has_router(from.id) : m_net.is_here(from.id);
            if (here) m_cycles[k] = m_net.paused_before(from, now) - m_cycles[k];
        }
    }

    const network_view& m_net;
    std::vector<link_end> m_links;
    std::vector<std::uint64_t> m_cycles;
};

const std::vector<std::uint64_t>& cycles_of(const reading& r) {
    return static_cast<const pauses*>(r.own)->cycles();
}

const statistic_declaration declared{
    "pauses",
    "How long links were paused by routers with 'flow_control: pfc'.",
    config::schema<config::no_parameters>(),
    {{scope::link, "paused", "", "Cycles in which its sender was paused, on some VC.", summing::share,
      [](const reading& r, const figure_place& p) { return figure_cell(cycles_of(r)[p.row]); }},
     {scope::run, "pauses.links", "links", "Links that were paused.", summing::total,
      [](const reading& r, const figure_place&) {
          const auto& all = cycles_of(r);
          return figure_cell(static_cast<std::uint64_t>(
              std::count_if(all.begin(), all.end(), [](std::uint64_t cycles) { return cycles != 0; })));
      }}},
    [](const config::no_parameters&, const config::value& section, const statistic_context& c) {
        return new pauses(c.flit_level("pauses", section.where()).view());
    }};

}  // namespace
}  // namespace pauses_of_run
}  // namespace sare
