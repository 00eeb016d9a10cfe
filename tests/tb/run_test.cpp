// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

/// `sare run`: what it writes, and how it ends.
namespace sare::test::run_test {
namespace {

class run : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        write("endless.yaml", endless);
    }
};

TEST_F(run, WritesEveryFileAndTheSummary) {
    const outcome o = sare("run small.yaml --out result --no-report --set measurement.matrix=true");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out.find("latency, cycles"), std::string::npos);
    EXPECT_EQ(o.out.substr(o.out.size() - 7), "result\n");
    for (const char* name : {"summary.json", "series.csv", "latency_histogram.csv", "links.csv",
                             "routers.csv", "nodes.csv", "queues.csv", "distances.csv", "matrix.csv"})
        EXPECT_TRUE(std::filesystem::exists(at(std::string("result/") + name))) << name;
    const auto s = read_json("result/summary.json");
    for (const char* path : {"/config",
                             "/seed",
                             "/version",
                             "/status",
                             "/cycles",
                             "/packets/generated",
                             "/packets/injected",
                             "/packets/consumed",
                             "/packets/dropped",
                             "/load/offered",
                             "/load/injected",
                             "/load/accepted",
                             "/latency/packet/from_generation/mean",
                             "/latency/packet/from_injection/stddev",
                             "/latency/packet/from_injection/max",
                             "/latency/packet/from_generation/p50",
                             "/latency/packet/from_generation/p95",
                             "/latency/packet/from_generation/p99",
                             "/hops/mean",
                             "/run/wall_s",
                             "/run/processor_s",
                             "/run/cycles_per_s",
                             "/run/flit_hops",
                             "/run/peak_rss_bytes"})
        EXPECT_TRUE(s.contains(nlohmann::json::json_pointer(path))) << path;
    EXPECT_EQ(s["status"], "completed");
    EXPECT_EQ(s["cycles"], 400);
    EXPECT_TRUE(s["config"]["router"]["vcs"].is_number_integer());
    EXPECT_TRUE(s["config"]["router"]["lookahead"].is_boolean());
    EXPECT_EQ(s["config"]["network"]["dims"], nlohmann::json({4, 4}));
}

/// What another setting makes void is told, and a default is not.
TEST_F(run, TellsOfSettingsWithoutEffect) {
    write("void.yaml",
          "network: {topology: mesh, dims: [2, 2], link_idle: 50}\nrouting: up_down\nrouter: {vcs: 2}\n"
          "nic: {window: 4}\nrouters: [{at: 1}]\ntraffic: {workload: bernoulli, load: 0.1}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 2}\n"
          "failures: {events: [{between: [0, 1], at: 90000}]}\n"
          "observe: {from: 80000, inside: {csv: true}}\n");
    const std::string said = sare("run void.yaml --quiet --no-report --out void").err;
    for (const char* line :
         {"warning: 'network.link_idle' has no effect: it is for 'network.link_wake: 1 or more'\n",
          "warning: 'nic.window' has no effect: it is for 'nic.retransmission: go_back_n'\n",
          "warning: void.yaml:5:16: this entry of 'routers' changes nothing; write keys of 'router' in it\n",
          ": nothing fails in cycle 90000: the run ended after ",
          "warning: 'observe.from' is 80000, and the run ended after 300 cycles: nothing was observed\n"})
        EXPECT_NE(said.find(line), std::string::npos) << line << said;
    EXPECT_EQ(sare("run void.yaml --quiet --no-report --out same --set network.link_idle=0 --set "
                   "nic.window=16 --set "
                   "failures.events=[] --set 'routers=[]'")
                  .err.find("no effect"),
              std::string::npos);
}

TEST_F(run, IsTheSameEveryTime) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet --seed 5").status, 0);
    ASSERT_EQ(sare("run small.yaml --out b --no-report --quiet --seed 5").status, 0);
    ASSERT_EQ(sare("run small.yaml --out c --no-report --quiet --seed 6").status, 0);
    const auto before_run = [&](const std::string& file) {
        const std::string text = read(file);
        return text.substr(0, text.find("\"run\": {"));
    };
    EXPECT_GT(before_run("a/summary.json").size(), 1000u);
    EXPECT_EQ(before_run("a/summary.json"), before_run("b/summary.json"));
    EXPECT_NE(before_run("a/summary.json"), before_run("c/summary.json"));
    for (const char* name : {"series.csv", "latency_histogram.csv", "links.csv", "nodes.csv", "queues.csv"})
        EXPECT_EQ(read(std::string("a/") + name), read(std::string("b/") + name)) << name;
}

TEST_F(run, WritesTheSameTablesCompressed) {
    ASSERT_EQ(sare("run small.yaml --out plain --no-report --quiet").status, 0);
    ASSERT_EQ(sare("run small.yaml --out small --no-report --quiet --compress gz").status, 0);
    for (const char* name : {"links.csv", "nodes.csv", "series.csv"}) {
        EXPECT_FALSE(std::filesystem::exists(at(std::string("small/") + name))) << name;
        EXPECT_EQ(shell(std::string("gzip -dc small/") + name + ".gz").out,
                  read(std::string("plain/") + name));
    }
    EXPECT_EQ(read("small/columns.json"), read("plain/columns.json"));
}

TEST_F(run, RepeatsItsResultFromItsConfiguration) {
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet --set router.vcs=2").status, 0);
    write("again.yaml", read_json("a/summary.json")["config"].dump());  // JSON is YAML
    ASSERT_EQ(sare("run again.yaml --out b --no-report --quiet").status, 0);
    EXPECT_EQ(sare("compare a b --exact").status, 0);
}

/// What routing asks of the shape of a network, it asks through its changed links.
TEST_F(run, TakesATwistedTorusWithOneLinkChanged) {
    const std::string twisted =
        "run small.yaml --no-report --set 'network={topology: twisted_torus, dims: [8, 4], twist: [[0, 0], "
        "[4, 0]]}' --set 'links=[{between: [0, 1], latency: 5}]' ";
    EXPECT_EQ(sare(twisted + "--out a --set routing=twisted_minimal").err, "");
    EXPECT_EQ(sare(twisted + "--out b --set router.kind=bubble").err, "");
}

TEST_F(run, ReportsAndKeepsRoutersThatDiffer) {
    const std::string differ =
        "--set 'routers=[{at: \"1-2\", depth: 3}, {at: 3, sa_delay: 2}]' "
        "--set 'links=[{between: [0, 1], latency: 5}]'";
    ASSERT_EQ(sare("run small.yaml --out a --no-report --quiet " + differ).status, 0);
    const auto s = read_json("a/summary.json");
    EXPECT_EQ(s["router_groups"][1], nlohmann::json({{"name", "vc, depth 3"}, {"at", {"1-2"}}}));
    EXPECT_EQ(s["router_groups"][2], nlohmann::json({{"name", "vc, sa_delay 2"}, {"at", {3}}}));
    write("again.yaml", s["config"].dump());
    ASSERT_EQ(sare("run again.yaml --out b --no-report --quiet").status, 0);
    EXPECT_EQ(sare("compare a b --exact").status, 0);
    ASSERT_EQ(sare("run small.yaml --out c --no-report --quiet").status, 0);
    EXPECT_FALSE(read_json("c/summary.json").contains("router_groups"));
    EXPECT_EQ(sare("compare a c --exact").status, 1);
    ASSERT_EQ(sare("sweep again.yaml --axis 'routers=[],[{at: 1, depth: 2}]' --axis router.depth=4,9 --out s "
                   "--no-report --quiet")
                  .status,
              0);
    EXPECT_FALSE(read_json("s/points/000/summary.json").contains("router_groups"));
    EXPECT_EQ(read_json("s/points/003/summary.json")["router_groups"][1]["name"], "vc, depth 2");
    EXPECT_EQ(sare("compare s/points/000 s/points/002 --exact").status, 1);
    EXPECT_NE(sare("check again.yaml").out.find("routers        [1-2]: vc, depth 3\n"), std::string::npos);
}

TEST_F(run, TakesSetAndSeedOverTheFile) {
    ASSERT_EQ(
        sare("run small.yaml --out a --no-report --quiet --seed 9 --set router.vcs=2 "
             "--set \"network.dims=[3, 5]\" --set \"traffic.pattern={name: hotspot}\" --set router.vcs=3")
            .status,
        0);
    const auto c = read_json("a/summary.json")["config"];
    EXPECT_EQ(c["seed"], 9);
    EXPECT_EQ(c["router"]["vcs"], 3);
    EXPECT_EQ(c["network"]["dims"], nlohmann::json({3, 5}));
    EXPECT_EQ(c["traffic"]["pattern"]["name"], "hotspot");
}

/// How often a file is opened while `what` is done.
template <class F>
int opened(const std::filesystem::path& file, F&& what) {
    const int watch = inotify_init1(IN_NONBLOCK);
    EXPECT_GE(inotify_add_watch(watch, file.c_str(), IN_OPEN), 0);
    what();
    alignas(inotify_event) char events[4096];
    const ssize_t bytes = read(watch, events, sizeof events);
    close(watch);
    return bytes < 0 ? 0 : static_cast<int>(bytes / static_cast<ssize_t>(sizeof(inotify_event)));
}

TEST_F(run, OpensItsFilesOnce) {
    write("net.graph", "sare-graph 1\nlink 0 1\nnode 0 0\nnode 1 1\n");
    write("two.trace", "sare-trace 1\ntasks 2\n0 send 1 100\n1 recv 0 100\n");
    write("rank0.txt", "0 init\n0 compute 1e6\n0 finalize\n");
    write("two.index", "rank0.txt\n");
    const std::string net = "network: {topology: graph, file: net.graph}\nrouting: up_down\n";
    write("own.yaml", net + "traffic: {workload: trace, file: two.trace}\n");
    write("simgrid.yaml", net + "traffic: {workload: trace, file: two.index}\n");
    for (const std::string line : {"run own.yaml --no-report --quiet --out a", "check own.yaml"}) {
        EXPECT_EQ(opened(at("net.graph"), [&] { EXPECT_EQ(sare(line).status, 0); }), 1) << line;
        std::filesystem::remove_all(at("a"));
        EXPECT_EQ(opened(at("two.trace"), [&] { EXPECT_EQ(sare(line).status, 0); }), 1) << line;
        std::filesystem::remove_all(at("a"));
    }
    for (const char* file : {"two.index", "rank0.txt"})
        EXPECT_EQ(opened(at(file), [&] { EXPECT_EQ(sare("check simgrid.yaml").status, 0); }), 1) << file;
}

/// Idle for longer than SystemC's time lasts: over at once.
TEST_F(run, EndsWithNextToNoLoad) {
    write("tiny.yaml", "network: {topology: ring, n: 8}\ntraffic: {workload: bernoulli, load: 1e-30}\n");
    const outcome o = shell("timeout -s KILL 60 $SARE run tiny.yaml --no-report --quiet --out a");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read_json("a/summary.json")["packets"]["generated"], 0);
    const outcome late = sare(
        "run tiny.yaml --quiet --no-report --out b --set measurement.warmup=1000000000000000 "
        "--set clock_period=1s");
    EXPECT_EQ(
        late.err,
        "sare: /sare/engine: net.engine: cycle 2000000000000 is beyond the end of SystemC's time, which "
        "with this clock is cycle 18446744\n");
    EXPECT_EQ(late.status, 1);
}

TEST_F(run, SaysWhereTimeEndsForAnEndlessTrace) {
    write("ages.trace", "sare-trace 1\ntasks 1\n0 compute 1e60\n");
    write("ages.yaml", "network: {topology: ring, n: 4}\ntraffic: {workload: trace, file: ages.trace}\n");
    const outcome o = shell("timeout -s KILL 60 $SARE run ages.yaml --no-report --quiet --out a");
    EXPECT_EQ(o.err.rfind("sare: /sare/engine: net.engine: cycle 46116860184273", 0), 0u) << o.err;
    EXPECT_EQ(o.status, 1);
}

/// The section `run` of summary.json has texts beside its figures: times of links, the routing by default.
TEST_F(run, HasAReportWithTimesOfLinksInNanoseconds) {
    write("ns.yaml",
          "network: {topology: mesh, dims: [2, 2], latency: 20e-9}\nclock_period: 2ns\n"
          "traffic: {workload: bernoulli, load: 0.1}\nmeasurement: {warmup: 10, batch: 50, batches: 2}\n");
    const outcome o = shell("sare run ns.yaml --out r --quiet");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_TRUE(std::filesystem::exists(at("r/report.html")));
    EXPECT_TRUE(read_json("r/summary.json")["run"].contains("routers"));
}

/// A file of links says times as the section `network` does: 500 ns are 500 cycles of the usual clock.
TEST_F(run, TakesTimesOfLinksFromTheirFile) {
    const auto latency = [this](const std::string& of_link) {
        write("net.dot", "graph { a -- b [latency=" + of_link + "] }\n");
        write("net.yaml",
              "network: {topology: graph, file: net.dot}\ntraffic: {workload: bernoulli, load: 0.002}\n"
              "measurement: {warmup: 1000, convergence_count: 0, batch: 5000, batches: 2}\n");
        const outcome o = sare("run net.yaml --out r --overwrite --no-report --quiet");
        EXPECT_EQ(o.status, 0) << o.err;
        return read_json("r/summary.json")["latency"]["packet"]["from_injection"]["mean"].get<double>();
    };
    EXPECT_EQ(latency("500ns"), latency("500"));
    EXPECT_GT(latency("500ns"), latency("400ns") + 50);
}

/// A plain request that wins takes its slow link before speculative requests are heard in the same cycle;
/// else 8352 packets arrive here. The number was counted before the VC router had one machine for all
/// layouts.
TEST_F(run, HearsSpeculativeRequestsAfterPlainOnesOnSlowLinks) {
    write("slow.yaml",
          "seed: 3\nnetwork: {topology: mesh, dims: [4, 4], link_cycles_per_flit: 2}\n"
          "router: {vcs: 4, depth: 4, speculative: true}\n"
          "traffic: {workload: bernoulli, load: 0.25, length: 2}\n"
          "measurement: {warmup: 200, batch: 500, batches: 2}\n");
    const outcome o = sare("run slow.yaml --out r --no-report --quiet");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(read_json("r/summary.json")["packets"]["consumed"], 8356);
}

TEST_F(run, EndsByASignalWhereNothingHappens) {
    write("idle.yaml",
          "network: {topology: ring, n: 8}\n"
          "traffic: {workload: bernoulli, load: 1e-9}\n"
          "measurement: {warmup: 1000000000000000}\n");
    const outcome o = shell("timeout -s TERM 2 $SARE run idle.yaml --no-report --quiet --out a; echo $?");
    EXPECT_EQ(o.out, "124\n");
    EXPECT_EQ(read_json("a/summary.json")["status"], "interrupted");
    EXPECT_LE(std::filesystem::file_size(at("a/series.csv")), 50'000U);
}

/// `timeout` sends its signal to the process and to its group: two signals, one wish.
TEST_F(run, TakesTwoSignalsAtOnceForOne) {
    write("stop.sh",
          "\"$SARE\" run endless.yaml --out \"$1\" --no-report --quiet & job=$!\n"
          "until ls -d \"$1\".partial-* 2> /dev/null; do sleep 0.1; done\n"
          "for again in 1 2 3 4 5; do kill -TERM $job; done; wait $job\n");
    for (const char* out : {"a", "b", "c"}) {
        EXPECT_EQ(shell(std::string("SARE=\"$SARE\" timeout 60 sh stop.sh ") + out).status, 130);
        EXPECT_EQ(read_json(std::string(out) + "/summary.json")["status"], "interrupted");
    }
}

TEST_F(run, SaysWhatTheDeadlockCheckLeavesOpen) {
    const outcome proved = sare("run small.yaml --no-report --out a");
    EXPECT_EQ(proved.out.find("deadlock check"), std::string::npos) << proved.out;
    const outcome off = sare("run small.yaml --no-report --out b --set checks.deadlock=false");
    EXPECT_NE(off.out.find("  deadlock check          not made: checks.deadlock is false\n"),
              std::string::npos)
        << off.out;
    EXPECT_EQ(read_json("b/summary.json")["deadlock_check"], "not made: checks.deadlock is false");
    const outcome large = sare(
        "run small.yaml --no-report --out c --set \"network={topology: torus, dims: [64, 64]}\" --set "
        "routing.function=smart_dor --set router.vcs=4 --set measurement.warmup=1 --set measurement.batch=1");
    EXPECT_NE(large.out.find("  deadlock check          skipped: more than "), std::string::npos)
        << large.out;
    EXPECT_EQ(read_json("c/summary.json")["deadlock_check"].get<std::string>().substr(0, 19),
              "skipped: more than ");
}

TEST_F(run, IsSilentInAPipe) {
    const outcome o = shell(
        "sare run endless.yaml --set measurement.batches=1 --set measurement.batch=3000000 "
        "--out a --no-report --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, "");
}

TEST_F(run, ChoosesANameThatIsFree) {
    EXPECT_EQ(sare("run small.yaml --no-report").out.substr(0, 4), "mesh");
    const outcome o = sare("run small.yaml --no-report");
    EXPECT_NE(o.out.find("\nout/small-2\n"), std::string::npos) << o.out;
    EXPECT_TRUE(std::filesystem::exists(at("out/small/summary.json")));
    EXPECT_TRUE(std::filesystem::exists(at("out/small-2/summary.json")));
}

TEST_F(run, WritesWhatItHasWhenInterrupted) {
    for (const char* signal : {"INT", "TERM", "HUP"}) {
        const outcome o = shell(std::string("\"$SARE\" run endless.yaml --out r-") + signal +
                                " --no-report --quiet & until ls -d r-" + signal +
                                ".partial-* >/dev/null 2>&1; do sleep 0.05; done; "
                                "sleep 0.7; kill -" +
                                signal + " $!; wait $!");
        EXPECT_EQ(o.status, 130);
        const auto s = read_json(std::string("r-") + signal + "/summary.json");
        EXPECT_EQ(s["status"], "interrupted");
        EXPECT_GT(s["packets"]["consumed"], 0);
    }
}

/// `sare run x.yaml | head`: nothing is lost, and nothing half is left, because nobody reads what it prints.
TEST_F(run, KeepsItsResultsWhereNobodyReadsThem) {
    const std::string reader = " ) | ( exec <&-; touch closed; until [ -e status ]; do sleep 0.05; done )";
    const std::string waits = "( until [ -e closed ]; do sleep 0.05; done; ";
    const outcome o = shell(waits + "sare run small.yaml --out a --no-report; echo $? > status" + reader);
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(read("status"), "141\n");
    EXPECT_EQ(read_json("a/summary.json")["status"], "completed");
    const outcome s =
        shell("rm closed status; " + waits +
              "sare sweep small.yaml --axis seed=1,2 --out s --no-report; echo $? > status" + reader);
    EXPECT_EQ(s.err, "");
    EXPECT_EQ(read("status"), "141\n");
    EXPECT_TRUE(std::filesystem::exists(at("s/points/001/summary.json")));
    EXPECT_EQ(shell("rm closed status; " + waits + "sare describe; echo $? > status" + reader).err, "");
    EXPECT_EQ(read("status"), "141\n");
    EXPECT_EQ(shell("ls -d *.partial-* | wc -l").out, "0\n");
}

TEST_F(run, RefusesDeadlockAndEndsItByTheWatchdog) {
    write("ring.yaml",
          "network: {topology: ring, n: 8}\nrouting: {function: dor, dateline: none}\nrouter: {vcs: 1, "
          "depth: 5}\n"
          "traffic: {workload: bernoulli, load: 0.9, length: 8}\nmeasurement: {watchdog: 500}\n");
    const outcome refused = sare("run ring.yaml --out a --no-report");
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("sare: ring.yaml:2:10: routing function 'dor' can deadlock: "),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(at("a")));
    const outcome forced = sare("run ring.yaml --out a --no-report --quiet --force");
    EXPECT_EQ(forced.status, 3);
    EXPECT_EQ(forced.err.rfind("sare: deadlock: ", 0), 0u) << forced.err;
    EXPECT_EQ(std::count(forced.err.begin(), forced.err.end(), '\n'), 1);
    EXPECT_EQ(read_json("a/summary.json")["status"], "deadlock");
    // Also where the run would be over before the watchdog has seen enough.
    const outcome longer =
        sare("run ring.yaml --out b --no-report --quiet --force --set measurement.watchdog=20000");
    EXPECT_EQ(longer.status, 3);
    EXPECT_EQ(longer.err.rfind("sare: deadlock: ", 0), 0u) << longer.err;
}

TEST_F(run, EndsWithoutErrorInSaturation) {
    const outcome o = sare(
        "run small.yaml --set traffic.load=1 --set measurement.convergence_count=3 "
        "--set measurement.convergence_limit=5 --set measurement.warmup=1000 "
        "--out a --no-report --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(read_json("a/summary.json")["status"], "saturated");
}

TEST_F(run, ReportsTheCycleLimit) {
    const outcome o = sare(
        "run small.yaml --set traffic={workload: burst, bursts: 1000} "
        "--set measurement.max_cycles=200 --out a --no-report --quiet");
    EXPECT_EQ(o.status, 2);  // blanks without quotes: usage
    const outcome p = sare(
        "run small.yaml --set \"traffic={workload: burst, bursts: 1000}\" "
        "--set measurement.max_cycles=200 --out a --no-report --quiet");
    EXPECT_EQ(p.status, 0) << p.err;
    EXPECT_EQ(read_json("a/summary.json")["status"], "cycle_limit");
}

TEST_F(run, WarnsOnceWhenThereIsNoReport) {
    std::filesystem::create_directories(at("scripts"));
    write("scripts/report",
          "#!/bin/sh\necho Traceback >&2\necho \"ModuleNotFoundError: No module named x\" >&2\nexit 1\n");
    std::filesystem::permissions(at("scripts/report"), std::filesystem::perms::all);
    const outcome o = shell("export SARE_SCRIPTS=scripts; sare run small.yaml --out a --quiet");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err,
              "sare: warning: no report.html: python lacks a module; install python3-matplotlib and "
              "python3-jinja2\n");
    const outcome p = shell("export SARE_SCRIPTS=nowhere; sare run small.yaml --out b --quiet");
    EXPECT_EQ(p.status, 0);
    EXPECT_EQ(p.err,
              "sare: warning: no report.html: nowhere/report: No such file or directory; SARE_SCRIPTS names "
              "its folder\n");
}

/// A search is of `sare explore` alone, in a file or in what is piped.
TEST_F(run, IgnoresASectionOfSearch) {
    write("searched.yaml",
          "network: {topology: ring, n: 4}\ntraffic: {workload: burst, messages: 2}\n"
          "explore: {parameters: {router.vcs: [2, 4]}, objectives: {latency_mean: min}}\n");
    for (const char* file : {"searched.yaml", "- < searched.yaml"}) {
        const outcome o = shell(std::string("sare run --quiet --no-report --overwrite --out r ") + file);
        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_FALSE(read_json("r/summary.json")["config"].contains("explore"));
    }
}

}  // namespace
}  // namespace sare::test::run_test
