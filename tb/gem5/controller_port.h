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

/// The network interface of a Ruby controller: its MessageBuffers on one side, a node of the network on the
/// other.
class controller_port final : public gem5::ruby::Consumer {
  public:
    /// Buffers of a controller by virtual network; null: the controller has no buffer for that virtual
    /// network.
    using buffers = std::vector<gem5::ruby::MessageBuffer*>;

    /// `number`: number of the controller in `net`, from 0; `node`: its node in the network. `out`: buffers
    /// that the controller fills, whose consumer the port becomes; `in`: buffers that the controller reads.
    /// `net` must outlive the port.
    controller_port(ruby_network& net, std::uint32_t number, std::uint32_t node, const buffers& out,
                    const buffers& in);

    std::uint32_t number() const { return m_number; }  ///< number of the controller
    std::uint32_t node() const { return m_node; }      ///< node of the controller
    /// Hands messages that had to wait to the controller as far as its buffers have room, and sends the
    /// messages that the controller has put into its output buffers. Called by gem5.
    void wakeup() override;
    void print(std::ostream& out) const override;
    /// Sends messages that had to wait for room in the source queue; the network calls this after a cycle if
    /// the port has asked for it.
    void send_again();
    /// Hands a message of virtual network `vnet` that has arrived to the controller. If its buffer is full,
    /// keeps the message, and the node refuses further ones. `tag`: number of the message in the network, for
    /// ruby_network::land(). Ends the simulation if the controller has no buffer for `vnet`.
    void deliver(std::uint32_t vnet, std::uint64_t tag);
    /// Returns the number of flits that wait in the network because buffers of the controller are full.
    std::uint64_t held_back() const;

  private:
    /// State of one virtual network on the side from the controller to the network.
    struct outgoing {
        gem5::ruby::MessageBuffer* buffer = nullptr;
        /// First cycle in which the next message may be sent, as one is sent per cycle.
        std::uint64_t next_send = 0;
    };
    /// State of one virtual network on the side from the network to the controller.
    struct incoming {
        gem5::ruby::MessageBuffer* buffer = nullptr;
        std::deque<std::uint64_t> waiting;  ///< tags of messages that wait for room in the buffer, the oldest
                                            ///< first
        bool refuses = false;               ///< true: the node refuses messages of this virtual network
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
    bool m_asked = false;  ///< true: the network will call send_again()
};

}  // namespace sare::ruby
