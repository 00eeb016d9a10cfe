// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/memory/memory_support.h"
#include "tlm/fabric/view/network_view.h"

#include <gtest/gtest.h>

#include <sstream>

/// Cycles that run without SystemC's kernel, ahead of its time or later, beside processes of the user's:
/// nothing may see it.
namespace sare::test::horizon_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// How sc_main runs the simulation.
enum class runs { by_kernel, lagging, watched_at_times, to_horizon, until, sliced, sliced_after_horizon };

/// Who looks at every cycle: each is run by the kernel when its time comes.
struct looks_always final : cycle_observer {
    void cycle_over(cycle_t) override {}
};

/// All that there is to see of a network of 3 x 3.
std::uint64_t digest_of(const network_view& v) {
    std::uint64_t sum = v.flits_injected() + 3 * v.flits_consumed() + 7 * v.messages_waiting();
    const auto mix = [&sum](std::uint64_t more) { sum = sum * 6364136223846793005 + more; };
    for (std::uint32_t r = 0; r < 9; ++r)
        for (std::uint32_t port = 0; port < 5; ++port)
            for (std::uint32_t vc = 0; vc < v.vcs() && v.depth_beyond(r, port) != 0; ++vc) {
                const in_vc in = v.in(r, port, vc);
                const out_vc out = v.out(r, port, vc);
                mix(in.count);
                if (in.count != 0) mix(v.buffered(r, port, vc, 0).packet);
                mix(in.out);
                mix(out.credits);
                mix(out.owner);
                mix(v.flits_sent(r, port, vc));
            }
    for (std::uint32_t n = 0; n < 9; ++n)
        for (std::uint32_t vc = 0; vc < v.vcs(); ++vc) mix(v.nic(n).vc_credits[vc]);
    return sum;
}

/// Writes down when anything is delivered, as SystemC's time has it.
struct told final : workload {
    explicit told(std::ostream& log) : m_log(log) {}
    void start(traffic_port& p) override { m_port = &p; }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        message m;
        m.source = static_cast<std::uint32_t>(now % 9);
        m.destination = 8 - m.source;
        m.flits = 1 + static_cast<std::uint32_t>(now % 5);
        m.generated = now;
        m_port->send(m);
        m_next = now > 6000 ? never : now + 41 + now % 60;
    }
    void delivered(const delivery& d) override {
        m_log << "delivered " << d.consumed << " at " << sc_core::sc_time_stamp() << '\n';
    }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    std::ostream& m_log;
    traffic_port* m_port = nullptr;
    cycle_t m_next = 7;
};

/// Initiators, a memory, traffic, and processes that look at the network and send, at times that are no
/// cycles' and at times that are.
struct platform {
    platform(std::uint64_t s, std::ostream& out, bool own = false)
        : log(out),
          seed(s),
          own_classes(own),
          of_memory(s, stream::test, 5),
          of_cpu(s, stream::test, 7),
          of_reader(s, stream::test, 8),
          of_orders(s, stream::test, 9),
          net("net", 3, 3, params_of(s), 2, 1 + s % 3, s),
          map(net.engine, {{0, 4096, 8}}),
          near("near", net.nics[0], map),
          middle("middle", net.nics[4], map),
          far("far", net.nics[8], map),
          memory("memory", 4096, [this] { return sc_time(1 + of_memory.below(40), SC_NS); }),
          cpu("cpu"),
          loose("loose"),
          traffic(out) {
        cpu.socket.bind(near.initiators);
        loose.socket.bind(own ? far.initiators : middle.initiators);
        far.memory.bind(memory.socket);
        cpu.body = [this](phase_initiator<>& self) {
            for (int k = 0; k < 60; ++k) {
                self.begin(self.pool.take(k % 3 == 0, 4 * of_cpu.below(64), 4 + of_cpu.below(60)));
                if (k % 4 == 0) sc_core::wait(sc_time(of_cpu.below(300), SC_NS));
            }
            self.finish();
        };
        cpu.on_response = [this](transaction& t) { note("response", t.get_address()); };
        loose.body = [this](phase_initiator<>&) { read(); };
        sc_core::sc_spawn([this] { look(); });
        if (s % 4 == 3) sc_core::sc_spawn([this] { change_clock(); });
        if (s % 4 == 2) sc_core::sc_spawn([this] { reset(); });
        if (s % 2 == 0) net.engine.net().builder().require_wide_routers();
    }
    static router_params params_of(std::uint64_t s) {
        router_params p;
        p.vcs = 4;
        if (s % 5 == 1) p.sa_delay = 2;
        if (s % 5 == 2) p.credit_batch = 4;
        return p;
    }

    void note(const char* what, std::uint64_t which) {
        log << what << ' ' << which << " at " << sc_core::sc_time_stamp() << " cycle " << net.engine.cycle()
            << '\n';
    }
    void read() {
        transaction_pool pool;
        access_options swapped;
        swapped.request_class = 1;
        swapped.response_class = 0;
        for (int k = 0; k < 40; ++k) {
            transaction& t = pool.take(false, 8 * of_reader.below(64), 8);
            sc_time delay(of_reader.below(20), SC_NS);
            if (own_classes && k >= 10 && k % 3 != 0) t.set_extension(&swapped);
            loose.socket->b_transport(t, delay);
            t.clear_extension(&swapped);
            t.release();
            note("read", static_cast<std::uint64_t>(k));
            const std::uint32_t pause = of_reader.below(400);
            sc_core::wait(own_classes ? sc_time(1 + pause % 8, SC_NS)
                                      : sc_time(pause, sc_core::SC_PS) + delay);
        }
    }
    void change_clock() {
        for (const int ps : {1500, 700, 2300, 1000}) {
            sc_core::wait(sc_time(1 + of_orders.below(900), SC_NS));
            net.engine.set_period(sc_time(ps, sc_core::SC_PS));
        }
    }
    void reset() {
        for (int k = 0; k < 3; ++k) {
            sc_core::wait(sc_time(1 + of_orders.below(900), SC_NS));
            net.engine.reset();
        }
    }
    void look() {
        rng times(seed, stream::test, 6);
        for (int k = 0; k < 60; ++k) {
            const bool between = times.bernoulli(0.5);
            sc_core::wait(between ? sc_time(1 + times.below(150000), sc_core::SC_PS)
                                  : sc_time(1 + times.below(150), SC_NS));
            const fabric& inside = net.engine.net();
            // At the beginning of a cycle it may have run or not: by nature of processes.
            if (net.engine.clock().begin_of(net.engine.cycle()) != sc_core::sc_time_stamp())
                log << "digest " << digest_of(inside.view()) << '\n'
                    << "counts " << inside.view().flits_injected() << ' ' << inside.view().flits_consumed()
                    << ' ' << inside.view().flits_sent(4) << ' ' << inside.view().flits_sent(0) << '\n';
            note("look", inside.view().messages().in_use());
            message m;
            m.source = times.below(9);
            m.destination = times.below(9);
            m.flits = 1 + times.below(8);
            m.generated = net.engine.cycle();
            net.engine.send(m);
        }
    }

    std::ostream& log;
    std::uint64_t seed;
    /// The loose reader is at the memory's node, and its later requests are of the class of responses.
    bool own_classes;
    /// Each process draws for itself: which of those of one time runs first is SystemC's affair.
    rng of_memory, of_cpu, of_reader, of_orders;
    hand_mesh net;
    memory_map map;
    memory_bridge near, middle, far;
    blocking_memory_model<> memory;
    phase_initiator<> cpu, loose;
    told traffic;
};

/// `end_of_time`: the same wherever time goes on until nothing moves any more; a horizon is there for it to
/// end sooner.
std::string log_of(std::uint64_t seed, runs how, std::uint64_t& deltas, std::string* end_of_time = nullptr,
                   annotates memory = annotates::even_calls, bool own_classes = false) {
    const std::string text = in_child([&] {
        std::ostringstream log, slices;
        platform p(seed, log, own_classes);
        p.memory.time_of = memory;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        if (seed % 3 != 0) p.net.engine.set_workload(p.traffic);
        constexpr cycle_t end = 20000;
        const bool sliced = how == runs::sliced || how == runs::sliced_after_horizon;
        if (how == runs::to_horizon || how == runs::sliced_after_horizon)
            p.net.engine.set_horizon(sc_core::sc_max_time());
        looks_always all;
        if (how == runs::by_kernel) p.net.engine.net().stepper().add_observer(all);
        network_stepper& stepper = p.net.engine.net().stepper();  // kept, as a packet_trace does
        for (int k = 0; how == runs::watched_at_times && k < 20; ++k) {
            sc_core::sc_start(sc_time(333, SC_NS));
            k % 2 == 0 ? stepper.add_observer(all) : stepper.remove_observer(all);
        }
        if (how == runs::until) p.net.engine.run_until(end);
        for (cycle_t t = 777; sliced && t < end; t += 777) {
            p.net.engine.run_until(t);
            slices << p.net.engine.net().view().flits_injected() << ' ';
        }
        sc_core::sc_start();
        log << p.net.engine.net().view().leftovers();
        const memory_counts& held = p.far.memory_counts_of(0);
        log << "held " << held.accesses << ' ' << held.most_held << ' ' << held.most_at_once << '\n';
        const std::string ended = sc_core::sc_time_stamp().to_string();
        if (sliced) log << "slices " << slices.str();
        log << "ended " << ended << " deltas " << sc_core::sc_delta_count();
        return log.str();
    });
    const auto at = text.rfind("deltas "), over = text.rfind("ended ");
    if (at == std::string::npos) throw std::runtime_error(text);
    deltas = std::stoull(text.substr(at + 7));
    if (end_of_time != nullptr) *end_of_time = text.substr(over, at - over);
    return text.substr(0, over);
}

TEST(Horizon, HidesCyclesThatRunWithoutTheKernel) {
    std::uint64_t by_kernel = 0, ahead = 0, without_traffic = 0, late = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        std::uint64_t deltas = 0;
        std::string end_by_kernel, end;
        const std::string expected = log_of(seed, runs::by_kernel, deltas, &end_by_kernel);
        EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 150);
        by_kernel += deltas;
        if (seed % 3 == 0) without_traffic += deltas;
        EXPECT_EQ(log_of(seed, runs::lagging, deltas, &end), expected) << "seed " << seed;
        EXPECT_EQ(end, end_by_kernel) << "seed " << seed;
        if (seed % 3 == 0) {
            late += deltas;
            EXPECT_EQ(log_of(seed, runs::watched_at_times, deltas), expected) << "seed " << seed;
        }
        EXPECT_EQ(log_of(seed, runs::to_horizon, deltas), expected) << "seed " << seed;
        ahead += deltas;
        EXPECT_EQ(log_of(seed, runs::until, deltas), expected) << "seed " << seed;
        const std::string sliced = log_of(seed, runs::sliced, deltas);
        EXPECT_EQ(sliced.substr(0, sliced.find("slices")), expected) << "seed " << seed;
        EXPECT_EQ(log_of(seed, runs::sliced_after_horizon, deltas), sliced) << "seed " << seed;
    }
    EXPECT_LT(2 * ahead, by_kernel) << "most cycles need no kernel";
    EXPECT_LT(2 * late, without_traffic) << "nor do they where the network lags behind";
}

/// The response of a memory that annotates its time is posted ahead, that of one that waits when it is due.
TEST(Horizon, TreatsAnnotatedTimeLikeWaitedTime) {
    std::uint64_t waits = 0, annotates_all = 0;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        std::uint64_t deltas = 0;
        std::string end, expected_end;
        const std::string expected = log_of(seed, runs::lagging, deltas, &expected_end, annotates::none);
        waits += deltas;
        EXPECT_EQ(log_of(seed, runs::lagging, deltas, &end, annotates::all), expected) << "seed " << seed;
        annotates_all += deltas;
        EXPECT_EQ(end, expected_end) << "seed " << seed;
    }
    EXPECT_LT(annotates_all, waits);
}

/// From the first access with classes of its own on, none is posted ahead; what has been is on its way.
TEST(Horizon, AllowsOwnClassesBesidePostedResponses) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        std::uint64_t deltas = 0;
        const std::string waited = log_of(seed, runs::lagging, deltas, nullptr, annotates::none, true);
        EXPECT_GT(std::count(waited.begin(), waited.end(), '\n'), 150);
        EXPECT_EQ(log_of(seed, runs::lagging, deltas, nullptr, annotates::all, true), waited)
            << "seed " << seed;
        EXPECT_EQ(log_of(seed, runs::by_kernel, deltas, nullptr, annotates::all, true), waited)
            << "seed " << seed;
    }
}

}  // namespace
}  // namespace sare::test::horizon_test
