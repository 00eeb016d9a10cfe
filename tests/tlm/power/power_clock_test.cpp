// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/power/table/cost_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

/// Clocks and voltages of the section `power`.
namespace sare::test::power_clock_test {
namespace {

const std::string mesh =
    "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 2, depth: 4}\nnic: {flit_bytes: 4}\n"
    "measurement: {warmup: 200, convergence_count: 0, batch: 500, batches: 3}\n"
    "traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 3}\n";

/// Routers need a ns for each VC at 1 V, NICs 1.5 ns, wires 0.5 ns a mm.
std::string table(const std::string& more = "", const std::string& voltage = ", voltage: 1") {
    static int files = 0;
    const std::string file =
        testing::TempDir() + "clock" + std::to_string(getpid()) + "-" + std::to_string(++files) + ".yaml";
    std::ofstream(file)
        << "format: sare-power\nversion: 1\nname: t\nmade: {by: hand" << voltage
        << "}\nrouter:\n  energy: [{component: buffers, event: buffer_read, terms: {\"1\": 3}}, "
           "{component: other, event: clock, terms: {\"1\": 7}}, {component: state, event: turn, "
           "terms: {\"1\": 1}}]\n  leakage: [{component: buffers, terms: {\"1\": 2}}]\n"
           "  period: [{terms: {vcs: 1}}]\nnic: {period: [{terms: {\"1\": 1.5}}]}\n"
           "link: {energy_bit_mm: 0.5, delay_mm: 0.5}\n"
        << more;
    return file;
}

std::string power(const std::string& file, const std::string& more) {
    return "power: {table: " + file + more + "}\n";
}

/// Text of figures of the run of `yaml`, or the line of its error.
std::string figures(const std::string& yaml, const std::vector<std::string>& names) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        simulation s(e);
        const run_result r = s.run(e);
        std::ostringstream all;
        for (const std::string& name : names)
            r.column_of(scope::run, "power." + name).visit(0, [&](const auto& x) { all << x << ' '; });
        return all.str();
    });
}

TEST(PowerClock, SaysWhatTablesOfGatesDoNotKnow) {
    std::string shared = mesh;
    shared.replace(shared.find("depth: 4"), 8, "depth: 4, buffers: shared");
    const std::string gates = power("osu018", ", frequency: 100MHz");
    EXPECT_EQ(figures(mesh + gates, {"not_characterised"}), " ");
    EXPECT_EQ(figures(shared + gates, {"not_characterised"}), "what 'buffers: shared' adds to routers ");
}

/// `nangate45` knows memories from 32 words on, `asap7` none.
TEST(PowerClock, SaysWhatTablesDoNotKnowOfMemories) {
    const auto known = [](const std::string& table, const std::string& depth, const std::string& more) {
        std::string deep = mesh;
        deep.replace(deep.find("depth: 4"), 8, "depth: " + depth);
        return figures(deep + power(table, ", frequency: 300MHz" + more),
                       {"not_characterised", "extrapolated"});
    };
    EXPECT_EQ(known("asap7", "16", ""), "  ");
    const std::string one_port = "the second port of the memories of buffers";
    EXPECT_EQ(known("asap7", "16", ", memory_from: 32"),
              "the memories of buffers (the table has no range of 'words')  ");
    EXPECT_EQ(known("asap7", "15", ", memory_from: 32"), "  ");
    EXPECT_EQ(known("nangate45", "16", ", memory_buffers: true"), one_port + "  ");
    EXPECT_EQ(known("nangate45", "16", ", memory_buffers: true, glitches: true"),
              one_port + "; glitches beside memories (the factor is that of routers without)  ");
    EXPECT_EQ(known("nangate45", "8", ", memory_from: 8"),
              one_port + " routers of kind vc: words 16, where the table knows 32 to 2048 ");
    EXPECT_EQ(known("nangate45", "16", ", memory_from: 8, width: 128"),
              one_port + " routers of kind vc: word_bits 140, where the table knows 7 to 124 ");
}

/// A memory of each of the 80 ports has a word for each place of the port, with the data of a flit (32 bits),
/// its destination (3 bits of a port, 2 of each coordinate), two ways a dimension and the VC.
TEST(PowerClock, ChargesMemoriesByTheirWordsAndBits) {
    const std::string file = testing::TempDir() + "memories" + std::to_string(getpid()) + ".yaml";
    std::ofstream(file)
        << "format: sare-power\nversion: 1\nname: t\nmade: {by: hand}\nrouter:\n"
           "  leakage: [{when: {memory_buffers: false}, terms: {\"1\": 7}}, "
           "{when: {memory_buffers: true}, terms: {\"ports*words\": 1, \"ports*word_bits\": 100}}]\n"
           "  period: [{when: {memory_buffers: true}, terms: {\"words\": 0.125}}, {terms: {\"1\": 0.5}}]\n";
    const auto leaked = [&](const std::string& buffers, const std::string& more) {
        std::string deep = mesh;
        deep.replace(deep.find("depth: 4"), 8, buffers);
        return figures(deep + power(file, more), {"energy.leakage"});
    };
    const auto in_words = [](double n) {
        return fmt::format("{} ", 1.5 * (80 * n + 100 * 80 * 44));
    };  // 1.5 us
    const std::string shared = "depth: 8, buffers: shared, reserved: 2";
    for (const char* buffers : {"depth: 8", shared.c_str()}) {
        EXPECT_EQ(leaked(buffers, ", overclock: true, memory_from: 16"), in_words(16)) << buffers;
        EXPECT_EQ(leaked(buffers, ", memory_from: 17"), "168 ") << buffers;
    }
    EXPECT_EQ(leaked("depth: 8", ", overclock: true, memory_from: 1"), in_words(16));
    EXPECT_EQ(leaked("depth: 8", ", memory_from: 0"), "168 ");
    EXPECT_EQ(figures(mesh + power(file, ", frequency: fastest, memory_buffers: true"), {"frequency"}),
              "1000 ");
    EXPECT_EQ(figures(mesh + power(file, ", frequency: fastest"), {"frequency"}), "2000 ");
}

/// A frequency is the clock of the whole run: times in ns are those of a run with that period.
TEST(PowerClock, SetsTheClockOfTheRun) {
    const std::string flows =
        "network: {topology: mesh, dims: [4, 4], latency: 5ns}\nrouter: {vcs: 2, depth: 8}\n"
        "nic: {flit_bytes: 4}\nmeasurement: {warmup: 200, convergence_count: 0, batch: 500, batches: 3}\n"
        "traffic: {workload: flows, flows: [{from: 0, to: 15, rate: 0.2GB/s, length: 3}]}\n";
    const std::vector<std::string> all{"frequency", "latency", "throughput", "mean"};
    const std::string by_frequency = figures(flows + power(table(), ", frequency: 400MHz"), all);
    EXPECT_EQ(by_frequency, figures("clock_period: 2500ps\n" + flows + power(table(), ""), all));
    EXPECT_EQ(by_frequency.rfind("400 ", 0), 0U) << by_frequency;
}

TEST(PowerClock, RefusesWhatTheTableForbids) {
    const std::string t = table();
    const struct {
        std::string yaml, said;
    } cases[] = {
        {power(t, ", frequency: 501MHz"),
         "'frequency' is 501MHz, and router 0, by t (by hand), allows at most 500 MHz; write 'frequency: "
         "fastest' "
         "in 'power' for that, or 'overclock: true' to take the clock all the same"},
        {power(t, ""), "the network's clock is 1000 MHz by 'clock_period', and router 0"},
        {"clock_period: 1999ps\n" + power(t, ""), "the network's clock is 500.25 MHz by 'clock_period'"},
        {power(t, ", frequency: 499MHz, links: {pitch: 5}"),
         "a link from router 0, by t (by hand), allows at most 400 MHz"},
        {power(t, ", frequency: 499MHz, links: {lengths: [{node: 3, length: 8}]}"), "allows at most 250 MHz"},
        {power(table("bridge: {period: [{terms: {\"1\": 4}}]}\n"), ", frequency: 499MHz, bridges: 5"),
         "the bridge of node 5, by t (by hand), allows at most 250 MHz"},
        {"clock_period: 2ns\ndomains: {slow: {routers: 0, frequency: 250MHz}}\n" +
             power(t, ", frequency: 400MHz"),
         "'clock_period' is 2ns, and 'power.frequency' is another clock, of 2500ps; give one of them"},
        {"domains: {slow: {routers: 0, frequency: 250MHz}}\n" + power(t, ", frequency: fastest"),
         "'frequency: fastest' would change the clock of 'domains.slow' too"},
    };
    for (const auto& [yaml, said] : cases) {
        const std::string line = figures(mesh + yaml, {"frequency"});
        EXPECT_NE(line.find(said), std::string::npos) << yaml << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
    std::string in_time = mesh;
    in_time.replace(in_time.find("traffic"), std::string::npos,
                    "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 1GB/s}]}\n");
    EXPECT_NE(figures(in_time + power(t, ", frequency: fastest"), {"frequency"})
                  .find("and neither clock nor nic.flit_bytes is known here"),
              std::string::npos);
    std::string slow_nic = mesh;
    slow_nic.replace(slow_nic.find("vcs: 2"), 6, "vcs: 1");
    EXPECT_NE(figures(slow_nic + power(t, ", frequency: 1GHz"), {"frequency"})
                  .find("the NIC of node 0, by t (by hand), allows at most 666.67 MHz"),
              std::string::npos);
    EXPECT_EQ(figures(mesh + power(t, ", frequency: 625MHz, overclock: true"), {"frequency", "clock_period"}),
              "625 2 ");
    EXPECT_EQ(figures(mesh + power(t, ", frequency: 500MHz"), {"frequency", "clock_period"}), "500 2 ");
    EXPECT_EQ(figures(mesh + power(t, ", frequency: fastest"), {"frequency", "clock_period"}), "500 2 ");
    EXPECT_EQ(figures("clock_period: 2ns\n" + mesh + power(t, ""), {"frequency", "clock_period"}), "500 2 ");
}

/// V / (V - 0.2)^1.5: at 0.56 V the delay is 0.56 / 0.36^1.5 over 1 / 0.8^1.5.
TEST(PowerClock, FollowsTheVoltageByTheLawOfTheTable) {
    const std::string law = table("delay: {threshold: 0.2, alpha: 1.5, least: 0.5, most: 1.2}\n");
    const std::vector<std::string> asked{"clock_period", "extrapolated"};
    EXPECT_EQ(figures(mesh + power(law, ", frequency: fastest"), asked), "2  ");
    const double slower = 0.56 / std::pow(0.36, 1.5) * std::pow(0.8, 1.5);
    std::ostringstream period;
    period << 2 * slower << "  ";
    EXPECT_EQ(figures(mesh + power(law, ", frequency: fastest, voltage: 0.56"), asked), period.str());
    EXPECT_NE(figures(mesh + power(law, ", frequency: fastest, voltage: 1.3"), asked)
                  .find("clock periods of t: 1.3 V, where its law of delays holds from 0.5 to 1.2 V"),
              std::string::npos);
    EXPECT_EQ(figures(mesh + power(table(), ", frequency: 500MHz, voltage: 0.5"), asked),
              "2 clock periods of t are those of 1 V, as it has no law of delays ");
    EXPECT_NE(figures(mesh + power(law, ", frequency: fastest, voltage: 0.2"), asked)
                  .find("gates switch above 0.2 V only"),
              std::string::npos);
    EXPECT_NE(
        figures(mesh + power(law, ", frequency: 400MHz, voltage: 0.56"), asked).find("allows at most 269.5"),
        std::string::npos);
    EXPECT_THROW(cost_table::load(table("delay: {threshold: 1, alpha: 1.5}\n")), config::error);
    EXPECT_THROW(cost_table::load(table("delay: {alpha: 1.5}\n", "")), config::error);
    EXPECT_THROW(cost_table::load(table("delay: {alpha: 1.5, least: 2, most: 1}\n")), config::error);
}

/// In a short run all is counted; in a long one samples say how far they may be off, and are not further off.
TEST(PowerClock, SaysHowFarSamplesAreOff) {
    const auto run = [](const std::string& measured, const std::string& more) {
        std::string yaml = mesh;
        yaml.replace(yaml.find("load: 0.1"), 9, "load: 0.02");
        yaml.replace(yaml.find("batch: 500"), 10, "batch: " + measured);
        std::istringstream in(figures(yaml + power(table(), ", frequency: fastest" + more),
                                      {"energy.by_component.state", "energy.dynamic", "energy.error"}));
        std::array<double, 3> all{};
        for (double& x : all) in >> x;
        return all;
    };
    const auto brief = run("400", ""), same = run("400", ", exact: true");
    EXPECT_EQ(brief, same);
    EXPECT_EQ(brief[2], 0);
    const auto sampled = run("12000", ""), exact = run("12000", ", exact: true");
    EXPECT_GT(sampled[2], 0);
    EXPECT_LT(sampled[2], 0.05);
    EXPECT_NEAR(sampled[1], exact[1], 4 * sampled[2] * exact[1]);
    EXPECT_EQ(exact[2], 0);
}

}  // namespace
}  // namespace sare::test::power_clock_test
