// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

#include <vector>

namespace sare {

/// Bit errors on links (docs/links.md). Each link has a stream of random numbers of its own, from which it
/// draws how many flits come until the next one that is hit; so it does not matter in which order blocks run.
class bit_errors {
  public:
    bit_errors(network_state& net, std::uint32_t flit_bits) : m_net(net), m_flit_bits(flit_bits) {}

    /// When the wires are there.
    void find_links();
    void set_seed(std::uint64_t seed);
    /// Marks the packets that are hit, of what can be read in cycle `t`.
    void run(cycle_t t);
    /// The NIC of a node does not take a packet of which all flits have come to it. The NIC may be of another
    /// part than the router before it, at which the packet is told to be lost.
    void refuse(std::uint32_t node, std::uint32_t packet);
    void serialize(archive& a);

  private:
    struct link {
        std::uint32_t number;          ///< among those with errors, of the whole network
        const link_ring* ring;         ///< of its reader
        std::uint32_t inbox, flit_at;  ///< words of a plane
        std::uint64_t any;             ///< bits of `inbox`: a flit is there
        double hit;                    ///< probability of a flit
        std::uint64_t until_hit;       ///< flits that come before the next one that is hit
        rng random;
    };
    static std::uint64_t draw(link& l);

    network_state& m_net;
    const std::uint32_t m_flit_bits;
    std::vector<link> m_links;  ///< with errors
};

}  // namespace sare
