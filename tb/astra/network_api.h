// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/astra/astra_network.h"

#include <astra-sim/common/AstraNetworkAPI.hh>

namespace sare::astra {

/// The network of one rank with the interface that ASTRA-sim demands. All ranks share one astra_network.
class network_api final : public AstraSim::AstraNetworkAPI {
  public:
    /// `number`: the rank, from 0; `net` must outlive the object; `gib_per_s`: bandwidth of a link in GiB/s,
    /// which get_BW_at_dimension() returns to ASTRA-sim for every dimension.
    network_api(int number, astra_network& net, double gib_per_s)
        : AstraNetworkAPI(number), m_net(net), m_gib_per_s(gib_per_s) {}

    int sim_send(void*, std::uint64_t count, int, int dst, int tag, AstraSim::sim_request*,
                 void (*handler)(void*), void* argument) override {
        m_net.send({sim_comm_get_rank(), dst, tag, count}, {handler, argument});
        return 0;
    }
    int sim_recv(void*, std::uint64_t count, int, int src, int tag, AstraSim::sim_request*,
                 void (*handler)(void*), void* argument) override {
        m_net.receive({src, sim_comm_get_rank(), tag, count}, {handler, argument});
        return 0;
    }
    void sim_schedule(AstraSim::timespec_t delta, void (*handler)(void*), void* argument) override {
        m_net.schedule(delta.time_val, {handler, argument});
    }
    AstraSim::timespec_t sim_get_time() override { return {AstraSim::NS, m_net.now_ns()}; }
    double get_BW_at_dimension(int) override { return m_gib_per_s; }

  private:
    astra_network& m_net;
    double m_gib_per_s;
};

}  // namespace sare::astra
