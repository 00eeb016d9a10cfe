// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/base/rng.h"

#include <deque>
#include <string>
#include <vector>

namespace sare::axi {

/// A stand-in for a network between AXI bridges: takes flits of bridges, keeps packets for random times, and
/// delivers them packet by packet in each message class, in any order or in the order of each source.
class random_network {
  public:
    struct stall_params {
        /// Probability in a cycle that a flit of a class may be taken from a bridge; and that a flit that is
        /// there is shown to a bridge.
        double take = 0.8, give = 0.8;
        /// Most cycles for which a packet is kept before it may be delivered; drawn from 0 on.
        std::uint32_t slowest = 40;
    };
    /// `nodes`, `classes`: numbers of nodes and of message classes. `keeps_order`: packets of one class from
    /// one node to another stay in order.
    random_network(std::uint32_t nodes, std::uint32_t classes, bool keeps_order, std::uint64_t seed);

    void set_stalls(const stall_params& now) { m_stalls = now; }
    /// Draws the classes whose flit a node may send in this cycle, and returns them as a mask, class 0 in bit
    /// 0. Call once for each node in each cycle.
    std::uint32_t ready();
    /// Takes a flit of `message_class` from `node`.
    void sent(std::uint32_t node, std::uint32_t message_class, const leaving_flit& f);
    /// Returns the flit of a class for `node`, which stays until taken() is called; not valid: none now.
    const stream_flit& shown(std::uint32_t node, std::uint32_t message_class);
    /// Notes that the node has taken the flit of shown().
    void taken(std::uint32_t node, std::uint32_t message_class);
    void end_cycle() { ++m_now; }

    bool empty() const { return m_packets == 0; }    ///< no packet is in the network
    std::uint64_t flits() const { return m_flits; }  ///< number of flits taken from nodes
    /// Error about a flit out of place; "": none.
    const std::string& first_error() const { return m_error; }

  private:
    struct packet {
        std::uint32_t source = 0, node = 0, length = 0;  ///< source and destination node; length in flits
        std::uint64_t due = 0;                           ///< first cycle in which it may be delivered
        std::deque<wide> flits;
    };
    struct inbox {
        std::deque<packet> waiting;
        packet open;
        stream_flit shown;
    };
    inbox& inbox_of(std::uint32_t node, std::uint32_t message_class) {
        return m_inboxes[node * m_classes + message_class];
    }
    bool next_packet(inbox& box);

    const std::uint32_t m_classes;
    const bool m_keeps_order;
    stall_params m_stalls;
    rng m_random;
    std::vector<packet> m_leaving;  ///< by node * classes + class
    std::vector<inbox> m_inboxes;   ///< by node * classes + class
    std::uint64_t m_now = 0, m_flits = 0, m_packets = 0;
    std::string m_error;
};

}  // namespace sare::axi
