// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <vector>

/// Waits of packets that fork and whose branches wait for each other, for the check for deadlock.
namespace sare {

/// Gathers the output VCs that packets ask for, and finds cycles of waits.
///
/// Beside the channels, which stand for the packet at the front of their buffer, there are *outputs*: VCs of
/// an output port, which one packet has until its tail has left. A packet that forks holds some outputs while
/// it waits for others (Boppana, Chalasani and Raghavendra 1998), so there are these waits:
/// - room: a channel waits for the channel behind each output that it asks for;
/// - output: a channel waits for each of these outputs;
/// - owner: an output waits for each channel from which a packet that forks asks for it, and may have it;
/// - flits: a channel waits for the channel before it, from which the rest of a packet that forks comes.
/// Not every wait follows every other. A packet does not wait for an output that it has itself, nor for
/// another VC of that port. It does not wait for flits where its buffer is full, and where it waits for
/// flits, there is room for them. Every deadlock has a cycle of waits that follow each other.
class branch_waits {
  public:
    /// `channels`: number of channels, which lead into routers; `vcs`: VCs of a port. The channels of a port
    /// are numbered consecutively, VC 0 first.
    branch_waits(std::uint32_t channels, std::uint32_t vcs) : m_vcs(vcs), m_asks(channels) {}

    /// Notes that a packet in `channel` asks for the VCs `mask` of an output. `first`: channel of VC 0 behind
    /// the output; for an output that leads to a node, any number from `channels` on that stands for its VC
    /// 0, a multiple of `vcs`. `forks`: true if the packet forks at this or another router.
    void ask(std::uint32_t channel, std::uint32_t first, vc_mask mask, bool forks);

    /// A place on a cycle: a channel, or an output, whose number is that of the channel behind it (see
    /// ask()).
    struct place {
        std::uint32_t number;  ///< number of a channel, or of an output
        bool is_output;        ///< true: an output; false: a channel
    };
    /// Returns the places of a cycle, each of which waits for the next; empty if there is none. `too_many`:
    /// set to true if there are more pairs of waits than can be looked at; the answer is then empty.
    std::vector<place> find_cycle(bool& too_many) const;

  private:
    /// VCs of an output that packets in a channel ask for.
    struct request {
        std::uint32_t first;   ///< see ask()
        vc_mask all, forking;  ///< masks of VCs that any packet, and that packets which fork, ask for
    };
    /// Kind of a wait; see above.
    enum class reason : std::uint8_t { room, output, owner, flits };
    /// A wait. Channel c has the number 2 c, output o the number 2 o + 1.
    struct wait {
        std::uint32_t from, to;
        reason why;
    };
    std::vector<wait> list_waits() const;
    bool follows(const wait& first, const wait& then) const;

    std::uint32_t m_vcs;
    std::vector<std::vector<request>> m_asks;  ///< requests of the packets in each channel
};

}  // namespace sare
