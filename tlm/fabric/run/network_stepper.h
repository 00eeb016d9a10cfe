// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/api/workload.h"
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sare {

class clock_domain;
class link_watch;
class network_state;
struct partition;
class thread_team;

/// Runs a finished network, cycle by cycle. Order within a cycle: links and routers, NICs, foreign blocks;
/// calls of the workload for what has happened; workload::tick(); injection.
class network_stepper {
  public:
    /// `port`: port that the workload gets by workload::start() and sends by; it must outlive this object.
    network_stepper(network_state& net, traffic_port& port) : m_net(net), m_port(port) {}

    /// @name Traffic
    /// @{
    /// Sets the workload and starts it; null removes the present one. `first`: first cycle of its life,
    /// before which no cycle may be run from now on; the workload must outlive the run or be replaced. Throws
    /// config::error if one of several processes has all nodes, and the workload is a synchronized_workload
    /// that agrees().
    void set_workload(workload* w, cycle_t first = 0);
    /// Sets a second workload, for messages with bit 63 of the tag set: their events are told to it, not to
    /// the workload of set_workload(). Null: there is none.
    void set_bridge(workload* b);
    /// Sets the clock period in seconds, for traffic_port::cycle_seconds(); 1e-9 if it is not set.
    void set_cycle_seconds(double s);
    /// Restarts all random streams from `seed`. Call before the first cycle.
    void set_seed(std::uint64_t seed);
    /// Runs the blocks of each cycle in a random order, drawn from `seed`, from now on; results do not depend
    /// on it.
    void shuffle_evaluation(std::uint64_t seed);
    /// @}

    /// @name Observers: added at any time; each must outlive the run or be removed
    /// @{
    /// Adds an observer of packets in the place of the one that the last call added; null only removes that
    /// one.
    void set_observer(observer* o);
    /// Adds an observer of packets, to be called after those added before. Adding it again moves it to the
    /// end.
    void add_observer(observer& o);
    /// Removes an observer of packets; does nothing if it is not there.
    void remove_observer(const observer& o);
    /// Adds an observer of flits; one added twice is called twice. Needs a map (not checked). Returns the
    /// names of the links, indexed by the link numbers that `o` is told. Flits that go into foreign blocks,
    /// and links of nodes whose NIC is modelled outside or in the router, are not shown.
    std::vector<std::string> observe_flits(flit_observer& o);
    /// Removes an observer of flits; does nothing if it is not there.
    void remove_observer(const flit_observer& o);
    /// Adds an observer of cycles, which is called from the next cycle on; one added twice is called twice.
    void add_observer(cycle_observer& o);
    /// Removes an observer of cycles; does nothing if it is not there.
    void remove_observer(const cycle_observer& o);
    /// Returns the writing and the reading end of each link, indexed as by observe_flits(); empty if there is
    /// no observer of flits or cycles, or has never been one of flits.
    std::vector<std::pair<link_end, link_end>> observed_links() const;
    /// True if there are observers of flits or cycles.
    bool is_watched() const;
    /// @}

    /// @name Running
    /// @{
    /// Runs cycle `t`, which must be later than all cycles run so far. Cycles that are skipped must have no
    /// work: `t` is at most next_work() of the last cycle.
    void step(cycle_t t);
    /// Ends cycle `t`, without running it, after idle cycles: makes `t` the current cycle if it is later, and
    /// tells observers of cycles all cycles up to and including `t`.
    void pass(cycle_t t);
    /// Calls pass() with the current cycle; does nothing before the first cycle.
    void pass();
    /// Returns the first cycle after `t` in which a block or the workload can have work; workload::never:
    /// nothing will happen. If several processes run the network, the result may be an earlier cycle, in
    /// which nothing happens.
    cycle_t next_work(cycle_t t) const;
    /// Returns the first cycle after `t` in which a block or workload of any process can have work;
    /// workload::never: none. All processes must call this together.
    cycle_t next_work_of_all(cycle_t t) const;
    /// Runs cycles from `next`, a result of next_work(), up to `before` - 1, as long as they need only
    /// routers, links and NICs. Stops before a cycle in which a workload, an observer or a foreign block may
    /// be called. Returns the first cycle with work that was not run; `next` if it runs none.
    cycle_t run_unobserved(cycle_t next, cycle_t before);
    /// @}

  private:
    void begin(cycle_t t);
    void run_cycle(cycle_t t);
    void run_blocks(cycle_t t);
    void start_packets(partition& p, cycle_t t);
    void inject(partition& p, cycle_t t);
    void inject_parts(cycle_t t);
    bool may_share() const;
    template <class F>
    void in_all_parts(const F& f);
    thread_team& team();
    void agree(cycle_t t);
    void prepare_injection();
    void fetch(partition& p, cycle_t t);
    void run_part(partition& p, cycle_t t);
    void run_awake(partition& p, std::uint64_t* here, cycle_t t, bool others);
    bool calls_outside(const std::uint64_t* here) const;
    cycle_t run_routers_alone(partition& p, cycle_t next, cycle_t before) const;
    void run_slow_domains(partition& p, cycle_t t);
    void run_crossings(cycle_t t);
    void run_owners(partition& p, cycle_t t);
    void run_endpoint(partition& p, const clock_domain& d, std::uint32_t e, cycle_t t);
    void run_others(partition& p, std::uint64_t* active, cycle_t t);
    void run_foreign(std::uint32_t index, cycle_t t);
    void run_shuffled(partition& p, const clock_domain& d, std::uint64_t* active, cycle_t t, bool owners);
    cycle_t next_work_here(cycle_t t) const;
    void end_lag();
    link_watch& watch();
    template <class Observer>
    void stop_watching(const Observer& o);

    network_state& m_net;
    traffic_port& m_port;
    std::vector<std::uint64_t> m_lone;   ///< scratch for shuffled runs: a set of one router of a bank
    std::vector<std::uint32_t> m_order;  ///< endpoints of a cycle in random order
};

}  // namespace sare
