// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/hazards/failures.h"
#include "tlm/network/network_blueprint.h"

#include <cstdint>
#include <memory>

namespace sare {

/// Engine of a network at flit level without SystemC: time advances only by calls of run_until().
class fabric_engine final : public network_engine {
  public:
    /// Builds the network of `e`. `map`: topology of `e`, which may be shared; `classes`: number of message
    /// classes. Throws config::error for parts that do not fit together.
    fabric_engine(const experiment& e, std::shared_ptr<const topology> map, std::uint32_t classes);

    const network_blueprint& blueprint() const { return m_blueprint; }  ///< parts of the network
    const failure_schedule& failures() const { return m_failures; }     ///< failures of the experiment
    fabric& net() { return m_fabric; }
    const fabric& net() const { return m_fabric; }

    const counted_network& counters() const override { return m_fabric.view(); }
    void set_seed(std::uint64_t seed) override { m_fabric.stepper().set_seed(seed); }
    void set_observer(observer* o) override { m_fabric.stepper().set_observer(o); }
    void add_observer(observer& o) override { m_fabric.stepper().add_observer(o); }
    void remove_observer(const observer& o) override { m_fabric.stepper().remove_observer(o); }
    std::vector<std::string> observe_flits(flit_observer& o) override {
        return m_fabric.stepper().observe_flits(o);
    }
    void set_workload(workload& w, bool stop_when_finished) override;
    bool finished() const override { return m_finished; }
    cycle_t finished_at() const override { return m_next == 0 ? 0 : m_next - 1; }
    cycle_t cycle() const override { return m_next; }
    cycle_t next_work(cycle_t t) const override { return m_fabric.stepper().next_work(t); }
    void run_until(cycle_t end) override;
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override {
        return m_fabric.view().flits_sent(router, port, vc);
    }
    bool has_contention() const override { return true; }
    std::string describe_standstill() const override;
    void serialize(archive& a) override;

  private:
    bool is_over() const;

    const network_blueprint m_blueprint;
    const failure_schedule m_failures;
    fabric m_fabric;
    workload* m_workload = nullptr;
    cycle_t m_next = 0;  ///< first cycle that has not been run
    bool m_stop_when_finished = false, m_finished = false;
};

}  // namespace sare
