// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "tests/traffic/fake_port.h"
#include "traffic/gap/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>

/// Laws of the times between messages, what is fitted to them, and the source that draws them.
namespace sare::testing_support::gap_test {
namespace {

using namespace sare::traffic;

config::value yaml_of(const std::vector<std::pair<std::string, std::string>>& entries) {
    return section(entries);
}

std::vector<double> draws(const config::value& gaps, std::size_t n, std::uint64_t seed = 1) {
    const auto law = make_gaps(gaps, testing::TempDir());
    rng random(seed, stream::test, 0);
    std::vector<double> all(n);
    for (double& g : all) g = law->draw(random);
    return all;
}

/// Kolmogorov and Smirnov's distance: of samples of the law above 1.95 / sqrt(n) once in a thousand.
double distance(std::vector<double> all, const std::function<double(double)>& law) {
    std::sort(all.begin(), all.end());
    const auto n = static_cast<double>(all.size());
    double most = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double p = law(all[i]), rank = static_cast<double>(i);
        most = std::max({most, p - rank / n, (rank + 1) / n - p});
    }
    return most;
}

constexpr std::size_t samples = 20000;
const double bound = 1.95 / std::sqrt(static_cast<double>(samples));

TEST(gaps, FollowTheirLaws) {
    EXPECT_LT(distance(draws(yaml_of({{"name", "uniform"}, {"least", "10"}, {"most", "50"}}), samples),
                       [](double x) { return (x - 10) / 40; }),
              bound);
    EXPECT_LT(distance(draws(yaml_of({{"name", "exponential"}, {"mean", "40"}}), samples),
                       [](double x) { return 1 - std::exp(-x / 40); }),
              bound);
    EXPECT_LT(distance(draws(yaml_of({{"name", "weibull"}, {"scale", "100"}, {"shape", "0.7"}}), samples),
                       [](double x) { return 1 - std::exp(-std::pow(x / 100, 0.7)); }),
              bound);
    EXPECT_LT(distance(draws(yaml_of({{"name", "pareto"}, {"least", "5"}, {"shape", "2.5"}}), samples),
                       [](double x) { return 1 - std::pow(5 / x, 2.5); }),
              bound);
}

TEST(gaps, HaveTheMeansOfTheirLaws) {
    const config::value uniform = yaml_of({{"name", "uniform"}, {"least", "10"}, {"most", "50"}});
    EXPECT_DOUBLE_EQ(make_gaps(uniform, "")->mean(), 30);
    EXPECT_EQ(draws(yaml_of({{"name", "fixed"}, {"gap", "7"}}), 3), (std::vector<double>{7, 7, 7}));
    EXPECT_DOUBLE_EQ(
        make_gaps(yaml_of({{"name", "weibull"}, {"scale", "100"}, {"shape", "0.5"}}), "")->mean(), 200);
    EXPECT_DOUBLE_EQ(make_gaps(yaml_of({{"name", "pareto"}, {"least", "5"}, {"shape", "2.5"}}), "")->mean(),
                     2.5 * 5 / 1.5);
    std::ofstream(testing::TempDir() + "/gaps.txt") << "# gap weight\n10 3\n50 1\n";
    EXPECT_DOUBLE_EQ(make_gaps(yaml_of({{"name", "file"}, {"file", "gaps.txt"}}), testing::TempDir())->mean(),
                     20);
}

TEST(gaps, UsePowersThatMatchTheLibrary) {
    for (const double x : {1e-6, 0.3, 1.0, 2.5, 7e5})
        for (const double p : {-3.0, 0.1, 0.5, 1.0, 1.7})
            EXPECT_NEAR(power_of(x, p) / std::pow(x, p), 1, 1e-9) << x << " to " << p;
}

/// Each law is found again, with its parameters, and others are farther from the gaps.
TEST(fit, FindsTheLawAndItsParameters) {
    const auto weibull =
        fit_gaps(draws(yaml_of({{"name", "weibull"}, {"scale", "100"}, {"shape", "0.7"}}), 4000));
    ASSERT_GE(weibull.size(), 2u);  // a shape of Pareto's law below 1.01 has no use
    EXPECT_EQ(weibull[0].name, "weibull");
    double scale = 0, shape = 0;
    ASSERT_EQ(
        std::sscanf(weibull[0].section.c_str(), "{name: weibull, scale: %lf, shape: %lf}", &scale, &shape), 2)
        << weibull[0].section;
    EXPECT_NEAR(scale, 100, 8);
    EXPECT_NEAR(shape, 0.7, 0.03);
    EXPECT_GT(weibull[0].chance, 0.01);
    EXPECT_LT(weibull[1].chance, 0.01);

    const auto pareto =
        fit_gaps(draws(yaml_of({{"name", "pareto"}, {"least", "5"}, {"shape", "1.8"}}), 4000));
    EXPECT_EQ(pareto[0].name, "pareto");
    EXPECT_GT(pareto[0].chance, 0.01);
    ASSERT_EQ(
        std::sscanf(pareto[0].section.c_str(), "{name: pareto, least: %lf, shape: %lf}", &scale, &shape), 2);
    EXPECT_NEAR(scale, 5, 0.05);
    EXPECT_NEAR(shape, 1.8, 0.1);

    for (const fitted_gaps& f : fit_gaps(draws(yaml_of({{"name", "exponential"}, {"mean", "40"}}), 4000)))
        EXPECT_TRUE(f.name == "pareto" || f.chance > 0.01) << f.section;
    EXPECT_TRUE(fit_gaps({3, 3, 3}).empty());
}

TEST(fit, WritesAFileThatTheLawReads) {
    const auto all = draws(yaml_of({{"name", "weibull"}, {"scale", "500"}, {"shape", "0.7"}}), 5000);
    std::ofstream(testing::TempDir() + "/fitted.txt") << gap_weights(all);
    double sum = 0;
    for (const double g : all) sum += g;
    const auto law = make_gaps(yaml_of({{"name", "file"}, {"file", "fitted.txt"}}), testing::TempDir());
    EXPECT_NEAR(law->mean() / (sum / 5000), 1, 0.002);
}

std::size_t sent(const config::value& workload, cycle_t cycles) {
    fake_port port(8, 3);
    const auto w = make_workload(workload, 8);
    w->start(port);
    port.run(*w, cycles);
    return port.sent.size();
}

TEST(renewal, MakesMessagesAtItsGapsOrAtALoad) {
    // Gaps of a law with variance v and mean m: the number of n in a time t is t/m, with variance t v / m^3.
    const config::value gaps = yaml_of({{"name", "weibull"}, {"scale", "50"}, {"shape", "2"}});
    config::value w = section({{"workload", "renewal"}, {"length", "2"}});
    w.set("gaps", gaps);
    const double mean = 50 * std::tgamma(1.5);
    EXPECT_NEAR(static_cast<double>(sent(w, 100000)), 8 * 100000 / mean, 0.01 * 8 * 100000 / mean);
    w.set("load", config::value::scalar("0.1"));
    EXPECT_NEAR(static_cast<double>(sent(w, 100000)), 8 * 100000 * 0.05, 0.01 * 8 * 100000 * 0.05);
}

std::string error(std::vector<std::pair<std::string, std::string>> entries) {
    try {
        make_gaps(section(entries), testing::TempDir());
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

TEST(gaps, ReportMistakes) {
    EXPECT_NE(error({{"name", "weibul"}}).find("did you mean 'weibull'?"), std::string::npos);
    EXPECT_NE(error({{"name", "pareto"}, {"shape", "1"}}).find("'shape' is 1; it must be from 1.01 to 100"),
              std::string::npos)
        << error({{"name", "pareto"}, {"shape", "1"}});
    EXPECT_NE(error({{"name", "uniform"}, {"least", "5"}, {"most", "3"}})
                  .find("gaps 'uniform': least 5 is above most 3"),
              std::string::npos);
    EXPECT_NE(error({{"name", "file"}}).find("gaps 'file' needs 'file: ' with the weights"),
              std::string::npos);
    std::ofstream(testing::TempDir() + "/none.txt") << "0 1\n";
    EXPECT_NE(error({{"name", "file"}, {"file", "none.txt"}}).find("no gap in it is above 0 cycles"),
              std::string::npos);
    std::ofstream(testing::TempDir() + "/below.txt") << "-1 1\n";
    EXPECT_NE(error({{"name", "file"}, {"file", "below.txt"}}).find("gap -1 must be from 0 to 4294967295"),
              std::string::npos)
        << error({{"name", "file"}, {"file", "below.txt"}});
}

}  // namespace
}  // namespace sare::testing_support::gap_test
