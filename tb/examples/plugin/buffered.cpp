// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

namespace {
using namespace sare;

class buffered final : public statistic {
  public:
    explicit buffered(const network_view& net) : m_net(net), m_flits(net.routers()) {}

    /// Flits in all input VCs, router by router.
    void sample(cycle_t) override {
        ++m_samples;
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; m_net.has_router(r) && p < m_net.ports(r); ++p)
                for (std::uint32_t v = 0; v < m_net.vcs(); ++v) m_flits[r] += m_net.in(r, p, v).count;
    }
    void serialize(archive& a) override { a(m_flits, m_samples); }
    void add_up(world& all) override { all.sum(m_flits.data(), m_flits.size()); }

    double mean(std::size_t router) const {
        return m_samples == 0 ? 0 : static_cast<double>(m_flits[router]) / static_cast<double>(m_samples);
    }

  private:
    const network_view& m_net;
    std::vector<std::uint64_t> m_flits;
    std::uint64_t m_samples = 0;
};

const statistic_declaration declared{
    "buffered",
    "Flits that wait in a router, at the ends of intervals.",
    config::schema<config::no_parameters>(),
    {{scope::router, "buffered", "flits", "Flits in the buffers of the router.", summing::mean,
      [](const reading& r, const figure_place& at) {
          return figure_cell(static_cast<const buffered*>(r.own)->mean(at.row));
      }}},
    [](const config::no_parameters&, const config::value& section, const statistic_context& c) {
        return new buffered(c.flit_level("buffered", section.where()).view());
    }};

/// A statistic without state: it reads what every run counts.
const figures_declaration idle{
    figures_declaration::last,
    {{scope::link, "idle", "", "1: nothing crossed the link in the measured window.", summing::as_is,
      [](const reading& r, const figure_place& at) {
          return figure_cell(std::uint64_t{r.out.link_loads[at.row].flits == 0});
      }}}};

}  // namespace
