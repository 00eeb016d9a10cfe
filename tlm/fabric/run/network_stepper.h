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
    /// `port`: handed to the workload, which sends by it.
    network_stepper(network_state& net, traffic_port& port) : m_net(net), m_port(port) {}

    /// @name Traffic
    /// @{
    /// Sets the workload and starts it; null removes it. `first`: first cycle of its life; no earlier cycle
    /// may be run from now on. Throws config::error if it is a synchronized_workload that agrees() and one of
    /// several processes has all nodes.
    void set_workload(workload* w, cycle_t first = 0);
    /// Sets the workload that is told of messages whose tag has the highest bit set, instead of the workload
    /// of set_workload(); null: none.
    void set_bridge(workload* b);
    /// Sets the clock period in seconds, which workloads may ask for.
    void set_cycle_seconds(double s);
    /// Replaces the seed of all random streams. Call before the first cycle.
    void set_seed(std::uint64_t seed);
    /// Runs the blocks of each cycle in a random order from now on, which does not change results.
    void shuffle_evaluation(std::uint64_t seed);
    /// @}

    /// @name Observers, at any time; they outlive the run or are removed
    /// @{
    /// Replaces the observer that was set before; null removes it.
    void set_observer(observer* o);
    /// Adds an observer behind the others. Adding it again moves it to the end.
    void add_observer(observer& o);
    void remove_observer(const observer& o);
    /// Adds an observer of flits. Returns the names of the links, indexed by the numbers that `o` is told.
    /// Flits that go into foreign blocks are not shown.
    std::vector<std::string> observe_flits(flit_observer& o);
    void remove_observer(const flit_observer& o);
    /// Adds an observer of cycles, from the next one on.
    void add_observer(cycle_observer& o);
    void remove_observer(const cycle_observer& o);
    /// Returns the writing and the reading end of each link, indexed as by observe_flits(); empty before
    /// that.
    std::vector<std::pair<link_end, link_end>> observed_links() const;
    /// True if there are observers of flits or cycles.
    bool is_watched() const;
    /// @}

    /// @name Running
    /// @{
    /// Runs cycle `t`, later than any before.
    void step(cycle_t t);
    /// Ends cycle `t`, after earlier ones in which nothing happened: makes it the current cycle if it is
    /// later, and tells observers of cycles up to it.
    void pass(cycle_t t);
    /// Ends the current cycle, if one has begun.
    void pass();
    /// Returns the first cycle after `t` in which anything can happen; workload::never: none ever. If several
    /// processes run the network, the result may be an earlier cycle.
    cycle_t next_work(cycle_t t) const;
    /// Returns the first cycle after `t` in which anything can happen in any process. All processes call
    /// together.
    cycle_t next_work_of_all(cycle_t t) const;
    /// Runs cycles from `next`, a result of next_work(), to before `before`, as long as they concern routers,
    /// links and NICs alone; it stops before a cycle in which a workload, an observer or a foreign block may
    /// be called. Returns the first cycle with work that was not run.
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
    std::vector<std::uint64_t> m_lone;   ///< bits of a bank's routers with one set, for shuffled runs
    std::vector<std::uint32_t> m_order;  ///< endpoints of a cycle in random order
};

}  // namespace sare
