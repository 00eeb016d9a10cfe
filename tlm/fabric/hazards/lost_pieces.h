// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/parts/packet_name.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace sare {

/// Place where a packet is lost. If several calls of packet_removal find the packet, the first call decides.
struct lost_at {
    drop_location where;  ///< router and output port at which statistics count the loss
    std::uint32_t step;   ///< number, from 1 on, of the call of packet_removal that found the packet
};
using lost_packets = std::map<std::uint32_t, lost_at>;  ///< lost packets by their slots in this process

/// A lost packet, all of whose flits have been taken out of the network.
struct ended_packet {
    std::uint32_t packet;  ///< slot in this process
    std::uint32_t flits;   ///< number of its flits that were in the network, in all processes
    drop_location at;      ///< place where it was lost
    std::uint64_t order;   ///< packet_drop::order of its loss
};

/// True if packet `a` comes before `b` in the order in which losses are told. Keys of the order: source node,
/// first VC of the packet's class, cycle of injection, destination, length.
bool is_told_before(const packet& a, const packet& b);

/// Exchanges the lost packets that each process knows between all processes. A packet may have flits in
/// several processes. All processes know a packet by its source and the cycle of its injection. The rest of a
/// packet is brought to the process of its destination, where its message is put together and lost. All
/// processes must make the calls of share(), bring_together() and bring_rests() together, in the same order.
class lost_pieces {
  public:
    explicit lost_pieces(network_state& net);

    /// Adds to `lost` each packet of this process that any process has found to be lost.
    void share(lost_packets& lost);
    /// Adds a credit for VC `vc` of router port `to`, which another process runs, to what the next
    /// bring_together() or bring_rests() sends. Call after share().
    void give_credit(const link_end& to, std::uint32_t vc);
    /// Returns the lost packets whose destination is in this process, put together from all processes. Call
    /// when their flits have been taken out here. `from_nics(packet)`: takes a packet, by its slot, out of
    /// the NICs here and returns how many of its flits are not in the network. `t`: the next cycle to be run.
    std::vector<ended_packet> bring_together(const lost_packets& lost,
                                             const std::function<std::uint32_t(std::uint32_t)>& from_nics,
                                             cycle_t t);
    /// Notes that the last `flits` flits of a message, given by its slot, to a node of another process will
    /// never be sent.
    void add_rest(std::uint32_t message, std::uint32_t flits);
    /// Returns the ends of messages that other processes have noted by add_rest() and whose destination is in
    /// this process, each as a packet without a flit in the network. `t`: the next cycle to be run.
    std::vector<ended_packet> bring_rests(cycle_t t);

    /// Returns the packet_drop::order that the next loss gets.
    std::uint64_t order() const { return m_order; }
    /// Raises order() by one; all processes must do so alike.
    void count_order() { ++m_order; }

  private:
    using words = std::vector<std::uint64_t>;
    /// A lost packet as one of the processes has told it.
    struct known {
        packet what;
        lost_at lost;
    };
    std::uint32_t home_of(const packet& p) const { return m_links.rank_of_node(p.route.destination); }
    bool is_mine(const packet& p) const { return home_of(p) == m_links.rank(); }
    void exchange(cycle_t t);

    network_state& m_net;
    remote_links& m_links;
    std::vector<std::uint32_t> m_others;  ///< all other ranks
    std::vector<words> m_sent;            ///< words to be sent to each rank
    std::vector<words> m_credits;         ///< router, port and VC of each credit to be sent to each rank
    std::vector<words> m_come;            ///< words that came from each rank of m_others
    std::vector<known> m_all;             ///< lost packets of all processes, sorted by is_told_before()
    std::vector<std::pair<std::uint32_t, std::uint64_t>> m_rests;  ///< slot and order of each add_rest()
    std::uint64_t m_order = packet_drop::first + 1;
};

}  // namespace sare
