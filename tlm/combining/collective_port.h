// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// The part that one member of a group takes in a collective that the network itself carries out.
struct network_call {
    /// Kind of a collective. sum_to_all, sum_to_one: combiners add up the data of all members, and give the
    /// sum to all of them or to `root`. copy_to_all: combiners copy the data of `root` to all others;
    /// multicast: routers that fork packets do.
    enum class kind : std::uint8_t { sum_to_all, sum_to_one, copy_to_all, multicast };

    std::uint32_t group = 0;       ///< number of the group, from collective_port::open()
    std::int64_t number = 0;       ///< number of the collective in its group, the same in all members' calls
    kind what = kind::sum_to_all;  ///< kind of the collective
    std::uint32_t member = 0;      ///< member that takes part, from 0
    /// Member that gets the sum (sum_to_one) or has the data; not used by sum_to_all.
    std::uint32_t root = 0;
    std::uint64_t bytes = 0;  ///< bytes of the data; 0: packets without data
    std::uint64_t tag = 0;    ///< message::tag of the delivery to this member

    /// True if the member sends data; receives(): true if it gets data.
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
    /// Makes a group and returns its number. `nodes`: node of each member, at least one (not checked);
    /// members may share a node. Throws config::error if no path connects two of the nodes, or if the
    /// combiners have no entries for the group (full_table::block in params.h).
    virtual std::uint32_t open(const std::vector<std::uint32_t>& nodes) = 0;
    /// Takes part in a collective. Every member must call it once, with equal members of `call` except
    /// `member` and `tag`, and with numbers that exist (not checked). Returns true if the member has nothing
    /// to wait for: it gets no data, or its data are here already. False: workload::delivered() is called
    /// when the data have come, for a message with call.tag whose destination is the member's node. Throws
    /// config::error if the network cannot carry out the collective.
    virtual bool take_part(const network_call& call) = 0;
};

}  // namespace sare
