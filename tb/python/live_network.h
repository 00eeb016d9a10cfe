// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/python/changing_load.h"
#include "tb/python/delivery_log.h"
#include "tb/python/state_board.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/journey/journey.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/network/network.h"
#include "tlm/network/run_control.h"
#include "tlm/stats/statistic.h"

#include <memory>
#include <string>

namespace sare::python {

/// A network with its traffic, for Python's Simulation. The caller runs any number of cycles at a time, and
/// between them sends messages, changes the load, or lets links fail. It measures only in measure().
class live_network {
  public:
    /// Makes and elaborates the network of `e`; no cycle is run. `failing`: true if links and routers may
    /// fail (fail_between(), fail_router()). Throws config::error for a wrong experiment, and while another
    /// live_network exists in the process: SystemC allows one at a time.
    live_network(experiment e, bool failing);
    ~live_network();
    live_network(const live_network&) = delete;
    live_network& operator=(const live_network&) = delete;

    const topology& map() const { return *m_map; }  ///< topology, valid as long as this object
    /// Returns the state and counters of the network, valid as long as this object.
    const network_view& view() const { return m_net->engine().net().view(); }
    /// Returns the first cycle that has not been run; if called within a cycle, as by a callback, the next
    /// cycle.
    cycle_t cycle() const { return m_running ? view().now() + 1 : m_cycle; }
    /// Runs all cycles from cycle() up to the one before `end`; none if `end` is not above cycle(). If a
    /// cycle throws, each later call that changes the network throws config::error.
    void run_until(cycle_t end);
    /// Measures from the present cycle on: warm-up, convergence and batches by `how`, or to completion if the
    /// traffic ends. The result has the figures of the run and of all routers, links, nodes and classes.
    /// Messages of send() count as injected and accepted, and as offered if the experiment has no traffic.
    run_result measure(const measurement_params& how, const run_control& control);
    /// Returns the experiment that was given to the constructor, but with one thread, and open to failures if
    /// `failing`; set_load() and failures do not change it.
    const experiment& settings() const { return m_e; }
    /// Returns true if no message is in the network or a source queue, or was sent and is not in its queue
    /// yet.
    bool is_empty() const { return m_cycle >= m_sent_until && view().empty(); }
    /// Returns true if the experiment has traffic, and that will send no more messages.
    bool finished() const { return m_traffic != nullptr && m_traffic->finished(); }
    /// Returns true if the experiment has traffic of its own.
    bool has_traffic() const { return m_traffic != nullptr; }
    /// Returns the numbers of messages and flits generated before cycle(), by the traffic and by send()
    /// together.
    generated_counts generated();

    /// Sends a message in cycle(), which becomes its `generated`. `m.tag`: below 2^63. A wrong node or class,
    /// or no flits, is the error "/sare/send" of SystemC's reports.
    void send(const message& m);
    /// Changes the `load` of the traffic from cycle() on. Throws config::error if the traffic is no open-loop
    /// one with a load.
    void set_load(double load);
    /// Makes all links between the routers `a` and `b`, both ways, fail in cycle(). Throws config::error if
    /// there are none, or if this object was made without `failing`.
    void fail_between(std::uint32_t a, std::uint32_t b);
    /// Makes the router `r` fail in cycle(). Throws config::error if there is none, or if this object was
    /// made without `failing`.
    void fail_router(std::uint32_t r);
    /// Drops all packets and queued messages, and keeps the counters; see cycle_engine::reset().
    void reset();

    state_board& board() { return *m_board; }  ///< arrays with the state of routers and nodes
    std::shared_ptr<state_board> shared_board() const { return m_board; }
    /// Returns the log of arrived messages; messages that arrived before the first call are not in it.
    delivery_log& deliveries();

    /// Returns the numbers of cycles that flits waited, from the first call up to cycle(): one for each input
    /// port of router 0, then of router 1 and so on. The first call returns zeros.
    std::vector<std::uint64_t> stalls();
    /// Returns true if stalls() was called.
    bool counts_stalls() const { return m_stalls != nullptr; }

    /// Keeps the events of all packets from the next cycle on; later calls do nothing. Packets are numbered
    /// in the order of injection, or in mid-run in the order in which they are first seen.
    void trace();
    /// Returns the record of the packets since trace(), valid as long as this object; null before trace().
    const journey_book* journeys() const { return m_journeys.get(); }

  private:
    class outside;  ///< workload of messages sent from outside

    void make_traffic();
    void fail(const failure_params& what);
    void check_open() const;
    template <class F>
    void guarded(const F& run);

    experiment m_e;
    std::shared_ptr<const topology> m_map;
    std::unique_ptr<workload> m_traffic;  ///< null: the experiment has no traffic
    changing_load* m_changing = nullptr;  ///< m_traffic, if its load can change; else null
    std::unique_ptr<outside> m_outside;
    std::unique_ptr<network> m_net;
    std::unique_ptr<statistic> m_stalls;
    std::unique_ptr<journey_book> m_journeys;  ///< null: packets are not traced
    std::unique_ptr<packet_trace> m_trace;     ///< source of m_journeys
    std::shared_ptr<state_board> m_board;
    delivery_log m_deliveries;
    cycle_t m_cycle = 0;
    bool m_listens = false;  ///< true: m_deliveries is told of arrived messages
    /// First cycle at whose begin all messages of send() are in their source queues.
    cycle_t m_sent_until = 0;
    bool m_running = false;  ///< true: within run_until()
    bool m_failed = false;   ///< true: a cycle has thrown
};

}  // namespace sare::python
