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

/// A network without SystemC: its state, and the classes that build it, run it, reset it and read it. The
/// modules of tlm/systemc build it, and cycle_engine runs it.
class fabric {
  public:
    /// Makes an empty network. `vcs`: VCs of each port, the same for all routers, 1 to 64. `classes`: number
    /// of message classes, 1 to 16. `own_vcs`: number of VCs that each class has for itself (see class_vcs);
    /// empty: all classes have equally many, so that `vcs` must be a multiple of `classes`. `seed`: seed of
    /// all random streams. Throws config::error for numbers that do not fit.
    fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed,
           const std::vector<std::uint32_t>& own_vcs = {});
    ~fabric();
    fabric(const fabric&) = delete;
    fabric& operator=(const fabric&) = delete;

    /// Returns the builder, which adds routers, NICs and links; nothing can be added after its finish().
    network_builder& builder() { return m_builder; }
    /// Returns the stepper, which sets workload and observers, and runs cycles.
    network_stepper& stepper() { return m_stepper; }
    const network_stepper& stepper() const { return m_stepper; }
    /// Returns the view, which reads the network's structure, state and counters.
    const network_view& view() const { return m_view; }
    /// Returns the object that resets the network or single blocks of it.
    network_reset& reset() { return m_reset; }
    const network_reset& reset() const { return m_reset; }
    /// Returns the network as a workload sees it: the port that sends messages.
    network_port& port() { return m_port; }
    const network_port& port() const { return m_port; }
    /// Returns the port that sends flits and credits for blocks that are not Sare's own.
    foreign_port& foreign() { return m_foreign; }
    /// Returns the object that serves NICs which are modelled outside of the network.
    external_nics& nics() { return m_nics; }
    /// Returns the lower bounds for the cycles in which messages arrive.
    arrival_bounds& arrivals() { return m_arrivals; }
    /// Sets the engine, which must outlive this, that may have begun cycles and not run them: functions that
    /// read the state call its catch_up() first. Null: there is none.
    void set_behind(lagging_engine* e);
    /// Returns the network as its routers see it (tlm/router_api/router_context.h).
    router_context& context();
    const router_context& context() const;
    /// Returns link `number` of those that can sleep, numbered as in network_view::sleeper_number(). Throws
    /// std::out_of_range for an unknown number.
    link_sleep& sleeper(std::uint32_t number);
    std::size_t sleepers() const;  ///< number of links that sleeper() can return
    /// Adds a failure to the schedule. `f.at` must be a cycle that has not been run (not checked). Throws
    /// std::logic_error if the schedule has a later failure, or if the schedule given to
    /// network_builder::set_failures() was empty() (see failure_schedule::open).
    void fail(failure f);
    /// Writes the state that cycles change, or reads it into a network that was built alike
    /// (docs/checkpoint.md). Call between two cycles. Throws state_error if the state cannot be written or
    /// does not fit.
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
