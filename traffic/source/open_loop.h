// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "traffic/length/length.h"
#include "traffic/source/classes.h"
#include "traffic/spatial/pattern.h"

/// The common part of the synthetic sources: a pattern and a length law in their sections.
namespace sare::traffic {

struct spatial_parameters {
    config::value message_class;                               ///< message class; null: 0, see in_class()
    config::value pattern = config::value::scalar("uniform");  ///< entry of pattern_registry
    config::value length = config::value::scalar("1");         ///< see make_length()
    bool to_self = true;  ///< false: a node whose pattern has it send to itself sends nothing
};

/// Interface of workloads with a parameter `load`, which they generate whether the network takes it or not.
class open_loop_source {
  public:
    virtual ~open_loop_source() = default;
    /// Adds to `to` the flits a cycle that `source` sends to each node at load 1, once the workload has
    /// started; returns false if its pattern cannot tell.
    virtual bool demand(std::uint32_t source, std::vector<double>& to) const = 0;
    /// True if messages are refused while the source queue is full, so that no backlog shows a full network.
    virtual bool refuses() const = 0;
    /// Stops generating messages from cycle `end` on, which has not been run; waiting messages are still
    /// sent.
    virtual void stop_at(cycle_t end) = 0;
};

/// Default of the parameter `time_out`: cycles after which a node that waits for a message takes it for lost.
constexpr cycle_t usual_time_out = 1000;
constexpr const char* time_out_text = "after the loss of a message its sender takes it for lost, and goes on";

/// Returns the schema of all fields of spatial_parameters.
const config::schema<spatial_parameters>& spatial_fields();

/// Returns the pattern of a section on the network behind `port`. Without `to_self` a node whose messages
/// would all be for itself sends none, and others draw again.
std::unique_ptr<pattern> make_pattern(const spatial_parameters& p, const traffic_port& port,
                                      const std::string& folder);

/// Returns the messages per node and cycle for a load in flits per node and cycle. Throws config::error,
/// placed at `section`, if these are more than one.
double message_probability(double load, double mean_length, const config::value& section);

/// Takes the whole cycles out of a time in [0, 2^63), in cycles, and leaves the part of a cycle.
inline cycle_t whole_cycles(double& time) {
    const auto whole = static_cast<std::int64_t>(time);
    time -= static_cast<double>(whole);
    return static_cast<cycle_t>(whole);
}

}  // namespace sare::traffic
