// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the APEnet/ExaNeSt node (R. Ammendola et al., "APEnet+: a 3D torus network optimized for
/// GPU-based HPC systems", J. Phys.: Conf. Series 396, 2012); docs/apenet.md says what happens in which
/// cycle.
namespace sare {

/// Condition for a packet to enter an output FIFO.
enum class apenet_switching : std::uint8_t {
    cut_through,        ///< the input FIFO behind the link has room for the whole packet
    store_and_forward,  ///< condition of cut_through, and the whole packet has come
    wormhole            ///< the input FIFO behind the link has room for one word
};

/// Rule by which one of the packets that ask for an output port gets it. arrival: the packet whose header
/// came to the router first; round_robin: input VCs in turn; random: any packet, with equal chances; age: the
/// packet that was generated first.
enum class apenet_service : std::uint8_t { arrival, round_robin, random, age };

/// Parameters of kind `apenet`; fields() gives their ranges.
struct apenet_params {
    /// Words of a packet beside its payload (header and footer); most words of payload.
    static constexpr std::uint32_t envelope = 2, most_payload = 256;

    std::uint32_t vcs = 2;            ///< number of VCs of a port
    std::uint32_t depth = 512;        ///< words that the input FIFO of a VC can hold
    std::uint32_t output_depth = 64;  ///< words that the output FIFO of a port can hold
    std::uint32_t delay = 1;          ///< cycles from the end of a link until a word is in the input FIFO
    std::uint32_t frame = 2;  ///< words (magic and start) that precede a packet on a link between routers
    /// Cycles of synchronisation at each end of a link between routers, of words and of credits.
    std::uint32_t sync = 20;
    /// Least cycles from one message with credits to the next on a link between routers.
    std::uint32_t credit_interval = 35;
    /// Condition for a packet to enter an output FIFO.
    apenet_switching switching = apenet_switching::cut_through;
    apenet_service service = apenet_service::arrival;  ///< choice among packets that ask for one output port

    static config::schema<apenet_params> fields();
    friend bool operator==(const apenet_params& a, const apenet_params& b);
};

}  // namespace sare
