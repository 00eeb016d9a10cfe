// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <cmath>
#include <regex>

/// No table shows a figure in more digits than are known without saying so.
namespace sare::test::digits_test {
namespace {

class digits : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml",
              "network: {topology: ring, n: 4}\nrouting: {function: dor, ties: positive}\n"
              "traffic: {workload: bernoulli, pattern: tornado, load: 0.2, length: 4}\n"
              "measurement: {warmup: 200, convergence_count: 0, batch: 200, batches: 4}\n");
    }
    /// Half width of the 95% confidence interval of a figure, by its batches.
    static double half_width(const nlohmann::json& summary, const char* figure) {
        double sum = 0, squares = 0;
        for (const auto& batch : summary["batches"]) {
            const double x = batch[figure];
            sum += x;
            squares += x * x;
        }
        return 3.18245 * std::sqrt((squares - sum * sum / 4) / 3 / 4);  // t of 0.975, 3 degrees of freedom
    }
    /// Expects "0.2013 ± 0.0094" with `behind` behind it.
    static void expect_interval(const std::string& text, double mean, double width,
                                const std::string& behind) {
        const std::regex form("([0-9.]+) ± ([0-9.]+)" + behind);
        std::smatch found;
        ASSERT_TRUE(std::regex_search(text, found, form)) << text;
        EXPECT_NEAR(std::stod(found[1]), mean, 0.1 * width) << text;
        EXPECT_GE(std::stod(found[2]), width * (1 - 1e-4)) << text;  // rounded up
        EXPECT_LE(std::stod(found[2]), width * 1.1) << text;
    }
};

TEST_F(digits, loads_of_a_run_have_their_intervals_in_every_table) {
    const outcome run = sare("run small.yaml --no-report --store runs.db --out r");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto summary = read_json("r/summary.json");
    for (const char* name : {"offered", "injected", "accepted"})
        expect_interval(run.out, summary["load"][name], half_width(summary, name), std::string(" ") + name);
    const double accepted = summary["load"]["accepted"], width = half_width(summary, "accepted"),
                 latency = summary["latency"]["packet"]["from_generation"]["mean"],
                 ci95 = summary["latency"]["packet"]["from_generation"]["ci95"];
    for (const char* command :
         {"runs ls", "runs query status=completed --columns load.accepted,latency.mean"}) {
        const outcome listed = sare(std::string(command) + " --store runs.db");
        expect_interval(listed.out, accepted, width, " +[0-9.]+ ± [0-9.]+ +small");
        expect_interval(listed.out, latency, ci95, " +small");
    }
    const outcome sweep = sare("sweep small.yaml --axis router.vcs=4 --no-report --no-store --out s");
    expect_interval(sweep.out, summary["load"]["offered"], half_width(summary, "offered"),
                    " +[0-9.]+ ± [0-9.]+ +[0-9.]+ ± ");
    expect_interval(sweep.out, accepted, width, " +[0-9.]+ ± [0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+\n");
}

/// A saturation that is known to 5% is not said in four digits; the latency at no load has its interval.
TEST_F(digits, of_a_saturation_are_those_that_its_bracket_leaves) {
    const outcome o = sare("saturate small.yaml --tolerance 5% --no-report --no-store --out s");
    ASSERT_EQ(o.status, 0) << o.err;
    const auto one = read_json("s/summary.json")["combinations"][0];
    ASSERT_EQ(one["status"], "found") << one;
    const double load = one["saturation"]["load"],
                 half = std::max(load - one["saturation"]["sustained"].get<double>(),
                                 one["saturation"]["saturated"].get<double>() - load);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(o.out, found, std::regex("\n0 +([0-9.]+)"))) << o.out;
    const std::string said = found[1];
    const auto decimals = static_cast<int>(said.size() - 1 - said.find('.'));
    EXPECT_LE(decimals, static_cast<int>(std::ceil(-std::log10(half)))) << o.out;
    EXPECT_NEAR(std::stod(said), load, std::pow(10, std::floor(std::log10(half)))) << o.out;
    const auto first = read_json("s/points/000/00/summary.json")["latency"]["packet"]["from_generation"];
    expect_interval(o.out, first["mean"], first["ci95"], "");
}

}  // namespace
}  // namespace sare::test::digits_test
