// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Sections of an experiment that other rooms bring. A room adds a section, or keys to one that others add
/// to, and says what they mean for a run: section_registry. Who builds and runs a network knows none of the
/// keys.
namespace sare {

class fabric;
class network_engine;
class section_parts;

/// A run before its first cycle, for its observers.
struct run_context {
    network_engine& engine;
    fabric* net;  ///< null: the contention-free model
    workload& traffic;
    const section_parts& sections;
    std::function<cycle_t(const message&)> alone;  ///< cycles of a message that is alone in the network
    std::function<std::string(std::uint32_t)> router_name;  ///< hierarchical, by number
    bool routers_own_nodes = false;                         ///< router_terms::owns_nodes
};

/// Observes a run, and has files in the end.
class run_observer {
  public:
    virtual ~run_observer() = default;
    virtual void close(cycle_t end) = 0;  ///< the first cycle that has not been run
    /// What there is to write then; the observer outlives it.
    virtual result_streams files() const = 0;
};

/// The keys of a section that one room brings, with their values. A struct of parameters derives from
/// section_part_of and has a schema, `fields()`.
class section_part {
  public:
    virtual ~section_part() = default;
    virtual std::unique_ptr<section_part> copy() const = 0;
    virtual void* parameters() = 0;  ///< the struct that the schema is of

    /// Before check(): what `known`, of the same type and read before, has of files need not be read again.
    virtual void share(const section_part& known) { (void)known; }
    /// Once read; throws config::error. `section`: the whole section; null where it is left out.
    virtual void check(const config::value* section) { (void)section; }

    /// @name What it asks of a run: parts of errors; "" where it asks nothing
    /// @{
    /// What needs fidelity flit: "'cosim' names blocks in RTL".
    virtual std::string needs_routers() const { return ""; }
    /// Why a run in several processes cannot have it: "'observe' looks into routers of all of them".
    virtual std::string needs_one_process() const { return ""; }
    /// @}
    /// Throws config::error if what it records cannot be written into checkpoints.
    virtual void check_checkpoints() const {}
    /// Only a run by `simulation` makes something of it: a network alone refuses it.
    virtual bool is_of_runs() const { return false; }
    /// Routers that are not the model's.
    virtual config::number_set foreign_routers() const { return {}; }
    /// Statistics that it has taken in a run, beside those of measurement.statistics: a section each.
    virtual std::vector<config::value> statistics() const { return {}; }
    /// Makes the observer; null: there is none. Throws config::error for what this run cannot show.
    virtual std::unique_ptr<run_observer> observe(const run_context& run) const { return (void)run, nullptr; }

    config::location at;  ///< of the section; where it is left out, of the experiment
    std::string folder;   ///< that names of files are relative to
};

template <class P>
class section_part_of : public section_part {
  public:
    std::unique_ptr<section_part> copy() const override {
        return std::make_unique<P>(static_cast<const P&>(*this));
    }
    void* parameters() override { return static_cast<P*>(this); }
};

}  // namespace sare
