// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/builder/network_builder.h"
#include "tlm/fabric/hazards/network_reset.h"
#include "tlm/fabric/run/arrival_bounds.h"
#include "tlm/fabric/run/external_nics.h"
#include "tlm/fabric/run/foreign_port.h"
#include "tlm/fabric/run/network_port.h"
#include "tlm/fabric/run/network_stepper.h"
#include "tlm/fabric/view/network_view.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sare {

class archive;
class lagging_engine;
struct failure;
class link_sleep;
class router_context;

/// A network without SystemC: what builds it, runs it, resets it and shows it, around one state. The modules
/// of tlm/systemc build it, and cycle_engine runs it.
class fabric {
  public:
    /// `vcs`: per port, the same for all routers, 1 to 16 and a multiple of `classes`, the message classes.
    /// Throws config::error.
    /// `own_vcs`: of each class alone, see class_vcs; none: equal shares.
    fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed,
           const std::vector<std::uint32_t>& own_vcs = {});
    ~fabric();
    fabric(const fabric&) = delete;
    fabric& operator=(const fabric&) = delete;

    network_builder& builder() { return m_builder; }
    network_stepper& stepper() { return m_stepper; }
    const network_stepper& stepper() const { return m_stepper; }
    const network_view& view() const { return m_view; }
    network_reset& reset() { return m_reset; }
    const network_reset& reset() const { return m_reset; }
    network_port& port() { return m_port; }
    const network_port& port() const { return m_port; }
    foreign_port& foreign() { return m_foreign; }
    external_nics& nics() { return m_nics; }
    arrival_bounds& arrivals() { return m_arrivals; }
    /// Sets the engine that may lag behind, which whoever looks at the network calls first; null removes it.
    void set_behind(lagging_engine* e);
    /// What routers see.
    router_context& context();
    const router_context& context() const;
    /// Link number `number` of those that can sleep: see network_view. Unknown ones are std::out_of_range.
    link_sleep& sleeper(std::uint32_t number);
    /// Something fails before a cycle that has not been run, nor anything that fails later. std::logic_error
    /// in a network whose failure_schedule is not open.
    void fail(failure f);
    /// Writes all that cycles change, or reads it into a network that was built alike: docs/checkpoint.md.
    /// Between two cycles. Throws state_error where that is impossible.
    void serialize(archive& a);

  private:
    std::unique_ptr<network_state> m_state;
    network_port m_port;
    network_builder m_builder;
    network_stepper m_stepper;
    network_view m_view;
    network_reset m_reset;
    foreign_port m_foreign;
    external_nics m_nics;
    arrival_bounds m_arrivals;
};

}  // namespace sare
