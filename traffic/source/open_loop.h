// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "traffic/length/length.h"
#include "traffic/source/classes.h"
#include "traffic/spatial/pattern.h"

/// The common part of the synthetic sources: a spatial pattern, and a law of the length of messages.
namespace sare::traffic {

/// Keys that the sections of all synthetic sources have.
struct spatial_parameters {
    config::value message_class;  ///< value of the key `class` (in_class()); null: class 0
    /// Name or section of a pattern in pattern_registry.
    config::value pattern = config::value::scalar("uniform");
    /// Law of the length of messages, a value that make_length() takes.
    config::value length = config::value::scalar("1");
    bool to_self = true;  ///< false: nodes send no messages to themselves, as make_pattern() describes
};

/// Interface of sources that generate messages at a given rate, the parameter `load`, whether the network
/// accepts them or not.
class open_loop_source {
  public:
    virtual ~open_loop_source() = default;
    /// Sets to[d], for each node d, to the flits per cycle that `source` sends to d at load 1, with padding.
    /// All elements of `to` must be 0, and stay 0 for a node that never sends. Call after the workload's
    /// start(). Returns false, and leaves `to` without meaning, if the pattern does not know its
    /// probabilities.
    virtual bool demand(std::uint32_t source, std::vector<double>& to) const = 0;
    /// Returns true if all nodes have the same load, and each spreads it evenly over all other nodes. Call
    /// after start().
    virtual bool uniform() const { return false; }
    /// Returns true if a message made while the source queue is full is refused and forgotten, so that no
    /// backlog shows that the network is full.
    virtual bool refuses() const = 0;
    /// Generates no messages from cycle `end` on, which must not have been run; of several calls the earliest
    /// `end` counts. Messages that wait in source queues are still sent.
    virtual void stop_at(cycle_t end) = 0;
};

/// Default of the parameter `time_out` in cycles from the loss of a message until its sender takes it for
/// lost; and the text that describes the parameter to users.
constexpr cycle_t usual_time_out = 1000;
constexpr const char* time_out_text = "after the loss of a message its sender takes it for lost, and goes on";

/// Returns the schema of spatial_parameters.
const config::schema<spatial_parameters>& spatial_fields();

/// Returns the pattern of `p.pattern` for the network behind `port`. `folder`: folder to which names of files
/// are relative. If `p.to_self` is false, a node that a permutation maps to itself is silent; any other
/// pattern draws again, at most 1000 times, until the destination is another node. Throws config::error if
/// `p.pattern` is wrong or sends between networks that no link joins (planes).
std::unique_ptr<pattern> make_pattern(const spatial_parameters& p, const traffic_port& port,
                                      const std::string& folder);

/// Returns the number of messages per node and cycle for `load`, flits per node and cycle, and a mean length
/// in flits. Throws config::error at the key `load` of `section` if the result would be above 1.
double message_probability(double load, double mean_length, const config::value& section);

/// Returns the whole part of `time`, a number of cycles from 0 to below 2^63, and leaves the fraction in
/// `time`.
inline cycle_t whole_cycles(double& time) {
    const auto whole = static_cast<std::int64_t>(time);
    time -= static_cast<double>(whole);
    return static_cast<cycle_t>(whole);
}

}  // namespace sare::traffic
