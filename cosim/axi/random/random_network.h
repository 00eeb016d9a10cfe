// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "tlm/base/rng.h"

#include <deque>
#include <string>
#include <vector>

namespace sare::axi {

/// A stand-in for a network between AXI bridges: takes flits of bridges, holds packets for random times, and
/// delivers them packet by packet in each message class, in any order or in the order of each source.
class random_network {
  public:
    /// Parameters of the delays.
    struct stall_params {
        /// Probability in a cycle that a flit of a message class may be taken from a bridge (take);
        /// probability that a flit which has arrived is shown to its bridge (give).
        double take = 0.8, give = 0.8;
        /// Largest number of cycles for which a packet is held before it may be delivered; the number is
        /// drawn from 0 on.
        std::uint32_t slowest = 40;
    };
    /// `nodes`: number of nodes, at most 32 if `keeps_order` (not checked); `classes`: number of message
    /// classes. `keeps_order`: true: packets of one class from one node to another stay in order; `seed`:
    /// seed of the delays. Nodes and classes count from 0.
    random_network(std::uint32_t nodes, std::uint32_t classes, bool keeps_order, std::uint64_t seed);

    /// Changes the parameters of the delays from now on.
    void set_stalls(const stall_params& now) { m_stalls = now; }
    /// Draws the message classes whose flit a node may send in this cycle, and returns them as a mask with
    /// class 0 in bit 0. Call once for each node in each cycle.
    std::uint32_t ready();
    /// Takes flit `f` of `message_class`, which must be valid, from `node`. A flit whose packet changes its
    /// length or destination, is not as long as `f.length` says, or has no node to go to is an error.
    void sent(std::uint32_t node, std::uint32_t message_class, const leaving_flit& f);
    /// Returns the flit of class `message_class` that the network shows to `node` in this cycle, and in the
    /// next ones until taken() is called; not valid if it shows none. The reference is valid as long as the
    /// object.
    const stream_flit& shown(std::uint32_t node, std::uint32_t message_class);
    /// Removes the flit of shown(), since the node has taken it; the flit must be valid (not checked).
    void taken(std::uint32_t node, std::uint32_t message_class);
    /// Ends a cycle.
    void end_cycle() { ++m_now; }

    bool empty() const { return m_packets == 0; }    ///< true: no packet is in the network
    std::uint64_t flits() const { return m_flits; }  ///< number of flits taken from nodes so far
    /// Returns the last error, a flit of a bridge that is out of place, as a line; empty: there was none.
    const std::string& first_error() const { return m_error; }

  private:
    /// A packet in the network, with its flits so far.
    struct packet {
        std::uint32_t source = 0, node = 0, length = 0;  ///< source and destination node; number of flits
        std::uint64_t due = 0;                           ///< first cycle in which it may be delivered
        std::deque<wide> flits;
    };
    /// Packets for one node in one message class: waiting ones, the one being delivered, and its flit at the
    /// node.
    struct inbox {
        std::deque<packet> waiting;
        packet open;
        stream_flit shown;
    };
    inbox& inbox_of(std::uint32_t node, std::uint32_t message_class) {
        return m_inboxes[node * m_classes + message_class];
    }
    bool next_packet(inbox& box);
    /// Keeps the text of the first error.
    void note_error(const char* text) {
        if (m_error.empty()) m_error = text;
    }

    const std::uint32_t m_classes;
    const bool m_keeps_order;
    stall_params m_stalls;
    rng m_random;
    std::vector<packet> m_leaving;  ///< packet that is being sent, by [node * classes + class]
    std::vector<inbox> m_inboxes;   ///< packets for a node, by [node * classes + class]
    std::uint64_t m_now = 0, m_flits = 0, m_packets = 0;
    std::string m_error;
};

}  // namespace sare::axi
