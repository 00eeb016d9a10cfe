// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/runs/store_fixture.h"

#include <set>

/// A store of runs: what is recorded, what is not run again, and what becomes of it when something fails.
namespace sare::test::runs_test {
namespace {

class runs_store : public store_program {};

TEST_F(runs_store, HasParametersAndFiguresOfARun) {
    const outcome o = run("--out out/a --set router.vcs=2 --seed 7");
    ASSERT_EQ(o.status, 0) << o.err;
    const auto all = exported();
    ASSERT_EQ(all.size(), 1u);
    const auto summary = read_json("out/a/summary.json");
    const auto& values = all[0]["values"];
    EXPECT_EQ(all[0]["kind"], "run");
    EXPECT_EQ(all[0]["name"], "small");
    EXPECT_EQ(all[0]["status"], "completed");
    EXPECT_EQ(all[0]["seed"], 7);
    EXPECT_EQ(all[0]["version"], summary["version"]);
    EXPECT_EQ(all[0]["directory"], std::filesystem::canonical(at("out/a")).string());
    EXPECT_NE(all[0]["host"], "");
    EXPECT_EQ(values["router.vcs"], 2);
    EXPECT_EQ(values["network.dims"], "[4, 4]");
    EXPECT_EQ(values["checks.deadlock"], "true");
    EXPECT_EQ(values["load.accepted"], summary["load"]["accepted"]);
    EXPECT_EQ(values["latency.mean"], summary["latency"]["packet"]["from_generation"]["mean"]);
    EXPECT_EQ(values["wall_s"], summary["run"]["wall_s"]);
    EXPECT_EQ(nlohmann::json::parse(runs("show 1 --config").out), summary["config"]);
    EXPECT_NE(runs("show 1").out.find("\nlatency.mean "), std::string::npos);
    EXPECT_NE(runs("ls").out.find("out/a\n1 run\n"), std::string::npos) << runs("ls").out;
    // What is shown is an experiment: the same run.
    EXPECT_EQ(shell("sare runs show 1 --config --store runs.db > again.yaml; sare run again.yaml --no-report "
                    "--out out/b")
                  .status,
              0);
    EXPECT_EQ(read_json("out/b/summary.json")["latency"], summary["latency"]);
}

TEST_F(runs_store, DoesNotRunWhatItHas) {
    ASSERT_EQ(run("--out out/a").status, 0);
    const outcome o = run("--out out/b");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("not run again: the store has it, with its results in "), std::string::npos)
        << o.out;
    EXPECT_EQ(read("out/b/summary.json"), read("out/a/summary.json"));  // wall clock and all
    EXPECT_EQ(run("--out out/c --again").out.find("not run again"), std::string::npos);
    EXPECT_EQ(run("--out out/d --seed 2").out.find("not run again"), std::string::npos);
    EXPECT_EQ(run("--out out/e --set router.vcs=1").out.find("not run again"), std::string::npos);
    EXPECT_EQ(exported().size(), 5u);
    // Results that are gone, or are no longer those, cannot stand for a run.
    for (const char* each : {"a", "b", "c"}) std::filesystem::remove_all(at(std::string("out/") + each));
    EXPECT_EQ(run("--out out/f").out.find("not run again"), std::string::npos);
    write("out/f/summary.json", read("out/d/summary.json"));
    EXPECT_EQ(run("--out out/g").out.find("not run again"), std::string::npos);
    // Nor can compressed tables, which the next run is not asked for.
    ASSERT_EQ(run("--out out/h --seed 4 --compress gz").status, 0);
    EXPECT_EQ(run("--out out/i --seed 4").out.find("not run again"), std::string::npos);
    EXPECT_FALSE(read("out/i/links.csv").empty());
    // The record of results that are written over stays, without a directory.
    EXPECT_EQ(run("--out out/g --overwrite --seed 3").status, 0);
    EXPECT_EQ(sql("SELECT count(*) FROM run WHERE directory = ''"), "1");
}

TEST_F(runs_store, SeesThatAFileOfTheExperimentHasChanged) {
    write("net.txt", "sare-graph 1\nnode 0 a\nnode 1 b\nlink a b\n");
    write("flows.txt", "0 1 0.1\n");
    write("flows.yaml",
          "network: {topology: graph, file: net.txt}\ntraffic: {workload: flows, file: flows.txt}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 3}\n");
    const std::string line = "run flows.yaml --no-report --store runs.db --out out/";
    const outcome first = sare(line + "a");
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_NE(sare(line + "b").out.find("not run again"), std::string::npos);
    write("flows.txt", "0 1 0.125\n");
    EXPECT_EQ(sare(line + "c").out.find("not run again"), std::string::npos);
}

TEST_F(runs_store, HasSearchesForSaturation) {
    const std::string line = "saturate small.yaml --tolerance 5% --no-report --quiet --store runs.db --out ";
    ASSERT_EQ(sare(line + "out/a").status, 0);
    const auto summary = read_json("out/a/summary.json")["combinations"][0];
    const auto found = exported("'kind=saturate and router.vcs>=1 and saturation>0'");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["status"], summary["status"]);
    EXPECT_EQ(found[0]["values"]["saturation"], summary["saturation"]["load"]);
    EXPECT_EQ(exported("'sweep=1'").size(), summary["runs"].size());
    ASSERT_EQ(sare(line + "out/b").status, 0);
    const std::string run = "/points/000/00/summary.json";
    EXPECT_EQ(read("out/b" + run), read("out/a" + run));  // wall clock and all
    ASSERT_EQ(sare(line + "out/c --again").status, 0);
    EXPECT_NE(read("out/c" + run), read("out/a" + run));
    EXPECT_EQ(exported("'kind=saturate'").size(), 3u);
}

TEST_F(runs_store, HasSweepsAndTheirPoints) {
    const std::string line = "sweep small.yaml --no-report --store runs.db --axis traffic.load=";
    ASSERT_EQ(sare(line + "0.1,0.2,0.3 -j 2 --out out/a").status, 0);
    EXPECT_EQ(exported("'kind=sweep'")[0]["values"]["axes.traffic.load"], "0.1, 0.2, 0.3");
    EXPECT_EQ(exported("'kind=sweep'")[0]["status"], "completed");
    EXPECT_EQ(exported("'sweep=1 and traffic.load>=0.2'").size(), 2u);
    EXPECT_NE(runs("ls").out.find("\n1 run\n"), std::string::npos);  // points are not listed
    // Another sweep has two points in common; the same one is not recorded twice.
    ASSERT_EQ(sare(line + "0.1,0.15,0.3 --out out/b").status, 0);
    EXPECT_EQ(read("out/b/points/002/summary.json"), read("out/a/points/002/summary.json"));
    ASSERT_EQ(sare(line + "0.1,0.15,0.3 --out out/b").status, 0);
    EXPECT_EQ(exported("'kind=run'").size(), 6u);
    // And a run is a point of them.
    EXPECT_NE(run("--set traffic.load=0.15 --out out/c").out.find("not run again"), std::string::npos);
    const outcome o = runs("compare 1 5");
    EXPECT_EQ(o.out, shell("sare compare $PWD/out/a $PWD/out/b").out);
    EXPECT_EQ(runs("rm 1").out, "4 runs taken out of the store; results stay where they are\n");
    EXPECT_EQ(exported().size(), 5u);
    EXPECT_TRUE(std::filesystem::exists(at("out/a/points/000")));
}

TEST_F(runs_store, OmitsPointsBeyondTheEndOfACurve) {
    ASSERT_EQ(sare("sweep small.yaml --no-report --store runs.db --set traffic.length=4 --set router.vcs=1 "
                   "--set measurement.batch=1000 --set measurement.batches=10 "
                   "--axis traffic.load=0.1,0.9,0.92,0.94,0.96 -j 4 --out out/a")
                  .status,
              0);
    std::set<std::string> stored, there;
    for (const auto& r : exported("'kind=run'")) stored.insert(r["directory"]);
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::canonical(at("out/a/points"))))
        there.insert(entry.path());
    EXPECT_EQ(stored, there);
    EXPECT_LT(there.size(), 5u);
}

TEST_F(runs_store, IsNamedInTheConfigurationOfTheUser) {
    write("home/sare/config.yaml", "store: ../../runs.db\n");
    const std::string with = "export XDG_CONFIG_HOME=$PWD/home; ";
    ASSERT_EQ(shell(with + "sare run small.yaml --no-report --out out/a").status, 0);
    ASSERT_EQ(shell(with + "sare run small.yaml --no-report --seed 2 --no-store --out out/b").status, 0);
    EXPECT_EQ(exported().size(), 1u);
    EXPECT_EQ(run("--no-store --out out/c").status, 2);
    EXPECT_NE(shell(with + "sare runs ls").out.find("1 run\n"), std::string::npos);
    write("home/sare/config.yaml", "store_: runs.db\n");
    const outcome o = shell(with + "sare run small.yaml --no-report --out out/c");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("home/sare/config.yaml:1:9: unknown key"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("store"), std::string::npos) << o.err;
    EXPECT_FALSE(std::filesystem::exists(at("out/c")));
}

// What has ended well is in the store, whoever was killed meanwhile; what is in the store, is there.
TEST_F(runs_store, LosesNothingOfEightWritersThatAreKilled) {
    const outcome o = shell(
        "writer() { for n in $(seq 1000); do [ $SECONDS -lt 5 ] || return 0\n"
        "\"$SARE\" run small.yaml --no-report --quiet --seed $(($1 * 1000 + n)) --store runs.db --out "
        "out/$1-$n & "
        "echo $! > pid.$1; wait $! && echo $1-$n >> done.$1; done; }\n"
        "for w in $(seq 8); do writer $w & done\n"
        "for w in $(seq 4); do sleep 1; kill -KILL $(cat pid.$w) && echo $w >> killed; done; wait; true");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
    std::set<std::string> stored;
    for (const auto& r : exported()) {
        const std::filesystem::path directory(r["directory"].get<std::string>());
        stored.insert(directory.filename());
        const auto summary = nlohmann::json::parse(std::ifstream(directory / "summary.json"));
        EXPECT_EQ(r["values"]["latency.mean"], summary["latency"]["packet"]["from_generation"]["mean"]);
        EXPECT_EQ(r["seed"], summary["seed"]);
    }
    std::size_t done = 0;
    for (int w = 1; w <= 8; ++w) {
        std::istringstream names(read("done." + std::to_string(w)));
        for (std::string name; names >> name; ++done) EXPECT_EQ(stored.count(name), 1u) << name;
    }
    EXPECT_GE(done, 8u);
    EXPECT_NE(read("killed"), "");
}

/// As the first version made it.
constexpr const char* version_1 =
    "CREATE TABLE configuration(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " status TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, identity TEXT NOT NULL,"
    " recorded TEXT NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, directory TEXT NOT NULL,"
    " configuration INTEGER NOT NULL REFERENCES configuration(id));"
    "CREATE INDEX run_by_identity ON run(identity, seed, version);"
    "CREATE INDEX run_by_directory ON run(directory);"
    "CREATE TABLE path(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE value(run INTEGER NOT NULL, path INTEGER NOT NULL, value NOT NULL,"
    " PRIMARY KEY(run, path)) WITHOUT ROWID;"
    "CREATE INDEX value_by_path ON value(path, value, run);"
    "PRAGMA application_id = 0x73617265; PRAGMA user_version = 1;"
    "INSERT INTO configuration VALUES(1, 'd', '{}');"
    "INSERT INTO run VALUES(5, 'run', 'old', 'completed', '0.1.0', 3, 'i', '2026-01-02T03:04:05Z', 'h', 'm', "
    "'/gone', 1);"
    "INSERT INTO path VALUES(1, 'router.vcs'); INSERT INTO value VALUES(5, 1, 4);";

TEST_F(runs_store, IsUpdatedFromAnOlderVersion) {
    sql(version_1);
    EXPECT_NE(runs("ls").out.find("5   2026-01-02T03:04   run  completed"), std::string::npos)
        << runs("ls").out;
    EXPECT_EQ(sql("PRAGMA user_version"), "2");
    ASSERT_EQ(run("--out out/a").status, 0);
    EXPECT_EQ(exported("'router.vcs=4'").size(), 2u);
    sql("PRAGMA user_version = 99");
    const outcome o = run("--out out/b");
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(
        o.err.find("runs.db: is a store of version 99, and this sare knows up to 2; a newer sare reads it\n"),
        std::string::npos)
        << o.err;
    EXPECT_FALSE(std::filesystem::exists(at("out/b")));
}

TEST_F(runs_store, RefusesAnInvalidFileBeforeTheRun) {
    const auto refused = [&](const std::string& file, const std::string& why) {
        const outcome o = sare("run small.yaml --no-report --out out/a --store " + file);
        EXPECT_EQ(o.status, 1);
        EXPECT_NE(o.err.find(why), std::string::npos) << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
        EXPECT_FALSE(std::filesystem::exists(at("out/a")));
    };
    refused("nowhere/runs.db", "cannot be opened; its folder must be there, and open to you");
    write("text.db", std::string(5000, 'x'));
    refused("text.db", "is no store of runs; give another name");
    sql("CREATE TABLE t(x)", "other.db");
    refused("other.db", "is a database, but no store of runs; give another name");
    EXPECT_EQ(sare("runs ls --store none.db").status, 1);
    EXPECT_FALSE(std::filesystem::exists(at("none.db")));
}

// On a small disk of its own, or (not as root) under a limit of a file's size.
TEST_F(runs_store, LosesNoResultsWhenItIsFull) {
    ASSERT_EQ(run("--out out/a").status, 0);
    const bool disk = shell("mkdir disk && mount -t tmpfs -o size=256k none disk").status == 0;
    if (disk)
        ASSERT_EQ(shell("cp runs.db disk; dd if=/dev/zero of=disk/full bs=4k; true").status, 0);
    else
        sql("CREATE TABLE filler(x); INSERT INTO filler VALUES(randomblob(400000))");
    const std::string store = disk ? "disk/runs.db" : "runs.db";
    const outcome o = shell((disk ? "" : "ulimit -f 300; ") +
                            ("sare run small.yaml --no-report --seed 2 --out out/b --store " + store));
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read_json("out/b/summary.json")["status"], "completed");
    EXPECT_NE(o.err.find("sare: warning: not in the store: "), std::string::npos) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    if (disk) std::filesystem::remove(at("disk/full"));
    EXPECT_EQ(sql("PRAGMA integrity_check", store), "ok");
    EXPECT_EQ(sare("run small.yaml --no-report --seed 3 --out out/c --store " + store).err, "");
    EXPECT_EQ(sql("SELECT count(*) FROM run", store), "2");
    if (disk) shell("umount disk");
}

}  // namespace
}  // namespace sare::test::runs_test
