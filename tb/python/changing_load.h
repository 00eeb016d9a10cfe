// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::python {

/// Open-loop traffic whose load changes while it runs: one source for each load. A source that was replaced
/// makes no more messages, and sends those that wait.
class changing_load final : public workload {
  public:
    /// Function that makes a source; `load`: as traffic.load in the experiment.
    using maker = std::function<std::unique_ptr<workload>(double load)>;

    /// `first` is an open_loop_source; `make` makes the same traffic with another load.
    changing_load(std::unique_ptr<workload> first, maker make);
    ~changing_load() override;

    /// Changes the load to `load` from cycle `at` on, which must not have been run yet. Call after start()
    /// (neither is checked).
    void change(double load, cycle_t at);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    /// Passes deliveries to the oldest source left: flows answer, and count, whichever source has sent.
    bool wants_deliveries() const override;
    void delivered(const delivery& d) override;
    void lost(const message& m) override;
    bool finished() const override;
    generated_counts generated(cycle_t now) override;
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::uint32_t largest_message() const override;
    std::uint32_t classes_needed() const override;
    std::uint32_t nodes_needed() const override;
    config::value results() const override;

  private:
    class part;

    /// Removes sources that have sent all; `at`: first cycle that has not been run.
    void drop_finished(cycle_t at);
    template <class F>
    generated_counts sum(F of_one) const;

    std::vector<std::unique_ptr<part>> m_parts;  ///< sources; only the last one makes messages
    generated_counts m_before;                   ///< sum of the counts of sources that have been removed
    std::uint64_t m_changes = 0;                 ///< number of change() calls so far
    maker m_make;
    traffic_port* m_port = nullptr;
};

}  // namespace sare::python
