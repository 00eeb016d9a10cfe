// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Dependence of the messages that a workload generates on the messages delivered.
enum class traffic_loop : std::uint8_t {
    /// Messages are generated whatever is delivered, except for replies: a saturated source has a backlog
    /// that grows without bound.
    open,
    closed,  ///< messages are generated after deliveries: the number that wait or are under way is bounded
    unknown
};
/// Returns the loop of two workloads together: `a` if both are equal, else unknown.
inline traffic_loop both(traffic_loop a, traffic_loop b) {
    return a == b ? a : traffic_loop::unknown;
}

/// Properties of a workload that are known before its run and do not change during it.
class traffic_facts {
  public:
    /// True if the network must call delivered(); false saves time in open-loop traffic. Asked when the
    /// workload is set, and by some networks at each delivery: the answer must not change from then on.
    virtual bool wants_deliveries() const { return true; }
    /// True if the network must call packet_delivered(). Asked as wants_deliveries() is.
    virtual bool wants_packets() const { return false; }
    /// True if a run is measured from an empty network to an empty network (bursts, traces); false if it is
    /// measured in a steady state.
    virtual bool runs_to_completion() const { return false; }
    /// Dependence of generation on deliveries. The default is open if the workload wants no deliveries, else
    /// unknown.
    virtual traffic_loop loop() const {
        return wants_deliveries() ? traffic_loop::unknown : traffic_loop::open;
    }
    /// Mean load in flits per node and cycle, if it is known before the run; 0: not known. The network
    /// chooses the fastest way to simulate by it; results do not depend on it.
    virtual double expected_load() const { return 0; }
    /// Length in flits of the largest message, if it is known before the run, to check buffers by; 0: not
    /// known.
    virtual std::uint32_t largest_message() const { return 0; }
    /// Least number of nodes that the network must have; 0: any number will do.
    virtual std::uint32_t nodes_needed() const { return 0; }
    /// Number of message classes that the workload uses: message::message_class is below it.
    virtual std::uint32_t classes_needed() const { return 1; }

  protected:
    ~traffic_facts() = default;
};

}  // namespace sare
