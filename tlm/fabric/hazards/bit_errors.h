// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

#include <vector>

namespace sare {

/// Bit errors on links (docs/links.md). Each link draws from a random stream of its own how many flits pass
/// before the next one that is hit, so results do not depend on the order in which blocks run.
class bit_errors {
  public:
    /// `flit_bits`: bits of a flit; a flit is good if all of them are.
    bit_errors(network_state& net, std::uint32_t flit_bits) : m_net(net), m_flit_bits(flit_bits) {}

    /// Finds the links of the map with a bit error rate above 0. Call once, after wiring.
    void find_links();
    /// Restarts the random streams of all links.
    void set_seed(std::uint64_t seed);
    /// Draws for each flit that can be read in cycle `t`, and marks the packets that are hit as bad.
    void run(cycle_t t);
    /// Drops a bad packet (its slot) whose flits have all come to the NIC of a node. The loss is counted at
    /// the router before the NIC, which may be in another part.
    void refuse(std::uint32_t node, std::uint32_t packet);
    /// Writes or reads the state of all random streams.
    void serialize(archive& a);

  private:
    struct link {
        std::uint32_t number;          ///< number of the link among those with errors in the whole network
        const link_ring* ring;         ///< planes of its reader
        std::uint32_t inbox, flit_at;  ///< words of a plane: the reader's set of arrivals, the flit
        std::uint64_t any;             ///< mask of `inbox`: not 0 if a flit has come
        double hit;                    ///< probability, 0 to 1, that a flit is hit
        std::uint64_t until_hit;       ///< good flits that pass before the next one that is hit
        rng random;
    };
    static std::uint64_t draw(link& l);

    network_state& m_net;
    const std::uint32_t m_flit_bits;
    std::vector<link> m_links;  ///< links with errors that this process reads
};

}  // namespace sare
