// SPDX-License-Identifier: Apache-2.0
#include "controller_port.h"

#include "ruby_network.h"

#include <ostream>

namespace sare::ruby {
namespace {

using gem5::ruby::MsgPtr;
using gem5::ruby::NetDest;
using gem5::ruby::NodeID;

/// Returns the set of one controller. `id`: its number among all controllers.
NetDest set_of(NodeID id) {
    int type = 0;
    while (id >= static_cast<NodeID>(MachineType_base_number(static_cast<gem5::ruby::MachineType>(type + 1))))
        ++type;
    const auto machine = static_cast<gem5::ruby::MachineType>(type);
    NetDest one;
    one.add(gem5::ruby::MachineID{machine, id - static_cast<NodeID>(MachineType_base_number(machine))});
    return one;
}

}  // namespace

controller_port::controller_port(ruby_network& net, std::uint32_t number, std::uint32_t node,
                                 const buffers& out, const buffers& in)
    : Consumer(&net), m_net(net), m_number(number), m_node(node), m_out(out.size()), m_in(in.size()) {
    for (std::size_t vnet = 0; vnet < out.size(); ++vnet) {
        m_out[vnet].buffer = out[vnet];
        if (out[vnet] != nullptr) out[vnet]->setConsumer(this);
    }
    for (std::size_t vnet = 0; vnet < in.size(); ++vnet) {
        m_in[vnet].buffer = in[vnet];
        if (in[vnet] == nullptr) continue;
        in[vnet]->registerDequeueCallback([this, &i = m_in[vnet]] {
            if (i.refuses) scheduleEvent(gem5::Cycles(1));  // room shows in the cycle after a dequeue
        });
    }
}

void controller_port::wakeup() {
    m_net.catch_up();
    for (std::uint32_t vnet = 0; vnet < m_in.size(); ++vnet)
        if (m_in[vnet].refuses) hand_over(vnet);
    send_ready();
}

void controller_port::print(std::ostream& out) const {
    out << "[port of controller " << m_number << " at node " << m_node << ']';
}

void controller_port::send_again() {
    m_asked = false;
    send_ready();
}

/// Sends messages of the controller as far as there is room; asks the network for send_again() if some are
/// left.
void controller_port::send_ready() {
    for (std::uint32_t vnet = 0; vnet < m_out.size(); ++vnet) {
        gem5::ruby::MessageBuffer* const buffer = m_out[vnet].buffer;
        while (buffer != nullptr && buffer->isReady(gem5::curTick())) {
            if (!send(vnet, buffer->peekMsgPtr())) {
                if (!m_asked) m_net.call_after_step(*this);
                m_asked = true;
                break;
            }
            buffer->dequeue(gem5::curTick());
        }
    }
}

bool controller_port::has_room(std::uint32_t vnet) const {
    return m_net.now() >= m_out[vnet].next_send && m_net.has_room(m_node, vnet);
}

/// Sends a message: a copy to each destination if there are several. Returns false if destinations are left,
/// which then are all that the message has.
bool controller_port::send(std::uint32_t vnet, const MsgPtr& what) {
    if (!has_room(vnet)) return false;  // asked for each cycle; the destinations cost more
    NetDest& left = what->getDestination();
    const std::vector<NodeID> all = left.getAllDest();
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!has_room(vnet)) return false;
        if (k + 1 == all.size()) {
            launch(vnet, what, all[k]);
            break;
        }
        const MsgPtr copy = what->clone();
        copy->getDestination() = set_of(all[k]);
        left.removeNetDest(copy->getDestination());
        launch(vnet, copy, all[k]);
    }
    return true;
}

void controller_port::launch(std::uint32_t vnet, const MsgPtr& what, NodeID to) {
    m_out[vnet].next_send = m_net.launch(*this, vnet, what, to) + 1;
}

void controller_port::deliver(std::uint32_t vnet, std::uint64_t tag) {
    fatal_if(vnet >= m_in.size() || m_in[vnet].buffer == nullptr,
             "controller %d has no buffer for messages of virtual network %d", m_number, vnet);
    m_in[vnet].waiting.push_back(tag);
    hand_over(vnet);
}

/// Fills the controller's buffer. While that is full, the node refuses messages.
void controller_port::hand_over(std::uint32_t vnet) {
    incoming& i = m_in[vnet];
    const gem5::Tick now = gem5::curTick();
    for (; !i.waiting.empty() && i.buffer->areNSlotsAvailable(1, now); i.waiting.pop_front())
        i.buffer->enqueue(m_net.land(i.waiting.front()), now, m_net.period());
    const bool full = !i.waiting.empty() || !i.buffer->areNSlotsAvailable(1, now);
    if (full == i.refuses) return;
    i.refuses = full;
    m_net.set_accepting(m_node, vnet, !full);
    if (full) scheduleEvent(gem5::Cycles(1));  // room that was made in this cycle does not show yet
}

std::uint64_t controller_port::held_back() const {
    std::uint64_t flits = 0;
    for (std::uint32_t vnet = 0; vnet < m_in.size(); ++vnet)
        if (m_in[vnet].refuses) flits += m_net.held_back(m_node, vnet);
    return flits;
}

}  // namespace sare::ruby
