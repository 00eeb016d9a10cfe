// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/network_parts.h"
#include "cosim/axi/random/end_modules.h"
#include "tb/examples/axi_mesh/noise.h"
#include "tests/support/modules_speak.h"
#include "tlm/axi/axi_bridge.h"  // a program may have both: what they say of AXI4 is one
#include "tlm/axi/checker.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"
#include "tlm/router/vc/params.h"

#include <gtest/gtest.h>

#include <deque>

/// AXI managers and memories across real networks: bridges in lock step, NICs in RTL, a checker at every
/// port.
namespace sare::axi::axi_network_test {
namespace {

struct setting {
    const char* name;
    const char* yaml;
    std::vector<std::uint32_t> managers, memories;  ///< nodes
    std::uint32_t request_classes = 1;
    bool keeps_order = false;
    std::uint32_t data_width = 64, flit_width = 64, max_beats = 16;
    bool intrudes = false;  ///< all nodes have that load
    double load = 0.2;      ///< of the other nodes

    friend std::ostream& operator<<(std::ostream& to, const setting& s) { return to << s.name; }
};

constexpr std::uint64_t region_bytes = 0x10000;

class system_of {
  public:
    explicit system_of(const setting& s, bridge_kind kind = bridge_kind::lockstep)
        : m_experiment(experiment::read(config::parse_document(std::string(s.yaml) + "cosim: {flit_width: " +
                                                                   std::to_string(s.flit_width) + "}\n",
                                                               s.name),
                                        "")),
          m_parts(m_experiment, cosim::rtl_speed::quick) {
        manager.widths.data_width = s.data_width;
        manager.widths.flit_width = s.flit_width;
        manager.widths.request_classes = s.request_classes;
        manager.keeps_order = s.keeps_order;
        manager.max_beats = s.max_beats;
        manager.map.clear();
        for (std::size_t k = 0; k < s.memories.size(); ++k)
            manager.map.push_back({k * region_bytes, (k + 1) * region_bytes - 1, s.memories[k]});
        subordinate.widths = manager.widths;
        subordinate.max_beats = s.max_beats;
        for (const std::uint32_t n : s.managers) m_parts.add_manager(n, manager, kind);
        for (const std::uint32_t n : s.memories) m_parts.add_subordinate(n, subordinate, kind);
        m_net = std::make_unique<network>("net", m_experiment, s.request_classes + 1, network::most_bound,
                                          m_parts.maker());
        m_clock = std::make_unique<sc_core::sc_clock>("clock", period(), 0.5, period() / 2);
        std::vector<std::uint32_t> others;
        for (std::uint32_t n = 0; n < m_net->map().nodes(); ++n) add_node(s, n, others);
        m_noise = std::make_unique<examples::noise>(others, s.load);
    }

    void start() {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        m_net->engine().set_workload(*m_noise);
    }

    void run(std::uint64_t cycles) { sc_core::sc_start(static_cast<double>(cycles) * period()); }
    void close() {
        for (auto& m : managers) m.closing = true;
        for (std::uint64_t t = 0; t < 100000 && !idle(); t += 100) run(100);
    }
    bool idle() const {
        for (const auto& m : managers)
            if (!m.manager.idle()) return false;
        for (const auto& c : checkers)
            if (!c.rules.idle()) return false;
        return true;
    }
    /// Everything that can be wrong; "": nothing is.
    std::string problem() const {
        for (const auto& c : checkers)
            if (!c.rules.first_violation().empty())
                return std::string(c.name()) + ": " + c.rules.first_violation();
        for (const auto& m : managers)
            if (!m.manager.first_error().empty())
                return std::string(m.name()) + ": " + m.manager.first_error();
        return m_parts.first_difference();
    }
    std::uint64_t done() const {
        std::uint64_t all = 0;
        for (const auto& m : managers) all += m.manager.done();
        return all;
    }
    sc_core::sc_time period() { return m_net->engine().period(); }
    network& net() { return *m_net; }
    const experiment& described() const { return m_experiment; }

    struct port_signals {
        sc_core::sc_signal<forward_pins> forward;
        sc_core::sc_signal<backward_pins> backward;
    };
    manager_params manager;
    subordinate_params subordinate;
    std::deque<port_signals> pins;  ///< by node that is one of AXI, in order
    std::deque<manager_module> managers;
    std::deque<memory_module> memories;
    std::deque<checker_module> checkers;  ///< as pins
    sc_core::sc_clock& clock() { return *m_clock; }

  private:
    void add_node(const setting& s, std::uint32_t n, std::vector<std::uint32_t>& others) {
        const auto is_in = [n](const std::vector<std::uint32_t>& all) {
            return std::find(all.begin(), all.end(), n) != all.end();
        };
        const std::string number = std::to_string(n);
        if (s.intrudes) others.push_back(n);
        if (!is_in(s.managers) && !is_in(s.memories)) {
            if (!s.intrudes) others.push_back(n);
            return;
        }
        port_signals& w = pins.emplace_back();
        checker_module& rules = checkers.emplace_back(("rules" + number).c_str(), s.data_width);
        rules.clock(clock());
        rules.forward(w.forward);
        rules.backward(w.backward);
        if (is_in(s.managers)) {
            std::vector<random_manager::part> parts;
            for (std::size_t k = 0; k < s.memories.size(); ++k)
                parts.push_back({k * region_bytes + managers.size() * 0x2000, 0x2000});
            manager_module& m =
                managers.emplace_back(("manager" + number).c_str(), random_manager(manager, parts, {}, 1, n));
            m.clock(clock());
            m.out(w.forward);
            m.in(w.backward);
            m_parts.manager(n).clock(clock());
            m_parts.manager(n).from_manager(w.forward);
            m_parts.manager(n).to_manager(w.backward);
            return;
        }
        memory_module& m = memories.emplace_back(
            ("memory" + number).c_str(),
            random_memory(manager.widths, {}, static_cast<random_memory::write_order>(n % 3), 1, n));
        m.clock(clock());
        m.in(w.forward);
        m.out(w.backward);
        m_parts.subordinate(n).clock(clock());
        m_parts.subordinate(n).to_subordinate(w.forward);
        m_parts.subordinate(n).from_subordinate(w.backward);
    }

    const experiment m_experiment;
    network_parts m_parts;
    std::unique_ptr<network> m_net;
    std::unique_ptr<sc_core::sc_clock> m_clock;
    std::unique_ptr<examples::noise> m_noise;
};

class axi_network : public testing::TestWithParam<setting> {};

TEST_P(axi_network, CarriesAllThatManagersWant) {
    system_of s(GetParam());
    s.start();
    s.run(6000);
    s.close();
    EXPECT_EQ(s.problem(), "");
    EXPECT_TRUE(s.idle());
    EXPECT_GT(s.done(), 300u);
}

const setting settings[] = {
    {"mesh_in_order",
     "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 2}\n",
     {0, 3, 12},
     {5, 10},
     1,
     true},
    {"mesh_several_vcs",
     "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4}\n",
     {0, 3},
     {9, 14},
     1,
     false,
     128,
     144},
    {"three_classes",
     "network: {topology: mesh, dims: [3, 3]}\nrouter: {vcs: 3, depth: 4}\n",
     {0, 2, 6},
     {4, 8},
     2,
     true,
     32,
     36},
    {"torus",
     "network: {topology: torus, dims: [4, 4]}\nrouter: {vcs: 4}\n",
     {1, 6},
     {8, 15},
     1,
     false,
     64,
     100,
     32},
    {"cut_through",
     "network: {topology: mesh, dims: [3, 3]}\nrouter: {vcs: 2, depth: 32, switching: cut_through}\n"
     "nic: {ejection_depth: 32, max_packet_flits: 32}\n",
     {0, 5},
     {2, 7},
     1,
     true,
     64,
     72,
     16},
};

INSTANTIATE_TEST_SUITE_P(network, axi_network, testing::ValuesIn(settings),
                         [](const auto& one) { return std::string(one.param.name); });

const setting plain{"plain", "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 2}\n",
                    {0, 3},  {5, 10},
                    1,       true,
                    64,      72,
                    16,      false,
                    0};

TEST(AxiNetwork, GivesEachModuleAKindAndADump) {
    system_of s(plain, bridge_kind::model);
    s.start();
    s.run(500);
    const std::set<std::string> kinds = test::expect_modules_speak();
    for (const char* kind :
         {"manager_node", "subordinate_node", "manager_module", "memory_module", "checker_module"})
        EXPECT_EQ(kinds.count(std::string("sare::axi::") + kind), 1U) << kind;
}

/// A torus has two VCs a class, so it does not keep order: bridges that are told it does are found out.
TEST(AxiNetwork, ReportsTransactionsThatOvertake) {
    setting wrong = settings[3];
    wrong.keeps_order = true;
    system_of s(wrong, bridge_kind::model);
    s.start();
    std::string found;
    try {
        s.run(6000);
        found = s.problem();
    } catch (const sc_core::sc_report& violation) {
        found = violation.what();
    }
    EXPECT_NE(found.find("AXI4_ERRS_RDATA_NUM: RLAST early, at beat 2 of 16 of the read of ID 2"),
              std::string::npos)
        << found;
}

TEST(AxiNetwork, RefusesTrafficOfOthers) {
    setting wrong = settings[0];
    wrong.intrudes = true;
    system_of s(wrong, bridge_kind::model);
    s.start();
    EXPECT_THROW(s.run(2000), sc_core::sc_report);
}

/// Nodes that do not fit their network are refused before anything runs.
TEST(AxiNetwork, RefusesNodesThatDoNotFitIt) {
    setting wide = settings[0];
    wide.yaml = "network: {topology: mesh, dims: [5, 5]}\nrouter: {vcs: 2}\n";
    try {
        system_of s(wide, bridge_kind::model);
        FAIL();
    } catch (const std::exception& e) {
        EXPECT_NE(std::string(e.what()).find("NodeWidth 4 is too small for 25 nodes"), std::string::npos)
            << e.what();
    }
}

/// A memory that takes nothing fills the network with requests; what others have asked is answered all the
/// same.
TEST(AxiNetwork, LetsResponsesPassWaitingRequests) {
    system_of s(plain, bridge_kind::model);
    s.start();
    stimulus_params never;
    never.take = 0;
    s.memories[0].memory.set_stimulus(never);
    s.run(5000);
    const auto& open = s.checkers;  // in order of nodes: 0, 3, 5, 10
    EXPECT_EQ(open[2].rules.reads() + open[2].rules.writes(), 0u);
    EXPECT_FALSE(s.idle());
    EXPECT_TRUE(open[3].rules.idle()) << "all that came to memory 10 is answered";
    EXPECT_EQ(open[3].rules.reads() + open[3].rules.writes(),
              s.done() - s.managers[0].manager.lost() - s.managers[1].manager.lost())
        << "and the answers have come";
    s.memories[0].memory.set_stimulus({});
    s.close();
    EXPECT_TRUE(s.idle());
    EXPECT_EQ(s.problem(), "");
}

/// A manager that takes no answers stops nobody else.
TEST(AxiNetwork, KeepsGoingWhenAManagerTakesNoAnswers) {
    system_of s(plain, bridge_kind::model);
    s.start();
    stimulus_params never;
    never.take = 0;
    s.managers[0].manager.set_stimulus(never);
    s.run(3000);
    s.managers[1].closing = true;
    s.run(3000);
    EXPECT_TRUE(s.managers[1].manager.idle());
    EXPECT_GT(s.managers[1].manager.done(), 100u);
    EXPECT_EQ(s.managers[0].manager.done(), 0u);
    s.close();
    EXPECT_TRUE(s.idle());
    EXPECT_EQ(s.problem(), "");
}

/// Times of one transaction after another at a manager's port.
class stopwatch final : public clocked {
  public:
    sc_core::sc_in<forward_pins> forward{"forward"};
    sc_core::sc_in<backward_pins> backward{"backward"};

    explicit stopwatch(const sc_core::sc_module_name& name) : clocked(name) {}

    struct lap {
        bool write;
        std::uint32_t beats;
        std::uint64_t cycles;  ///< from AR, or the last of W and AW, to the last of R, or B
    };
    std::vector<lap> laps;

  private:
    void edge() override {
        const forward_pins f = forward.read();
        const backward_pins b = backward.read();
        ++m_now;
        if ((f.ar_valid && b.ar_ready) || (f.aw_valid && b.aw_ready)) {
            m_what = f.ar_valid ? f.ar : f.aw;
            m_begin = m_now;
        }
        if (f.w_valid && b.w_ready) m_begin = m_now;
        if (b.b_valid && f.b_ready && b.b_resp != response::decerr)
            laps.push_back({true, m_what.beats(), m_now - m_begin});
        if (b.r_valid && f.r_ready && b.r_last && b.r.get(64, 2) != 3)
            laps.push_back({false, m_what.beats(), m_now - m_begin});
    }
    std::uint64_t m_now = 0, m_begin = 0;
    address m_what;
};

/// docs/axi-rtl.md has the closed form.
TEST(AxiNetwork, TakesTheCyclesOfTheClosedForm) {
    setting one = plain;
    one.managers = {0};
    one.memories = {15};  // seven routers on the way
    system_of s(one, bridge_kind::model);
    stopwatch watch("watch");
    watch.clock(s.clock());
    watch.forward(s.pins[0].forward);
    watch.backward(s.pins[0].backward);
    stimulus_params prompt{1, 1, 1, 0.5, 0, 1};
    s.managers[0].manager.set_stimulus(prompt);
    s.memories[0].memory.set_stimulus(prompt);
    s.start();
    s.run(20000);
    ASSERT_GT(watch.laps.size(), 100u);
    const router_params r;
    const std::uint32_t routers = 7;
    const auto crossing = [&](std::uint32_t flits) {
        return s.described().nic.delay + (routers + 1) +
               routers * (r.rc_delay + r.va_delay + r.sa_delay + r.st_delay) + flits - 1;
    };
    const format& f = s.manager.widths;
    for (const auto& lap : watch.laps) {
        // The memory answers a cycle after AR with the first beat, a cycle after the last of W with B.
        const std::uint64_t there = 3 + crossing(lap.write ? f.write_request(lap.beats) : f.read_request());
        const std::uint64_t memory = lap.write ? 1 : lap.beats;
        const std::uint64_t back = 4 + crossing(lap.write ? f.write_response() : f.read_response(lap.beats));
        EXPECT_EQ(lap.cycles, there + memory + back) << (lap.write ? "write" : "read") << " of " << lap.beats;
    }
}

}  // namespace
}  // namespace sare::axi::axi_network_test
