// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/parts/packet_name.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace sare {

/// Where a packet is lost, and by which of the calls that find lost ones: the first one says where.
struct lost_at {
    drop_location where;
    std::uint32_t step;
};
using lost_packets = std::map<std::uint32_t, lost_at>;  ///< by the numbers that packets have here

/// A packet that is lost, when all of it is taken out.
struct ended_packet {
    std::uint32_t packet;
    std::uint32_t flits;  ///< of it that were in the network
    drop_location at;
    std::uint64_t order;  ///< see packet_drop
};

/// In the order of their sources.
bool is_told_before(const packet& a, const packet& b);

/// What several processes that run a network tell each other of packets that are lost, of which each may have
/// a piece. A packet is known in all of them by its source and the cycle in which it was injected. What is
/// left of one is brought to where it ends: there its message is put together, and is lost. Every call but
/// the short ones is one of all processes, in the same order.
class lost_pieces {
  public:
    explicit lost_pieces(network_state& net);

    /// Adds those that others have found, and of those that it has found itself the pieces that are not in
    /// `lost` yet.
    void share(lost_packets& lost);
    /// After share(): to a router of another process, with the next call that brings something.
    void give_credit(const link_end& to, std::uint32_t vc);
    /// After their flits have been taken out here: gives those that end here. `from_nics` takes a packet out
    /// of NICs and gives the flits of it that are not in the network.
    std::vector<ended_packet> bring_together(const lost_packets& lost,
                                             const std::function<std::uint32_t(std::uint32_t)>& from_nics,
                                             cycle_t t);
    /// The rest of a message that ends elsewhere is not sent.
    void add_rest(std::uint32_t message, std::uint32_t flits);
    /// Those that end here, as packets without a flit in the network.
    std::vector<ended_packet> bring_rests(cycle_t t);

    std::uint64_t order() const { return m_order; }
    void count_order() { ++m_order; }

  private:
    using words = std::vector<std::uint64_t>;
    struct known {
        packet what;
        lost_at lost;
    };
    std::uint32_t home_of(const packet& p) const { return m_links.rank_of_node(p.route.destination); }
    bool is_mine(const packet& p) const { return home_of(p) == m_links.rank(); }
    void exchange(cycle_t t);

    network_state& m_net;
    remote_links& m_links;
    std::vector<std::uint32_t> m_others;                           ///< all other ranks
    std::vector<words> m_sent;                                     ///< to each rank
    std::vector<words> m_credits;                                  ///< to each rank: router, port and VC
    std::vector<words> m_come;                                     ///< from each of the others
    std::vector<known> m_all;                                      ///< packets, in the order of their sources
    std::vector<std::pair<std::uint32_t, std::uint64_t>> m_rests;  ///< packets, and their order
    std::uint64_t m_order = packet_drop::first + 1;
};

}  // namespace sare
