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

/// Runs a finished network, cycle by cycle. The order within a cycle: links and routers, NICs, foreign
/// blocks; what the workload is told; the workload's own turn; injection.
class network_stepper {
  public:
    /// `port`: what the workload sends by.
    network_stepper(network_state& net, traffic_port& port) : m_net(net), m_port(port) {}

    /// @name Traffic
    /// @{
    /// `first`: the first cycle of its life; no earlier cycle will be run.
    void set_workload(workload* w, cycle_t first = 0);
    /// Takes the messages whose tag has the highest bit set, instead of the workload.
    void set_bridge(workload* b);
    void set_cycle_seconds(double s);
    /// Replaces the seed; before the first cycle.
    void set_seed(std::uint64_t seed);
    /// Runs the blocks of a cycle in a random order: results do not depend on it.
    void shuffle_evaluation(std::uint64_t seed);
    /// @}

    /// @name Observers, at any time; they outlive the run or are removed
    /// @{
    /// Replaces the observer that was set before; null removes it.
    void set_observer(observer* o);
    void add_observer(observer& o);
    void remove_observer(const observer& o);
    /// Returns the names of the links, by the numbers that `o` is told. What goes into foreign blocks is not
    /// shown.
    std::vector<std::string> observe_flits(flit_observer& o);
    void remove_observer(const flit_observer& o);
    void add_observer(cycle_observer& o);
    void remove_observer(const cycle_observer& o);
    /// The ends of the links by these numbers; none before observe_flits().
    std::vector<std::pair<link_end, link_end>> observed_links() const;
    /// There are observers of flits or cycles.
    bool is_watched() const;
    /// @}

    /// @name Running
    /// @{
    /// Runs cycle `t`, later than any before.
    void step(cycle_t t);
    /// Cycle `t` is over, though nothing happened in it or in those before it: views show it then.
    void pass(cycle_t t);
    /// The present cycle is over, if there has been one.
    void pass();
    /// The first cycle after `t` in which anything can happen; workload::never if nothing ever will. Where
    /// several processes run the network, it may be an earlier one.
    cycle_t next_work(cycle_t t) const;
    /// The same, exactly, in all processes; all must ask.
    cycle_t next_work_of_all(cycle_t t) const;
    /// Runs cycles from `next`, which next_work() gave, that come before `before`, while they concern
    /// routers, links and NICs alone: up to the first one in which a workload, an observer or a foreign block
    /// may be called. Returns the first cycle not run that has work.
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
    std::vector<std::uint64_t> m_lone;   ///< routers of a bank that are awake: one
    std::vector<std::uint32_t> m_order;  ///< of endpoints, shuffled
};

}  // namespace sare
