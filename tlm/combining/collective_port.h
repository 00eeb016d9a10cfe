// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// The part that one member of a group takes in a collective that the network itself carries out.
struct network_call {
    /// Kind of a collective: combiners at routers add up what all members send, and give the sum to all of
    /// them or to one; combiners copy the data of one to all others; or routers that fork packets do that.
    enum class kind : std::uint8_t { sum_to_all, sum_to_one, copy_to_all, multicast };

    std::uint32_t group = 0;  ///< number of the group: collective_port::open()
    std::int64_t number = 0;  ///< number of the collective among those of the group
    kind what = kind::sum_to_all;
    std::uint32_t member = 0;  ///< member that takes part, from 0
    std::uint32_t root = 0;    ///< member that gets the sum, or has the data; not used by sum_to_all
    std::uint64_t bytes = 0;   ///< bytes of the data; 0: packets without data
    std::uint64_t tag = 0;     ///< tag of the delivery

    /// True if the member sends data, and if it gets some.
    bool sends() const { return what <= kind::sum_to_one || member == root; }
    bool receives() const {
        return what == kind::sum_to_all || (what == kind::sum_to_one) == (member == root);
    }
};

/// Interface of a traffic_port whose network carries out collectives.
class collective_port {
  public:
    virtual ~collective_port() = default;
    /// True if the network can carry out collectives of a kind.
    virtual bool can(network_call::kind what) const = 0;
    /// Makes a group and returns its number. `nodes`: node of each member, at least one; members may share a
    /// node.
    virtual std::uint32_t open(const std::vector<std::uint32_t>& nodes) = 0;
    /// Takes part in a collective. Every member must, with the same numbers but for `member` and `tag`.
    /// Returns true if the member has nothing to wait for: it gets no data, or they are here already. Else
    /// workload::delivered() is called when they have come, for a message that has the tag and whose
    /// destination is the member's node. Throws config::error if the network cannot do it.
    virtual bool take_part(const network_call& call) = 0;
};

}  // namespace sare
