// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <vector>

namespace sare {

/// Base class for a workload that consists of others: it answers for all of them what follows from the
/// answers of each. A derived class adds them to m_works, and finds the one that a message belongs to.
class several_workloads : public workload {
  public:
    cycle_t next_tick() const override;  ///< returns the first cycle of all
    void tick(cycle_t now) override;     ///< calls those whose next_tick() has come
    bool wants_packets() const override { return any(&workload::wants_packets); }
    bool finished() const override { return all(&workload::finished); }
    bool runs_to_completion() const override { return all(&workload::runs_to_completion); }
    traffic_loop loop() const override;  ///< returns their common loop
    double progress() const override;    ///< returns the progress of the one that is least far
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    generated_counts generated(cycle_t now) override;  ///< returns the sum
    std::uint32_t largest_message() const override { return most(&workload::largest_message); }
    std::uint32_t nodes_needed() const override { return most(&workload::nodes_needed); }
    standstill stuck() const override;  ///< returns the first reason of one that has not finished
    void serialize(archive& a) override;

  protected:
    bool all(bool (workload::*is)() const) const;
    bool any(bool (workload::*is)() const) const;
    /// Returns the largest result of a function of all; 0 without workloads.
    std::uint32_t most(std::uint32_t (workload::*of)() const) const;

    std::vector<workload*> m_works;  ///< in the order in which they are called
};

}  // namespace sare
