// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare {

class network_state;
struct direct_sending;

/// The network as its workload sees it (traffic_port). Unknown nodes and message classes throw
/// std::out_of_range, with a text of one line; functions of queues and send() know none before the network is
/// finished. In a single process is_here() is true for any number.
class network_port final : public traffic_port {
  public:
    explicit network_port(network_state& net);

    std::uint32_t nodes() const override;
    bool is_here(std::uint32_t node) const override;
    std::uint32_t classes() const override;
    std::uint64_t seed() const override;
    cycle_t now() const override;
    cycle_t first_cycle() const override;
    double cycle_seconds() const override;
    const std::vector<std::uint32_t>& dims() const override;
    std::uint32_t router_of(std::uint32_t node) const override;
    const place_names* names() const override;
    const multicast_table* multicast() const override;
    std::uint32_t flits_for(std::uint64_t bytes) const override;
    std::uint32_t padded(std::uint32_t flits) const override;
    void send(const message& m) override;
    /// True if send() takes message `m` in a finished network; false if it throws, for the reason that
    /// wrong_with() returns.
    bool takes(const message& m) const;
    /// Returns the mistake of a message that cannot be sent, such as a node that does not exist or that
    /// another process has. The text is of one line, without subject: "to node 9, and there are 4". Returns
    /// "" if the message can be sent.
    std::string wrong_with(const message& m) const;
    std::uint32_t queued(std::uint32_t node) const override;
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override;
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) override;
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const override;
    const topology* map() const override;

  private:
    bool takes_at_once(const message& m) const;
    void send_with_hazards(const message& m);
    void put_in_queue(const message& m);

    network_state& m_net;
    const direct_sending& m_direct;
};

}  // namespace sare
