// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/cosim_program.h"

/// `sare regress`: lists of runs, and their history.
namespace sare::test::regress_test {
namespace {

using regress = cosim;

TEST_F(regress, RunsARegressionAndKnowsItsHistory) {
    write("nightly.yaml",
          "regress:\n  name: the \"nightly\" list\n  runs:\n"
          "    - {name: drawn, random: 1, seed: 8, most_vcs: 8, cycles: 500, speed: quick, shrink: 0}\n"
          "    - {experiment: mesh.yaml, set: [cosim.shadow=4], cycles: 2000, speed: quick}\n");
    const std::string line = "sare regress nightly.yaml --store runs.db --out ";
    const outcome good = shell(line + "good");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(last_line(good.out), "cases=2 mismatches=0 errors=0 flaky=0") << good.out;
    change_rtl("sare_rr_arbiter.sv", "else if (served_i) above_q", "else above_q");
    const outcome bad = shell("SARE_RTL=rtl " + line + "bad");
    EXPECT_EQ(bad.status, 1);
    const auto results = read_json("bad/regress.json");
    EXPECT_EQ(results["cases"][1]["status"], "mismatch");
    EXPECT_EQ(results["cases"][1]["history"], ".");
    EXPECT_EQ(results["waves"], "first_failure/waves/0000.fst");
    const std::string again =
        "sare cosim mesh.yaml --set cosim.shadow=4 --cycles 2000 --speed quick --seed 1";
    EXPECT_EQ(results["cases"][1]["command"], again);
    EXPECT_NE(shell("SARE_RTL=rtl " + again + " --no-waves --out again").err, "");
    EXPECT_GT(read("bad/first_failure/waves/0000.fst").size(), 1000u);
    EXPECT_NE(read("bad/junit.xml").find("<testsuite name=\"mesh\" tests=\"1\" failures=\"1\""),
              std::string::npos);
    EXPECT_NE(read("bad/index.html").find("<code>.F</code>"), std::string::npos);
    EXPECT_EQ(last_line(shell(line + "third").out), "cases=2 mismatches=0 errors=0 flaky=0")
        << "it was other RTL that differed";
    shell(
        "python3 -c \"import sqlite3; db = sqlite3.connect('runs.db'); db.execute(\\\"update value set value "
        "= "
        "'mismatch' where run = 1 and value = 'agrees'\\\"); db.commit()\"");
    EXPECT_EQ(last_line(shell(line + "fourth").out), "cases=2 mismatches=0 errors=0 flaky=2")
        << "as if this RTL had differed";
}

TEST_F(regress, ReportsResultsOfAnInterruptedRegression) {
    write("long.yaml",
          "regress: {runs: [{experiment: mesh.yaml, seeds: 50, cycles: 99999, speed: quick}]}\n");
    const outcome o = shell(
        "\"$SARE\" regress long.yaml --no-store --out x & run=$!; for n in $(seq 9000); do sleep 0.01; ls -d "
        "x.partial-*/mesh.partial-* >/dev/null 2>&1 && break; done; kill -INT $run; wait $run");
    EXPECT_TRUE(o.status == 130 && o.out.find(" interrupted\n") != std::string::npos) << o.err << o.out;
    EXPECT_EQ(read_json("x/regress.json")["cases"].size(), 50U) << o.err;
    EXPECT_EQ(read_json("x/mesh/cosim.json")["cases"].size(), 50U) << o.err;
}

TEST_F(regress, ReportsMistakesOfARegressionInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"network: {}\n", "sare: f.yaml:1:1: must have the one section 'regress'\n"},
        {"regress: {name: x}\n", "sare: f.yaml:1:10: regress.runs must list what is run\n"},
        {"regress:\n  runs:\n    - {name: x}\n",
         "sare: f.yaml:3:7: a run of a regression must have one of random, experiment and mutants\n"},
        {"regress:\n  runs:\n    - {random: 1}\n    - {random: 1}\n",
         "sare: f.yaml:4:7: there are two runs named random; give one another name\n"},
        {"regress:\n  runs:\n    - {random: 1, name: a/b}\n",
         "sare: f.yaml:3:7: regress.runs: name: 'a/b' must be of letters, digits, - and _: it names a "
         "folder\n"},
        {"regress:\n  runs:\n    - {name: jobs, random: 1}\n",
         "sare: f.yaml:3:7: regress.runs: name: 'jobs' is a folder that a regression has itself; give the "
         "run "
         "another name\n"},
        {"regress:\n  runs:\n    - {random: 1, speed: slow}\n",
         "sare: f.yaml:3:7: unknown speed 'slow'; one of: quick, checked, fast\n"},
        {"regress:\n  runs:\n    - {random: 1, of: links}\n",
         "sare: f.yaml:3:7: unknown of 'links'; one of: routers, bridges, nics\n"},
        {"regress:\n  runs:\n    - {random: 1, of: nics, steer: true}\n",
         "sare: f.yaml:3:7: regress.runs: steer, coverage and most_vcs are of routers, not of nics\n"},
        {"regress:\n  runs:\n    - mutants: [3]\n      cycles: 100\n",
         "sare: f.yaml:4:15: regress.runs: cycles is of no use to a run of mutants, which has: name, "
         "mutants\n"},
        {"regress:\n  runs:\n    - {random: 1, seeds: 2}\n",
         "sare: f.yaml:3:26: regress.runs: seeds is of no use to a run of random, which has: name, random, "
         "of, "
         "most_vcs, steer, shrink, cycles, seed, speed, coverage\n"},
        {"regress:\n  runs:\n    - {random: 1, most_vcs: 3}\n",
         "sare: f.yaml:3:7: regress.runs: most_vcs is 3; it must be 0, or from 4 to 256\n"},
        {"regress:\n  runs:\n    - {experiment: none.yaml}\n",
         "sare: f.yaml:3:7: regress.runs: experiment: there is no file none.yaml\n"},
    };
    for (const auto& [text, message] : cases) {
        write("f.yaml", text);
        EXPECT_EQ(sare("regress f.yaml").err, message);
    }
}

TEST_F(regress, ReportsEveryMissingMutantOfARegression) {
    write("f.yaml", "regress: {runs: [{mutants: [9998, 9999]}]}\n");
    const outcome o = sare("regress f.yaml --no-store --quiet --out out");
    EXPECT_EQ(o.err,
              "sare: mutants/mutant 9998: mutants: there is no mutant 9998; --list names all\n"
              "sare: mutants/mutant 9999: mutants: there is no mutant 9998; --list names all\n");
    EXPECT_EQ(o.out, "cases=2 mismatches=0 errors=2 flaky=0\n");
}

}  // namespace
}  // namespace sare::test::regress_test
