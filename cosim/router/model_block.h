// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"
#include "cosim/pins/router_setting.h"
#include "tlm/fabric/fabric.h"

#include <deque>

namespace sare::cosim {

/// The model's router as a pin_router: a network (tlm/fabric/fabric.h) of one router whose links end at this
/// class. Its credits leave router_setting::credit_out_delay cycles late, as from the RTL.
class model_block final : public pin_router {
  public:
    /// `around`, the place of the router, and `packets` must outlive the object.
    model_block(const router_setting& setting, const routing_context& around, const packet_table& packets);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    /// Checks a router that should be idle. Returns a line about the first credit that has not come back, or
    /// the first buffer that is not empty; an empty text if there is neither.
    std::string leftovers() const;

  private:
    /// The end of a port. It gets a flit or a credit in the cycle in which it leaves the router: the wires
    /// between have no latency, and the fabric runs such ends after its routers.
    struct port_end final : foreign_endpoint {
        port_out here;  ///< flit and credits that have left by the port in this cycle
        bool counts_pools() const override { return true; }
        void flit_arrived(const flit& f) override {
            here.valid = true;
            here.what = f;
        }
        void credit_arrived(std::uint32_t vc, std::uint32_t) override { here.credits |= 1u << vc; }
    };
    /// The routing of this router, by the routes that its context knows.
    class external_routing final : public routing_function {
      public:
        explicit external_routing(const routing_context& around) : m_around(around) {}
        std::string name() const override { return "external"; }
        bool forks() const override { return m_around.forks(); }
        void route(std::uint32_t, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                   route_set& out) const override {
            m_around.routes(h, {in, in_vc}, out);
        }

      private:
        const routing_context& m_around;
    };

    flit taken(flit f);
    flit given(flit f);
    void delay_credits(std::vector<port_out>& out);

    const packet_table& m_packets;
    std::vector<std::uint32_t> m_own;  ///< number of a packet in m_net, by its number in m_packets
    external_routing m_routing;
    fabric m_net;
    std::deque<port_end> m_ends;
    /// Credits that have not reached credit_o yet: for each cycle to come, a mask of VCs for each port.
    std::deque<std::vector<std::uint32_t>> m_credits;
};

}  // namespace sare::cosim
