// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Sections of an experiment file that rooms (folders) of the source add without the builder and runner of
/// networks knowing their keys. A room registers a section, or keys of a section, in section_registry.
namespace sare {

class fabric;
class network_engine;
class section_parts;

/// A run before its first cycle, as section_part::observe() gets it.
struct run_context {
    network_engine& engine;
    fabric* net;  ///< routers and links; null: the contention-free model, which has none
    workload& traffic;
    const section_parts& sections;                 ///< values of all registered sections of the experiment
    std::function<cycle_t(const message&)> alone;  ///< latency in cycles of a message alone in the network
    std::function<std::string(std::uint32_t)> router_name;  ///< hierarchical name for a router's number
    /// True: routers have the injection queues of their nodes inside, so that no link leads to a node; false
    /// also without routers.
    bool routers_own_nodes = false;
};

/// An observer of one run, which has files to write at its end.
class run_observer {
  public:
    virtual ~run_observer() = default;
    /// Ends the observation after the last cycle of the run; `end` is the first cycle that was not run.
    virtual void close(cycle_t end) = 0;
    /// Files to write after close(). They refer to the observer, which must outlive them.
    virtual result_streams files() const = 0;
};

/// The keys of a section that one room registers, with their values. A struct of parameters derives from
/// section_part_of and has a schema, returned by a static `fields()`.
class section_part {
  public:
    virtual ~section_part() = default;
    virtual std::unique_ptr<section_part> copy() const = 0;
    virtual void* parameters() = 0;  ///< address of the struct that the schema describes

    /// Called before check(): takes over what `known`, a part of the same type read before, has read from
    /// files, so that check() need not read them again.
    virtual void share(const section_part& known) { (void)known; }
    /// Checks the values after the whole experiment has been read. `section`: the whole section; null if the
    /// experiment has none. Throws config::error.
    virtual void check(const config::value* section) { (void)section; }

    /// @name Demands on a run: clauses of error messages; "" if there is no demand
    /// @{
    /// Clause that says what needs fidelity flit: "'cosim' names blocks in RTL".
    virtual std::string needs_routers() const { return ""; }
    /// Reason against a run in several processes: "'observe' looks into routers of all of them".
    virtual std::string needs_one_process() const { return ""; }
    /// @}
    /// Throws config::error if the records that the part asks for cannot be written into checkpoints.
    virtual void check_checkpoints() const {}
    /// True if only a run by `simulation` uses the part: a network without `simulation` refuses it.
    virtual bool is_of_runs() const { return false; }
    /// Numbers of the routers that this part replaces by other implementations (RTL).
    virtual config::number_set foreign_routers() const { return {}; }
    /// Statistics that the part has taken in a run, one section of results each, beside
    /// measurement.statistics.
    virtual std::vector<config::value> statistics() const { return {}; }
    /// Makes the observer of a run; null: the part needs none. Throws config::error if the run cannot show
    /// what the part asks for.
    virtual std::unique_ptr<run_observer> observe(const run_context& run) const { return (void)run, nullptr; }

    config::location at;  ///< place of the section in its file; of the whole experiment if it has no section
    std::string folder;   ///< folder to which file names in the section are relative
};

/// Implements copy() and parameters() for a struct `P` that derives from it.
template <class P>
class section_part_of : public section_part {
  public:
    std::unique_ptr<section_part> copy() const override {
        return std::make_unique<P>(static_cast<const P&>(*this));
    }
    void* parameters() override { return static_cast<P*>(this); }
};

}  // namespace sare
