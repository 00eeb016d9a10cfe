// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare::python {

/// Open-loop traffic whose load changes while it runs: a source for each load. Those before make no message
/// any more and send what waits.
class changing_load final : public workload {
  public:
    using maker = std::function<std::unique_ptr<workload>(double load)>;

    /// `make` gives the same traffic with another load.
    changing_load(std::unique_ptr<workload> first, maker make);
    ~changing_load() override;

    /// From cycle `at` on, which has not been run. False: its sources have no load that can change.
    bool change(double load, cycle_t at);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void queue_space(std::uint32_t node) override;
    bool wants_deliveries() const override;
    void delivered(const delivery& d) override;
    bool runs_by_nodes() const override;
    generated_counts generated(cycle_t now) override;
    generated_counts backlog(std::uint32_t node) const override;
    std::uint32_t largest_message() const override;
    std::uint32_t classes_needed() const override;
    std::uint32_t nodes_needed() const override;
    config::value results() const override;

  private:
    class part;

    template <class F>
    generated_counts sum(F of_one) const;

    std::vector<std::unique_ptr<part>> m_parts;
    maker m_make;
    traffic_port* m_port = nullptr;
};

}  // namespace sare::python
