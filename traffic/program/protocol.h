// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/workload.h"
#include "traffic/program/matching.h"

#include <queue>

/// How messages get from task to task: eager, or by rendezvous; through the network, or inside a node.
namespace sare::traffic {

struct protocol_parameters {
    std::uint64_t eager_limit = 0;  ///< bytes; larger messages go by rendezvous; 0: none does
    double local_latency = 0;       ///< seconds
    double local_bandwidth = 0;     ///< bytes/s; 0: no limit
    bool matched = true;            ///< false: there are no receives, and what arrives is gone
};

/// Told of requests that were not through at once.
class request_listener {
  public:
    virtual ~request_listener() = default;
    virtual void ended(std::uint32_t request) = 0;
};

class protocol {
  public:
    protocol(const protocol_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
             request_listener& listener)
        : m(p),
          m_port(port),
          m_node_of(node_of),
          m_listener(listener),
          m_matching(static_cast<std::uint32_t>(node_of.size())) {}

    /// True for sizes that ask first: two control messages without payload, and the data when the receive is
    /// there. Others are through for their sender once they are in the source queue.
    bool asks(std::uint64_t bytes) const { return m.matched && m.eager_limit != 0 && bytes > m.eager_limit; }
    /// `request` is told of a message that asks, when its data is in the source queue.
    void send(const envelope& e, std::uint64_t bytes, std::uint32_t request);
    /// True: the message is here. Else `request` is told when it is.
    bool receive(const envelope& e, std::uint32_t request);

    /// The network has delivered a message of this tag.
    void delivered(std::uint64_t tag) { arrive(static_cast<std::uint32_t>(tag)); }
    /// The next arrival inside a node; workload::never: none is on its way.
    cycle_t next_local() const { return m_local.empty() ? workload::never : m_local.top().first; }
    void deliver_local();

    const generated_counts& generated() const { return m_generated; }  ///< of what entered the network
    std::uint64_t local() const { return m_inside; }
    std::uint64_t control() const { return m_control; }  ///< asks and grants

  private:
    struct transfer {
        enum kind : std::uint8_t { eager, ask, grant, answer };  ///< ask, grant, answer: rendezvous
        kind what = eager;
        envelope of;
        std::uint64_t bytes = 0;
        std::uint32_t send_request = 0, receive_request = 0;
    };
    using local_arrival = std::pair<cycle_t, std::uint32_t>;

    void emit(const transfer& what);
    void grant(transfer x, std::uint32_t request);
    void arrive(std::uint32_t slot);

    protocol_parameters m;
    traffic_port& m_port;
    const std::vector<std::uint32_t>& m_node_of;
    request_listener& m_listener;
    matching m_matching;
    pool<transfer> m_transfers;  ///< under way, or waiting for their receive
    std::priority_queue<local_arrival, std::vector<local_arrival>, std::greater<>> m_local;
    generated_counts m_generated;
    std::uint64_t m_inside = 0, m_control = 0;
};

}  // namespace sare::traffic
