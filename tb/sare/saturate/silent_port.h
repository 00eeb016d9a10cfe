// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/combining/combiner_network.h"
#include "tlm/network/experiment.h"
#include "tlm/topology/properties.h"

namespace sare::cli {

/// A network that accepts every message and delivers none. With it a workload can be started without a
/// simulation, to find errors in its parameters and the destinations of its messages.
class silent_port : public traffic_port {
  public:
    /// `e`: seed and clock; `net`: topology, which must outlive the object; `nic`: parameters of the NICs.
    silent_port(const experiment& e, const topology& net, nic_params nic)
        : m_net(without_combiners(net)),
          m_nic(std::move(nic)),
          m_seed(e.seed),
          m_period(e.clock_seconds()),
          m_dims(node_dims(m_net)) {}
    std::uint32_t nodes() const override { return m_net.nodes(); }
    std::uint32_t classes() const override { return 2; }
    std::uint64_t seed() const override { return m_seed; }
    cycle_t now() const override { return 0; }
    double cycle_seconds() const override { return m_period; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    const place_names* names() const override { return &m_net.names(); }
    const topology* map() const override { return &m_net; }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return sare::flits_for(m_nic, bytes); }
    std::uint32_t padded(std::uint32_t flits) const override {
        return static_cast<std::uint32_t>(sare::padded(m_nic, flits));
    }
    void send(const message&) override {}
    std::uint32_t queued(std::uint32_t) const override { return 0; }
    std::uint32_t queued_of(std::uint32_t, std::uint32_t) const override { return 0; }
    void call_when_queued(std::uint32_t, std::uint32_t, std::uint32_t) override {}
    void set_accepting(std::uint32_t, std::uint32_t, bool) override {}

  private:
    const topology& m_net;
    nic_params m_nic;
    std::uint64_t m_seed;
    double m_period;
    std::vector<std::uint32_t> m_dims;
};

}  // namespace sare::cli
