// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
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

TEST_F(sweep, has_a_point_for_every_combination) {
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

TEST_F(sweep, a_point_is_what_run_gives) {
    ASSERT_EQ(
        sare("sweep small.yaml --axis traffic.load=0.1,0.2 --axis seed=3,4 -j 2 --out s --no-report --quiet")
            .status,
        0);
    ASSERT_EQ(sare("run small.yaml --set traffic.load=0.2 --seed 3 --out r --no-report --quiet").status, 0);
    const outcome o = sare("compare s/points/002 r");
    EXPECT_EQ(o.status, 0) << o.out;
    EXPECT_EQ(read("s/points/002/links.csv"), read("r/links.csv"));
}

TEST_F(sweep, does_not_depend_on_the_number_of_processes) {
    const std::string axes =
        "--axis traffic.load=0.1,0.3,0.9,0.95,1 --axis router.vcs=1,2 --no-report --quiet";
    ASSERT_EQ(sare("sweep curve.yaml " + axes + " -j 1 --out one").status, 0);
    ASSERT_EQ(sare("sweep curve.yaml " + axes + " -j 5 --out five").status, 0);
    EXPECT_EQ(read("one/sweep.csv"), read("five/sweep.csv"));
    EXPECT_EQ(points("one"), points("five"));
    EXPECT_EQ(sare("compare one five").status, 0);
}

TEST_F(sweep, a_load_curve_ends_two_points_past_saturation) {
    // Out of order on purpose: curves run by ascending load.
    ASSERT_EQ(
        sare("sweep curve.yaml --axis traffic.load=1,0.1,0.9,0.95,0.99 --out s --no-report --quiet").status,
        0);
    EXPECT_EQ(points("s"), (std::set<std::string>{"001", "002", "003"}));
    EXPECT_EQ(read_json("s/points/002/summary.json")["status"], "saturated");
    EXPECT_EQ(rows("s"), 3u);
}

TEST_F(sweep, goes_on_where_it_stopped) {
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

TEST_F(sweep, killed_keeps_finished_points) {
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

TEST_F(sweep, interrupted_stops_its_children_and_goes_on_later) {
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

TEST_F(sweep, another_sweep_is_not_touched) {
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

TEST_F(sweep, a_mistake_in_any_point_is_found_before_the_first) {
    const outcome o = sare("sweep small.yaml --axis router.vcs=1,2,99 --out s");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: --axis router.vcs: 'vcs' is 99; it must be from 1 to 16\n");
    EXPECT_FALSE(std::filesystem::exists(at("s")));
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs= --out s").status, 2);
    EXPECT_EQ(sare("sweep small.yaml --axis router.vcs=1 --axis router.vcs=2 --out s").err,
              "sare: --axis router.vcs is given twice\n");
}

TEST_F(sweep, a_point_that_fails_does_not_stop_the_others) {
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

TEST_F(sweep, a_full_disk_fails_the_point) {
    const outcome o = shell("ulimit -f 4; sare sweep small.yaml --axis seed=1,2 --out s --no-report --quiet");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("sare: point 000: s/points/000"), std::string::npos) << o.err;
    EXPECT_TRUE(points("s").empty());
}

}  // namespace
}  // namespace sare::test::sweep_test
