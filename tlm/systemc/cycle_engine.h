// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/fabric/run/lagging_engine.h"
#include "tlm/systemc/engine_clock.h"
#include "tlm/systemc/posted.h"

#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sare {

class engine_wiring;
class fabric;
class link;
class nic;
class router;
class routing_function;
class topology;
struct partition_map;

/// Runs a network: one SystemC process moves all routers, links and NICs, a cycle at a time, and jumps over
/// cycles in which nothing can happen. The modules of the network register in its engine_wiring.
///
/// While no message can arrive (tlm/fabric/run/arrival_bounds.h) the process sleeps, and the network *lags
/// behind*: its cycles are run when the first message may arrive, or before anything reads the network
/// (engine_lag.cpp).
class cycle_engine : public sc_core::sc_module, public network_engine, private lagging_engine {
  public:
    /// Number of VCs that each message class has for itself, by class.
    using own_vcs_list = std::vector<std::uint32_t>;
    /// Makes a network in which all routers have `vcs` virtual channels for each port, 1 to 64, shared out
    /// among `classes` message classes, 1 to 16. `seed`: seed of all random choices; `period`: clock period.
    /// `own`: number of VCs that each class has for itself, from 1; own.size() then replaces `classes`, and
    /// all classes share the rest of `vcs`. Empty: equal shares, so that `vcs` must be a multiple of
    /// `classes`. Wrong numbers are a report "/sare/config"; a `period` that rounds to no time in SystemC's
    /// resolution is a report "/sare/period".
    cycle_engine(const sc_core::sc_module_name& name, std::uint32_t vcs, std::uint32_t classes = 1,
                 std::uint64_t seed = 1, const sc_core::sc_time& period = sc_core::sc_time(1, sc_core::SC_NS),
                 const own_vcs_list& own = {});
    ~cycle_engine() override;

    const char* kind() const override { return "sare::cycle_engine"; }
    /// Prints to `out` name, kind, period, numbers of routers, nodes and VCs, the next cycle, and the numbers
    /// of packets in the network and of messages not delivered.
    void dump(std::ostream& out = std::cout) const override;

    /// Returns the network's inside (tlm/fabric/fabric.h), for reading and for observers, after running the
    /// cycles that lag behind. Give messages to the engine, not to the fabric, for which the engine would not
    /// wake up (not checked).
    fabric& net() {
        if (m_lag.behind) end_lag();
        return *m_fabric;
    }
    /// Returns the network's inside for reading: its network_view runs cycles that lag behind before it
    /// answers.
    const fabric& net() const { return *m_fabric; }
    /// Returns the register of the network's modules (tlm/systemc/engine_wiring.h), valid as long as the
    /// engine; modules are added until elaboration ends.
    engine_wiring& wiring() { return *m_wiring; }
    /// Clock period of the present cycle.
    sc_core::sc_time period() const { return m_clock.period_of(cycle()); }
    /// Number of the cycle in which SystemC's present time lies; while the engine runs a cycle ahead of or
    /// behind this time, number of that cycle.
    cycle_t cycle() const override { return m_ahead ? *m_ahead : m_clock.cycle_at(m_now); }
    /// Changes the clock period from the next cycle on; before the simulation starts, from cycle 0 on. May be
    /// called at any time from any process; of several calls in a cycle the last one holds. Cycle numbers go
    /// on, and delays keep their number of cycles. A `period` that rounds to no time is a report
    /// "/sare/period", and changes nothing.
    void set_period(const sc_core::sc_time& period);
    /// Event that comes one delta cycle after each change by set_period() or restore(), for blocks with a
    /// clock of their own that follow the period.
    const sc_core::sc_event& period_changed() const { return m_period_changed; }
    /// Returns the clock, which converts between times and cycles by the periods known so far.
    const engine_clock& clock() const { return m_clock; }

    /// Makes this process one of several that run the network. `all`: the processes, which must outlive the
    /// engine; `ranks`: rank of the process that runs each router and node
    /// (tlm/fabric/parts/partition_map.h). Call it before the first link is made (not checked); after
    /// elaboration it throws config::error. If there is a bridge, it is a report "/sare/memory", and sets
    /// nothing.
    void set_world(world& all, partition_map ranks);
    /// Sets the topology and the routing function; both must outlive the engine. Call it before elaboration
    /// ends, when the modules are compared with the topology; later it throws config::error. A second call
    /// replaces the first.
    void set_routing(const topology& map, const routing_function& routing);
    /// Sets the workload, which must outlive the run, once: before the first cycle or in mid-run. It starts
    /// with the present cycle, or with the next one if that has been run. A second call, and a workload that
    /// needs more message classes or nodes than there are, is a report "/sare/traffic", and sets nothing. A
    /// workload set too late to send anything is a warning. `stop_when_finished`: the engine runs no cycle
    /// after the one, finished_at(), in which the workload has finished, the network is empty and the bridge
    /// idle. Sending a message later is a report "/sare/finished".
    void set_workload(workload& w, bool stop_when_finished = false) override;
    bool finished() const override { return m_finished; }
    cycle_t finished_at() const override { return m_finished_at; }
    /// Sets the bridge: a second workload, of a memory map or CHI transport, which gets all events of
    /// messages whose tag has bridge_tag. It must outlive the run. Returns true; or false, with a report
    /// "/sare/memory", if there is a bridge already or if several processes run the network.
    bool set_bridge(workload& w);
    /// Bit that is set in the tags of the bridge's messages, and of no others.
    static constexpr std::uint64_t bridge_tag = std::uint64_t{1} << 63;

    /// Sends a message; to be called from any SystemC process (a workload calls traffic_port::send()
    /// instead). The message is in its source's NIC from the next cycle on, so that the order of processes
    /// within a cycle makes no difference. A wrong node or class, no flits, or bridge_tag in the tag is a
    /// report "/sare/send", a message after the end of the run one "/sare/finished"; the message is then not
    /// sent.
    void send(const message& m);
    /// Sends a message of the bridge: sets bridge_tag, and sets message::generated to the cycle of `when`; a
    /// time that is over counts as the present time. The message is in its source's NIC from the cycle after
    /// that on. Errors are reported as by send(); without a bridge it is a report "/sare/send".
    void send_for_bridge(const message& m, const sc_core::sc_time& when = sc_core::sc_time_stamp());
    /// Makes sure that the engine runs cycle `at`, or the first later cycle that has not been run. Does
    /// nothing after the end of the run.
    void work_at(cycle_t at);
    /// @name Reset: at the beginning of the next cycle, from any process at any time
    /// Packets and messages are dropped with cause "reset", and their workload (or bridge) is told. Messages
    /// sent in the present cycle come after the reset. A reset that is not possible (see reports.h) is a
    /// report "/sare/reset", a reset after the end of the run a report "/sare/finished"; nothing is done.
    /// @{
    void reset();  ///< drops all packets and queued messages; counters keep their values
    /// Resets one router, and drops the packets that network_reset::router() says.
    void reset(const router& r);
    /// Resets one NIC, and drops the packets and messages that network_reset::nic() says.
    void reset(const nic& n);
    /// @}
    /// Wakes link `id` up (`up`), or lets it sleep, from the next cycle on. `id`: number among the links that
    /// can sleep, see network_view::sleeper_number(). An unknown number is a report "/sare/power", an order
    /// after the end of the run a report "/sare/finished".
    void set_power(std::uint32_t id, bool up);
    /// Runs all cycles before `end`; SystemC's time is then the begin of cycle `end`, or earlier if sc_stop()
    /// was called. If `end` has begun, the time stays. An `end` beyond the end of SystemC's time is a report
    /// "/sare/engine". If the simulation has no processes but the engine's, SystemC's time stands still
    /// meanwhile and moves at the end, as the kernel takes 500 instructions a cycle. If a cycle has thrown an
    /// exception, which stops the engine, run_until() throws this exception again.
    void run_until(cycle_t end) override;
    /// Tells the engine that sc_main does not read or change the network before time `end`, which must not be
    /// before the end of the next sc_start() (sc_max_time() before an sc_start() without a duration). The
    /// engine may then run cycles that call nothing outside of the network without the kernel. run_until()
    /// needs no such promise. The promise is not checked; without a call there is none.
    void set_horizon(const sc_core::sc_time& end) { m_horizon = end; }
    /// Number of flits that a router has sent by an output VC since the start, modulo 2^32; for a foreign
    /// router, number of flits that the link at that output has taken. An unknown number throws
    /// std::out_of_range; an unknown VC of a foreign router gives 0.
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override;

    /// @name The rest of network_engine
    /// @{
    const counted_network& counters() const override;
    void set_seed(std::uint64_t seed) override;
    void set_observer(observer* o) override;
    void add_observer(observer& o) override;
    void remove_observer(const observer& o) override;
    std::vector<std::string> observe_flits(flit_observer& o) override;
    cycle_t next_work(cycle_t t) const override;
    bool has_contention() const override { return true; }
    std::string describe_standstill() const override;
    void serialize(archive& a) override;
    /// @}

    /// @name Checkpoints (docs/checkpoint.md): from sc_main, between two sc_start() or run_until()
    /// @{
    /// Writes the network, its messages and its workload to `to`; write errors are left to the state of the
    /// stream. `config`: a text of your own, which restore() must get again. State that cannot be written is
    /// a report "/sare/checkpoint", and nothing is written.
    void save(std::ostream& to, const std::string& config = "");
    /// Reads what save() wrote into a network that was built alike by the same program and whose workload is
    /// set. SystemC's time goes on to the cycle of the checkpoint, which must not be over. A checkpoint that
    /// does not fit is a report "/sare/checkpoint"; if that is found before its state is read, nothing is
    /// changed.
    void restore(std::istream& from, const std::string& config = "");
    /// @}

  protected:
    void end_of_elaboration() override;

  private:
    void go_on_to(cycle_t t, const engine_clock& clock);
    std::string build_text(const std::string& config) const;
    void serialize_here(archive& a);
    std::string why_unwritable() const;

    void notify_at(sc_core::sc_event& event, cycle_t at);
    void cancel_work();
    void run();
    void post(const message& m, cycle_t at, const sc_core::sc_time& when);
    void renumber_later();
    void post_order(posted::kind what, std::uint32_t id);
    void post_reset(posted::kind what, std::uint32_t id, const std::string& obstacle);
    void refuse_foreign(const sc_core::sc_module& block) const;
    void refuse_bridge_of_several() const;
    void carry_out(const posted& p, cycle_t now);
    std::string wrong_with(const message& m, bool of_bridge) const;
    bool is_over() const;  ///< true if workload, network and bridge are at their end
    void note_end(cycle_t t);
    void finish_together();
    /// Calls `cycle()`. An exception stops the engine: see fail().
    template <class Cycle>
    void guarded(const Cycle& cycle) {
        try {
            cycle();
        } catch (const std::exception&) {
            fail();
        }
    }
    void fail();                  ///< stops the engine by the exception being handled
    void run_cycle(cycle_t t);    ///< runs cycle `t`
    void run_ahead(cycle_t end);  ///< runs cycles before `end`, ahead of SystemC's time
    bool may_lag(cycle_t t, cycle_t next);
    bool may_wait(posted& p);
    bool pass_until(cycle_t end, cycle_t next);
    cycle_t first_call_by(posted& p);
    void lag_until(cycle_t due);
    void pass();
    void stop_lagging();
    void run_late(cycle_t end);
    void run_to(cycle_t end);
    void catch_up() override;  ///< see lagging_engine
    void end_lag() override;
    cycle_t run_unseen(cycle_t next);
    void wait_until(cycle_t end);
    bool check_period(const sc_core::sc_time& period) const;  ///< false, with a report, if it is 0
    bool is_alone();
    cycle_t next_after(cycle_t t);
    void hand_in(cycle_t now);
    cycle_t last_cycle() const;  ///< last cycle that begins before SystemC's time ends
    /// Throws the exception that stopped the engine in a cycle; does nothing if there was none. (sc_main also
    /// gets it from sc_start(), as the sc_report that names the engine.)
    void rethrow_failure() const;

    const std::unique_ptr<fabric> m_fabric;         ///< routers, links and NICs
    const std::unique_ptr<engine_wiring> m_wiring;  ///< register of the modules
    /// Counters over all processes that run the network; null: this is the only one.
    std::unique_ptr<counted_network> m_of_all;
    engine_clock m_clock;                                      ///< clock of the cycles
    const sc_core::sc_time& m_now = sc_core::sc_time_stamp();  ///< present time: the kernel's variable
    struct {
        sc_core::sc_event event{"next"};
        cycle_t at = workload::never;    ///< cycle for which `event` is notified; never: it is not notified
    } m_next;                            ///< notification for the next call of run()
    sc_core::sc_event m_period_changed;  ///< event of period_changed()
    workload* m_workload = nullptr;      ///< workload, not owned; null: none is set
    workload* m_bridge = nullptr;        ///< bridge, not owned; null: none is set
    posted_queue m_posted;     ///< messages, resets and link orders that are carried out in a later cycle
    cycle_t m_next_cycle = 0;  ///< first cycle that has not been run
    cycle_t m_due = workload::never;  ///< next cycle with work, as far as is known
    /// Cycle that is being run before or after its time in SystemC; else none.
    std::optional<cycle_t> m_ahead;
    sc_core::sc_time m_horizon;  ///< time given to set_horizon()
    sc_core::sc_time m_until;    ///< time at which run_until() ends
    /// State of the lag of the network.
    struct {
        bool behind = false;                   ///< true: the network lags; cycles before m_due are run later
        sc_core::sc_event passing{"passing"};  ///< keeps SystemC's time going until nothing moves any more
        cycle_t passes = workload::never;      ///< cycle for which `passing` is notified; never: it is not
        cycle_t passed = workload::never;      ///< `passes`, once that cycle has begun
    } m_lag;
    bool m_stepping = false;    ///< true: a cycle is being run
    bool m_restores = false;    ///< true: restore() moves SystemC's time on, so that run() must do nothing
    bool m_running = false;     ///< true: run_until() waits for SystemC's time
    std::size_t m_objects = 0;  ///< number of top-level objects when `m_alone` was found out
    bool m_alone = false;       ///< true: the simulation has no processes but the engine's
    bool m_stop_when_finished = false;  ///< argument of set_workload()
    bool m_finished = false;
    cycle_t m_finished_at = 0;
    bool m_over = false;           ///< true: workload and network are at their end, in this process
    std::exception_ptr m_failure;  ///< exception that stopped the engine; null: none
};

}  // namespace sare
