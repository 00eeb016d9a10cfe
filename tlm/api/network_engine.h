// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/observer.h"

#include <string>
#include <vector>

namespace sare {

/// Interface of a network that a measurement runs cycle by cycle, with a workload and observers.
class network_engine {
  public:
    virtual ~network_engine() = default;

    virtual const counted_network& counters() const = 0;  ///< counters of the network
    /// Restarts all random choices of the network from `seed`. Call it before the first cycle.
    virtual void set_seed(std::uint64_t seed) = 0;
    /// Makes `o` the main observer of packets, in the place of the one set before; null: no main observer.
    /// `o` must outlive the run. Observers of add_observer() stay.
    virtual void set_observer(observer* o) = 0;
    /// Adds an observer of packets, to be called after the ones there are; an observer added again moves to
    /// the end. It must outlive the run, or be removed.
    virtual void add_observer(observer& o) = 0;
    /// Removes an observer of packets; does nothing if it is not there.
    virtual void remove_observer(const observer& o) = 0;
    /// Adds `o`, which must outlive the run, as an observer of all flits on links from now on. Returns the
    /// names of the links, indexed by the link numbers that `o` gets; empty if links are not modelled, and
    /// `o` is then never called.
    virtual std::vector<std::string> observe_flits(flit_observer& o) {
        (void)o;
        return {};
    }
    /// Sets the workload and starts it; call once (not every engine checks it). `w` must outlive the run.
    /// `stop_when_finished`: the engine runs no cycle after the one in which w.finished() is true and the
    /// network is empty.
    virtual void set_workload(workload& w, bool stop_when_finished) = 0;
    virtual bool finished() const = 0;  ///< true if the engine has stopped because of `stop_when_finished`
    virtual cycle_t finished_at() const = 0;  ///< last cycle that was run; only if finished()
    /// Number of the present cycle; between two calls of run_until(): the last cycle run, or the next one, as
    /// the engine chooses.
    virtual cycle_t cycle() const = 0;
    /// Returns the first cycle after `t` in which a flit, a credit or the workload can do anything;
    /// workload::never if nothing ever will.
    virtual cycle_t next_work(cycle_t t) const = 0;
    /// Runs all cycles before `end` that have not been run, or fewer if the engine is finished(). Idle cycles
    /// may be skipped, with the same results.
    virtual void run_until(cycle_t end) = 0;
    /// Number of flits that a router, modelled here or in RTL, has sent by an output VC since the start,
    /// modulo 2^32; 0 in a network without routers.
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// True if packets may wait for each other, so that the network can saturate or stand still for good.
    virtual bool has_contention() const = 0;
    /// True if the model queues messages, without bound, before the links to their destination nodes; source
    /// queues do not show these messages.
    virtual bool queues_at_nodes() const { return false; }
    /// Longest latency, in cycles, of any message sent so far, if the model knows latencies when messages are
    /// sent; else 0.
    virtual cycle_t slowest_message() const { return 0; }
    /// Returns, on one line, which packets wait for which other ones, or a sentence that none were found.
    /// Call it when nothing moves any more.
    virtual std::string describe_standstill() const = 0;
    /// Writes the network and its workload to a checkpoint, or reads them into a network that was built
    /// alike, whose workload is set and that has run no cycle. Call it between two calls of run_until().
    /// Throws state_error if the network cannot be written, which is the default, or does not fit.
    virtual void serialize(archive& a);
};

}  // namespace sare
