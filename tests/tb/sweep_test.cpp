// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

/// `sare sweep`: points, resuming, the end of a load curve, and what a kill leaves.
namespace sare::test::sweep_test {
namespace {

class sweep : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        write("curve.yaml",
              "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 2, depth: 4}\n"
              "traffic: {workload: bernoulli, load: 0.1, length: 4}\n"
              "measurement: {warmup: 500, convergence_interval: 1000, convergence_tolerance: 0.2, "
              "convergence_limit: 8, batch: 500, "
              "batches: 3}\n");
        write("slow.yaml",
              "network: {topology: mesh, dims: [4, 4]}\ntraffic: {workload: bernoulli, load: 0.1}\n"
              "measurement: {warmup: 100, convergence_count: 0, batch: 100000, batches: 10}\n");
    }
    std::set<std::string> points(const std::string& directory) const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(at(directory + "/points")))
            names.insert(entry.path().filename().string());
        return names;
    }
    std::size_t rows(const std::string& directory) const {
        const std::string text = read(directory + "/sweep.csv");
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
    }
};

TEST_F(sweep, HasAPointForEveryCombination) {
    const outcome o = sare(
        "sweep small.yaml --axis \"network.dims=[4, 4],[3, 3]\" --axis router.vcs=1,2 --axis seed=1,2 "
        "-j 2 --out s --no-report");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(points("s"), (std::set<std::string>{"000", "001", "002", "003", "004", "005", "006", "007"}));
    EXPECT_EQ(rows("s"), 8u);
    const auto six = read_json("s/points/006/summary.json");
    EXPECT_EQ(six["config"]["network"]["dims"], nlohmann::json({3, 3}));
    EXPECT_EQ(six["config"]["router"]["vcs"], 2);
    EXPECT_EQ(six["seed"], 1);
    EXPECT_EQ(
        read("s/sweep.csv").rfind("point,network.dims,router.vcs,seed,status,offered,injected,accepted,", 0),
        0u);
    EXPECT_EQ(read_json("s/sweep.json")["axes"]["router.vcs"], nlohmann::json({1, 2}));
}

TEST_F(sweep, GivesPointsTheResultOfARun) {
    ASSERT_EQ(
        sare("sweep small.yaml --axis traffic.load=0.1,0.2 --axis seed=3,4 -j 2 --out s --no-report --quiet")
            .status,
        0);
    ASSERT_EQ(sare("run small.yaml --set traffic.load=0.2 --seed 3 --out r --no-report --quiet").status, 0);
    const outcome o = sare("compare s/points/002 r --exact");
    EXPECT_EQ(o.status, 0) << o.out;
    EXPECT_EQ(read("s/points/002/links.csv"), read("r/links.csv"));
}

TEST_F(sweep, DoesNotDependOnTheNumberOfProcesses) {
    const std::string axes =
        "--axis traffic.load=0.1,0.3,0.9,0.95,1 --axis router.vcs=1,2 --no-report --quiet";
    ASSERT_EQ(sare("sweep curve.yaml " + axes + " -j 1 --out one").status, 0);
    ASSERT_EQ(sare("sweep curve.yaml " + axes + " -j 5 --out five").status, 0);
    EXPECT_EQ(read("one/sweep.csv"), read("five/sweep.csv"));
    EXPECT_EQ(points("one"), points("five"));
    EXPECT_EQ(sare("compare one five --exact").status, 0);
}

TEST_F(sweep, EndsALoadCurveTwoPointsPastSaturation) {
    // Out of order on purpose: curves run by ascending load.
    ASSERT_EQ(
        sare("sweep curve.yaml --axis traffic.load=1,0.1,0.9,0.95,0.99 --out s --no-report --quiet").status,
        0);
    EXPECT_EQ(points("s"), (std::set<std::string>{"001", "002", "003"}));
    EXPECT_EQ(read_json("s/points/002/summary.json")["status"], "saturated");
    EXPECT_EQ(rows("s"), 3u);
}

TEST_F(sweep, GoesOnWhereItStopped) {
    const std::string command = "sweep small.yaml --axis router.vcs=1,2,4 --out s --no-report";
    ASSERT_EQ(sare(command).status, 0);
    const auto kept = std::filesystem::last_write_time(at("s/points/000/summary.json"));
    const std::string table = read("s/sweep.csv");
    std::filesystem::remove_all(at("s/points/001"));
    write("s/points/002/summary.json", "{\"status\": \"completed\"");  // damaged
    std::filesystem::create_directories(at("s/points/001.partial-1"));
    const outcome o = sare(command);
    EXPECT_EQ(o.status, 0);
    EXPECT_NE(o.out.find("1 points were there already"), std::string::npos) << o.out;
    EXPECT_EQ(std::filesystem::last_write_time(at("s/points/000/summary.json")), kept);
    EXPECT_EQ(read("s/sweep.csv"), table);
    EXPECT_EQ(points("s"), (std::set<std::string>{"000", "001", "002"}));
}

TEST_F(sweep, KeepsFinishedPointsWhenKilled) {
    const std::string command =
        "\"$SARE\" sweep slow.yaml --axis seed=1,2,3,4,5,6,7,8,9,10,11,12 --out s --no-report --quiet";
    shell(command +
          " & pid=$!; until [ -e s/points/000 ] && [ -e s/points/001 ]; do sleep 0.05; done; kill -9 $pid; "
          "wait $pid; sleep 0.3");
    std::size_t whole = 0;
    for (const auto& name : points("s"))
        if (name.size() == 3) {
            EXPECT_TRUE(read_json("s/points/" + name + "/summary.json").contains("run")) << name;
            ++whole;
        }
    EXPECT_GE(whole, 2u);
    EXPECT_LT(whole, 12u);
    EXPECT_EQ(shell("for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = \"$SARE\" ] && "
                    "[ \"$(readlink $p/cwd)\" = \"$PWD\" ] && echo orphan $p; done")
                  .out,
              "");
    EXPECT_EQ(shell(command).status, 0);
    EXPECT_EQ(points("s").size(), 12u);
    EXPECT_EQ(rows("s"), 12u);
}

TEST_F(sweep, StopsItsChildrenWhenInterruptedAndGoesOnLater) {
    const std::string command =
        "\"$SARE\" sweep slow.yaml --axis seed=1,2,3,4,5,6,7,8 -j 2 --out s --no-report";
    const outcome o = shell(command +
                            " & pid=$!; until [ -e s/points/000 ] && [ -e s/points/001 ]; do sleep 0.05; "
                            "done; kill -INT $pid; wait $pid");
    EXPECT_EQ(o.status, 130);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("points to go; the same command goes on"), std::string::npos) << o.out;
    EXPECT_GE(rows("s"), 2u);
    for (const auto& name : points("s")) EXPECT_EQ(name.size(), 3u) << name;
    EXPECT_EQ(shell(command).status, 0);
    EXPECT_EQ(rows("s"), 8u);
}

TEST_F(sweep, LeavesAnotherSweepUntouched) {
    ASSERT_EQ(sare("sweep small.yaml --axis router.vcs=1,2 --out s --no-report --quiet").status, 0);
    const std::string before = read("s/sweep.json");
    const outcome o = sare("sweep small.yaml --axis router.vcs=1,2,3 --out s --no-report");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: s: holds another sweep (its sweep.json tells which); choose another --out\n");
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs=1,2 --seed 2 --out s").status, 1);
    EXPECT_EQ(read("s/sweep.json"), before);
    write("letters/one.txt", "dear");
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs=1,2 --out letters").err,
              "sare: letters: exists already and holds no sweep; choose another --out\n");
    EXPECT_FALSE(std::filesystem::exists(at("letters/sweep.json")));
}

TEST_F(sweep, FindsAMistakeInAnyPointBeforeTheFirst) {
    const outcome o = sare("sweep small.yaml --axis router.vcs=1,2,99 --out s");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: --axis router.vcs: 'vcs' is 99; it must be from 1 to 64\n");
    EXPECT_FALSE(std::filesystem::exists(at("s")));
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs= --out s").status, 2);
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs=1 --axis router.vcs=2 --out s").err,
              "sare: --axis router.vcs is given twice\n");
}

TEST_F(sweep, GoesOnWhenAPointFails) {
    const outcome o = sare(
        "sweep small.yaml --set \"network.dims=[3, 3]\" --axis traffic.pattern=uniform,tornado,butterfly "
        "--out s --no-report --quiet");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err.rfind("sare: point 002: ", 0), 0u) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_EQ(points("s"), (std::set<std::string>{"000", "001"}));
    // A network that cannot be built fails with all its points.
    const outcome p = sare(
        "sweep small.yaml --axis network.topology=mesh,torus --axis seed=1,2 --set router.vcs=1 "
        "--out t --no-report --quiet");
    EXPECT_EQ(p.status, 1);
    EXPECT_EQ(points("t"), (std::set<std::string>{"000", "001"}));
}

TEST_F(sweep, HasExactRangesWithBothEnds) {
    ASSERT_EQ(sare("sweep small.yaml --axis traffic.load=0.05:0.2:.05,0.01 --axis nic.delay=3:1:-1 --out s "
                   "--no-report --quiet")
                  .status,
              0);
    const auto axes = read_json("s/sweep.json")["axes"];
    EXPECT_EQ(axes["traffic.load"].dump(), "[0.05,0.1,0.15,0.2,0.01]");
    EXPECT_EQ(axes["nic.delay"].dump(), "[3,2,1]");
    EXPECT_EQ(read_json("s/points/006/summary.json")["config"]["traffic"]["load"].dump(), "0.15");
    EXPECT_EQ(rows("s"), 15u);
}

TEST_F(sweep, RefusesRangesThatMakeNoSense) {
    const std::pair<const char*, const char*> lines[] = {
        {"0.1:0.5:0", "has a step of 0, which never comes to its end"},
        {"0.1:0.5:-0.1", "never comes to 0.5; its step must be above 0"},
        {"0.5:0.1:0.1", "never comes to 0.1; its step must be below 0"},
        {"0:1:0.000001", "has more than 100000 values"},
        {"0:1:0.0000000000000001", "has more than 15 digits"},
        {"0.1:0.5", "is no range; write FIRST:LAST:STEP in decimals, such as 0.05:0.5:0.05"},
        {"0.1:0.5:1e-1", "is no range; write FIRST:LAST:STEP in decimals, such as 0.05:0.5:0.05"}};
    for (const auto& [range, why] : lines) {
        const outcome o = sare(std::string("sweep small.yaml --out s --axis traffic.load=") + range);
        EXPECT_EQ(o.status, 2) << range;
        EXPECT_EQ(o.err, std::string("sare: --axis traffic.load: '") + range + "' " + why + "\n");
    }
}

TEST_F(sweep, ZipsAxesThatGoTogether) {
    ASSERT_EQ(sare("sweep small.yaml --axis router.vcs=1,2,4 --axis nic.delay=1,2 --axis router.depth=8,4,2 "
                   "--zip=router.vcs,router.depth --out s --no-report --quiet")
                  .status,
              0);
    EXPECT_EQ(rows("s"), 6u);
    const std::string table = read("s/sweep.csv");
    for (const char* row : {"\n0,1,1,8,", "\n1,1,2,8,", "\n2,2,1,4,", "\n5,4,2,2,"})
        EXPECT_NE(table.find(row), std::string::npos) << table;
    EXPECT_EQ(read_json("s/sweep.json")["zipped"].dump(), R"([["router.vcs","router.depth"]])");
    EXPECT_EQ(
        sare("sweep small.yaml --axis router.vcs=1,2,4 --axis router.depth=8,4,2 --zip --out t --no-report "
             "--quiet")
            .status,
        0);
    EXPECT_EQ(rows("t"), 3u);
    // The same axes without going together are another sweep.
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs=1,2,4 --axis router.depth=8,4,2 --out t").err,
              "sare: t: holds another sweep (its sweep.json tells which); choose another --out\n");
    const std::string two = "sweep small.yaml --out u --axis router.vcs=1,2 --axis router.depth=1,2,3 ";
    EXPECT_EQ(
        sare(two + "--zip").err,
        "sare: --zip: router.vcs has 2 values and router.depth has 3; axes that go together have as many "
        "(--zip=PATH,PATH names them)\n");
    EXPECT_EQ(sare(two + "--zip=router.vcs,depth").err,
              "sare: --zip router.vcs,depth: no axis 'depth'; the axes are router.vcs, router.depth\n");
    EXPECT_EQ(sare(two + "--zip=router.vcs").err,
              "sare: --zip names one axis, router.vcs; two and more go together\n");
    EXPECT_EQ(sare("sweep small.yaml --out u --axis router.vcs=1,2 --axis router.depth=1,2 --zip --zip").err,
              "sare: --zip names router.vcs twice\n");
}

TEST_F(sweep, TakesCasesOfTheFileAsAnAxis) {
    write("cases.yaml",
          "traffic: {workload: bernoulli, load: 0.1}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 3}\n"
          "cases:\n"
          "  ring: {network: {topology: torus, dims: [8]}, router.vcs: 2}\n"
          "  mesh: {network.topology: mesh, network.dims: [4, 4], router.vcs: 1}\n");
    ASSERT_EQ(sare("sweep cases.yaml --out s --no-report --quiet").status, 0);
    EXPECT_EQ(read("s/sweep.csv").rfind("point,case,seed,", 0), 0u);
    EXPECT_EQ(read_json("s/points/001/summary.json")["topology"]["nodes"], 16);
    // What the command line sets counts over the cases.
    ASSERT_EQ(sare("sweep cases.yaml --axis case=mesh --set router.vcs=3 --out t --no-report --quiet").status,
              0);
    EXPECT_EQ(read_json("t/points/000/summary.json")["config"]["router"]["vcs"], 3);
    ASSERT_EQ(sare("run cases.yaml --set case=ring --out r --no-report --quiet").status, 0);
    EXPECT_EQ(read("r/links.csv"), read("s/points/000/links.csv"));
    EXPECT_EQ(
        sare("run cases.yaml").err,
        "sare: cases.yaml: has the cases ring, mesh; choose one (--set case=ring), or run all of them with "
        "'sare sweep'\n");
    EXPECT_EQ(sare("run cases.yaml --set case=rong").err,
              "sare: --set case: no case 'rong'; the file has ring, mesh; did you mean ring?\n");
    EXPECT_EQ(sare("sweep cases.yaml --axis case=mesh,rong --out u").err,
              "sare: --axis case: no case 'rong'; cases.yaml has ring, mesh; did you mean ring?\n");
    EXPECT_EQ(sare("sweep small.yaml --axis case=a --out u").err,
              "sare: --axis case: small.yaml has no cases\n");
    EXPECT_EQ(sare("run small.yaml --set case=a").err, "sare: --set case=a: small.yaml has no cases\n");
    write("bad.yaml", std::string(small) + "cases: [a, b]\n");
    EXPECT_EQ(sare("sweep bad.yaml --out u").err,
              "sare: bad.yaml:4:8: 'cases' must be names with parameters, such as {small: {router.vcs: 1}, "
              "large: {router.vcs: 4}}\n");
    write("bad.yaml", std::string(small) + "cases: {a: 1}\n");
    EXPECT_EQ(sare("sweep bad.yaml --out u").err,
              "sare: bad.yaml:4:12: 'a' must have parameters by their paths, such as {router.vcs: 2}\n");
    write("bad.yaml", std::string(small) + "cases: {a: {router.vc: 2}}\n");
    EXPECT_EQ(sare("sweep bad.yaml --out u").err.rfind("sare: bad.yaml:4:", 0), 0u);
}

TEST_F(sweep, TakesSeedsAsPointsAndGivesTheirMeans) {
    ASSERT_EQ(
        sare("sweep small.yaml --axis router.vcs=1,2 --seeds 3 --seed 7 --out s --no-report --quiet").status,
        0);
    EXPECT_EQ(rows("s"), 6u);
    EXPECT_EQ(read_json("s/sweep.json")["axes"]["seed"].dump(), "[7,8,9]");
    std::istringstream table(read("s/seeds.csv"));
    std::string header, row;
    std::getline(table, header);
    std::getline(table, row);
    EXPECT_EQ(header.rfind("router.vcs,seeds,status,offered,offered_ci95,", 0), 0u) << header;
    EXPECT_EQ(row.rfind("1,3,completed,", 0), 0u) << row;
    double sum = 0, squares = 0;
    for (const char* point : {"000", "001", "002"}) {
        const double x =
            read_json(std::string("s/points/") + point + "/summary.json")["load"]["offered"].get<double>();
        sum += x;
        squares += x * x;
    }
    const double mean = sum / 3, error = std::sqrt((squares - 3 * mean * mean) / 2 / 3);
    double told = 0, width = 0;
    ASSERT_EQ(std::sscanf(row.c_str(), "1,3,completed,%lf,%lf", &told, &width), 2);
    EXPECT_NEAR(told, mean, 1e-12);
    EXPECT_NEAR(width, 4.30265 * error, 1e-6);  // t of 0.975 with 2 degrees of freedom
    // A run is the same without other axes, and goes on.
    const outcome o = sare("run small.yaml --set router.vcs=1 --seeds 3 --seed 7 --out r --no-report");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read("r/points/002/links.csv"), read("s/points/002/links.csv"));
    EXPECT_NE(o.out.find(" ± "), std::string::npos) << o.out;
    EXPECT_EQ(sare("sweep small.yaml --axis seed=1,2 --seeds 3 --out t").err,
              "sare: --seeds and --axis seed are not possible together; give one of them\n");
    for (const char* other : {"--overwrite", "--checkpoint 10min", "--baseline alone"})
        EXPECT_EQ(sare(std::string("run small.yaml --seeds 2 --out r ") + other).err,
                  "sare: run: --seeds is a sweep, which knows no " +
                      std::string(other).substr(0, std::string(other).find(' ')) +
                      "; leave it out: the same command goes on\n");
    EXPECT_EQ(sare("run small.yaml --seeds 0").status, 2);
    EXPECT_EQ(sare("run small.yaml --seeds 2 --seed 9223372036854775807 --out t").err,
              "sare: --seeds 2: from 9223372036854775807 on there are not so many; the last seed is "
              "9223372036854775807\n");
}

TEST_F(sweep, MakesPagesOfPointsOnRequest) {
    const outcome o = sare("sweep small.yaml --axis router.vcs=1,2 --reports -j 2 --quiet --out s");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(read("s/points/001/report.html").find("Run of sare"), std::string::npos);
    EXPECT_NE(read("s/report.html").find("href=\"points/001/report.html\""), std::string::npos);
}

TEST_F(sweep, ListsFailedPointsInItsDirectory) {
    const std::string command =
        "sweep small.yaml --set \"network.dims=[3, 3]\" --axis traffic.pattern=uniform,butterfly --axis "
        "seed=1,2 "
        "--no-report --quiet --out s";
    EXPECT_EQ(sare(command).status, 1);
    const std::string table = read("s/failed.csv");
    EXPECT_EQ(table.rfind("points,reason\n002-003,", 0), 0u) << table;
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2);
    // Gone when nothing fails any more.
    ASSERT_EQ(sare("sweep small.yaml --axis router.vcs=1 --no-report --quiet --out t").status, 0);
    write("t/failed.csv", "points,reason\n000,old\n");
    ASSERT_EQ(sare("sweep small.yaml --axis router.vcs=1 --no-report --quiet --out t").status, 0);
    EXPECT_FALSE(std::filesystem::exists(at("t/failed.csv")));
}

TEST_F(sweep, FailsThePointOnAFullDisk) {
    const outcome o = shell("ulimit -f 8; sare sweep small.yaml --axis seed=1,2 --out s --no-report --quiet");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("sare: point 000: s/points/000"), std::string::npos) << o.err;
    EXPECT_TRUE(points("s").empty());
}

}  // namespace
}  // namespace sare::test::sweep_test
