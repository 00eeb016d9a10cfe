// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/systemc/cycle_engine.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace sare {

/// How long a message of the bridge takes, without sending it: in closed form for an empty network, and
/// beyond that what the last ones have taken which were sent. Those of the same two nodes count most; where
/// there are few, those of all do, by hops.
class latency_estimate {
  public:
    explicit latency_estimate(const cycle_engine& engine) : m_engine(engine) {}

    /// Before the first message from `node`: cycles that its NIC takes.
    void set_nic_delay(std::uint32_t node, std::uint32_t delay);
    /// Cycles from that in which it is sent to that in which it arrives: whole ones, of which many have the
    /// right mean. `flits` are those before the NIC pads the message.
    cycle_t cycles(std::uint32_t from, std::uint32_t to, std::uint32_t flits);
    /// One was sent, and has taken so long. Gives its cycles in an empty network, from when the NIC begins
    /// with it: whole ones.
    cycle_t learn(std::uint32_t from, std::uint32_t to, std::uint32_t flits, cycle_t took);

  private:
    /// The last ones count most, once there are `most`.
    struct running_mean {
        void add(double x, std::uint32_t most);
        double value = 0;
        std::uint32_t samples = 0;
    };
    /// The estimate of a source and a destination.
    struct path {
        std::uint32_t multiple = 1;     ///< of flits that the sender's NIC pads a message to
        double empty = 0;               ///< cycles of the first flit in an empty network
        double per_flit = 1;            ///< of each further one
        double routers = 1;             ///< on it
        running_mean waiting;           ///< cycles beyond those
        double waiting_per_router = 0;  ///< of all paths, when this one was last learned of
        double rest = 0;                ///< of a cycle, that estimates have left out so far
        /// As `waiting`, with a share of those of all paths.
        double waits() const;
        double at(std::uint32_t flits) const { return empty + (flits - 1) * per_flit; }
    };

    path& path_of(std::uint32_t from, std::uint32_t to) {
        const std::uint64_t key = std::uint64_t{from} << 32 | to;
        recent& last = m_recent[(from * 31 + to) % recent_paths];
        if (last.its == nullptr || last.key != key) last = {key, &known_path(key)};
        return *last.its;
    }
    path& known_path(std::uint64_t key);
    path look_up(std::uint32_t from, std::uint32_t to) const;

    const cycle_engine& m_engine;
    std::vector<std::uint32_t> m_nic_delays;          ///< by node
    std::unordered_map<std::uint64_t, path> m_paths;  ///< by source, then destination
    /// Those that were wanted last, so that an access need not search.
    struct recent {
        std::uint64_t key = 0;
        path* its = nullptr;
    };
    static constexpr std::uint32_t recent_paths = 1024;
    std::array<recent, recent_paths> m_recent;
    running_mean m_waiting_per_router;
};

}  // namespace sare
