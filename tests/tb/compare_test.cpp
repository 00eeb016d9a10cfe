// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// `sare compare`: headline figures and their noise, baselines; exact: tolerances, what is left out; what
/// cannot be read.
namespace sare::test::compare_test {
namespace {

class compare : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("a.json", R"({"status": "completed", "version": "1", "load": {"accepted": 0.1, "offered": 0},
                            "latency": {"mean": 100.0, "max": null}, "batches": [1, 2], "run": {"wall_s": 1}})");
        write("b.json",
              R"({"status": "completed", "version": "2", "load": {"accepted": 0.101, "offered": 0.001},
                            "latency": {"mean": 102, "max": null}, "batches": [1, 2], "run": {"wall_s": 7}})");
    }
};

/// A made-up set of seeds: an accepted load for each.
class compare_noise : public program {
  protected:
    void set(const std::string& name, const std::vector<double>& loads, const std::string& more = "") const {
        std::string seeds;
        for (std::size_t i = 0; i < loads.size(); ++i) {
            seeds += (i == 0 ? "" : ", ") + std::to_string(i + 1);
            write(name + "/points/00" + std::to_string(i) + "/summary.json",
                  R"({"status": "completed", "seed": )" + std::to_string(i + 1) +
                      R"(, "load": {"accepted": )" + std::to_string(loads[i]) + "}" + more + "}");
        }
        write(name + "/sweep.json", R"({"axes": {"seed": [)" + seeds + "]}}");
    }
    /// What is said of a figure.
    std::string verdict(const outcome& o, const std::string& figure) const {
        const auto at = o.out.find("\n" + figure + " ");
        if (at == std::string::npos) return "no " + figure;
        const std::string line = o.out.substr(at + 1, o.out.find('\n', at + 1) - at - 1);
        for (const char* begin : {"identical", "within noise", "differs", "noise unknown"})
            if (line.find(begin) != std::string::npos) return line.substr(line.find(begin));
        return line;
    }
};

// Standard errors of 1 / sqrt(3), 4 degrees of freedom: t is 2.776 in any table.
TEST_F(compare_noise, FollowsWelchAmongSeeds) {
    set("a", {1, 2, 3});
    set("b", {11, 12, 13});
    set("c", {2, 3, 4.5});
    const outcome o = sare("compare a b");
    EXPECT_EQ(o.status, 1) << o.err;
    EXPECT_EQ(verdict(o, "accepted load"), "differs by +10.0 ± 2.3 (+500 %)") << o.out;
    EXPECT_NE(o.out.find("  2.0 ± 2.5  12.0 ± 2.5  "), std::string::npos) << o.out;
    EXPECT_EQ(sare("compare a c").status, 0);
    EXPECT_EQ(verdict(sare("compare a c"), "accepted load").rfind("within noise: +1.2 ± ", 0), 0u);
    EXPECT_EQ(verdict(sare("compare a a"), "accepted load"), "identical");
    // t of 0.9995 is 8.61: 7.03 on each side.
    EXPECT_EQ(verdict(sare("compare a b --confidence 0.999"), "accepted load"),
              "differs by +10.0 ± 7.1 (+500 %)");
}

// The half width is 2.26696: what it covers, it covers as shown, and what it does not is shown beyond it.
TEST_F(compare_noise, IsShownAsWideAsItIs) {
    set("a", {1, 2, 3});
    set("less", {3.266, 4.266, 5.266});
    set("more", {3.2672, 4.2672, 5.2672});
    EXPECT_EQ(verdict(sare("compare a less"), "accepted load"), "within noise: +2.3 ± 2.3 (+113 %)");
    EXPECT_EQ(verdict(sare("compare a more"), "accepted load"), "differs by +2.2672 ± 2.2670 (+113 %)");
    EXPECT_EQ(verdict(sare("compare more a"), "accepted load"), "differs by -2.2672 ± 2.2670 (-53.1 %)");
}

TEST_F(compare_noise, IsMarkedForAGrowingLatency) {
    const auto run = [&](const char* file, const char* steady) {
        write(file, std::string(R"({"status": "saturated", "load": {"accepted": 0.3}, "latency": {)") +
                        steady + R"("packet": {"from_generation": {"mean": 900, "p99": 4000}}}})");
    };
    run("grows.json", R"("steady": false, )");
    run("stays.json", "");
    const std::string note = "\n* depends on the length of the run, which is saturated or unsettled\n";
    const outcome o = sare("compare grows.json stays.json");
    EXPECT_NE(o.out.find("latency, mean       900*        900  identical\n"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("accepted load        0.3        0.3  identical\n"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find(note), std::string::npos) << o.out;
    EXPECT_EQ(sare("compare stays.json stays.json").out.find('*'), std::string::npos);
}

/// Long names: no line is wider than the terminal.
TEST_F(compare_noise, FitsIntoANarrowTerminal) {
    const std::string name = "a_design_with_a_name_that_is_much_longer_than_a_terminal_is_wide";
    set(name, {1, 2, 3});
    set("b", {11, 12, 13});
    const outcome o = shell("COLUMNS=60 \"$SARE\" compare " + name + " b");
    EXPECT_EQ(o.status, 1) << o.err;
    std::istringstream lines(o.out);
    for (std::string line; std::getline(lines, line);) {
        const bool fits =
            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }) <= 60;
        EXPECT_TRUE(fits || line.find(name) != std::string::npos) << line;
    }
}

TEST_F(compare_noise, IsSharedAmongAllFigures) {
    set("a", {1, 2, 3}, R"(, "hops": {"mean": 3})");
    write("a/points/000/summary.json",
          R"({"status": "completed", "seed": 1, "load": {"accepted": 1}, "hops": {"mean": 4}})");
    set("b", {11, 12, 13}, R"(, "hops": {"mean": 3})");
    // t of 1 - 0.025 / 2 with 4 degrees of freedom is 3.495.
    EXPECT_EQ(verdict(sare("compare a b"), "accepted load"), "differs by +10.0 ± 2.9 (+500 %)");
}

TEST_F(compare_noise, ComesFromTheBatchesOfARun) {
    const auto run = [&](const char* file, const char* mean, const char* ci95, const char* batches) {
        write(file, std::string(R"({"status": "completed", "load": {"accepted": 1},
              "latency": {"packet": {"from_generation": {"mean": )") +
                        mean + R"(, "p99": )" + mean + R"(, "ci95": )" + ci95 + R"(}}}, "batches": )" +
                        batches + "}");
    };
    run("a.json", "20", "1", R"([{"latency_mean": 19}, {"latency_mean": 20}, {"latency_mean": 21}])");
    run("b.json", "21", "1", R"([{"latency_mean": 20}, {"latency_mean": 21}, {"latency_mean": 22}])");
    run("c.json", "40", "1", R"([{"latency_mean": 39}, {"latency_mean": 40}, {"latency_mean": 41}])");
    run("d.json", "40", "null", R"([{"latency_mean": 39}, {"latency_mean": 40}, {"latency_mean": 41}])");
    EXPECT_EQ(verdict(sare("compare a.json b.json"), "latency, mean"), "within noise: +1.0 ± 2.3 (+5 %)");
    EXPECT_EQ(sare("compare a.json b.json").status, 0);
    EXPECT_EQ(verdict(sare("compare a.json c.json"), "latency, mean"), "differs by +20.0 ± 2.3 (+100 %)");
    // Of a percentile, and where there is no steady mean, a run alone does not tell.
    EXPECT_EQ(verdict(sare("compare a.json b.json"), "latency, p99"), "noise unknown: +1 (+5 %)");
    EXPECT_EQ(verdict(sare("compare a.json d.json"), "latency, mean"), "noise unknown: +20 (+100 %)");
    EXPECT_EQ(sare("compare a.json d.json").status, 0);
}

TEST_F(compare_noise, IsAbsentForAStatusAndAMakespan) {
    write("a.json", R"({"status": "completed", "workload": {"makespan_cycles": 100}})");
    write("b.json", R"({"status": "completed", "workload": {"makespan_cycles": 101}})");
    write("c.json", R"({"status": "saturated", "workload": {"makespan_cycles": 100}})");
    EXPECT_EQ(verdict(sare("compare a.json b.json"), "makespan, cycles"), "differs by +1 (+1 %)");
    EXPECT_EQ(sare("compare a.json b.json").status, 1);
    EXPECT_EQ(verdict(sare("compare a.json c.json"), "status"), "differs");
    EXPECT_EQ(sare("compare a.json c.json").status, 1);
}

TEST_F(compare_noise, FindsABaselineByItsName) {
    set("ref/one", {1, 2, 3});
    set("new/one", {1, 2, 3});
    set("new/two", {7, 8, 9});
    EXPECT_EQ(sare("compare --baseline ref new/one").status, 0);
    EXPECT_EQ(sare("compare --baseline ref/one new/one/").status, 0);
    EXPECT_EQ(sare("compare --baseline ref/one new/one new/two").status, 1);
    const outcome o = sare("compare --baseline ref new/one new/two");
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err,
              "sare: compare: ref has no result 'two'; where the new one is good: cp -r new/two ref\n");
}

TEST_F(compare_noise, MatchesPointsOfSweepsByTheirParameters) {
    write("small.yaml", small);
    const std::string quiet = " --no-report --quiet --set traffic.load=0.2 --out ";
    ASSERT_EQ(sare("sweep small.yaml --axis router.vcs=1,2 --axis seed=1,2" + quiet + "a").status, 0);
    ASSERT_EQ(sare("sweep small.yaml --axis seed=1,2 --axis router.vcs=2,3,1" + quiet + "b").status, 0);
    const outcome o = sare("compare a b");
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_NE(o.out.find("2 points compared; 1 are in B alone\n0 of 14 figures differ; 0 within noise, 14 "
                         "identical\n"),
              std::string::npos)
        << o.out;
    ASSERT_EQ(sare("sweep small.yaml --axis router.depth=2,4" + quiet + "c").status, 0);
    EXPECT_EQ(sare("compare a c").err,
              "sare: compare: a is a sweep along router.vcs, and c along router.depth; points are compared "
              "where the axes are the same\n");
    // By the names of cases, and value by value of axes that go together.
    write("cases.yaml",
          std::string(small) + "cases: {deep: {router.depth: 8}, shallow: {router.depth: 2}}\n");
    ASSERT_EQ(
        sare("sweep cases.yaml --axis router.vcs=1,2 --axis case=shallow,deep --zip" + quiet + "d").status,
        0);
    ASSERT_EQ(
        sare("sweep cases.yaml --axis case=deep,shallow --axis router.vcs=2,1 --zip" + quiet + "e").status,
        0);
    EXPECT_EQ(sare("compare d e").status, 0) << sare("compare d e").out;
    EXPECT_EQ(read_json("d/points/001/summary.json")["config"]["router"]["depth"], 8);
    EXPECT_NE(sare("compare d e").out.find("2 points compared\n0 of 14"), std::string::npos);
}

TEST_F(compare, FindsWhatDiffers) {
    const outcome o = sare("compare a.json b.json --exact");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.out,
              "figure         a.json  b.json\n"
              "load.accepted     0.1   0.101  +1 %\n"
              "load.offered        0   0.001\n"
              "latency.mean    100.0     102  +2 %\n"
              "3 of 7 figures differ\n");
    EXPECT_EQ(sare("compare a.json a.json --exact").out, "7 figures agree\n");
}

TEST_F(compare, KeepsToItsTolerances) {
    EXPECT_EQ(sare("compare a.json b.json --abs 0.001 --rel 0.0197").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --abs 0.001 --rel 0.0195").status, 1);
    EXPECT_EQ(sare("compare a.json b.json --abs 2").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --abs 1.9").status, 1);
    EXPECT_EQ(sare("compare a.json b.json --rel 0.5").status, 1);  // zero against something
    EXPECT_EQ(sare("compare a.json b.json --rel -1").status, 2);
}

TEST_F(compare, IgnoresTheGivenFigures) {
    EXPECT_EQ(sare("compare a.json b.json --ignore load --ignore latency.mean").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --ignore load --ignore latency.me").status, 1);
}

TEST_F(compare, TreatsAbsentAndNullAsDifferences) {
    write("c.json", R"({"status": "saturated", "load": {"accepted": 0.1}, "latency": {"mean": null, "max": 3},
                        "batches": [1, 2, 3]})");
    const outcome o = sare("compare a.json c.json --exact");
    EXPECT_EQ(o.status, 1);
    for (const char* name : {"status", "load.offered", "latency.mean", "latency.max", "batches.2"})
        EXPECT_NE(o.out.find(std::string("\n") + name + " "), std::string::npos) << name << "\n" << o.out;
}

TEST_F(compare, RefusesARunWithASweep) {
    shell(
        "mkdir -p run sweep/points/000; cp a.json run/summary.json; cp a.json sweep/points/000/summary.json; "
        "echo {\\\"axes\\\": {\\\"router.vcs\\\": [1, 2]}} > sweep/sweep.json");
    for (const char* both : {"run sweep", "sweep run", "sweep a.json", "sweep a.json --exact"}) {
        const outcome o = sare(std::string("compare ") + both);
        EXPECT_EQ(o.status, 2) << both;
        EXPECT_EQ(o.out, "") << both;
        EXPECT_NE(o.err.find("name two of a kind: the runs of a sweep are in sweep/points\n"),
                  std::string::npos)
            << o.err;
    }
}

TEST_F(compare, ComparesSweepsPointByPoint) {
    write("small.yaml", small);
    ASSERT_EQ(sare("sweep small.yaml --axis traffic.load=0.1,0.2 --out s --no-report --quiet").status, 0);
    ASSERT_EQ(
        sare("sweep small.yaml --axis traffic.load=0.1,0.2 --seed 8 --out t --no-report --quiet").status, 0);
    EXPECT_EQ(sare("compare s s --exact").status, 0);
    const outcome o = sare("compare s t --exact");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.out.find("points.001.load.accepted"), std::string::npos);
    EXPECT_EQ(sare("compare s t --rel 0.9 --abs 20 --ignore seed --ignore config.seed --ignore fairness "
                   "--ignore packets --ignore flits --ignore messages --ignore latency")
                  .status,
              0);
}

TEST_F(compare, RefusesWhatCannotBeCompared) {
    for (const char* sweep :
         {R"({"axes": {"seed": 1}})", R"({"axes": {"seed": [1]}, "zipped": [["a", "b"]]})",
          R"({"axes": {"seed": [1]}, "zipped": [3]})"}) {
        write("sweep/sweep.json", sweep);
        EXPECT_EQ(sare("compare sweep sweep").err,
                  "sare: sweep/sweep.json: 'axes' and 'zipped' are not those of a sweep\n");
    }
    for (const char* line :
         {"a.json none.json", "a.json .", "none.json a.json --exact", "--baseline none a.json"})
        EXPECT_EQ(sare(std::string("compare ") + line).status, 2) << line;
    EXPECT_EQ(sare("compare a.json").err,
              "sare: B is missing; write 'sare compare A B', or 'sare compare --baseline DIR A'\n");
}

// Nobody reads a line of 300 characters on a terminal.
TEST_F(compare, KeepsLinesWithinTheTerminal) {
    write("c.json", R"({"status": "completed", "status_reason": ")" + std::string(60, 'x') + " " +
                        std::string(60, 'y') + R"("})");
    write("d.json", R"({"status": "completed", "status_reason": ")" + std::string(60, 'z') + R"("})");
    std::istringstream lines(sare("compare c.json d.json --exact").out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(compare, ReportsUnreadableFilesInOneLine) {
    write("broken.json", "{\n  \"status\": 1,\n  oops\n}\n");
    write("other.json", "[1, 2]\n");
    EXPECT_EQ(sare("compare a.json broken.json").err, "sare: broken.json:3:1: not valid JSON\n");
    write("large.json", "{\n  \"status\": 1e999\n}\n");
    EXPECT_EQ(sare("compare a.json large.json").err,
              "sare: large.json:2:1: a number beyond all that a double holds\n");
    write("deep.json", "{\n  \"status\":" + std::string(100000, '[') + std::string(100000, ']') + "\n}\n");
    EXPECT_EQ(sare("compare a.json deep.json").err, "sare: deep.json:2:1: nested more than 100 deep\n");
    EXPECT_EQ(sare("compare a.json other.json").err, "sare: other.json: not a summary of sare\n");
    EXPECT_EQ(sare("compare a.json none.json").err,
              "sare: none.json: cannot be read: No such file or directory\n");
    EXPECT_EQ(sare("compare . a.json").err,
              "sare: .: neither summary.json (of a run) nor sweep.json (of a sweep) is in it\n");
}

}  // namespace
}  // namespace sare::test::compare_test
