// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/observer.h"

#include <string>
#include <vector>

namespace sare {

/// A network and its clock, as a measurement drives them.
class network_engine {
  public:
    virtual ~network_engine() = default;

    virtual const counted_network& counters() const = 0;  ///< counters of the network
    /// Replaces the seed of all random choices of the network. Call it before the first cycle.
    virtual void set_seed(std::uint64_t seed) = 0;
    /// Makes `o` the main observer, in the place of the one set before; null: no main observer.
    virtual void set_observer(observer* o) = 0;
    /// Adds an observer to the ones there are. It must outlive the run, or be removed.
    virtual void add_observer(observer& o) = 0;
    virtual void remove_observer(const observer& o) = 0;
    /// Tells `o`, which must outlive the run, of flits from now on. Returns the names of the links, indexed
    /// by the numbers that flit_observer::flit_arrives() gets; empty if links are not modelled.
    virtual std::vector<std::string> observe_flits(flit_observer& o) {
        (void)o;
        return {};
    }
    /// Sets the traffic, once. `stop_when_finished`: the engine runs no cycle after the one in which the
    /// workload has finished and the network is empty.
    virtual void set_workload(workload& w, bool stop_when_finished) = 0;
    virtual bool finished() const = 0;        ///< the engine has stopped because of `stop_when_finished`
    virtual cycle_t finished_at() const = 0;  ///< last cycle that was run, if finished()
    virtual cycle_t cycle() const = 0;        ///< number of the present cycle
    /// Returns the first cycle after `t` in which anything can happen; workload::never if nothing ever will.
    virtual cycle_t next_work(cycle_t t) const = 0;
    virtual void run_until(cycle_t end) = 0;  ///< runs all cycles before `end` that have not been run
    /// Flits that a router, modelled or foreign, has sent by an output VC, modulo 2^32; 0 without routers.
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// True if packets may wait for each other, so that the network can saturate or stand still for good.
    virtual bool has_contention() const = 0;
    /// Longest latency, in cycles, of any message sent so far, if the model knows it on sending; else 0.
    virtual cycle_t slowest_message() const { return 0; }
    /// Describes, on one line, which packets wait for which in a network in which nothing moves any more.
    virtual std::string describe_standstill() const = 0;
    /// Writes the network and its workload to a checkpoint, or reads them into a network built alike, whose
    /// workload is set and that has run no cycle. Call it between two run_until(). Throws state_error.
    virtual void serialize(archive& a);
};

}  // namespace sare
