// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/systemc/systemc_support.h"

#include <gtest/gtest.h>

#include <map>

/// Blocks that are not ours, on our sockets by plain TLM calls.
namespace sare::test::systemc_foreign_test {
namespace {

constexpr double cycle_ns = 1;

/// When within a cycle a foreign process runs: with the engine's, some deltas after it, or well after it.
/// `ahead`: it makes the engine run after it in the same cycle, where the engine would not have run in it at
/// all.
enum class moment { first, deltas_later, end_of_cycle, ahead };
constexpr moment moments[] = {moment::first, moment::deltas_later, moment::end_of_cycle, moment::ahead};

struct foreign_port : public sc_core::sc_module, public flit_fw_if, public flit_bw_if {
    explicit foreign_port(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), out("out"), in("in") {
        out.bind(*this);
        in.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_fw(flit_payload& p, flit_phase&, sc_core::sc_time&) override {
        on_flit(p.data, *p.header);
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(flit_payload& p, flit_phase&, sc_core::sc_time&) override {
        on_credit(p.data.vc);
        return tlm::TLM_ACCEPTED;
    }
    void send(const flit& f) {
        flit_payload p{f};
        flit_phase phase = flit_phase::flit;
        sc_core::sc_time now = sc_core::SC_ZERO_TIME;
        out->nb_transport_fw(p, phase, now);
    }
    void credit(std::uint32_t vc) {
        flit_payload p;
        p.data.vc = static_cast<std::uint8_t>(vc);
        flit_phase phase = flit_phase::credit;
        sc_core::sc_time now = sc_core::SC_ZERO_TIME;
        in->nb_transport_bw(p, phase, now);
    }
    flit_port port() { return {out, in}; }

    flit_initiator_socket out;
    flit_target_socket in;
    std::function<void(const flit&, const packet&)> on_flit = [](const flit&, const packet&) {};
    std::function<void(std::uint32_t)> on_credit = [](std::uint32_t) {};
};

/// Does things at given cycles, in its own process.
struct actor : public sc_core::sc_module {
    actor(const sc_core::sc_module_name& name, cycle_engine& e, moment m)
        : sc_core::sc_module(name), engine(e), when(m) {
        SC_HAS_PROCESS(actor);
        SC_THREAD(run);
    }
    void run() {
        for (auto& [at, what] : plan) {
            const double due = static_cast<double>(at) * cycle_ns + (when == moment::end_of_cycle ? 0.9 : 0);
            const sc_core::sc_time t(due, sc_core::SC_NS);
            if (t > sc_core::sc_time_stamp()) wait(t - sc_core::sc_time_stamp());
            if (when == moment::deltas_later)
                for (int k = 0; k < 4; ++k) wait(sc_core::SC_ZERO_TIME);
            what();
            if (when == moment::ahead) engine.work_at(engine.cycle());
        }
    }
    cycle_engine& engine;
    moment when;
    std::multimap<cycle_t, std::function<void()>> plan;
};

/// Two nodes; router 1 is a probe. Its NIC makes packets for node 0, which the probe keeps and sends when it
/// likes.
struct probed {
    static constexpr std::uint32_t latency = 3;

    probed(const std::string& name, moment m, const router_params& params = {})
        : net(name, 2, 1, params, 1, latency, 1, [](std::uint32_t r) { return r == 0; }),
          network(((name + "_probe_network").c_str())),
          node((name + "_probe_node").c_str()),
          process((name + "_process").c_str(), net.engine, m) {
        net.link_up(name + "_cut", net.routers[0]->port(0), network.port(), latency);
        net.link_up(name + "_node", node.port(), net.nics[1].port(), 1);
        node.on_flit = [this](const flit& f, const packet&) {
            kept.push_back(f);
            node.credit(f.vc);
        };
        network.on_credit = [this](std::uint32_t) { credits.push_back(net.engine.cycle()); };
        network.on_flit = [this](const flit& f, const packet&) {
            arrived.emplace_back(net.engine.cycle(), f);
        };
    }
    void start() {
        net.engine.net().stepper().set_observer(&log);
        net.engine.set_workload(traffic);
    }
    std::vector<cycle_t> consumed_at(std::uint32_t at_node) const {
        std::vector<cycle_t> all;
        for (const auto& l : log.lines)
            if (l[0] == 1 && l[2] == at_node) all.push_back(l[1]);
        return all;
    }
    void send_kept(std::size_t k, std::uint32_t vc) {
        kept[k].vc = static_cast<std::uint8_t>(vc);
        network.send(kept[k]);
    }

    hand_mesh net;
    foreign_port network, node;
    actor process;
    script traffic;
    packet_records log;
    std::vector<flit> kept;
    std::vector<cycle_t> credits;
    std::vector<std::pair<cycle_t, flit>> arrived;
};

TEST(SystemcForeign, CountsFlitsOfAForeignRouterAtItsLinks) {
    probed m("m", moment::first);
    for (cycle_t at : {10, 11, 12}) m.traffic.add(at, 1, 0, 1);
    m.process.plan.emplace(30, [&] { m.send_kept(0, 1); });
    m.process.plan.emplace(31, [&] { m.send_kept(1, 2); });
    m.process.plan.emplace(32, [&] { m.send_kept(2, 1); });
    m.start();
    m.net.engine.run_until(200);
    EXPECT_EQ(m.consumed_at(0).size(), 3U);
    EXPECT_EQ(m.net.engine.flits_sent(1, 1, 1), 2U);
    EXPECT_EQ(m.net.engine.flits_sent(1, 1, 2), 1U);
    EXPECT_EQ(m.net.engine.flits_sent(1, 4, 0), 0U);
    EXPECT_EQ(m.net.engine.flits_sent(0, 4, 1) + m.net.engine.flits_sent(0, 4, 2) +
                  m.net.engine.flits_sent(0, 4, 0) + m.net.engine.flits_sent(0, 4, 3),
              3U);
}

TEST(SystemcForeign, DelaysFlitsAndCreditsByTheLink) {
    const std::vector<cycle_t> sent{100, 101, 102, 103, 150, 9000, 1000000, 1000001};
    const router_params params;
    std::deque<probed> all;
    for (const moment m : moments) {
        probed& p = all.emplace_back("m" + std::to_string(static_cast<int>(m)), m);
        for (std::size_t k = 0; k < sent.size(); ++k) {
            p.traffic.add(k * 2, 1, 0, 1);
            p.process.plan.emplace(sent[k], [&p, k] { p.send_kept(k, k % 4); });
        }
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& p : all) p.start();
    sc_core::sc_start(2, sc_core::SC_MS);
    const std::uint32_t to_grant = params.rc_delay + params.va_delay;
    const std::uint32_t onward = to_grant + params.sa_delay + params.st_delay + 1;
    for (const auto& p : all) {
        std::vector<cycle_t> flits, credits;
        for (const cycle_t t : sent) {
            flits.push_back(t + probed::latency + onward);
            credits.push_back(t + probed::latency + to_grant + probed::latency);
        }
        EXPECT_EQ(p.consumed_at(0), flits) << p.process.name();
        EXPECT_EQ(p.credits, credits) << p.process.name();
        EXPECT_EQ(p.net.engine.net().view().leftovers(), "");
    }
}

/// A router of one-flit buffers sends the next flit only when the probe has given the credit.
TEST(SystemcForeign, DelaysCreditsToOurRouterByTheLink) {
    router_params params;
    params.vcs = 1;
    params.depth = 1;
    std::deque<probed> all;
    const std::vector<cycle_t> given{50, 51 + 20, 5000, 800000};
    for (const moment m : moments) {
        probed& p = all.emplace_back("m" + std::to_string(static_cast<int>(m)), m, params);
        for (std::size_t k = 0; k < 5; ++k) p.traffic.add(0, 0, 1, 1);
        for (const cycle_t t : given) p.process.plan.emplace(t, [&p] { p.network.credit(0); });
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& p : all) p.start();
    sc_core::sc_start(1, sc_core::SC_MS);
    for (const auto& p : all) {
        std::vector<cycle_t> expected{nic_params{}.delay + 1 + 4 + probed::latency}, seen;
        for (const cycle_t t : given)
            expected.push_back(t + probed::latency + params.credit_delay + params.sa_delay + params.st_delay +
                               probed::latency);
        for (const auto& [at, f] : p.arrived) seen.push_back(at);
        EXPECT_EQ(seen, expected) << p.process.name();
    }
}

/// A message that a process sends in cycle t leaves the NIC in t + 1, whichever process ran first.
TEST(SystemcForeign, SendsMessagesOfAnyProcessInTheNextCycle) {
    std::deque<hand_mesh> nets;
    std::deque<actor> actors;
    std::deque<packet_records> logs;
    const std::vector<cycle_t> sent{10, 11, 500, 70000};
    for (const moment m : moments) {
        const std::string name = "m" + std::to_string(static_cast<int>(m));
        hand_mesh& net = nets.emplace_back(name, 2, 1, router_params{});
        net.engine.net().stepper().set_observer(&logs.emplace_back());
        actor& a = actors.emplace_back((name + "_process").c_str(), net.engine, m);
        for (const cycle_t t : sent)
            a.plan.emplace(t, [&net, t] {
                sare::message what;
                what.destination = 1;
                what.generated = t;
                net.engine.send(what);
            });
    }
    sc_core::sc_start(100, sc_core::SC_US);
    for (std::size_t k = 0; k < logs.size(); ++k) {
        std::vector<cycle_t> injected;
        for (const auto& l : logs[k].lines)
            if (l[0] == 0) injected.push_back(l[1]);
        EXPECT_EQ(injected, (std::vector<cycle_t>{11, 12, 501, 70001})) << actors[k].name();
        EXPECT_EQ(nets[k].engine.net().view().leftovers(), "");
    }
}

/// Store-and-forward with one VC, written without a look at ours: what came in one cycle is used from the
/// next one on.
class foreign_router : public sc_core::sc_module {
  public:
    enum side { east, west, local };

    foreign_router(const sc_core::sc_module_name& name, cycle_engine& engine, moment m, bool clocked)
        : sc_core::sc_module(name), m_engine(engine), m_moment(m), m_wake("wake") {
        SC_HAS_PROCESS(foreign_router);
        for (int s = 0; s < 3; ++s) {
            foreign_port& p = m_ports.emplace_back(("side" + std::to_string(s)).c_str());
            p.on_flit = [this, s](const flit& f, const packet& h) {
                m_arrivals.push_back({m_engine.cycle(), s, f, h.route.destination});
                wake();
            };
            p.on_credit = [this, s](std::uint32_t) {
                m_credit_arrivals.emplace_back(m_engine.cycle(), s);
                wake();
            };
        }
        SC_METHOD(run);
        dont_initialize();
        if (clocked) {
            m_clock.emplace("clock", cycle_ns, sc_core::SC_NS);
            sensitive << m_clock->posedge_event();
        } else {
            sensitive << m_wake;
        }
    }
    flit_port port(side s) { return m_ports[s].port(); }

  private:
    struct arrival {
        cycle_t at;
        int from;
        flit f;
        std::uint32_t destination;
    };

    void wake() {
        const double end = m_moment == moment::end_of_cycle ? 0.9 : 0;
        const sc_core::sc_time due(static_cast<double>(m_engine.cycle() + 1) * cycle_ns + end,
                                   sc_core::SC_NS);
        m_wake.notify(due - sc_core::sc_time_stamp());
    }
    void run() {
        if (m_moment == moment::deltas_later && m_deltas++ % 3 != 2)
            return next_trigger(sc_core::SC_ZERO_TIME);
        const cycle_t now = m_engine.cycle();
        for (; !m_arrivals.empty() && m_arrivals.front().at < now; m_arrivals.pop_front()) {
            const arrival a = m_arrivals.front();
            m_queues[a.from].push_back(a);
            if (a.f.is_tail()) ++m_whole[a.from];
            if (a.from == local) m_ports[local].credit(0);
        }
        for (; !m_credit_arrivals.empty() && m_credit_arrivals.front().first < now;
             m_credit_arrivals.pop_front())
            ++m_credits[m_credit_arrivals.front().second];
        for (int out = 0; out < 3; ++out) send(out);
        if (!m_arrivals.empty() || !m_credit_arrivals.empty() || m_whole[0] + m_whole[1] + m_whole[2] != 0)
            wake();
        if (m_moment == moment::ahead) m_engine.work_at(now);
    }
    void send(int out) {
        for (int k = 0; m_source[out] < 0 && k < 3; ++k) {
            if (m_whole[k] == 0 || m_queues[k].empty() || !m_queues[k].front().f.is_head()) continue;
            const std::uint32_t d = m_queues[k].front().destination;
            if ((d > 1 ? east : d < 1 ? west : local) == out) m_source[out] = k;
        }
        const int from = m_source[out];
        if (from < 0 || m_credits[out] == 0) return;
        --m_credits[out];
        const flit f = m_queues[from].front().f;
        m_queues[from].pop_front();
        m_ports[out].send(f);
        if (from != local) m_ports[from].credit(0);
        if (!f.is_tail()) return;
        --m_whole[from];
        m_source[out] = -1;
    }

    cycle_engine& m_engine;
    moment m_moment;
    sc_core::sc_event m_wake;
    std::optional<sc_core::sc_clock> m_clock;
    std::deque<foreign_port> m_ports;
    std::deque<arrival> m_arrivals;
    std::deque<std::pair<cycle_t, int>> m_credit_arrivals;
    std::deque<arrival> m_queues[3];
    int m_whole[3] = {}, m_source[3] = {-1, -1, -1};
    int m_credits[3] = {8, 8, 8};
    unsigned m_deltas = 0;
};

struct mixed {
    mixed(const std::string& name, moment m, bool clocked, const router_params& params)
        : net(name, 3, 1, params, 1, 2, 5, [](std::uint32_t r) { return r != 1; }),
          middle((name + "_foreign").c_str(), net.engine, m, clocked) {
        net.link_up(name + "_west", net.routers[0]->port(0), middle.port(foreign_router::west), 2);
        net.link_up(name + "_east", middle.port(foreign_router::east), net.routers[2]->port(1), 2);
        net.link_up(name + "_node", middle.port(foreign_router::local), net.nics[1].port(), 1);
    }
    hand_mesh net;
    foreign_router middle;
    packet_records log;
    std::unique_ptr<workload> traffic;
};

TEST(SystemcForeign, RunsAForeignRouterWhateverItsProcessDoes) {
    router_params params;
    params.vcs = 1;
    std::deque<mixed> all;
    for (const moment m : moments)
        all.emplace_back("m" + std::to_string(static_cast<int>(m)), m, false, params);
    all.emplace_back("clocked", moment::first, true, params);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& m : all) {
        m.net.engine.net().stepper().set_observer(&m.log);
        m.traffic =
            make_workload("bernoulli", 3, {{"load", "0.05"}, {"length", "3"}, {"stop_cycle", "20000"}});
        m.net.engine.set_workload(*m.traffic);
    }
    sc_core::sc_start(30, sc_core::SC_US);
    ASSERT_GT(all[0].log.lines.size(), 1500U);
    for (const auto& m : all) {
        EXPECT_EQ(m.net.engine.net().view().leftovers(), "") << m.middle.name();
        EXPECT_EQ(m.log.lines, all[0].log.lines) << m.middle.name();
    }
}

// ---- broken protocol -------------------------------------------------------------------------------------

/// The report when the probe does `what` at cycle 100; the network must run on and deliver what was right.
struct broken_protocol : public testing::Test {
    std::string report(const std::function<void(probed&)>& what) {
        router_params params;
        params.depth = 2;
        params.rc_delay = 10;  // credits come back late
        probed p("p", moment::first, params);
        for (int k = 0; k < 4; ++k) p.traffic.add(static_cast<cycle_t>(k) * 3, 1, 0, 1);
        p.traffic.add(20, 1, 0, 3);
        p.traffic.add(30, 0, 1, 1);
        p.process.plan.emplace(100, [&] { problem = report_of([&] { what(p); }); });
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        p.start();
        sc_core::sc_start(1, sc_core::SC_US);
        delivered = p.consumed_at(0).size();
        return problem;
    }
    std::string problem;
    std::size_t delivered = 0;
};

TEST_F(broken_protocol, IsReportedForAFlitWithoutACredit) {
    EXPECT_EQ(report([](probed& p) {
                  for (int k = 0; k < 3; ++k) {
                      p.send_kept(k, 1);
                      sc_core::wait(cycle_ns, sc_core::SC_NS);
                  }
              }),
              "p_probe_network sent into p_cut.backward: flit without a credit on VC 1");
    EXPECT_EQ(delivered, 2U);
}

TEST_F(broken_protocol, IsReportedForTwoFlitsInOneCycle) {
    EXPECT_EQ(report([](probed& p) {
                  p.send_kept(0, 1);
                  p.send_kept(1, 2);
              }),
              "p_probe_network sent into p_cut.backward: second flit on VC 2 while the link is busy with the "
              "first");
    EXPECT_EQ(delivered, 1U);
}

TEST_F(broken_protocol, IsReportedForAVcThatDoesNotExist) {
    EXPECT_EQ(report([](probed& p) { p.send_kept(0, 4); }),
              "p_probe_network sent into p_cut.backward: flit on VC 4 of 4");
}

TEST_F(broken_protocol, IsReportedForABodyWithoutAHead) {
    EXPECT_EQ(report([](probed& p) { p.send_kept(5, 0); }).substr(0, 51),
              "p_probe_network sent into p_cut.backward: flit 1 of");
    EXPECT_EQ(delivered, 0U);
}

TEST_F(broken_protocol, IsReportedForMixedPackets) {
    EXPECT_NE(report([](probed& p) {
                  p.send_kept(4, 0);
                  sc_core::wait(cycle_ns, sc_core::SC_NS);
                  p.send_kept(0, 0);
              }).find("out of place"),
              std::string::npos);
}

TEST_F(broken_protocol, IsReportedForACreditTooMany) {
    EXPECT_EQ(report([](probed& p) {
                  p.network.credit(p.arrived.at(0).second.vc);
                  sc_core::wait(cycle_ns, sc_core::SC_NS);
                  p.network.credit(p.arrived.at(0).second.vc);
              }),
              "p_probe_network sent into p_cut.forward: credit for VC 0, which had none outstanding");
}

TEST_F(broken_protocol, IsReportedForAnAnnotatedDelay) {
    EXPECT_EQ(report([](probed& p) {
                  flit_payload payload{p.kept[0]};
                  flit_phase phase = flit_phase::flit;
                  sc_core::sc_time later(3, sc_core::SC_NS);
                  p.network.out->nb_transport_fw(payload, phase, later);
              }),
              "p_probe_network sent into p_cut.backward: annotated delay; call in the cycle itself");
}

}  // namespace
}  // namespace sare::test::systemc_foreign_test
