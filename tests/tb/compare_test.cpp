// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// `sare compare`: tolerances, what is left out, what cannot be read.
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

TEST_F(compare, finds_what_differs) {
    const outcome o = sare("compare a.json b.json");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.out,
              "figure         a.json  b.json\n"
              "load.accepted     0.1   0.101  +1 %\n"
              "load.offered        0   0.001\n"
              "latency.mean    100.0     102  +2 %\n"
              "3 of 7 figures differ\n");
    EXPECT_EQ(sare("compare a.json a.json").out, "7 figures agree\n");
}

TEST_F(compare, tolerances_are_sharp) {
    EXPECT_EQ(sare("compare a.json b.json --abs 0.001 --rel 0.0197").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --abs 0.001 --rel 0.0195").status, 1);
    EXPECT_EQ(sare("compare a.json b.json --abs 2").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --abs 1.9").status, 1);
    EXPECT_EQ(sare("compare a.json b.json --rel 0.5").status, 1);  // zero against something
    EXPECT_EQ(sare("compare a.json b.json --rel -1").status, 2);
}

TEST_F(compare, ignores_what_it_is_told_to) {
    EXPECT_EQ(sare("compare a.json b.json --ignore load --ignore latency.mean").status, 0);
    EXPECT_EQ(sare("compare a.json b.json --ignore load --ignore latency.me").status, 1);
}

TEST_F(compare, absent_and_null_are_differences) {
    write("c.json", R"({"status": "saturated", "load": {"accepted": 0.1}, "latency": {"mean": null, "max": 3},
                        "batches": [1, 2, 3]})");
    const outcome o = sare("compare a.json c.json");
    EXPECT_EQ(o.status, 1);
    for (const char* name : {"status", "load.offered", "latency.mean", "latency.max", "batches.2"})
        EXPECT_NE(o.out.find(std::string("\n") + name + " "), std::string::npos) << name << "\n" << o.out;
}

TEST_F(compare, a_run_with_a_sweep_is_misuse) {
    shell(
        "mkdir -p run sweep/points/000; cp a.json run/summary.json; cp a.json sweep/points/000/summary.json; "
        "echo {} > sweep/sweep.json");
    for (const char* both : {"run sweep", "sweep run", "sweep a.json"}) {
        const outcome o = sare(std::string("compare ") + both);
        EXPECT_EQ(o.status, 2) << both;
        EXPECT_EQ(o.out, "") << both;
        EXPECT_NE(o.err.find("name two of a kind: the runs of a sweep are in sweep/points\n"),
                  std::string::npos)
            << o.err;
    }
}

TEST_F(compare, sweeps_point_by_point) {
    write("small.yaml", small);
    ASSERT_EQ(sare("sweep small.yaml --axis traffic.load=0.1,0.2 --out s --no-report --quiet").status, 0);
    ASSERT_EQ(
        sare("sweep small.yaml --axis traffic.load=0.1,0.2 --seed 8 --out t --no-report --quiet").status, 0);
    EXPECT_EQ(sare("compare s s").status, 0);
    const outcome o = sare("compare s t");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.out.find("points.001.load.accepted"), std::string::npos);
    EXPECT_EQ(sare("compare s t --rel 0.9 --abs 20 --ignore seed --ignore config.seed --ignore fairness "
                   "--ignore packets --ignore flits --ignore messages --ignore latency")
                  .status,
              0);
}

TEST_F(compare, what_cannot_be_read_is_one_line) {
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
