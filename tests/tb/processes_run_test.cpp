// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// `mpirun sare run`: several processes run one network.
namespace sare::test::processes_run_test {
namespace {

namespace fs = std::filesystem;

class processes : public program {
  protected:
    void SetUp() override {
        if (!fs::exists(fs::path(SARE_PROGRAM).parent_path() / "libsare_mpi.so"))
            GTEST_SKIP() << "built without Open MPI";
        program::SetUp();
        // Requests and bursts are seen in samples, for which routers take turns.
        write("costs.yaml",
              "format: sare-power\nversion: 1\nmade: {voltage: 1}\nrouter:\n  energy:\n"
              "    - {component: buffers, event: buffer_write, per: bit, terms: {\"1\": 0.7}}\n"
              "    - {component: sa, event: sa_request, terms: {\"1\": 0.3}}\n"
              "    - {component: registers, event: burst, terms: {\"1\": 2}}\n"
              "  leakage: [{terms: {\"1\": 0.01}}]\n  period: [{terms: {\"1\": 1}}]\n"
              "link: {energy_bit_mm: 0.3, leakage_bit_mm: 0.01, repeater_mm: 0.5, repeater_energy: 0.1}\n"
              "nic: {energy: [{event: inject, per: bit, terms: {\"1\": 0.4}}]}\n");
        write(
            "run.yaml",
            std::string(
                "network: {topology: torus, dims: [12, 12]}\nrouter: {vcs: 4}\n"
                "traffic: {workload: bernoulli, load: 0.2, length: {name: range, min: 1, max: 9}}\n"
                "nic: {max_packet_flits: 4}\n"
                "measurement: {warmup: 500, convergence_interval: 200, batch: 200, batches: 4, matrix: true, "
                "statistics: [{name: link_series, intervals: 10}, stalls, message_sizes]}\n"
                "power: {table: ") +
                at("costs.yaml").string() + ", interval: 70, intervals: 10}\n");
    }
    outcome mpirun(int ranks, const std::string& arguments) const { return shell(start(ranks) + arguments); }
    static std::string start(int ranks) {
        return "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; mpirun.openmpi "
               "--oversubscribe "
               "-np " +
               std::to_string(ranks) + " \"$SARE\" ";
    }
    /// For a shell: until all ranks of `run` run, and the first one has made the place of its results.
    static std::string when_begun(int ranks) {
        return " & run=$!; until [ -n \"$(ls -d x*partial* 2>/dev/null)\" ] && [ $(pgrep -P $run | wc -l) "
               "-ge " +
               std::to_string(ranks) + " ]; do kill -0 $run || break; sleep 0.1; done; sleep 0.5; ";
    }
    static std::size_t lines_of_ours(const std::string& text) {
        std::size_t count = 0;
        for (std::size_t k = text.find("sare: "); k != std::string::npos; k = text.find("sare: ", k + 1))
            ++count;
        return count;
    }
};

constexpr const char* quiet = " --no-report --quiet";

TEST_F(processes, WriteTheSameFlowsAsOne) {
    write("flows.yaml",
          "network: {topology: torus, dims: [6, 6]}\nrouter: {vcs: 4}\n"
          "traffic: {workload: flows, flows: [{from: 0, to: 35, rate: 0.6, length: 4, reply: 3}, {from: 0, "
          "to: 20, "
          "rate: 0.8, burst: 40}, {from: 30, to: 1, rate: 0.2}]}\n"
          "measurement: {warmup: 500, convergence_count: 0, batch: 500, batches: 4}\n");
    ASSERT_EQ(sare(std::string("run flows.yaml --out one") + quiet).status, 0);
    for (const int ranks : {2, 3}) {
        const outcome o = mpirun(ranks, "run flows.yaml --overwrite --out several" + std::string(quiet));
        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(result("several") == result("one")) << ranks;
    }
}

/// In idle cycles, too, which are looked at one by one: all tell each other of as many, however long the
/// links of each are.
TEST_F(processes, ShareCongestionAlsoInIdleCycles) {
    write("ugal.yaml",
          "network: {topology: dragonfly, p: 2, a: 4, h: 2, g: 9}\nlinks: [{between: [0, 1], latency: 40}]\n"
          "routing: ugal_g\nrouter: {vcs: 6}\ntraffic: {workload: bernoulli, load: 0.002}\n"
          "measurement: {warmup: 200, convergence_count: 0, batch: 400, batches: 2, statistics: [stalls]}\n");
    ASSERT_EQ(sare(std::string("run ugal.yaml --out one") + quiet).status, 0);
    const outcome o = mpirun(2, "run ugal.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(result("several") == result("one"));
}

/// Packets have the numbers of one process, wherever they were seen first; and so have those of which only
/// the next router shows by which port they left the one before, in another process.
TEST_F(processes, ShowTheSamePacketsAsOne) {
    const std::string how =
        "run run.yaml --overwrite --set 'network.dims=[4, 4]' --set measurement.batches=1 --set "
        "'observe={perfetto: true, from: 120, to: 900, interval: 70, inside: {csv: true, perfetto: true, "
        "packets: 50-4000}}'";
    ASSERT_EQ(sare(how + " --out one" + quiet).status, 0);
    const outcome o = mpirun(3, how + " --threads 2 --all-threads --out several" + quiet);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_GT(read("one/trace.perfetto-trace").size(), 10000U);
    EXPECT_TRUE(read("several/trace.perfetto-trace") == read("one/trace.perfetto-trace"));
    EXPECT_GT(read("one/packet_events.csv").size(), 10000U);
    EXPECT_TRUE(read("several/packet_events.csv") == read("one/packet_events.csv"));
    const std::string apenet =
        "run run.yaml --overwrite --set 'network.dims=[4, 4]' --set 'measurement={warmup: 0, batch: 90, "
        "batches: 1}' --set 'router={kind: apenet}' --set observe.inside.csv=true";
    ASSERT_EQ(sare(apenet + " --out one" + quiet).status, 0);
    EXPECT_EQ(mpirun(2, apenet + " --out several" + quiet).status, 0);
    EXPECT_GT(read("one/packet_events.csv").size(), 10000U);
    EXPECT_TRUE(read("several/packet_events.csv") == read("one/packet_events.csv"));
    const std::string bubble = " --set router.kind=bubble --set router.vcs=2";
    for (const auto& [what, why] : std::initializer_list<std::pair<std::string, const char*>>{
             {"observe.perfetto=true" + bubble, "observe.perfetto knows packets by when"},
             {"observe.inside.csv=true" + bubble, "observe.inside knows packets by when"},
             {"observe.inside.fst=true", "'observe.inside.fst' shows the buffers of all"}}) {
        const outcome refused = mpirun(2, "run run.yaml --out x --set " + what + quiet);
        EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
        EXPECT_EQ(lines_of_ours(refused.err), 1U) << refused.err;
    }
}

/// Those whose neighbours are in their process.
TEST_F(processes, RunRoutersInRtl) {
    write("rtl.yaml",
          "network: {topology: mesh, dims: [3, 4]}\nrouter: {vcs: 2, depth: 4}\n"
          "traffic: {workload: bernoulli, load: 0.3, length: {name: range, min: 1, max: 4}}\n"
          "measurement: {warmup: 200, convergence_count: 0, batch: 200, batches: 2}\n");
    const std::string how = "run rtl.yaml --set cosim.replace=10 --set cosim.shadow=1";
    ASSERT_EQ(sare(how + " --out one" + quiet).status, 0);
    const outcome o = mpirun(2, how + " --out several" + quiet);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(result("several") == result("one"));
    const outcome cut = mpirun(2, "run rtl.yaml --set cosim.replace=4 --out x" + std::string(quiet));
    EXPECT_NE(cut.status, 0);
    EXPECT_NE(cut.err.find("router 4 is in RTL, and its neighbour 7 in another process; "), std::string::npos)
        << cut.err;
}

TEST_F(processes, WriteTheSameResultAsOne) {
    ASSERT_EQ(sare(std::string("run run.yaml --out one") + quiet).status, 0);
    for (const int ranks : {1, 2, 3, 4}) {
        const std::string threads = ranks == 2 ? " --threads 3 --all-threads" : "";
        const outcome o = mpirun(ranks, "run run.yaml --overwrite --out several" + threads + quiet);
        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(result("several") == result("one")) << ranks;
    }
    const auto of_processes = read_json("several/summary.json")["run"]["processes"];
    EXPECT_EQ(of_processes["count"], 4);
    const std::uint64_t window = of_processes["window_cycles"], messages = of_processes["messages"];
    EXPECT_GE(window, 1);
    EXPECT_EQ(of_processes["crossing_links"], 4 * 2 * 12);    // slabs, or blocks: the same
    EXPECT_GT(of_processes["bytes"], 8 * window * messages);  // of more than the words that every cycle has
}

/// Kernels, a training and a recording; with idle spans, a rendezvous and tasks that share a node. All that
/// is shown of them has the order and the numbers of one process.
TEST_F(processes, RunProgramsAsOneDoes) {
    const std::string network =
        "network: {topology: torus, dims: [4, 4], link_latency: 3}\nrouter: {vcs: 4, reallocation: "
        "atomic}\nrouting: duato\n"
        "nic: {max_packet_flits: 8, flit_bytes: 16}\n"
        "observe: {matrix: true, timeline: true, critical_path: true, paje: true, perfetto: true}\n";
    for (const std::string& traffic :
         {std::string(
              "{workload: butterfly, bytes: 3000, compute: 1e-6, eager_limit: 1000, placement: random}"),
          std::string(
              "{workload: training, tasks_per_node: 2, layers: [{count: 8, parameters: 25e3, activations: "
              "4e3, forward: 1e-7, backward: 2e-7}]}"),
          std::string("{workload: trace, file: " SARE_SOURCE_DIR "/tests/data/smpi-3.32/every.index}")}) {
        write("program.yaml", network + "traffic: " + traffic + "\n");
        ASSERT_EQ(sare(std::string("run program.yaml --overwrite --out one") + quiet).status, 0) << traffic;
        for (const int ranks : {2, 3}) {
            const outcome o =
                mpirun(ranks, "run program.yaml --overwrite --out several" + std::string(quiet));
            EXPECT_EQ(o.status, 0) << o.err;
            EXPECT_TRUE(result("several") == result("one")) << ranks << ' ' << traffic;
        }
    }
}

/// Flits that go by different ways, and what their routers count of them.
TEST_F(processes, AddUpCountsOfTheirRouters) {
    write("deflect.yaml",
          "network: {topology: torus, dims: [5, 4]}\nrouter: {kind: deflection, choice: random}\n"
          "nic: {max_packet_flits: 4}\n"
          "traffic: {workload: bernoulli, load: 0.5, length: {name: range, min: 1, max: 9}}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 200, batches: 2, matrix: true}\n");
    ASSERT_EQ(sare(std::string("run deflect.yaml --out one") + quiet).status, 0);
    const outcome o = mpirun(3, "run deflect.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(read("one/summary.json").find("deflected_per_hop"), std::string::npos);
    EXPECT_TRUE(result("several") == result("one"));
}

/// From a cycle on, of some tasks: of what was before, and of the others, the numbers count. Two applications
/// share routers that deliver what comes after their tasks have had their turn, and nodes.
TEST_F(processes, ShowTheSameTasksAsOne) {
    std::string trace = "sare-trace 3\ntasks 6\n";
    for (int round = 0; round < 4; ++round)
        for (int task = 0; task < 6; ++task) {
            const std::string one = std::to_string(task) + ' ';
            trace += one + "mark " + std::to_string((round * 5 + task / 3) % 7) + '\n' + one +
                     "compute 1e-7\n" + one + "isend " + std::to_string((task + 4) % 6) + " 900 7 1\n" + one +
                     "recv " + std::to_string((task + 2) % 6) + " 900 7\n" + one + "wait 1\n" + one +
                     "allreduce 800 name=2\n" + one + "compute 1e-7 beside name=3\n" + one +
                     "compute 1e-7 beside after=3\n" + one + "wait 2\n";
        }
    write("marks.trace", trace);
    write(
        "some.yaml",
        "network: {topology: torus, dims: [3, 3]}\nrouter: {kind: bubble, vcs: 2}\n"
        "traffic: {workload: applications, placement: random, applications: {a: {tasks: 6, tasks_per_node: "
        "2, traffic: "
        "{workload: trace, file: marks.trace, eager_limit: 500}}, b: {tasks: 6, tasks_per_node: 3, traffic: "
        "{workload: trace, file: marks.trace, tasks_per_node: 2, overhead_receive: 3e-8}}}}\n"
        "observe: {timeline: true, critical_path: true, paje: true, perfetto: true, packets: false, "
        "from: 400, to: 2500, tasks: 0-3}\n");
    ASSERT_EQ(sare(std::string("run some.yaml --out one") + quiet).status, 0);
    EXPECT_NE(read("one/a.trace.paje"), "");
    const outcome o = mpirun(3, "run some.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(result("several") == result("one"));
}

/// Also of links that begin in the part of another process.
TEST_F(processes, ReportHowLinksSlept) {
    write("sleep.yaml",
          "network: {topology: ring, n: 4, link_idle: 5, link_wake: 1}\nrouter: {vcs: 4}\n"
          "traffic: {workload: bernoulli, load: 0.1}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 1}\n");
    ASSERT_EQ(sare(std::string("run sleep.yaml --out one") + quiet).status, 0);
    const outcome o = mpirun(2, "run sleep.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, 0) << o.err;
    const std::string table = read("several/sleep.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 8);  // four links between routers, both ways
    EXPECT_TRUE(result("several") == result("one"));
}

/// Packets with bad bits are dropped where they end, and sent again from where they began.
TEST_F(processes, LoseTheSamePacketsAsOne) {
    const std::string lossy =
        "run run.yaml --overwrite --set 'network.dims=[6, 4]' --set network.link_bit_error_rate=2e-5 --set "
        "'measurement={warmup: 300, convergence_interval: 100, batch: 100, batches: 2}'";
    const std::string again =
        " --set 'nic={max_packet_flits: 4, retransmission: go_back_n, attempts: 0, time_out: 90}'";
    for (const std::string& how :
         {std::string(), std::string(" --set 'traffic={workload: halo, cells: 4}'"), again,
          again + " --set 'traffic={workload: burst, messages: 9, bursts: 3}'",
          again + " --set 'traffic={workload: halo, cells: 4}' --set observe.matrix=true",
          // Completed where the last message comes, not where its acknowledgement does.
          again + " --set network.link_bit_error_rate=1e-4 --set 'traffic={workload: applications, "
                  "applications: {a: {traffic: {workload: n_body, bytes: 80}, shared: true}}}'"}) {
        const outcome alone = sare(lossy + how + " --out one" + quiet);
        const outcome o = mpirun(3, lossy + how + " --threads 2 --all-threads --out several" + quiet);
        EXPECT_EQ(o.status, alone.status) << o.err;
        EXPECT_TRUE(result("several") == result("one")) << how;
        EXPECT_NE(read("one/losses.csv").find("bit_error"), std::string::npos) << how;
    }
    for (const auto& [how, why] : std::initializer_list<std::pair<std::string, const char*>>{
             {" --set nic.retransmission=go_back_n", "'nic.attempts' is 0"},
             {again + " --set nic.acknowledge=ideal", "'nic.acknowledge' is ideal"},
             {" --set traffic=request_reply", "waits for a reply"}}) {
        const outcome o = mpirun(2, lossy + how + " --out x" + quiet);
        EXPECT_NE(o.err.find(why), std::string::npos) << o.err;
        EXPECT_EQ(lines_of_ours(o.err), 1U) << o.err;
    }
}

/// Where links and routers fail in mid-run: sources, a program that waits for what is lost, and NICs that
/// send it again.
TEST_F(processes, FailInTheSamePlacesAsOne) {
    const std::string failing =
        "run run.yaml --overwrite --set 'network.dims=[6, 4]' --set 'measurement={warmup: 300, "
        "convergence_interval: 100, batch: 100, batches: 2}' --set routing=up_down --set 'failures={reroute: "
        "60, events: [{between: [2, 3], at: 200}, ";
    const std::string router = "{router: 9, at: 350}]}'", links = "{links: 0.1, at: 350}]}'",
                      again =
                          " --set 'nic={max_packet_flits: 4, retransmission: go_back_n, attempts: 0, "
                          "time_out: 90}'",
                      halo = " --set 'traffic={workload: halo, cells: 4, repetitions: 9}'";
    for (const std::string& how : {router, router + halo, links + again + halo}) {
        const outcome alone = sare(failing + how + " --out one" + quiet);
        const outcome o = mpirun(2, failing + how + " --out several" + quiet);
        EXPECT_EQ(o.status, alone.status) << o.err << alone.err;
        EXPECT_NE(o.err.find(alone.err), std::string::npos) << o.err << alone.err;
        EXPECT_TRUE(result("several") == result("one")) << how;
        EXPECT_NE(read("one/losses.csv").find("failure"), std::string::npos) << how;
    }
    for (const auto& [how, why] : std::initializer_list<std::pair<std::string, const char*>>{
             {router + again, "failures cut one of them off"},
             {links + " --set traffic=request_reply", "links or routers fail, and a node that waits for"}}) {
        const outcome o = mpirun(2, failing + how + " --out x" + quiet);
        EXPECT_NE(o.err.find(why), std::string::npos) << o.err;
        EXPECT_EQ(lines_of_ours(o.err), 1U) << o.err;
    }
}

/// An interval that ends while the last credits are still under way; none of the processes knows that all is
/// over until they ask.
TEST_F(processes, EndInTheSameIntervalAsOne) {
    write("end.yaml",
          "network: {topology: mesh, dims: [4, 3]}\nrouter: {vcs: 4}\n"
          "traffic: {workload: request_reply, load: 1, requests: 5}\n");
    for (const int interval : {1, 7}) {
        const std::string how =
            "run end.yaml --overwrite --set measurement.series_interval=" + std::to_string(interval) + quiet;
        ASSERT_EQ(sare(how + " --out one").status, 0);
        const outcome o = mpirun(3, how + " --out several");
        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(result("several") == result("one")) << interval;
    }
}

/// Tasks in different processes that wait for what never comes.
TEST_F(processes, ReportStuckTasks) {
    write("stuck.trace",
          "sare-trace 3\ntasks 4\n0 compute 1e-6\n1 recv 3 5 10\n2 recv 3 5 10\n3 recv 0 5 10\n");
    write("stuck.yaml",
          "network: {topology: mesh, dims: [4]}\ntraffic: {workload: trace, file: stuck.trace}\n");
    const outcome one = sare(std::string("run stuck.yaml --out one") + quiet);
    const outcome o = mpirun(2, "run stuck.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, one.status);
    EXPECT_EQ(lines_of_ours(o.err), 1U) << o.err;
    EXPECT_NE(o.err.find("task 1, event"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("; 2 other tasks wait too"), std::string::npos) << o.err;
    EXPECT_TRUE(result("several") == result("one"));
}

/// Packets that wait for each other round a ring, which no process has whole.
TEST_F(processes, EndInTheSameDeadlockAsOne) {
    write(
        "ring.yaml",
        "network: {topology: ring, n: 8}\nrouting: {function: dor, dateline: none}\n"
        "router: {vcs: 1, depth: 2}\ntraffic: {workload: bernoulli, load: 0.9, length: 8, pattern: tornado}\n"
        "checks: {force: true}\nmeasurement: {watchdog: 2000}\n");
    const outcome one = sare(std::string("run ring.yaml --out one") + quiet);
    const outcome o = mpirun(2, "run ring.yaml --out several" + std::string(quiet));
    EXPECT_EQ(o.status, one.status) << one.err;
    EXPECT_EQ(read_json("several/summary.json")["status"], "deadlock") << o.err;
    EXPECT_EQ(read_json("several/summary.json")["cycles"], read_json("one/summary.json")["cycles"]);
    EXPECT_NE(o.err.find("across processes"), std::string::npos) << o.err;
}

TEST_F(processes, ReportAMistakeOnce) {
    const outcome o = mpirun(3, "run run.yaml --set router.vcs=0 --out x" + std::string(quiet));
    EXPECT_NE(o.status, 0);
    EXPECT_EQ(lines_of_ours(o.err), 1U) << o.err;
    EXPECT_NE(o.err.find("'vcs'"), std::string::npos) << o.err;
    const outcome cut =
        mpirun(2, "run run.yaml --set traffic=constant_population --out x" + std::string(quiet));
    EXPECT_NE(cut.status, 0);
    EXPECT_EQ(lines_of_ours(cut.err), 1U) << cut.err;
    EXPECT_NE(cut.err.find("several processes cannot run this"), std::string::npos) << cut.err;
    const outcome many = mpirun(3, "run run.yaml --set 'network.dims=[2, 1]' --out x" + std::string(quiet));
    EXPECT_NE(many.status, 0);
    EXPECT_EQ(lines_of_ours(many.err), 1U) << many.err;
    EXPECT_NE(many.err.find("there are 3, and it has 2 routers"), std::string::npos) << many.err;
    const outcome seeds = mpirun(2, "run run.yaml --seeds 3 --out x" + std::string(quiet));
    EXPECT_EQ(seeds.status, 2);
    EXPECT_EQ(lines_of_ours(seeds.err), 1U) << seeds.err;
    EXPECT_NE(
        seeds.err.find("sare: run: --seeds is for one process, and this is one of several of an mpirun; "
                       "without mpirun, -j N runs N seeds at a time\n"),
        std::string::npos)
        << seeds.err;
    EXPECT_FALSE(fs::exists(at("x")));
    const outcome alone = mpirun(2, "run run.yaml --baseline alone --out x" + std::string(quiet));
    EXPECT_EQ(alone.status, 2);
    EXPECT_NE(alone.err.find("with --set traffic.only=NAME each"), std::string::npos) << alone.err;
    const outcome sweep = mpirun(2, "sweep run.yaml --axis seed=1,2 --out x");
    EXPECT_EQ(sweep.status, 2);
    EXPECT_EQ(lines_of_ours(sweep.err), 1U) << sweep.err;
    EXPECT_NE(
        sweep.err.find("sare: sweep: one of the 2 processes of an mpirun, which run one network together"),
        std::string::npos)
        << sweep.err;
    EXPECT_FALSE(fs::exists(at("x")));
    // What only the first process finds.
    write("taken", "");
    const outcome taken = mpirun(2, "run run.yaml --out taken" + std::string(quiet));
    EXPECT_NE(taken.status, 0);
    EXPECT_NE(taken.err.find("sare: taken: exists already"), std::string::npos) << taken.err;
    EXPECT_EQ(lines_of_ours(taken.err), 1U) << taken.err;
}

TEST_F(processes, EndWhenOneIsKilled) {
    const outcome o = shell(start(3) + "run run.yaml --set measurement.batches=1000000 --out x" + quiet +
                            when_begun(3) + "kill -9 $(pgrep -P $run | tail -n 1); wait $run");
    EXPECT_NE(o.status, 0);
    EXPECT_NE(o.err.find("signal 9"), std::string::npos) << o.err;
    EXPECT_FALSE(fs::exists(at("x")));
}

/// From what all have written: when one has two checkpoints, all have the first of them. Not by another
/// number of processes.
TEST_F(processes, GoOnAfterOneWasKilled) {
    const std::string of_run = "run run.yaml --set measurement.batches=30";
    ASSERT_EQ(sare(of_run + " --out one" + quiet).status, 0);
    const outcome o = shell(start(3) + of_run + " --out x --checkpoint 500" + quiet +
                            " & run=$!; set --; until [ $# -ge 2 ]; do kill -0 $run || break; sleep 0.01; "
                            "set -- x.checkpoints/process-2-of-3/cycle-*.checkpoint; done; "
                            "kill -9 $(pgrep -P $run | tail -n 1); wait $run");
    ASSERT_NE(o.status, 0) << "it had ended";
    ASSERT_FALSE(fs::exists(at("x")));
    const std::string begun =
        "sare: x.checkpoints: the run was begun by 3 processes, and is gone on with by as many; here ";
    EXPECT_EQ(sare("run --resume x").err, begun + "is one\n");
    const outcome two = mpirun(2, "run --resume x" + std::string(quiet));
    EXPECT_NE(two.err.find(begun + "are 2\n"), std::string::npos) << two.err;
    EXPECT_EQ(lines_of_ours(two.err), 1U) << two.err;
    EXPECT_NE(mpirun(2, of_run + " --out x --checkpoint 500" + quiet).status, 0);  // they are in the way
    const outcome all = mpirun(3, "run --resume x" + std::string(quiet));
    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_TRUE(result("x") == result("one"));
    EXPECT_FALSE(fs::exists(at("x.checkpoints")));
}

TEST_F(processes, LeavePartialResultsWhenTheyAreStopped) {
    // A second, as mpirun gives by itself, is short for a disk with other work.
    const outcome o =
        shell("export OMPI_MCA_odls_base_sigkill_timeout=5 PRTE_MCA_odls_base_sigkill_timeout=5; " +
              start(2) + "run run.yaml --set measurement.batches=1000000 --out x" + quiet + when_begun(2) +
              "kill -INT $run; wait $run");
    EXPECT_NE(o.status, 0);
    EXPECT_EQ(read_json("x/summary.json")["status"], "interrupted") << o.err;
}

}  // namespace
}  // namespace sare::test::processes_run_test
