// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

#include <vector>

namespace sare {

/// Bit errors on links (docs/links.md). Each link has a random stream of its own, from which it draws how
/// many flits pass before the next one that is hit. So results do not depend on the order in which blocks
/// run.
class bit_errors {
  public:
    /// `flit_bits`: bits of a flit, 1 or more; a flit is hit if one of them or more is wrong.
    bit_errors(network_state& net, std::uint32_t flit_bits) : m_net(net), m_flit_bits(flit_bits) {}

    /// Finds the links of the map with a bit error rate above 0 that this process reads. Call once, after
    /// wiring.
    void find_links();
    /// Restarts the random streams of all links from `seed`.
    void set_seed(std::uint64_t seed);
    /// Draws errors for each flit that can be read in cycle `t`, and marks the packets of flits that are hit
    /// as bad.
    void run(cycle_t t);
    /// Drops a bad packet, given by its slot, whose flits have all come to the NIC of `node`. The drop is
    /// counted at the router before that NIC.
    void refuse(std::uint32_t node, std::uint32_t packet);
    /// Writes the state of all random streams to the archive, or reads it from there.
    void serialize(archive& a);

  private:
    struct link {
        std::uint32_t number;   ///< number of the link among those with errors in the whole network
        const link_ring* ring;  ///< link planes that the reader of the link reads
        /// Indices of two words of a plane: the word with a bit for each flit that comes; the flit itself.
        std::uint32_t inbox, flit_at;
        std::uint64_t any;        ///< mask of bits of word `inbox`; a flit has come if any is set
        double hit;               ///< probability, 0 to 1, that a flit has a wrong bit
        std::uint64_t until_hit;  ///< good flits that pass before the next one that is hit
        rng random;
    };
    /// Returns a new link::until_hit, drawn from the random stream of the link.
    static std::uint64_t draw(link& l);

    network_state& m_net;
    const std::uint32_t m_flit_bits;
    std::vector<link> m_links;  ///< links with errors that this process reads
};

}  // namespace sare
