// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/systemc/cycle_engine.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace sare {

/// Estimates how long a message of a bridge takes, without sending it: the closed form for an empty network,
/// plus the mean wait of messages that were sent lately. The ones between the same two nodes count most;
/// where there are few, the wait per router of all messages does.
class latency_estimate {
  public:
    explicit latency_estimate(const cycle_engine& engine) : m_engine(engine) {}

    /// Sets the cycles that the NIC of `node` takes. Call before the first message from `node`.
    void set_nic_delay(std::uint32_t node, std::uint32_t delay);
    /// Returns the estimated cycles from sending to arrival, at least 1: fractions are carried over, so that
    /// the mean is right. `flits`: size of the message before its NIC pads it.
    cycle_t cycles(std::uint32_t from, std::uint32_t to, std::uint32_t flits);
    /// Learns that a message took `took` cycles. Returns the whole cycles that it takes in an empty network,
    /// from the cycle in which its NIC begins with it.
    cycle_t learn(std::uint32_t from, std::uint32_t to, std::uint32_t flits, cycle_t took);

  private:
    /// Mean in which a sample has the weight 1 / `most`, once there are `most`.
    struct running_mean {
        void add(double x, std::uint32_t most);
        double value = 0;           ///< mean, in cycles
        std::uint32_t samples = 0;  ///< number of samples, up to `most`
    };
    /// The estimate for a source and a destination.
    struct path {
        std::uint32_t multiple = 1;     ///< a message is padded to a multiple of so many flits
        double empty = 0;               ///< cycles of the first flit in an empty network
        double per_flit = 1;            ///< cycles of each further flit
        double routers = 1;             ///< number of routers on the path
        running_mean waiting;           ///< mean cycles beyond an empty network's
        double waiting_per_router = 0;  ///< mean cycles a router, of all paths, when this path last learned
        double rest = 0;                ///< fraction of a cycle that estimates have left out so far
        /// Expected wait in cycles: the mean of `waiting`, and with the weight of two messages that of all
        /// paths.
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
    /// A path that was asked for lately, so that an access need not search.
    struct recent {
        std::uint64_t key = 0;
        path* its = nullptr;
    };
    static constexpr std::uint32_t recent_paths = 1024;
    std::array<recent, recent_paths> m_recent;
    running_mean m_waiting_per_router;
};

}  // namespace sare
