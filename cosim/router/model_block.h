// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_router.h"
#include "cosim/pins/router_setting.h"
#include "tlm/fabric/fabric.h"

#include <deque>

namespace sare::cosim {

/// The model's router, alone: a fabric of one, with its ports ending outside. Its credits leave with the
/// delay that the RTL has at its outputs.
class model_block final : public pin_router {
  public:
    /// `around` and `packets` outlive it.
    model_block(const router_setting& setting, const routing_context& around, const packet_table& packets);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    /// Every credit is back and every buffer empty; else a line that says what is left.
    std::string leftovers() const;

  private:
    /// Beyond a port. What leaves the router in a cycle is here in the same one: the wires in between have no
    /// latency, and the fabric runs such ends after its routers.
    struct port_end final : foreign_endpoint {
        port_out here;
        void flit_arrived(const flit& f) override {
            here.valid = true;
            here.what = f;
        }
        void credit_arrived(std::uint32_t vc, std::uint32_t) override { here.credits |= 1u << vc; }
    };
    /// The fabric has one router, whose routes are those of another network: they come from its context.
    class external_routing final : public routing_function {
      public:
        explicit external_routing(const routing_context& around) : m_around(around) {}
        std::string name() const override { return "external"; }
        void route(std::uint32_t, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                   route_set& out) const override {
            out.candidates[out.size++] = m_around.here(h, {in, in_vc});
        }

      private:
        const routing_context& m_around;
    };

    void take_packet(const flit& head);
    void delay_credits(std::vector<port_out>& out);

    const packet_table& m_packets;
    external_routing m_routing;
    fabric m_net;
    std::deque<port_end> m_ends;
    std::deque<std::vector<std::uint32_t>> m_credits;  ///< on their way to credit_o, by cycle and port
};

}  // namespace sare::cosim
