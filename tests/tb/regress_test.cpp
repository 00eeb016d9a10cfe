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
        "SARE_RTL=rtl sare cosim mesh.yaml --set cosim.shadow=4 --cycles 2000 --speed quick --seed 1";
    EXPECT_EQ(results["cases"][1]["command"], again);
    const outcome repeated = shell(again + " --no-waves --out again");
    EXPECT_NE(repeated.err, "");
    EXPECT_EQ(read_json("again/cosim.json")["cases"][0]["status"], "mismatch") << repeated.err;
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
        "\"$SARE\" regress long.yaml --no-store --out x & run=$!; for n in $(seq 9000); do sleep 0.01; "
        "[ $(cat x.partial-*/journal/mesh/cases.jsonl 2>/dev/null | wc -l) -ge 1 ] && break; done; "
        "kill -INT $run; wait $run");
    EXPECT_TRUE(o.status == 130 && o.out.find(" interrupted\n") != std::string::npos) << o.err << o.out;
    EXPECT_EQ(read_json("x/regress.json")["cases"].size(), 50U) << o.err;
    EXPECT_EQ(read_json("x/mesh/cosim.json")["cases"].size(), 50U) << o.err;
}

/// Kills a regression when two of its cases are done, so that nothing can be written at the end.
TEST_F(regress, GoesOnAfterAKill) {
    write("long.yaml",
          "regress: {runs: [{name: drawn, random: 4, most_vcs: 8, cycles: 300, speed: quick, shrink: 0}]}\n");
    const outcome killed = shell(
        "\"$SARE\" regress long.yaml --no-store --quiet --out x & run=$!; for n in $(seq 9000); do sleep "
        "0.01; "
        "[ $(cat x.partial-*/journal/drawn/cases.jsonl 2>/dev/null | wc -l) -ge 3 ] && break; done; "
        "kill -KILL $run; wait $run; cp x.partial-*/journal/drawn/cases.jsonl kept");
    const outcome o = sare("regress long.yaml --no-store --quiet --resume x");
    EXPECT_EQ(o.out, "cases=4 mismatches=0 errors=0 flaky=0\n") << o.err;
    EXPECT_EQ(shell("ls -d x*").out, "x\n") << "nothing is left";
    const auto whole = sare("regress long.yaml --no-store --quiet --out y");
    auto resumed = read_json("x/drawn/cosim.json"), at_once = read_json("y/drawn/cosim.json");
    const auto seconds = [](const nlohmann::json& c) { return c.at("seconds").get<double>(); };
    const auto first = nlohmann::json::parse(shell("sed -n 2p kept").out);
    EXPECT_EQ(seconds(resumed["cases"][first["case"].get<int>()]), first["result"]["seconds"])
        << "a case that was done has not been run again";
    for (auto* all : {&resumed, &at_once})
        for (auto& c : (*all)["cases"]) c.erase("seconds");
    EXPECT_EQ(resumed["cases"], at_once["cases"]);
    EXPECT_EQ(sare("regress long.yaml --no-store --resume z").err,
              "sare: z: there is no unfinished regression that --resume could go on with\n");
}

TEST_F(regress, JudgesFiguresAndWhatMustFail) {
    write("mesh.yaml", read("mesh.yaml") + "measurement: {warmup: 200, batch: 1000, batches: 4}\n");
    write("f.yaml",
          "regress:\n  runs:\n"
          "    - {name: right, tags: quick, measure: mesh.yaml, figures: [load.accepted = 0.3 +- 5%]}\n"
          "    - {name: wrong, measure: mesh.yaml, seed: 3, set: [traffic.load=0.2],\n"
          "       figures: [load.accepted >= 0.25, latency.packet.from_generation.mean < 100]}\n"
          "    - {name: known, expect: fail, measure: mesh.yaml, figures: [load.accepted < 0.1]}\n"
          "    - {name: fixed, expect: fail, measure: mesh.yaml, figures: [load.accepted > 0.1]}\n"
          "    - {name: none, measure: mesh.yaml, figures: [load.taken > 0.1]}\n");
    const outcome o = sare("regress f.yaml --no-store --quiet --out out");
    EXPECT_EQ(o.out, "cases=5 mismatches=3 errors=0 flaky=0\n") << o.err;
    EXPECT_EQ(o.status, 1);
    const auto cases = read_json("out/regress.json")["cases"];
    EXPECT_EQ(cases[0]["status"], "agrees");
    const std::string said = cases[1]["message"];
    EXPECT_TRUE(said.rfind("load.accepted is 0.19", 0) == 0 || said.rfind("load.accepted is 0.20", 0) == 0);
    EXPECT_NE(said.find(", wanted: at least 0.25"), std::string::npos) << said;
    EXPECT_EQ(cases[1]["command"], "sare run mesh.yaml --set traffic.load=0.2 --seed 3");
    EXPECT_EQ(cases[2]["status"], "agrees");
    EXPECT_EQ(cases[3]["message"], "agrees, and is expected to fail");
    EXPECT_EQ(cases[4]["message"], "load.taken: the run has no such figure");
    EXPECT_EQ(sare("regress f.yaml --no-store --quiet --tag quick --out a").out,
              "cases=1 mismatches=0 errors=0 flaky=0\n");
    EXPECT_EQ(sare("regress f.yaml --no-store --quiet --not-tag quick --stop-after 1 --out b").out,
              "cases=1 mismatches=1 errors=0 flaky=0\n");
    EXPECT_EQ(sare("regress f.yaml --no-store --quiet --rerun-failed out --out c").out,
              "cases=3 mismatches=3 errors=0 flaky=0\n");
    EXPECT_EQ(sare("regress f.yaml --no-store --tag slow --out d").err,
              "sare: no run of f has the tag 'slow'\n");
    EXPECT_NE(read("out/junit.xml").find("<property name=\"seed\" value=\"3\"/>"), std::string::npos);
}

TEST_F(regress, GivesRunsAnEnvironmentATimeLimitAndTonightsSeed) {
    change_rtl("sare_rr_arbiter.sv", "else if (served_i) above_q", "else above_q");
    write("f.yaml",
          "regress:\n  runs:\n"
          "    - {name: long, experiment: mesh.yaml, cycles: 100000000, time_limit: 3, speed: quick}\n"
          "    - {name: other, experiment: mesh.yaml, set: [cosim.shadow=4], cycles: 2000, speed: quick,\n"
          "       seed: nightly, environment: [SARE_RTL=rtl]}\n");
    const outcome o = sare("regress f.yaml --no-store --no-waves --out out");
    EXPECT_EQ(last_line(o.out), "cases=2 mismatches=1 errors=1 flaky=0") << o.err;
    const auto results = read_json("out/regress.json");
    EXPECT_EQ(results["cases"][0]["message"], "the time limit of 3 s");
    const std::uint64_t seed = results["seeds"]["other"];
    EXPECT_EQ(seed % 100000, 0U);
    EXPECT_EQ(shell("date -u +%Y%m%d").out, std::to_string(seed / 100000) + "\n");
    EXPECT_NE(o.out.find("other: seed " + std::to_string(seed)), std::string::npos);
    const std::string again = results["cases"][1]["command"];
    EXPECT_EQ(again.rfind("SARE_RTL=rtl sare cosim mesh.yaml", 0), 0U) << again;
    const outcome repeated = shell(again + " --no-waves --out again");
    EXPECT_NE(repeated.err, "");
    EXPECT_EQ(read_json("again/cosim.json")["cases"][0]["status"], "mismatch") << repeated.err;
}

TEST_F(regress, ReportsMistakesOfARegressionInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"network: {}\n", "sare: f.yaml:1:1: must have the one section 'regress'\n"},
        {"regress: {name: x}\n", "sare: f.yaml:1:10: regress.runs must list what is run\n"},
        {"regress:\n  runs:\n    - {name: x}\n",
         "sare: f.yaml:3:7: a run of a regression must have one of random, experiment, measure and "
         "mutants\n"},
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
         "sare: f.yaml:3:7: regress.runs: steer, coverage, most_vcs and with are of routers, not of nics\n"},
        {"regress:\n  runs:\n    - mutants: [3]\n      cycles: 100\n",
         "sare: f.yaml:4:15: regress.runs: cycles is of no use to a run of mutants, which has: "
         "mutants, name, tags, environment, time_limit\n"},
        {"regress:\n  runs:\n    - {random: 1, seeds: 2}\n",
         "sare: f.yaml:3:26: regress.runs: seeds is of no use to a run of random, which has: random, of, "
         "most_vcs, with, steer, shrink, cycles, seed, speed, coverage, expect, name, tags, environment, "
         "time_limit\n"},
        {"regress:\n  runs:\n    - {random: 1, seed: weekly}\n",
         "sare: f.yaml:3:25: 'regress.runs.seed' must be an integer, not 'weekly'\n"},
        {"regress:\n  runs:\n    - {random: 1, expect: fun}\n",
         "sare: f.yaml:3:7: unknown expect 'fun'; one of: agree, fail\n"},
        {"regress:\n  runs:\n    - {random: 1, environment: [X]}\n",
         "sare: f.yaml:3:7: regress.runs: environment: 'X' must be NAME=VALUE\n"},
        {"regress:\n  runs:\n    - {measure: mesh.yaml}\n",
         "sare: f.yaml:3:7: regress.runs: measure: figures must list what is judged\n"},
        {"regress:\n  runs:\n    - {measure: mesh.yaml, figures: [load is high]}\n",
         "sare: f.yaml:3:7: regress.runs: figures: 'load is high' must be such as 'load.accepted >= 0.38' or "
         "'load.accepted = 0.39 +- 2%'\n"},
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
