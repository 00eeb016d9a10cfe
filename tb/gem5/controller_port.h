// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mem/ruby/common/Consumer.hh"
#include "mem/ruby/network/MessageBuffer.hh"

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <vector>

namespace sare::ruby {

class ruby_network;

/// Network interface of a controller: its MessageBuffers on one side, its node of the network on the other.
class controller_port final : public gem5::ruby::Consumer {
  public:
    using buffers = std::vector<gem5::ruby::MessageBuffer*>;  ///< by virtual network; null: it has none

    /// `number`: number of the controller; `node`: its node. Becomes the consumer of the buffers `out`, which
    /// the controller fills; `in` are those that it reads.
    controller_port(ruby_network& net, std::uint32_t number, std::uint32_t node, const buffers& out,
                    const buffers& in);

    std::uint32_t number() const { return m_number; }  ///< number of the controller
    std::uint32_t node() const { return m_node; }      ///< its node
    /// Hands over what had no room in the controller's buffers, and sends what the controller has sent.
    void wakeup() override;
    void print(std::ostream& out) const override;
    /// Sends what had to wait: the network calls this after a cycle, if it was asked for it.
    void send_again();
    /// Hands a message to the controller, or keeps it until there is room. `tag`: its number in the network.
    void deliver(std::uint32_t vnet, std::uint64_t tag);
    /// Number of flits that wait in the network since buffers of the controller are full.
    std::uint64_t held_back() const;

  private:
    /// Virtual network from the controller to the network.
    struct outgoing {
        gem5::ruby::MessageBuffer* buffer = nullptr;
        std::uint64_t next_send = 0;  ///< first cycle in which another message may be sent
    };
    /// Virtual network from the network to the controller.
    struct incoming {
        gem5::ruby::MessageBuffer* buffer = nullptr;
        std::deque<std::uint64_t> waiting;  ///< tags of messages that the buffer had no room for
        bool refuses = false;               ///< the node takes no messages of this virtual network
    };

    void send_ready();
    bool has_room(std::uint32_t vnet) const;
    bool send(std::uint32_t vnet, const gem5::ruby::MsgPtr& what);
    void launch(std::uint32_t vnet, const gem5::ruby::MsgPtr& what, gem5::ruby::NodeID to);
    void hand_over(std::uint32_t vnet);

    ruby_network& m_net;
    const std::uint32_t m_number, m_node;
    std::vector<outgoing> m_out;
    std::vector<incoming> m_in;
    bool m_asked = false;  ///< the network will call send_again()
};

}  // namespace sare::ruby
