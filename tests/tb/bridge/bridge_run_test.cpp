// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Whole runs over the bridge, with the computers that they start.
namespace sare::test::bridge_run_test {
namespace {

class BridgeRun : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write(
            "computers.py",
            "import os, sys, threading\n"
            "sys.path.insert(0, '" SARE_SOURCE_DIR
            "/tb/python')\n"
            "from sare.bridge import Bridge, Node\n"
            "slices = int(sys.argv[1])\n"
            "def computer(n):\n"
            "    with Bridge(os.environ['SARE_BRIDGE'], [Node(n, f'02:00:00:00:00:{n:02x}')], "
            "f'computer-{n}') as b:\n"
            "        for slice, (grant, frames) in enumerate(b.slices()):\n"
            "            if slice == slices:\n"
            "                break\n"
            "            for f in frames:\n"
            "                assert f.source == 1 - n and f.bytes[6:12] == bytes([2, 0, 0, 0, 0, f.source])\n"
            "                b.send(f.time, f.bytes[6:12] + f.bytes[:6] + f.bytes[12:])\n"
            "            if slice == 1:\n"
            "                open(f'begun-{n}', 'w').close()\n"
            "            if n == 0 and slice == 0:\n"
            "                b.send(b.start, bytes.fromhex('020000000001 020000000000 88b5') + bytes(100))\n"
            "            if slice == slices - 1:\n"
            "                open(f'figures-{n}', 'w').write(b.figures())\n"
            "all = [threading.Thread(target=computer, args=(n,)) for n in (0, 1)]\n"
            "[one.start() for one in all]\n"
            "[one.join() for one in all]\n"
            "print('computers done')\n");
        start("[/usr/bin/python3, computers.py, '50']");
    }
    void start(const std::string& command, const std::string& more = "") const {
        write("run.yaml",
              "network: {topology: mesh, dims: [2]}\n"
              "traffic:\n"
              "  workload: bridge\n"
              "  quantum: 1000\n"
              "  access_latency: 1000\n"
              "  peers: {protocol: sare, sessions: 2}\n"
              "  start: " +
                  command + "\n" + more);
    }
};

TEST_F(BridgeRun, StartsItsComputersAndShowsWhatTheyDid) {
    const outcome run = shell("TMPDIR=$PWD $SARE run run.yaml --set traffic.capture=true --out r");
    ASSERT_EQ(run.status, 0) << run.err << read("r/start.log");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(read("r/start.log"), "computers done\n");
    const auto work = read_json("r/summary.json")["workload"];
    EXPECT_EQ(work["slices"], 50);
    EXPECT_EQ(work["start"], "status 0");
    EXPECT_EQ(work["frames"]["sent"], work["frames"]["arrived"]);
    EXPECT_EQ(work["false_delay_us"]["max"], 0);
    EXPECT_EQ(nlohmann::json::parse(read("figures-1"))["lost_in_network"], 0);
    // The pages say it all.
    const std::string page = read("r/report.html");
    for (const char* part :
         {"Frames along time", "Where the time went", "Simulators", "Frames by pair", "computer-1"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    // The capture has as many frames, of 114 bytes each, behind a header of 24.
    EXPECT_EQ(read("r/frames.pcap").size(), 24 + work["frames"]["sent"].get<std::size_t>() * (16 + 114));
    EXPECT_EQ(read("r/frames.pcap").substr(0, 4), "\x4d\x3c\xb2\xa1");
    // Nothing stays behind.
    EXPECT_EQ(shell("ls -d sare-* | wc -l").out, "0\n");
}

TEST_F(BridgeRun, ConnectsTheExampleClientsInCAndPython) {
    start("[bash, '-c', '" SARE_EXAMPLES "/ping $SARE_BRIDGE 0 100 & " SARE_SOURCE_DIR
          "/tb/examples/bridge_client/echo.py $SARE_BRIDGE 1 & wait -n; wait']",
          "  first_ends: true\n");
    const outcome run = sare("run run.yaml --out r");
    ASSERT_EQ(run.status, 0) << run.err << read("r/start.log");
    EXPECT_EQ(read("r/start.log"), "round trip: 2.030 us\n") << "2 (1,000 + 15) cycles";
}

TEST_F(BridgeRun, GivesEachPointOfASweepItsOwnComputers) {
    const outcome sweep = sare("sweep run.yaml --axis traffic.access_latency=1000,3000 -j 2 --out s");
    ASSERT_EQ(sweep.status, 0) << sweep.err;
    for (const char* point : {"000", "001"}) {
        const auto work = read_json("s/points/" + std::string(point) + "/summary.json")["workload"];
        EXPECT_EQ(work["frame_latency_us"]["mean"], point[2] == '0' ? 1.019 : 3.019) << point;
    }
}

TEST_F(BridgeRun, ReportsAFailedStartAtOnce) {
    start("[./not-there]");
    outcome run = sare("run run.yaml --out r");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("not-there': cannot be started: No such file or directory"), std::string::npos)
        << run.err;
    start("[bash, '-c', 'echo no kernel here; exit 1']");
    run = sare("run run.yaml --out r");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("run.yaml:2:1: bridge: 'bash -c echo no kernel here; exit 1' ended (status 1) "
                           "before its computers had "
                           "come: no kernel here\n"),
              std::string::npos)
        << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    // A computer that dies takes its last words along.
    start(
        "[bash, '-c', '/usr/bin/python3 computers.py 1000000 & until [ -e begun-0 -a -e begun-1 ]; do sleep "
        "0.1; done; kill -9 $!; echo killed it; sleep "
        "5']");
    run = sare("run run.yaml --out r");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("it is gone without a word; what 'start' said last: "), std::string::npos)
        << run.err;
    // One that fails behind its computers' end is told, and its run is kept.
    start("[bash, '-c', '/usr/bin/python3 computers.py 5; exit 3']");
    run = sare("run run.yaml --out r");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_EQ(read_json("r/summary.json")["status"], "failed");
    const std::string why = read_json("r/summary.json")["status_reason"];
    EXPECT_NE(why.find("exit 3': status 3; see start.log"), std::string::npos) << why;
    EXPECT_EQ(read_json("r/summary.json")["workload"]["start"], "status 3");
}

TEST_F(BridgeRun, EndsWithItsComputersWhenItIsStoppedOrKilled) {
    start("[bash, '-c', '/usr/bin/python3 computers.py 1000000; sleep 1000']");
    const outcome stopped = shell("timeout -s INT 4 $SARE run run.yaml --out r; echo $?");
    EXPECT_EQ(read_json("r/summary.json")["status"], "interrupted") << stopped.err;
    start("[bash, '-c', 'echo $$ > pid; exec sleep 1000']");
    const outcome killed = shell(
        "$SARE run run.yaml --out k & until [ -s pid ]; do sleep 0.1; done; kill -9 $!; wait; sleep 0.5; cat "
        "pid; grep State /proc/$(cat "
        "pid)/status");
    ASSERT_NE(std::atoi(killed.out.c_str()), 0) << "it was started: " << killed.err;
    const auto state = killed.out.find("State:");
    EXPECT_TRUE(state == std::string::npos || killed.out.find('Z', state) != std::string::npos) << killed.out;
    // Stopped while it waits for what never comes.
    const outcome waiting = shell("time -p timeout -s INT 3 $SARE run run.yaml --out w");
    EXPECT_EQ(read_json("w/summary.json")["status"], "interrupted") << waiting.err;
}

}  // namespace
}  // namespace sare::test::bridge_run_test
