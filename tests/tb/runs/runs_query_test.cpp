// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/runs/store_fixture.h"

#include <functional>
#include <random>

/// Conditions on runs: what they find is what a plain look at every run finds; what is wrong with them is a
/// line.
namespace sare::test::runs_query_test {
namespace {

using nlohmann::json;

class runs_query : public store_program {
  protected:
    void SetUp() override {
        store_program::SetUp();
        ASSERT_EQ(run("--out out/first --quiet").status, 0);  // the tables, and paths of every parameter
    }

    /// So many made-up runs, by SQL: a VC count, a load, a latency that a third of them lack, an algorithm.
    void fill(int runs_to_add) const {
        sql("INSERT OR IGNORE INTO path(name) VALUES('traffic.load');"
            "CREATE TEMP TABLE n AS WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c LIMIT " +
            std::to_string(runs_to_add) +
            ") SELECT n, 1 << abs(random() % 5) AS vcs, abs(random() % 1000) / 1000.0 AS load, "
            "10 + abs(random() % 900) / 10.0 AS mean, abs(random() % 3) AS one_of_three FROM c;"
            "BEGIN;"
            "INSERT INTO run SELECT n, 'run', 'made', CASE one_of_three WHEN 0 THEN 'saturated' ELSE "
            "'completed' END, "
            "'1', n % 7, 'i' || n, '2026-01-01T00:00:00Z', 'host', 'machine', '/made/' || n, 1, 0 FROM n;"
            "INSERT INTO value SELECT n, (SELECT id FROM path WHERE name = 'router.vcs'), vcs FROM n;"
            "INSERT INTO value SELECT n, (SELECT id FROM path WHERE name = 'traffic.load'), load FROM n;"
            "INSERT INTO value SELECT n, (SELECT id FROM path WHERE name = 'latency.mean'), mean FROM n "
            "WHERE one_of_three > 0;"
            "INSERT INTO value SELECT n, (SELECT id FROM path WHERE name = 'routing.function'), "
            "CASE WHEN vcs < 4 THEN 'dor' ELSE 'valiant' END FROM n;"
            "COMMIT");
    }
};

/// Of a record as it is exported; false where it has no such value, or one of another kind.
bool number(const json& r, const char* path, const std::function<bool(double)>& holds) {
    const json& values = r["values"];
    return values.contains(path) && values[path].is_number() && holds(values[path]);
}
bool text(const json& r, const char* path, const std::function<bool(const std::string&)>& holds) {
    const json& values = r["values"];
    return values.contains(path) && values[path].is_string() && holds(values[path]);
}

TEST_F(runs_query, FindsTheSameRunsAsAFullScan) {
    fill(400);
    const json all = exported();
    ASSERT_EQ(all.size(), 401u);
    const auto vcs = [](const json& r, auto holds) { return number(r, "router.vcs", holds); };
    const auto mean = [](const json& r, auto holds) { return number(r, "latency.mean", holds); };
    const auto function = [](const json& r, auto holds) { return text(r, "routing.function", holds); };
    const std::pair<const char*, std::function<bool(const json&)>> cases[] = {
        {"router.vcs=4", [&](const json& r) { return vcs(r, [](double x) { return x == 4; }); }},
        {"router.vcs == 4.0", [&](const json& r) { return vcs(r, [](double x) { return x == 4; }); }},
        {"router.vcs!=4", [&](const json& r) { return vcs(r, [](double x) { return x != 4; }); }},
        {"latency.mean<40", [&](const json& r) { return mean(r, [](double x) { return x < 40; }); }},
        {"latency.mean >= 4e1", [&](const json& r) { return mean(r, [](double x) { return x >= 40; }); }},
        {"not latency.mean<40", [&](const json& r) { return !mean(r, [](double x) { return x < 40; }); }},
        {"router.vcs=4 and latency.mean<40",
         [&](const json& r) {
             return vcs(r, [](double x) { return x == 4; }) && mean(r, [](double x) { return x < 40; });
         }},
        {"router.vcs<=2 or router.vcs>8 AND latency.mean<=30",
         [&](const json& r) {
             return vcs(r, [](double x) { return x <= 2; }) ||
                    (vcs(r, [](double x) { return x > 8; }) && mean(r, [](double x) { return x <= 30; }));
         }},
        {"(router.vcs<=2 or router.vcs>8) and not (latency.mean<=30 or status=saturated)",
         [&](const json& r) {
             return vcs(r, [](double x) { return x <= 2 || x > 8; }) &&
                    !(mean(r, [](double x) { return x <= 30; }) || r["status"] == "saturated");
         }},
        {"routing.function=valiant and seed=3",
         [&](const json& r) {
             return function(r, [](const std::string& s) { return s == "valiant"; }) && r["seed"] == 3;
         }},
        {"routing.function < e",
         [&](const json& r) { return function(r, [](const auto& s) { return s < "e"; }); }},
        {"routing.function > '5'",
         [&](const json& r) { return function(r, [](const auto& s) { return s > "5"; }); }},
        {"network.dims=[4,4]",
         [](const json& r) { return text(r, "network.dims", [](const auto& s) { return s == "[4, 4]"; }); }},
        {"name = \"made\" and id>100", [](const json& r) { return r["name"] == "made" && r["id"] > 100; }},
        {"directory='/made/17'", [](const json& r) { return r["id"] == 17; }},
    };
    for (const auto& [condition, holds] : cases) {
        std::vector<int> wanted, found;
        for (const json& r : all)
            if (holds(r)) wanted.push_back(r["id"]);
        write("condition", condition);
        const outcome o = shell("sare runs export --format json --store runs.db \"$(cat condition)\"");
        EXPECT_EQ(o.status, 0) << o.err;
        for (const json& r : json::parse(o.out)) found.push_back(r["id"]);
        EXPECT_EQ(found, wanted) << condition;
    }
    // As CSV, the same.
    const outcome csv = runs("export router.vcs=4");
    EXPECT_EQ(csv.out.substr(0, 32), "id,kind,name,status,version,seed") << csv.out.substr(0, 100);
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.out.begin(), csv.out.end(), '\n')),
              exported("router.vcs=4").size() + 1);
}

TEST_F(runs_query, ShowsColumnsThatDifferOrAreAskedForAndSorts) {
    ASSERT_EQ(run("--set router.depth=4 --out out/second --quiet").status, 0);
    ASSERT_EQ(
        run("--set router.depth=16 --set routing=valiant --set router.vcs=8 --out out/third --quiet").status,
        0);
    const auto heads = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    const std::string found = runs("query 'id>0'").out;
    for (const char* path : {"routing.function", "router.vcs", "router.depth"})
        EXPECT_NE(heads(found).find(path), std::string::npos) << found;
    for (const char* path : {"network.dims", "latency.mean", "traffic.load"})
        EXPECT_EQ(heads(found).find(path), std::string::npos) << found;
    EXPECT_EQ(heads(runs("query 'id<3'").out).find("routing.function"), std::string::npos);
    const std::string chosen = heads(runs("query 'id>0' --columns hops.mean,router.vcs").out);
    EXPECT_NE(chosen.find("hops.mean"), std::string::npos);
    EXPECT_EQ(chosen.find("router.depth"), std::string::npos) << chosen;
    const std::string falling = runs("query 'id>0' --sort=-router.depth --columns router.depth").out;
    EXPECT_LT(falling.find(" 16 "), falling.find(" 8 ")) << falling;
    EXPECT_LT(falling.find(" 8 "), falling.find(" 4 ")) << falling;
    EXPECT_NE(runs("query 'id>0' --sort router.depth -n 1").out.find("the first 1 of 3;"), std::string::npos);
    EXPECT_NE(
        runs("ls --columns latency.p9").err.find("no run has 'latency.p9'; did you mean 'latency.p99'?"),
        std::string::npos);
    EXPECT_NE(runs("ls --sort p99x").err.find("no run has 'p99x'"), std::string::npos);
}

TEST_F(runs_query, ReportsMistakesInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"router.vc=4", "at 'router.vc=4': no run has 'router.vc'; did you mean 'router.vcs'?"},
        {"stattus=completed", "did you mean 'status'?"},
        {"p99<40", "at 'p99<40': no run has 'p99'; did you mean 'latency.p99'?"},
        {"latency.packet.from_generation.p99<40", "did you mean 'latency.p99'?"},
        {"latency.p99 < abc", "at 'latency.p99 < abc': 'latency.p99' is a number, and 'abc' is none"},
        {"seed=x", "at 'seed=x': 'seed' is a number, and 'x' is none"},
        {"routing.function > 5",
         "at 'routing.function > 5': 'routing.function' is a text; a number that is one is put in quotes"},
        {"router.vcs", "at its end: one of = != < <= > >= must follow 'router.vcs'"},
        {"router.vcs=",
         "at its end: a value must follow 'router.vcs='; one with signs in it is put in quotes"},
        {"router.vcs=>4", "at '=>4': one of = != < <= > >= must follow 'router.vcs'"},
        {"router.vcs=4 latency.mean<3", "at 'latency.mean<3': 'and' or 'or' is missing before it"},
        {"(router.vcs=4", "at its end: ')' is missing"},
        {"router.vcs=4)", "at ')': this parenthesis was not opened"},
        {"name=\"x", "at '\"x': a quotation mark is missing"},
        {"router.vcs=4 and", "at its end: a parameter or figure is missing; write for instance router.vcs=4"},
        {"", "a parameter or figure is missing"},
    };
    for (const auto& [condition, line] : cases) {
        write("condition", condition);
        const outcome o = shell("sare runs query --store runs.db \"$(cat condition)\"");
        EXPECT_EQ(o.status, 1) << condition;
        EXPECT_NE(o.err.find(line), std::string::npos) << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    }
    write("condition", std::string(200, '(') + "seed=1" + std::string(200, ')'));
    EXPECT_NE(
        shell("sare runs query --store runs.db \"$(cat condition)\"").err.find("more than 100 parentheses"),
        std::string::npos);
    std::string many = "seed=1";
    for (int i = 0; i < 300; ++i) many += " or seed=1";
    write("condition", many);
    EXPECT_NE(
        shell("sare runs query --store runs.db \"$(cat condition)\"").err.find("more than 200 comparisons"),
        std::string::npos);
    EXPECT_NE(runs("show 77").err.find("runs.db: has no run 77; 'sare runs ls' lists them"),
              std::string::npos);
    const outcome none = shell("unset XDG_CONFIG_HOME; HOME=$PWD sare runs ls");
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("runs: no store is named; give --store FILE, or write 'store: FILE' into "),
              std::string::npos)
        << none.err;
    EXPECT_EQ(runs("rm").status, 2);
    EXPECT_EQ(runs("compare 1").status, 2);
}

// Times are in docs/runs.md; here, that so many runs are all looked at.
TEST_F(runs_query, LooksAtAHundredThousandRuns) {
    fill(100'000);
    const std::string counted =
        sql("SELECT count(*) FROM value a JOIN value b USING(run) JOIN value c USING(run) WHERE "
            "a.path = (SELECT id FROM path WHERE name = 'router.vcs') AND a.value = 4 AND "
            "b.path = (SELECT id FROM path WHERE name = 'latency.mean') AND b.value < 40 AND "
            "c.path = (SELECT id FROM path WHERE name = 'traffic.load') AND c.value >= 0.5");
    const outcome o = runs("query 'router.vcs=4 and latency.mean<40 and traffic.load>=0.5'");
    EXPECT_NE(o.out.find("the last 20 of " + counted + ";"), std::string::npos) << o.out;
    EXPECT_NE(runs("ls").out.find("the last 20 of 100001;"), std::string::npos);
    EXPECT_NE(runs("ls -n 3").out.find("the last 3 of 100001;"), std::string::npos);
    EXPECT_EQ(runs("rm --where 'id>1 and router.vcs<=16'").status, 0);
    EXPECT_NE(runs("ls").out.find("\n1 run\n"), std::string::npos);
}

}  // namespace
}  // namespace sare::test::runs_query_test
