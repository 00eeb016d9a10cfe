// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Sections of an experiment file whose keys single folders of the source ("rooms") define and register in
/// section_registry. The code that builds and runs networks need not know these keys.
namespace sare {

class fabric;
class network_engine;
class section_parts;

/// Argument of section_part::observe(): a run before its first cycle. All references are valid during the
/// run.
struct run_context {
    network_engine& engine;         ///< the network, ready to run
    fabric* net;                    ///< its routers and links; null: a model without them
    workload& traffic;              ///< the workload of the run
    const section_parts& sections;  ///< values of all registered sections of the experiment
    /// Returns the latency, in cycles, of a message alone in the network, by the contention-free model.
    std::function<cycle_t(const message&)> alone;
    /// Returns the hierarchical name of a router, given its number.
    std::function<std::string(std::uint32_t)> router_name;
    /// True if routers contain the injection queues of their nodes, so that no link leads to a node; false
    /// also in a model without routers.
    bool routers_own_nodes = false;
};

/// Recorder of one run, made by section_part::observe(); it has files to write at the end of the run.
class run_observer {
  public:
    virtual ~run_observer() = default;
    /// Called once, after the last cycle of the run; `end` is the first cycle that was not run.
    virtual void close(cycle_t end) = 0;
    /// Returns the files to write after close(). They refer to this object, which must outlive them.
    virtual result_streams files() const = 0;
};

/// Values of the keys of one section that one room has registered. A struct of parameters derives from
/// section_part_of and describes its keys by a static function `fields()`.
class section_part {
  public:
    virtual ~section_part() = default;
    /// Returns a copy of the values.
    virtual std::unique_ptr<section_part> copy() const = 0;
    virtual void* parameters() = 0;  ///< address of the struct that fields() describes

    /// Takes over the contents of files that `known`, a part of the same type, has read earlier, so that
    /// check() need not read them again. Called before check(). The default takes nothing.
    virtual void share(const section_part& known) { (void)known; }
    /// Checks the values, after the whole experiment has been read. `section`: the section with all its keys;
    /// null if the experiment has none. Throws config::error for wrong values. The default accepts
    /// everything.
    virtual void check(const config::value* section) { (void)section; }

    /// @name Demands on a run: each returns a clause of an error message, or "" if there is no such demand
    /// @{
    /// Reason why the run needs routers and flits (fidelity: flit), such as "'cosim' names blocks in RTL".
    virtual std::string needs_routers() const { return ""; }
    /// Reason why the run must be in one process, such as "'observe' looks into routers of all of them".
    virtual std::string needs_one_process() const { return ""; }
    /// @}
    /// Throws config::error if the records of this part cannot be written into checkpoints. The default
    /// throws nothing.
    virtual void check_checkpoints() const {}
    /// True if the part has an effect only in runs of the command sare or of class simulation. A network that
    /// is stepped otherwise, by an sc_main or a client, then refuses values other than the defaults.
    virtual bool is_of_runs() const { return false; }
    /// True if experiments that differ in this part only have different networks. The default: !is_of_runs().
    virtual bool changes_network() const { return !is_of_runs(); }
    /// Returns the numbers of the routers that this part replaces by other implementations (RTL); by default
    /// none.
    virtual config::number_set foreign_routers() const { return {}; }
    /// Returns the frequency in Hz that the part sets for the network's clock; 0, the default: it sets none;
    /// infinite: the highest that routers reach, which is known when the network is built.
    virtual double clock_hertz() const { return 0; }
    /// Returns entries that are appended to the list measurement.statistics of the experiment, each the
    /// section of one statistic; by default none.
    virtual std::vector<config::value> statistics() const { return {}; }
    /// Makes the recorder of the run, which the caller owns; null, the default: the part records nothing.
    /// Throws config::error if the run cannot be recorded as the part asks, for example without routers.
    virtual std::unique_ptr<run_observer> observe(const run_context& run) const { return (void)run, nullptr; }

    /// Place of the section in its file; the place of the whole experiment if it has no such section.
    config::location at;
    std::string folder;  ///< folder to which file names in the section are relative
};

/// Implements copy() and parameters() for a struct `P` that derives from section_part_of<P>.
template <class P>
class section_part_of : public section_part {
  public:
    std::unique_ptr<section_part> copy() const override {
        return std::make_unique<P>(static_cast<const P&>(*this));
    }
    void* parameters() override { return static_cast<P*>(this); }
};

}  // namespace sare
