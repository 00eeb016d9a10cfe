// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <vector>

namespace sare {

/// Base class of a workload that consists of member workloads and forms its answers from theirs. A derived
/// class adds the members to m_works, and hands each message event on to the member that sent the message.
class several_workloads : public workload {
  public:
    cycle_t next_tick() const override;  ///< returns the least next_tick() of the members
    void tick(cycle_t now) override;     ///< calls tick() of members with next_tick() <= `now`
    bool wants_packets() const override { return any(&workload::wants_packets); }
    bool finished() const override { return all(&workload::finished); }
    bool runs_to_completion() const override { return all(&workload::runs_to_completion); }
    traffic_loop loop() const override;  ///< returns the loop that all members have, else unknown
    /// Returns the least progress() of unfinished members; 1 if all are finished, -1 without members.
    double progress() const override;
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    generated_counts generated(cycle_t now) override;  ///< returns the sum over the members
    std::uint32_t largest_message() const override { return most(&workload::largest_message); }
    std::uint32_t nodes_needed() const override { return most(&workload::nodes_needed); }
    /// Returns the first reason that an unfinished member gives, else an empty one.
    standstill stuck() const override;
    void serialize(archive& a) override;

  protected:
    bool all(bool (workload::*is)() const) const;  ///< true if `is` returns true for every member
    bool any(bool (workload::*is)() const) const;  ///< true if `is` returns true for one member or more
    /// Returns the largest result of `of` for any member; 0 without members.
    std::uint32_t most(std::uint32_t (workload::*of)() const) const;

    std::vector<workload*> m_works;  ///< members, not owned, in the order of calls
};

}  // namespace sare
