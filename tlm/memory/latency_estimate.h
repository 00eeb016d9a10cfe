// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/systemc/cycle_engine.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace sare {

/// Estimates the latency of a message of a bridge, without sending it: the closed form for an empty network
/// plus the mean wait of messages that were sent lately. That is a mean of the last 32 messages between the
/// same two nodes and, with the weight of two of these, of the last 256 of all nodes, per router.
class latency_estimate {
  public:
    /// Makes an estimate for the network of `engine`, which must outlive it.
    explicit latency_estimate(const cycle_engine& engine) : m_engine(engine) {}

    /// Sets the delay of the NIC of `node` in cycles. Call before the first message from `node` (not
    /// checked).
    void set_nic_delay(std::uint32_t node, std::uint32_t delay);
    /// Returns the estimated cycles from sending to arrival, at least 1. Fractions are carried over to later
    /// calls, so that the mean is right. `flits`: length of the message before its NIC pads it.
    cycle_t cycles(std::uint32_t from, std::uint32_t to, std::uint32_t flits);
    /// Learns that a message of `flits` flits, padding included, took `took` cycles from sending to arrival.
    /// Returns the whole cycles that the message takes in an empty network, from the cycle in which its NIC
    /// begins with it.
    cycle_t learn(std::uint32_t from, std::uint32_t to, std::uint32_t flits, cycle_t took);

  private:
    /// A running mean over about the last `most` samples.
    struct running_mean {
        /// Adds a sample, with the weight 1 / `most`, or 1 / (number of samples) while there are fewer.
        void add(double x, std::uint32_t most);
        double value = 0;           ///< mean, in cycles
        std::uint32_t samples = 0;  ///< number of samples, up to `most`
    };
    /// The estimate for a source and a destination.
    struct path {
        /// Number of flits to a multiple of which the NIC pads a message; 1: it does not pad.
        std::uint32_t multiple = 1;
        double empty = 0;     ///< cycles that the first flit takes in an empty network
        double per_flit = 1;  ///< cycles of each further flit
        double routers = 1;   ///< number of routers on the path
        /// Mean cycles that messages of this path took beyond an empty network's.
        running_mean waiting;
        /// Mean cycles per router beyond an empty network's, over all paths, when this path last learned.
        double waiting_per_router = 0;
        double rest = 0;  ///< fraction of a cycle that estimates have left out so far
        /// Returns the expected wait in cycles: the mean of `waiting`, and with the weight of two messages
        /// the mean per router of all paths.
        double waits() const;
        /// Returns the cycles of a message of `flits` flits in an empty network.
        double at(std::uint32_t flits) const { return empty + (flits - 1) * per_flit; }
    };

    /// Returns the estimate for a source and a destination, by the cache m_recent.
    path& path_of(std::uint32_t from, std::uint32_t to) {
        const std::uint64_t key = std::uint64_t{from} << 32 | to;
        recent& last = m_recent[(from * 31 + to) % recent_paths];
        if (last.its == nullptr || last.key != key) last = {key, &known_path(key)};
        return *last.its;
    }
    path& known_path(std::uint64_t key);  ///< element of m_paths, made by look_up() if it is new
    path look_up(std::uint32_t from, std::uint32_t to) const;  ///< new estimate, by the closed form alone

    const cycle_engine& m_engine;
    std::vector<std::uint32_t> m_nic_delays;          ///< delay of each node's NIC in cycles
    std::unordered_map<std::uint64_t, path> m_paths;  ///< paths; by source << 32 | destination
    /// A path that was asked for lately: a cache in front of m_paths.
    struct recent {
        std::uint64_t key = 0;  ///< source << 32 | destination
        path* its = nullptr;    ///< element of m_paths; null: none
    };
    static constexpr std::uint32_t recent_paths = 1024;  ///< size of the cache
    std::array<recent, recent_paths> m_recent;
    running_mean m_waiting_per_router;  ///< mean cycles per router beyond an empty network's, over all paths
};

}  // namespace sare
