// SPDX-License-Identifier: Apache-2.0
#include "traffic/spatial/pattern.h"
#include "tests/traffic/fake_port.h"
#include "tlm/config/yaml.h"
#include "traffic/length/length.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

namespace sare::testing_support::pattern_test {
namespace {

using traffic::pattern;
using traffic::pattern_context;

std::unique_ptr<pattern> make(const config::value& v, std::vector<std::uint32_t> dims, std::uint64_t seed = 1,
                              const std::string& folder = "") {
    std::uint32_t nodes = 1;
    for (const auto n : dims) nodes *= n;
    return traffic::pattern_registry::instance().make(v, pattern_context{nodes, dims, seed, folder});
}

std::vector<std::uint32_t> table(const config::value& v, std::vector<std::uint32_t> dims,
                                 std::uint64_t seed = 1) {
    auto p = make(v, dims, seed);
    rng r(1, stream::packet, 0);
    std::vector<std::uint32_t> all;
    std::uint32_t nodes = 1;
    for (const auto n : dims) nodes *= n;
    for (std::uint32_t s = 0; s < nodes; ++s) all.push_back(p->destination(s, r));
    return all;
}

/// How often `source` sends to each node in `draws` draws.
std::vector<int> counts(pattern& p, std::uint32_t source, std::uint32_t nodes, int draws) {
    rng r(11, stream::packet, source);
    std::vector<int> all(nodes, 0);
    for (int i = 0; i < draws; ++i) {
        const std::uint32_t d = p.destination(source, r);
        EXPECT_LT(d, nodes);
        if (d < nodes) ++all[d];
    }
    return all;
}

/// Each count within 4.5 sigma of what the probability says, and chi-square within 5 sigma of its mean.
void expect_law(const std::vector<int>& seen, const std::vector<double>& probability, int draws) {
    double chi = 0, freedom = -1;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const double expected = probability[i] * draws;
        if (expected == 0) {
            EXPECT_EQ(seen[i], 0) << "node " << i;
            continue;
        }
        EXPECT_NEAR(seen[i], expected, 4.5 * std::sqrt(expected) + 2) << "node " << i;
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        freedom += 1;
    }
    EXPECT_NEAR(chi, freedom, 5 * std::sqrt(2 * freedom) + 5);
}

TEST(pattern, PermutesBits) {
    using ids = std::vector<std::uint32_t>;
    EXPECT_EQ(table(text("complement"), {8}), (ids{7, 6, 5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(table(text("reversal"), {8}), (ids{0, 4, 2, 6, 1, 5, 3, 7}));
    EXPECT_EQ(table(text("butterfly"), {8}), (ids{0, 4, 2, 6, 1, 5, 3, 7}));
    EXPECT_EQ(table(text("butterfly"), {16})[9], 9u);
    EXPECT_EQ(table(text("butterfly"), {16})[3], 10u);
    EXPECT_EQ(table(text("shuffle"), {8}), (ids{0, 2, 4, 6, 1, 3, 5, 7}));
    const auto t = table(text("transpose"), {4, 4});
    for (std::uint32_t s = 0; s < 16; ++s) EXPECT_EQ(t[s], s % 4 * 4 + s / 4);
    for (const char* name : {"complement", "reversal", "transpose", "butterfly", "shuffle"})
        for (const std::uint32_t n : {2u, 8u, 32u, 64u}) {
            const auto d = table(text(name), {n});
            EXPECT_EQ(std::set<std::uint32_t>(d.begin(), d.end()).size(), n) << name;
        }
}

/// Bit patterns that are patterns of grids as well take those whose sizes are no powers of two.
TEST(pattern, TransposesAndComplementsAnyGrid) {
    for (const auto& [x, y] :
         {std::pair{6u, 6u}, {12u, 6u}, {3u, 4u}, {8u, 4u}, {16u, 8u}, {4u, 4u}, {1u, 7u}}) {
        const auto t = table(text("transpose"), {x, y}), c = table(text("complement"), {x, y});
        for (std::uint32_t s = 0; s < x * y; ++s) {
            EXPECT_EQ(t[s], s / x + y * (s % x)) << x << " x " << y;
            EXPECT_EQ(c[s], (x - 1 - s % x) + x * (y - 1 - s / x)) << x << " x " << y;
        }
    }
    EXPECT_EQ(table(text("complement"), {3, 2, 5}).front(), 29u);
    EXPECT_EQ(table(text("complement"), {1}).front(), 0u);
    // A bit pattern where the grid is not one of X x X or 2X x X.
    EXPECT_EQ(table(text("transpose"), {4, 8}), table(text("transpose"), {32}));
    EXPECT_EQ(
        error_of([] {
            make(text("transpose"), {3, 4, 3});
        }),
        "test.yaml:1:2: pattern 'transpose' needs a grid of two dimensions, or a number of nodes that is "
        "a power of two; here are 36 nodes in 3 dimensions");
}

TEST(pattern, FollowsTornadoAndNeighbour) {
    const auto t = table(text("tornado"), {8, 5});
    const auto x = table(section({{"name", "tornado"}, {"dimensions", "x"}}), {8, 5});
    const auto n = table(text("neighbour"), {8, 5});
    for (std::uint32_t s = 0; s < 40; ++s) {
        const std::uint32_t sx = s % 8, sy = s / 8;
        EXPECT_EQ(t[s], (sx + 3) % 8 + 8 * ((sy + 2) % 5));
        EXPECT_EQ(x[s], (sx + 4) % 8 + 8 * sy);
        EXPECT_EQ(n[s], (sx + 1) % 8 + 8 * ((sy + 1) % 5));
    }
}

/// FSIN's: by the number of the node, so that the end of a row goes to the next one.
TEST(pattern, FollowsTornadoByNodeNumbers) {
    const auto t = table(section({{"name", "tornado"}, {"dimensions", "nodes"}}), {8, 8});
    std::uint32_t hops = 0;
    for (std::uint32_t s = 0; s < 64; ++s) {
        EXPECT_EQ(t[s], (s + 3) % 64);
        const std::uint32_t dx = (t[s] + 8 - s % 8) % 8, dy = (t[s] / 8 + 8 - s / 8) % 8;
        hops += std::min(dx, 8 - dx) + std::min(dy, 8 - dy);
    }
    EXPECT_EQ(hops, 64U * 27 / 8);
}

TEST(pattern, DrawsAPermutationByItsSeed) {
    const auto a = table(text("random_permutation"), {50}, 1);
    EXPECT_EQ(std::set<std::uint32_t>(a.begin(), a.end()).size(), 50u);
    EXPECT_EQ(a, table(text("random_permutation"), {50}, 1));
    EXPECT_NE(a, table(text("random_permutation"), {50}, 2));
    EXPECT_EQ(a, table(section({{"name", "random_permutation"}, {"seed", "1"}}), {50}, 2));
}

TEST(pattern, DrawsUniformly) {
    std::vector<double> law(9, 1.0 / 8);
    law[4] = 0;
    expect_law(counts(*make(text("uniform"), {9}), 4, 9, 80000), law, 80000);
    expect_law(counts(*make(section({{"name", "uniform"}, {"self", "true"}}), {9}), 4, 9, 90000),
               std::vector<double>(9, 1.0 / 9), 90000);
    EXPECT_EQ(counts(*make(text("uniform"), {1}), 0, 1, 10)[0], 10);
}

TEST(pattern, PrefersHotspots) {
    auto v = section({{"name", "hotspot"}, {"fraction", "0.3"}});
    v.set("nodes", config::value::list({text("2"), text("5")}));
    std::vector<double> law(10, 0.7 / 9);
    law[0] = 0;
    law[2] += 0.15;
    law[5] += 0.15;
    expect_law(counts(*make(v, {10}), 0, 10, 100000), law, 100000);
}

TEST(pattern, PrefersAHotRegion) {
    std::vector<double> law(16, 0.75 / 15);
    law[0] += 0.125;
    law[1] += 0.125;
    law[9] = 0;
    expect_law(counts(*make(text("hotregion"), {16}), 9, 16, 100000), law, 100000);
    std::vector<double> inside(16, 0.75 / 15);
    inside[0] += 0.25;
    inside[1] = 0;
    expect_law(counts(*make(text("hotregion"), {16}), 1, 16, 100000), inside, 100000);
}

TEST(pattern, PrefersLocalNodes) {
    const std::uint32_t n = 32;
    std::vector<double> ring(n, 0.125 / n);
    for (const int o : {-1, 0, 1}) ring[static_cast<std::uint32_t>(o + 32) % n] += 0.5 / 3;
    for (const int o : {-3, -2, 2, 3}) ring[static_cast<std::uint32_t>(o + 32) % n] += 0.25 / 4;
    for (const int o : {-7, -6, -5, -4, 4, 5, 6, 7})
        ring[static_cast<std::uint32_t>(o + 32) % n] += 0.125 / 8;
    std::vector<double> law(n);
    for (std::uint32_t i = 0; i < n; ++i) law[(30 + i) % n] = i == 0 ? 0 : ring[i] / (1 - ring[0]);
    expect_law(counts(*make(text("local"), {n}), 30, n, 200000), law, 200000);
    std::vector<double> plane(n * n);
    for (std::uint32_t i = 0; i < n * n; ++i)
        plane[i] = i == 0 ? 0 : ring[i % n] * ring[i / n] / (1 - ring[0] * ring[0]);
    expect_law(counts(*make(text("local"), {n, n}), 0, n * n, 400000), plane, 400000);
}

TEST(pattern, DistributesInTurn) {
    auto p = make(text("distribution"), {5});
    rng r(1, stream::packet, 0);
    std::vector<std::uint32_t> seen;
    for (int i = 0; i < 6; ++i) seen.push_back(p->destination(3, r));
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{4, 0, 1, 2, 4, 0}));
    p = make(section({{"name", "distribution"}, {"start", "random"}}), {5});
    std::set<std::uint32_t> round;
    std::uint32_t last = p->destination(3, r);
    round.insert(last);
    for (int i = 0; i < 3; ++i) {
        std::uint32_t following = (last + 1) % 5;
        if (following == 3) following = 4;
        last = p->destination(3, r);
        EXPECT_EQ(last, following);
        round.insert(last);
    }
    EXPECT_EQ(round, (std::set<std::uint32_t>{0, 1, 2, 4}));
}

TEST(pattern, FollowsAHistogramOfDistances) {
    auto v = section({{"name", "histogram"}});
    v.set("weights", config::value::list({text("0"), text("3"), text("1"), text("0"), text("0"), text("0"),
                                          text("0"), text("0"), text("5")}));
    // The corner (0,0) of a 4x4 mesh: 2 nodes at distance 1, 3 at distance 2, none at 8.
    std::vector<double> law(16, 0.0);
    law[1] = law[4] = 0.75 / 2;
    law[2] = law[5] = law[8] = 0.25 / 3;
    expect_law(counts(*make(v, {4, 4}), 0, 16, 60000), law, 60000);
    v.set("torus", text("true"));
    law.assign(16, 0.0);
    law[1] = law[4] = law[3] = law[12] = 0.75 / 4;
    for (const int i : {2, 8, 5, 7, 13, 15}) law[static_cast<std::size_t>(i)] = 0.25 / 6;
    expect_law(counts(*make(v, {4, 4}), 0, 16, 60000), law, 60000);
}

TEST(pattern, FollowsTheWeightsOfAPopulation) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/weights.txt") << "# weights\n0 1 1.5\n0 2 0.5 # half\n\n2 0 1\n";
    auto p = make(section({{"name", "population"}, {"file", "weights.txt"}}), {3}, 1, folder);
    expect_law(counts(*p, 0, 3, 40000), {0, 0.75, 0.25}, 40000);
    EXPECT_FALSE(p->silent(0));
    EXPECT_TRUE(p->silent(1));
    const auto message = [&](const char* content) {
        std::ofstream(folder + "/bad.txt") << content;
        return error_of([&] {
            make(section({{"name", "population"}, {"file", "bad.txt"}}), {3}, 1, folder);
        });
    };
    EXPECT_EQ(message("0 1 1\n0 1\n"), folder + "/bad.txt:2:1: a line must be 'source destination weight'");
    EXPECT_EQ(message("0 3 1\n"), folder + "/bad.txt:1:1: there is no node 3; nodes are 0 to 2");
    EXPECT_EQ(message("0 1 -1\n"), folder + "/bad.txt:1:1: a weight must be 0 or more");
    EXPECT_EQ(message("0 1 nan\n"), folder + "/bad.txt:1:1: a line must be 'source destination weight'");
    EXPECT_EQ(message(""),
              folder + "/bad.txt:1:1: no weight above 0; a line must be 'source destination weight'");
}

TEST(pattern, ReadsAHistogramFromAFile) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/distances.txt") << "# distance weight\n2 1.5\n1 4\n1 0.5\n8 5\n";
    const auto v = section({{"name", "histogram"}, {"file", "distances.txt"}});
    std::vector<double> law(16, 0.0);
    law[1] = law[4] = 0.75 / 2;
    law[2] = law[5] = law[8] = 0.25 / 3;
    expect_law(counts(*make(v, {4, 4}, 1, folder), 0, 16, 60000), law, 60000);
    const auto message = [&](const char* content) {
        std::ofstream(folder + "/bad_distances.txt") << content;
        return error_of([&] {
            make(section({{"name", "histogram"}, {"file", "bad_distances.txt"}}), {3}, 1, folder);
        });
    };
    const std::string path = folder + "/bad_distances.txt";
    EXPECT_EQ(message("1 1\n\n1 x\n"), path + ":3:1: a line must be 'distance weight'");
    EXPECT_EQ(message("-1 1\n"), path + ":1:1: distance -1 must be from 0 to 1048576");
    EXPECT_EQ(message("1 -1\n"), path + ":1:1: a weight must be 0 or more");
    EXPECT_EQ(message("# nothing\n"), path + ":1:1: no weight above 0; a line must be 'distance weight'");
}

TEST(pattern, SendsToTheNextGroupInBadDragonfly) {
    auto p = make(section({{"name", "bad_dragonfly"}, {"group", "4"}}), {12});
    std::vector<double> law(12, 0.0);
    for (int i = 0; i < 4; ++i) law[static_cast<std::size_t>(i)] = 0.25;
    expect_law(counts(*p, 9, 12, 40000), law, 40000);
}

TEST(pattern, ReportsMistakesInOneLine) {
    for (const char* name : {"reversal", "butterfly", "shuffle"})
        EXPECT_EQ(error_of([&] {
                      make(text(name), {3, 4});
                  }),
                  std::string("test.yaml:1:2: pattern '") + name +
                      "' permutes the bits of node ids; 12 nodes are no power of two (from 2); "
                      "complement, tornado and neighbour take any number");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "hotspot"}, {"nodes", "12"}}), {3, 4});
              }),
              "test.yaml:1:2: pattern 'hotspot': there is no node 12; nodes are 0 to 11");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "hotspot"}, {"fracton", "1"}}), {3, 4});
              }),
              "test.yaml:1:2: unknown key 'fracton' in 'hotspot'; did you mean 'fraction'?");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "bad_dragonfly"}, {"group", "5"}}), {3, 4});
              }),
              "test.yaml:1:2: pattern 'bad_dragonfly': 'group' is 5; it must be a divisor of the 12 nodes");
    EXPECT_EQ(error_of([] { make(section({{"name", "histogram"}, {"weights", "1"}}), {3, 4}); }), "");
    EXPECT_EQ(
        error_of([] {
            make(section({{"name", "histogram"}, {"weights", "0"}}), {3, 4});
        }),
        "test.yaml:1:2: pattern 'histogram': no node lies at a distance with a weight above 0 from node 0");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "population"}}), {3});
              }),
              "test.yaml:1:2: pattern 'population' needs 'file: ' with the weights");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "population"}, {"file", "none"}}), {3}, 1, "/nowhere");
              }),
              "test.yaml:1:2: cannot read '/nowhere/none'");
    EXPECT_EQ(error_of([] {
                  make(section({{"name", "population"}, {"file", "/tmp"}}), {3});
              }),
              "test.yaml:1:2: cannot read '/tmp'");
}

TEST(length, FollowsItsLaws) {
    rng r(1, stream::test, 0);
    auto fixed = traffic::make_length(text("7"));
    const rng before = r;
    EXPECT_EQ(fixed->next(r), 7u);
    EXPECT_TRUE(before == r);
    auto bimodal = traffic::make_length(
        section({{"name", "bimodal"}, {"first", "9"}, {"second", "1"}, {"probability", "0.25"}}));
    auto range = traffic::make_length(section({{"name", "range"}, {"min", "2"}, {"max", "4"}}));
    EXPECT_EQ(bimodal->mean(), 3);
    EXPECT_EQ(bimodal->largest(), 9u);
    EXPECT_EQ(range->mean(), 3);
    std::vector<int> b(10, 0), g(10, 0);
    for (int i = 0; i < 60000; ++i) {
        ++b[bimodal->next(r)];
        ++g[range->next(r)];
    }
    expect_law(b, {0, 0.75, 0, 0, 0, 0, 0, 0, 0, 0.25}, 60000);
    expect_law(g, {0, 0, 1 / 3., 1 / 3., 1 / 3., 0, 0, 0, 0, 0}, 60000);
    EXPECT_EQ(error_of([] {
                  traffic::make_length(section({{"name", "range"}, {"min", "5"}, {"max", "4"}}));
              }),
              "test.yaml:1:2: length 'range': min 5 is above max 4");
}

TEST(length, ComesFromAFile) {
    const std::string folder = testing::TempDir();
    const auto file = [&](const char* content) {
        std::ofstream(folder + "/lengths.txt") << content;
        return traffic::make_length(section({{"name", "file"}, {"file", "lengths.txt"}}), {folder});
    };
    const auto law = file("# length weight\n3 0.5 # control\n\n9 1.5\n7 0\n3 2\n");
    EXPECT_EQ(law->largest(), 9u);
    EXPECT_EQ(law->mean(), 5.25);
    rng r(1, stream::test, 0);
    std::vector<int> seen(10, 0);
    for (int i = 0; i < 60000; ++i) ++seen[law->next(r)];
    expect_law(seen, {0, 0, 0, 0.625, 0, 0, 0, 0, 0, 0.375}, 60000);
    EXPECT_TRUE(file("4 2\n")->fixed());

    const auto message = [&](const char* content) { return error_of([&] { file(content); }); };
    const std::string path = folder + "/lengths.txt";
    EXPECT_EQ(message("3 1\n4\n"), path + ":2:1: a line must be 'length weight'");
    EXPECT_EQ(message("3 1 5\n"), path + ":1:1: a line must be 'length weight'");
    EXPECT_EQ(message("3.5 1\n"), path + ":1:1: a line must be 'length weight'");
    EXPECT_EQ(message("0 1\n"), path + ":1:1: length 0 must be from 1 to 1048576 flits");
    EXPECT_EQ(message("3 -1\n"), path + ":1:1: a weight must be 0 or more");
    EXPECT_EQ(message("3 0\n"), path + ":1:1: no weight above 0; a line must be 'length weight'");
    EXPECT_EQ(error_of([] { traffic::make_length(text("file")); }),
              "test.yaml:1:2: length 'file' needs 'file: ' with the weights");
    EXPECT_EQ(error_of([] {
                  traffic::make_length(section({{"name", "file"}, {"file", "none"}}), {"/nowhere"});
              }),
              "test.yaml:1:2: cannot read '/nowhere/none'");
}

/// Sizes of 16-byte flits: 10% of one, the others uniform from 2 to 5 but for the ends of the intervals.
TEST(length, ComesFromADistributionOfFlowSizes) {
    const std::string folder = testing::TempDir();
    const auto file = [&](const char* content, std::uint32_t flit_bytes = 16) {
        std::ofstream(folder + "/sizes.txt") << content;
        return traffic::make_length(section({{"name", "cdf"}, {"file", "sizes.txt"}}), {folder, flit_bytes});
    };
    const auto law = file("16 10 # small\n80 100\n");
    EXPECT_EQ(law->largest(), 5U);
    EXPECT_NEAR(law->mean(), 0.1 * 1 + 0.9 * 3.5, 1e-12);
    rng r(1, stream::test, 0);
    std::vector<int> seen(6, 0);
    for (int i = 0; i < 60000; ++i) ++seen[law->next(r)];
    expect_law(seen, {0, 0.1, 0.225, 0.225, 0.225, 0.225}, 60000);
    EXPECT_NEAR(file("0 0\n24 0.5\n32 1\n")->mean(), 0.5 * 2 / 3 + (0.5 / 3 + 0.5) * 2, 1e-12);

    const auto message = [&](const char* content) { return error_of([&] { file(content); }); };
    const std::string path = folder + "/sizes.txt";
    EXPECT_EQ(message("1 0\n10 5 3\n"), path + ":2:1: a line must be 'bytes percent', such as '10000 15'");
    EXPECT_EQ(message("9 0\n8 100\n"), path + ":2:1: bytes and percent must not fall from line to line");
    EXPECT_EQ(message("9 0\n10 99\n"), path + ":2:1: the last line must have 100 percent, or a share of 1");
    EXPECT_EQ(message("9 -1\n10 100\n"), path + ":1:1: bytes must be from 0, and percent from 0 to 100");
    EXPECT_EQ(error_of([&] { file("1 0\n9 100\n", 0); }),
              "test.yaml:1:2: length 'cdf' needs the bytes of a flit");
}

TEST(pattern, HasHotNodesOfUnlikeWeights) {
    const auto hot = [](const char* weights) {
        return traffic::pattern_registry::instance().make(
            config::value::map({{"name", text("hotspot")},
                                {"nodes", config::value::list({text("1"), text("4")})},
                                {"weights", config::parse_yaml(weights, "test")},
                                {"fraction", text("0.5")}}),
            {8, {8}, 1, "", nullptr});
    };
    std::vector<double> to(8);
    ASSERT_TRUE(hot("[1, 3]")->shares(0, to));
    EXPECT_NEAR(to[1], 0.125 + 0.5 / 7, 1e-12);
    EXPECT_NEAR(to[4], 0.375 + 0.5 / 7, 1e-12);
    for (const char* wrong : {"[1]", "[0, 0]"}) EXPECT_THROW(hot(wrong), config::error);
}

/// What a pattern says of its shares, against what it draws.
TEST(pattern, HasTheSharesOfManyDraws) {
    const auto law = [](const config::value& v, std::vector<std::uint32_t> dims) {
        auto p = make(v, dims);
        std::uint32_t nodes = 1;
        for (const auto n : dims) nodes *= n;
        for (const std::uint32_t source : {0U, nodes - 1}) {
            std::vector<double> shares(nodes, 0);
            EXPECT_TRUE(p->shares(source, shares));
            expect_law(counts(*p, source, nodes, 40000), shares, 40000);
        }
    };
    law(text("uniform"), {4, 3});
    law(section({{"name", "uniform"}, {"self", "true"}}), {4, 3});
    law(text("tornado"), {4, 3});
    law(text("random_permutation"), {4, 3});
    law(section({{"name", "hotspot"}, {"nodes", "0"}, {"fraction", "0.3"}}), {4, 3});
    law(section({{"name", "hotregion"}, {"fraction", "0.5"}, {"region", "0.25"}}), {4, 4});
    law(section({{"name", "hotregion"}, {"fraction", "0.5"}, {"region", "0.01"}}), {4, 4});
    law(section({{"name", "bad_dragonfly"}, {"group", "3"}}), {4, 3});
    law(text("local"), {6, 5});
    law(text("histogram"), {4, 3});
}

}  // namespace
}  // namespace sare::testing_support::pattern_test
