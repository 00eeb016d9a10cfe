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

/// Runs the network: one process moves all routers, links and NICs, a cycle at a time, jumping over the
/// cycles in which nothing can happen. What the network is made of registers in its engine_wiring.
///
/// As long as no message can arrive (arrival_bounds) the process sleeps, and the network *lags behind*: its
/// cycles are run when the first one may, or before somebody looks (engine_lag.cpp).
class cycle_engine : public sc_core::sc_module, public network_engine, private lagging_engine {
  public:
    using own_vcs_list = std::vector<std::uint32_t>;
    /// All routers of a network have `vcs` virtual channels a port, shared out among `classes` message
    /// classes: `vcs` 1 to 16, a multiple of `classes`; else a report "/sare/config". A `period` that
    /// SystemC's time resolution makes nothing of is a report. `own`: VCs of each class alone, see class_vcs;
    /// none: equal shares.
    cycle_engine(const sc_core::sc_module_name& name, std::uint32_t vcs, std::uint32_t classes = 1,
                 std::uint64_t seed = 1, const sc_core::sc_time& period = sc_core::sc_time(1, sc_core::SC_NS),
                 const own_vcs_list& own = {});
    ~cycle_engine() override;

    const char* kind() const override { return "sare::cycle_engine"; }
    /// Name, kind and the cycle and what is in the network.
    void dump(std::ostream& out = std::cout) const override;

    /// To look inside (tlm/fabric/fabric.h), and for observers; what is to run is given to the engine, which
    /// would sleep otherwise.
    fabric& net() {
        if (m_lag.behind) end_lag();
        return *m_fabric;
    }
    const fabric& net() const { return *m_fabric; }
    /// What the network is made of (tlm/systemc/engine_wiring.h): before elaboration ends.
    engine_wiring& wiring() { return *m_wiring; }
    /// Of the present cycle.
    sc_core::sc_time period() const { return m_clock.period_of(cycle()); }
    /// The cycle that the present time lies in.
    cycle_t cycle() const override { return m_ahead ? *m_ahead : m_clock.cycle_at(m_now); }
    /// From the next cycle on (before the simulation starts: from cycle 0 on), at any time, from any process;
    /// of several in one cycle the last one holds. The numbers of cycles go on; what is counted in cycles
    /// stays as many. A `period` that SystemC's time resolution makes nothing of is a report.
    void set_period(const sc_core::sc_time& period);
    /// set_period() has been called: blocks with a clock of their own follow from the next cycle on.
    const sc_core::sc_event& period_changed() const { return m_period_changed; }
    /// Which cycle a time lies in, the present one or a later one, and when a cycle begins: as far as is
    /// known of the period.
    const engine_clock& clock() const { return m_clock; }

    /// See network_builder::set_world().
    void set_world(world& all, partition_map ranks);
    /// The map and the routing function that the routers use; both outlive the engine. Needed before
    /// elaboration ends, when the links are held against the map.
    void set_routing(const topology& map, const routing_function& routing);
    /// Traffic, which starts with the current cycle, or the next one if that has been run: before the first
    /// cycle or in mid-run. Reports "/sare/traffic": a second call, traffic
    /// that needs more message classes or nodes than there are. One that comes too late for the traffic to
    /// send anything is a warning. `stop_when_finished`: run no further once the
    /// workload has finished, the network is empty and the bridge idle; finished_at() tells when. A message
    /// that is sent after that is a report.
    void set_workload(workload& w, bool stop_when_finished = false) override;
    bool finished() const override { return m_finished; }
    cycle_t finished_at() const override { return m_finished_at; }
    /// What is told of messages whose tag has bridge_tag set, whatever the workload: the memory map. An
    /// engine has one at the most, and none where several processes run its network: false, and a report.
    bool set_bridge(workload& w);
    static constexpr std::uint64_t bridge_tag = std::uint64_t{1} << 63;

    /// Sends a message from any process. It waits in its source's NIC from the next cycle on, so that it
    /// makes no difference which of the processes of this cycle runs first (within a workload:
    /// traffic_port::send()). A message that cannot be (its nodes, class or flits are none, its tag has
    /// bridge_tag) is a report, and is not sent.
    void send(const message& m);
    /// The same for the bridge, whose messages have bridge_tag and are generated now or at a later time,
    /// `when`, for which nobody need be woken. Without a bridge it is a report.
    void send_for_bridge(const message& m, const sc_core::sc_time& when = sc_core::sc_time_stamp());
    /// There is something in the fabric for cycle `at`, or the next one if that is over; the engine may sleep
    /// now.
    void work_at(cycle_t at);
    /// @name Reset: at the beginning of the next cycle, from any process at any time
    /// All packets in the network and all messages in source queues are dropped, their workload (or bridge)
    /// is told, with cause "reset"; then all is as it was after construction, but for what is counted. What
    /// is sent in this cycle comes after the reset. Of a block: those packets that network_reset::router()
    /// and nic() say; all else goes on. What cannot be reset is a report "/sare/reset", and nothing is
    /// done.
    /// @{
    void reset();
    void reset(const router& r);
    void reset(const nic& n);
    /// @}
    /// Link number `id` of those that can sleep (network_view::sleeper_number()) wakes up, or does sleep,
    /// from the next cycle on; see link. A number that none has is a report "/sare/power".
    void set_power(std::uint32_t id, bool up);
    /// Runs all cycles before `end`, which is a report if SystemC's time ends before it. Where the simulation
    /// has no process but the engine's, SystemC's time stands still until then: its kernel takes 500
    /// instructions a cycle.
    void run_until(cycle_t end) override;
    /// sc_main promises not to look at the network, nor to touch it, before `end`, which is not before the
    /// end of the next sc_start(); sc_max_time() before an sc_start() without a duration. The engine then
    /// runs cycles that call nothing outside of the network, up to the next thing that SystemC's kernel has
    /// to do, without the kernel. run_until() does that by itself.
    void set_horizon(const sc_core::sc_time& end) { m_horizon = end; }
    /// Flits that a router has sent by an output VC, modulo 2^32: of one that is not ours, those that its
    /// link has taken.
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
    /// Writes the network, what is on its way in it, and its workload. `config`: words of your own that must
    /// be the same at restore(). What cannot be written is a report, and nothing has been written.
    void save(std::ostream& to, const std::string& config = "");
    /// Reads what save() wrote into a network that is built alike, in the same program, and whose workload is
    /// set; SystemC's time goes on to the cycle of the checkpoint, which must not be over. What does not fit
    /// is a report, and nothing has been changed.
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
    bool is_over() const;
    void note_end(cycle_t t);
    void finish_together();
    /// What `cycle` throws stops the engine.
    template <class Cycle>
    void guarded(const Cycle& cycle) {
        try {
            cycle();
        } catch (const std::exception&) {
            fail();
        }
    }
    void fail();
    void run_cycle(cycle_t t);
    void run_ahead(cycle_t end);
    bool may_lag(cycle_t t, cycle_t next);
    bool may_wait(posted& p);
    bool pass_until(cycle_t end, cycle_t next);
    cycle_t first_call_by(posted& p);
    void lag_until(cycle_t due);
    void pass();
    void stop_lagging();
    void run_late(cycle_t end);
    void run_to(cycle_t end);
    void catch_up() override;
    void end_lag() override;
    cycle_t run_unseen(cycle_t next);
    void wait_until(cycle_t end);
    bool check_period(const sc_core::sc_time& period) const;
    bool is_alone();
    cycle_t next_after(cycle_t t);
    void hand_in(cycle_t now);
    cycle_t last_cycle() const;
    /// What a cycle threw, if anything: the engine stands still then. In sc_main it also comes out of
    /// sc_start(), as the sc_report that names the engine.
    void rethrow_failure() const;

    const std::unique_ptr<fabric> m_fabric;
    const std::unique_ptr<engine_wiring> m_wiring;
    std::unique_ptr<counted_network> m_of_all;  ///< where several processes run the network
    engine_clock m_clock;
    const sc_core::sc_time& m_now = sc_core::sc_time_stamp();  ///< where SystemC's kernel keeps it
    struct {
        sc_core::sc_event event{"next"};
        cycle_t at = workload::never;  ///< of which it is notified; never: it is not
    } m_next;                          ///< the cycle that is run next
    sc_core::sc_event m_period_changed;
    workload* m_workload = nullptr;
    workload* m_bridge = nullptr;
    posted_queue m_posted;            ///< by send() and reset()
    cycle_t m_next_cycle = 0;         ///< the first one that has not been run
    cycle_t m_due = workload::never;  ///< the next one that has work, as far as is known
    std::optional<cycle_t> m_ahead;   ///< the cycle that runs ahead of SystemC's time
    sc_core::sc_time m_horizon;       ///< see set_horizon()
    sc_core::sc_time m_until;         ///< the end of run_until()
    /// How the network lags behind.
    struct {
        bool behind = false;                   ///< cycles before `m_due` are run later
        sc_core::sc_event passing{"passing"};  ///< SystemC's time goes on until nothing moves any more
        cycle_t passes = workload::never;      ///< the cycle of that
        cycle_t passed = workload::never;      ///< the same, once it has begun
    } m_lag;
    bool m_stepping = false;    ///< a cycle is being run
    bool m_restores = false;    ///< SystemC's time goes on to that of a checkpoint
    bool m_running = false;     ///< run_until() waits for SystemC's time
    std::size_t m_objects = 0;  ///< at the top, when `m_alone` was found out
    bool m_alone = false;       ///< there is no other process
    bool m_stop_when_finished = false;
    bool m_finished = false;
    cycle_t m_finished_at = 0;
    bool m_over = false;  ///< as far as this process knows
    std::exception_ptr m_failure;
};

}  // namespace sare
