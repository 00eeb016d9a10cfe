// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/observer.h"

#include <string>
#include <vector>

namespace sare {

/// A network and its clock, as a measurement drives it.
class network_engine {
  public:
    virtual ~network_engine() = default;

    virtual const counted_network& counters() const = 0;
    /// Another seed than at construction; before the first cycle.
    virtual void set_seed(std::uint64_t seed) = 0;
    /// In the place of the one that was set before; null: of none.
    virtual void set_observer(observer* o) = 0;
    /// Beside those there are; it outlives the run or is removed.
    virtual void add_observer(observer& o) = 0;
    virtual void remove_observer(const observer& o) = 0;
    /// From now on. Gives what its links are called, by their numbers; none where there are no links. It
    /// outlives the run.
    virtual std::vector<std::string> observe_flits(flit_observer& o) {
        (void)o;
        return {};
    }
    /// Traffic, for once. `stop_when_finished`: run no further once it has finished and the network is empty;
    /// finished_at() tells when.
    virtual void set_workload(workload& w, bool stop_when_finished) = 0;
    virtual bool finished() const = 0;
    virtual cycle_t finished_at() const = 0;
    virtual cycle_t cycle() const = 0;  ///< that the present time lies in
    /// The first cycle after `t` in which anything can happen; workload::never if nothing ever will.
    virtual cycle_t next_work(cycle_t t) const = 0;
    virtual void run_until(cycle_t end) = 0;  ///< all cycles before `end`
    /// Flits that a router has sent by an output VC, modulo 2^32, whatever stands there.
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Packets may wait for each other: then the network can be saturated, or stand still for good.
    virtual bool has_contention() const = 0;
    /// Cycles of the slowest message so far, where that is known as it is sent; else 0.
    virtual cycle_t slowest_message() const { return 0; }
    /// Who waits for whom where nothing moves any more, on one line.
    virtual std::string describe_standstill() const = 0;
    /// Writes the network and its workload, or reads them into one built alike in its first cycle, whose
    /// workload is set; throws state_error where that cannot be. Between two run_until().
    virtual void serialize(archive& a);
};

}  // namespace sare
