// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

namespace {
using namespace sare;

/// Counts the cycles in which a head bid for an output VC and got none, by output port.
class va_losses final : public statistic {
  public:
    explicit va_losses(const network_view& net) : m_net(net) {}

    void start(cycle_t) override { m_before = read(); }
    void stop(cycle_t) override {
        m_lost = read();
        for (std::size_t k = 0; k < m_lost.size(); ++k) m_lost[k] -= m_before[k];
    }
    void serialize(archive& a) override { a(m_before, m_lost); }
    void add_up(world& all) override { all.sum(m_lost.data(), m_lost.size()); }
    std::uint64_t lost(std::size_t port) const { return m_lost[port]; }

  private:
    /// Returns the bids that failed since the start of the run, port by port.
    std::vector<std::uint64_t> read() const {
        std::vector<std::uint64_t> lost;
        for (std::uint32_t r = 0; r < m_net.routers(); ++r)
            for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
                lost.push_back(m_net.events(router_event::va_bid, r, p) -
                               m_net.events(router_event::va_grant, r, p));
        return lost;
    }
    const network_view& m_net;
    std::vector<std::uint64_t> m_before, m_lost;
};

const statistic_declaration declared{
    "va_losses",
    "Bids of heads for an output VC that failed, by output port.",
    config::schema<config::no_parameters>(),
    {{scope::port, "va_lost", "bids", "Cycles in which a head bid for a VC of the port and got none.",
      summing::total,
      [](const reading& r, const figure_place& at) {
          return figure_cell(static_cast<const va_losses*>(r.own)->lost(at.row));
      }}},
    [](const config::no_parameters&, const config::value& section, const statistic_context& c) {
        return new va_losses(c.flit_level("va_losses", section.where()).view());
    },
    counting::events};

}  // namespace
