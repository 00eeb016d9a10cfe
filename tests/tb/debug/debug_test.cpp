// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <map>
#include <regex>
#include <set>

/// `sare debug`: stepping is running, going back is having stopped there, and what it shows is so.
namespace sare::test::debug_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* mesh =
    "network: {topology: mesh, dims: [4, 4]}\n"
    "router: {vcs: 2, depth: 4}\n"
    "traffic: {workload: bernoulli, load: 0.3, length: 3}\n"
    "measurement: {warmup: 1000, convergence_count: 0, batch: 1000, batches: 4}\n";

class debugging : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("mesh.yaml", mesh);
    }
    /// Does commands; returns an answer for each.
    std::vector<json> answers(const std::string& commands, const std::string& file = "mesh.yaml",
                              const std::string& options = "") const {
        write("commands", commands);
        m_last = sare("debug " + file + " --json -x commands " + options);
        std::vector<json> all;
        std::istringstream lines(m_last.out);
        for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
        return all;
    }
    /// The checkpoint that `save folder` wrote.
    std::string saved(const std::string& folder) const {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(at(folder + ".checkpoints"), none))
            return read(folder + ".checkpoints/" + entry.path().filename().string());
        ADD_FAILURE() << folder << ": no checkpoint; " << m_last.err << m_last.out;
        return folder;
    }

    mutable outcome m_last;
};

TEST_F(debugging, StepsToTheStateOfARun) {
    answers("step 300\nstep\nshow\nstep 699\nsave steps\n");
    answers("break when router[5].stalls.credit > 1000000\nuntil 1000\nsave until\n");
    EXPECT_TRUE(saved("steps") == saved("until"));
    const std::string name = "x.checkpoints/cycle-00000000000000020000.checkpoint";
    shell(
        "\"$SARE\" run mesh.yaml --set measurement.batch=100000000 --no-report --quiet --out x --checkpoint "
        "20000 & until cp " +
        name + " kept 2>/dev/null; do sleep 0.005; done; kill -9 $!");
    answers("until 20000\nsave run\n", "mesh.yaml", "--set measurement.batch=100000000");
    EXPECT_TRUE(saved("run") == read("kept")) << saved("run").size() << " " << read("kept").size();
}

TEST_F(debugging, SavesWhatARunGoesOnWith) {
    ASSERT_EQ(sare("run mesh.yaml --no-report --quiet --out whole").status, 0);
    const auto all = answers("until 1234\nsave rest\n");
    ASSERT_EQ(all.size(), 2U) << m_last.err;
    EXPECT_EQ(all[1]["to go on"], "sare run --resume rest");
    ASSERT_EQ(sare("run --resume rest --no-report --quiet").status, 0);
    EXPECT_TRUE(result("whole") == result("rest"));
}

TEST_F(debugging, GoesBackToTheBytesOfHavingStoppedThere) {
    const char* const routers[] = {"router: {vcs: 2, depth: 4}",
                                   "router: {kind: bubble, queue: 9, packet: 3}"};
    for (const std::string router : routers) {
        const std::string file = "torus" + std::to_string(router.size()) + ".yaml";
        write(file, "network: {topology: torus, dims: [4, 4]}\n" + router +
                        "\ntraffic: {workload: bernoulli, load: 0.3, length: 3}\n");
        const std::string at = std::to_string(router.size());
        answers("until 1700\nsave there" + at + "\nuntil 2300\nsave later" + at + "\n", file);
        const auto all = answers("until 4321\nback 2621\nsave back" + at +
                                     "\nuntil 2500\nback 9\nback 191\nsave again" + at + "\n",
                                 file);
        ASSERT_EQ(all.size(), 7U) << m_last.err << m_last.out;
        EXPECT_EQ(all[1]["cycle"], 1700);
        EXPECT_TRUE(saved("there" + at) == saved("back" + at)) << router;
        EXPECT_TRUE(saved("later" + at) == saved("again" + at)) << router;
    }
}

/// A copy of the process shares the places in its files.
TEST_F(debugging, GoesBackInAFileThatIsRead) {
    write("goal.goal", [] {
        std::string all = "num_ranks 2\nrank 0 {\n";
        for (int n = 0; n < 3000; ++n)
            all += "l" + std::to_string(n) + ": send 64b to 1 tag " + std::to_string(n) + "\n" +
                   (n == 0 ? "" : "l" + std::to_string(n) + " requires l" + std::to_string(n - 1) + "\n");
        all += "}\nrank 1 {\n";
        for (int n = 0; n < 3000; ++n)
            all += "l" + std::to_string(n) + ": recv 64b from 0 tag " + std::to_string(n) + "\n" +
                   (n == 0 ? "" : "l" + std::to_string(n) + " requires l" + std::to_string(n - 1) + "\n");
        return all + "}\n";
    }());
    write("program.yaml",
          "network: {topology: mesh, dims: [2, 1]}\ntraffic: {workload: trace, file: goal.goal}\n");
    ASSERT_EQ(sare("run program.yaml --no-report --quiet --out whole").status, 0);
    const auto all =
        answers("until 9000\nshow\nuntil 11000\nback 2000\nshow\nsave back\ncontinue\n", "program.yaml");
    ASSERT_EQ(all.size(), 7U) << m_last.err << m_last.out;
    EXPECT_EQ(all[1], all[4]);
    EXPECT_EQ(all[6]["cycle"], read_json("whole/summary.json")["cycles"]);
    ASSERT_EQ(sare("run --resume back --no-report --quiet").status, 0);
    EXPECT_TRUE(result("whole") == result("back"));
}

/// A router in RTL cannot be written, but copied: its pins are the same as when its cycle was run first.
TEST_F(debugging, GoesBackWithRoutersInRtl) {
    write("rtl.yaml", std::string(mesh) + "cosim: {replace: [5, 6]}\n");
    std::string look;
    for (const int router : {5, 6, 9}) look += "show router " + std::to_string(router) + "\n";
    const auto all = answers(
        "until 150\n" + look + "until 400\n" + look + "back 250\n" + look + "step 250\n" + look, "rtl.yaml");
    ASSERT_EQ(all.size(), 16U) << m_last.err << m_last.out;
    for (std::size_t n = 0; n < 8; ++n) EXPECT_EQ(all[n], all[n + 8]);
    std::size_t flits = 0;
    for (const std::size_t n : {1, 2, 5, 6})
        for (const json& port : all[n]["pins"]) flits += port["in"].is_object() + port["out"].is_object();
    EXPECT_GT(flits, 3U);
    const auto stops = answers("break router 5\nuntil 150\nshow router 5\n", "rtl.yaml");
    ASSERT_EQ(stops.size(), 3U) << m_last.err;
    EXPECT_NE(stops[1].value("why", "").find(" comes into router 5 by "), std::string::npos) << stops[1];
    EXPECT_TRUE(std::any_of(stops[2]["pins"].begin(), stops[2]["pins"].end(), [](const json& port) {
        return port["in"].is_object() && port["in"]["flit"] == 0;
    }));
}

/// Each time a packet is told of by the trace of a run, the debugger stops behind that cycle.
TEST_F(debugging, StopsWhereATraceSaysThatAPacketIs) {
    ASSERT_EQ(sare("run mesh.yaml --no-report --quiet --out r --set observe.inside.csv=true --set "
                   "observe.inside.packets=200-203")
                  .status,
              0);
    std::istringstream lines(read("r/packet_events.csv"));
    std::map<int, std::set<int>> cycles;  // by packet
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string cycle, event, packet;
        std::getline(std::getline(std::getline(cells, cycle, ','), event, ','), packet, ',');
        if (event == "in" || event == "injected" || event == "consumed")
            cycles[std::stoi(packet)].insert(std::stoi(cycle) + 1);
    }
    ASSERT_EQ(cycles.size(), 4U);
    for (const auto& [packet, expected] : cycles) {
        std::string commands = "break packet " + std::to_string(packet) + "\n";
        for (std::size_t n = 0; n < expected.size(); ++n) commands += "continue\n";
        std::set<int> stops;
        const auto all = answers(commands + "show packet " + std::to_string(packet) + "\n");
        for (const json& answer : all)
            if (answer.contains("why")) stops.insert(answer["cycle"].get<int>());
        EXPECT_EQ(stops, expected) << packet;
        EXPECT_EQ(all.back()["consumed"].get<int>() + 1, *expected.rbegin());
    }
}

TEST_F(debugging, ShowsEveryFlitOnce) {
    std::string commands = "until 1357\nshow\n";
    for (int r = 0; r < 16; ++r) commands += "show router " + std::to_string(r) + "\n";
    auto all = answers(commands);
    ASSERT_EQ(all.size(), 18U) << m_last.err;
    std::map<int, unsigned> flits;  // by packet
    for (int r = 0; r < 16; ++r)
        for (const json& vc : all[2 + r]["vcs"]) {
            EXPECT_LE(vc["flits"].size(), vc["places"].get<std::size_t>());
            EXPECT_LE(vc["credits"].get<int>(), vc["beyond"].get<int>());
            for (const json& f : vc["flits"]) ++flits[f["packet"].get<int>()];
        }
    ASSERT_GT(flits.size(), 5U);
    commands = "until 1357\n";
    for (const auto& [packet, count] : flits) commands += "show packet " + std::to_string(packet) + "\n";
    all = answers(commands);
    ASSERT_EQ(all.size(), flits.size() + 1);
    std::size_t n = 0;
    for (const auto& [packet, count] : flits) {
        const json& shown = all[++n];
        unsigned found = 0;
        for (const json& place : shown["places"]) found += place["flits"].get<unsigned>();
        EXPECT_EQ(found, count) << shown;
        EXPECT_LE(found + shown.value("flits at the source", 0U), shown["flits"].get<unsigned>()) << shown;
    }
}

/// A grant is one of the requests, and as many flits are granted the switch as the router has sent.
TEST_F(debugging, ShowsRequestsAndGrantsOfTheCycle) {
    std::string commands = "until 1500\nshow router 5\n";
    for (int n = 0; n < 60; ++n) commands += "step\nshow router 5\n";
    const auto all = answers(commands);
    ASSERT_EQ(all.size(), 122U) << m_last.err;
    const auto sent = [](const json& router) {
        std::uint64_t flits = 0;
        for (const json& vc : router["vcs"]) flits += vc["sent"].get<std::uint64_t>();
        return flits;
    };
    std::uint64_t grants = 0;
    for (int n = 1; n <= 60; ++n) {
        const json &before = all[2 * n - 1], &now = all[2 * n + 1];
        std::uint64_t granted = 0;
        for (const json& r : now["requests"]) granted += r["asks"] == "switch" && r["granted"].get<bool>();
        EXPECT_EQ(granted, sent(now) - sent(before)) << now["cycle"];
        grants += granted;
    }
    EXPECT_GT(grants, 30U);
}

/// Packets of rings without datelines wait for each other; with one VC more and datelines none does for ever.
TEST_F(debugging, FindsADeadlockAndNothingElse) {
    const std::string ring =
        "network: {topology: torus, dims: [8, 8]}\n"
        "traffic: {workload: bernoulli, load: 1, length: 16}\n"
        "measurement: {watchdog: 5000, warmup: 20000}\n";
    write("ring.yaml", ring + "routing: {function: dor, dateline: none}\nrouter: {vcs: 1, depth: 2}\n");
    auto all = answers("break deadlock\ncontinue\nwaits\nuntil 4000\nwaits\n", "ring.yaml", "--force");
    ASSERT_EQ(all.size(), 5U) << m_last.err << m_last.out;
    EXPECT_NE(all[1].value("why", "").find("deadlock"), std::string::npos) << all[1];
    EXPECT_LT(all[1]["cycle"].get<int>(), 2000);
    EXPECT_TRUE(all[2]["deadlock"].get<bool>());
    EXPECT_GE(all[2]["circles"], 1);
    int dead = 0;  // whoever is dead has not moved thousands of cycles later
    for (const json& wait : all[2]["waits"])
        if (wait["dead"].get<bool>()) {
            ++dead;
            const auto& later = all[4]["waits"];
            const auto is_same = [&wait](const json& w) {
                return w["dead"] == true && w["router"] == wait["router"] && w["in"] == wait["in"] &&
                       w["packet"] == wait["packet"];
            };
            EXPECT_TRUE(std::any_of(later.begin(), later.end(), is_same)) << wait;
        }
    EXPECT_GT(dead, 3);
    write("free.yaml", ring + "router: {vcs: 2, depth: 2}\n");
    all = answers("break deadlock\nuntil 4000\n", "free.yaml");
    ASSERT_EQ(all.size(), 2U) << m_last.err << m_last.out;
    EXPECT_EQ(all[1]["cycle"], 4000);
    EXPECT_FALSE(all[1].contains("why")) << all[1];
}

/// The end of a run that is blocked names channels and packets that `waits` has, and is an exit status.
TEST_F(debugging, EndsInADeadlockAsARunDoes) {
    write("ring.yaml",
          "network: {topology: ring, n: 6}\nrouting: {function: dor, dateline: none}\n"
          "router: {vcs: 1, depth: 2}\ntraffic: {workload: bernoulli, load: 0.6, length: 6}\n"
          "measurement: {warmup: 5000, watchdog: 1000}\nchecks: {force: true}\n");
    auto all = answers("until 1500\nwaits\ncontinue\n", "ring.yaml");
    ASSERT_EQ(all.size(), 3U) << m_last.err << m_last.out;
    EXPECT_EQ(m_last.status, 3);
    const std::string over = all[2].value("over", "");
    const std::regex names(
        "(r[0-9]\\.p[0-9]\\.vc0) \\(packet from [0-9] to [0-9], injected in cycle ([0-9]+)\\)");
    std::string shows = "until 1500\n";
    std::vector<std::string> injected;
    for (std::sregex_iterator at(over.begin(), over.end(), names), end; at != end; ++at)
        for (const json& w : all[1]["waits"])
            if (w["channel"] == (*at)[1].str()) {
                shows += "show packet " + std::to_string(w["packet"].get<int>()) + "\n";
                injected.push_back((*at)[2]);
            }
    ASSERT_EQ(injected.size(), 7U) << over;
    all = answers(shows, "ring.yaml");
    ASSERT_EQ(all.size(), 8U) << m_last.err;
    EXPECT_EQ(m_last.status, 0) << "the run is not over";
    for (std::size_t n = 0; n < injected.size(); ++n)
        EXPECT_EQ(std::to_string(all[n + 1]["injected"].get<int>()), injected[n]) << over;
}

TEST_F(debugging, StopsWhenAFigureSaysSo) {
    const auto all = answers(
        "break when router[5].stalls.credit > 20\ncontinue\nfigure router[5].stalls_credit\nback\n"
        "figure router[5].stalls_credit\ndelete 1\nbreak node 3 consume\ncontinue\nfigure latency.mean\n"
        "break when nodes[1].x > 2\n");
    ASSERT_EQ(all.size(), 10U) << m_last.err;
    EXPECT_EQ(all[1]["why"], "when router[5].stalls.credit > 20");
    EXPECT_GT(all[2]["value"].get<double>(), 20);
    EXPECT_LE(all[4]["value"].get<double>(), 20);
    EXPECT_EQ(all[7]["why"].get<std::string>().find("node 3 consumes packet "), 0U) << all[7];
    EXPECT_EQ(all[8]["figure"], "latency.mean");
    EXPECT_TRUE(all[8]["value"].is_number() || all[8]["value"].is_null()) << all[8];
    EXPECT_NE(all[9]["error"].get<std::string>().find("'nodes' has no figures"), std::string::npos) << all[9];
    EXPECT_EQ(m_last.status, 1);
}

TEST_F(debugging, RefusesInALine) {
    for (const auto& [command, said] : std::vector<std::pair<std::string, std::string>>{
             {"stop", "no command 'stop'; did you mean 'step'?"},
             {"show router 16", "show router: there is no router 16"},
             {"show router", "which one?"},
             {"show packet 5", "packet 5: only 0 have been injected"},
             {"break packet x", "'x' is no number of a packet"},
             {"until 0x", "'0x' is no cycle"},
             {"delete 3", "there is no breakpoint 3"},
             {"figure latency_mean", "did you mean latency.mean?"},
             {"figure accepted", "did you mean load.accepted?"},
             {"figure router[1].stall", "no such figure"}}) {
        write("commands", command + "\n");
        const outcome o = sare("debug mesh.yaml -x commands");
        EXPECT_EQ(o.status, 1) << command;
        EXPECT_NE(o.err.find(said), std::string::npos) << command << ": " << o.err;
        EXPECT_EQ(o.err.find("sare: commands:1:1: "), 0U) << o.err;
        EXPECT_EQ(o.err.find('\n'), o.err.size() - 1) << o.err;
    }
    for (const char* const other : {"-x commands", "--json"}) {
        const outcome o = sare(std::string("debug mesh.yaml --web ") + other);
        EXPECT_EQ(o.status, 2);
        EXPECT_EQ(o.err,
                  "sare: debug: with --web commands come from the page; leave out --script and --json\n");
    }
    EXPECT_NE(sare("debug mesh.yaml --set router.vcz=1").err.find("unknown key 'vcz'"), std::string::npos);
    EXPECT_NE(sare("debug mesh.yaml --set fidelity=analytic").err.find("need fidelity: flit"),
              std::string::npos);
    EXPECT_EQ(sare("debug mesh.yaml").status, 0);  // nothing on standard input
}

/// Another word, another origin and another name of this machine get nothing.
TEST_F(debugging, ServesAPageToWhoHasItsAddress) {
    write("ask.py", R"(
import http.client, json, sys
address = sys.stdin.readline().strip()
host, token = address[7:].split("/")[:2]
def ask(path, method="GET", body=None, **headers):
    c = http.client.HTTPConnection(*host.split(":"))
    c.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = c.getresponse()
    return answer.status, answer.read().decode()
own = "http://" + host
all = [ask("/")[0], ask("/" + "0" * 32 + "/")[0], ask(f"/{token}/", Origin="http://evil.example")[0],
       ask(f"/{token}/", Host="evil.example")[0], ask(f"/{token}/command", "POST", "step 5", Origin="null")[0]]
status, page = ask(f"/{token}/", Origin=own)
all += [status, "LiveSource" in page and "id=\"console\"" in page]
address = json.loads(page.split('id="about">')[1].split("<")[0])["address"]
network = json.loads(ask(address + "network")[1])
all += [len(network["network"]["routers"]), json.loads(ask(f"/{token}/command", "POST", "until 500")[1])["cycle"]]
states = [json.loads(ask(address + f"state?cycle={n}")[1]) for n in (499, 520, 499)]
all += [[s["cycle"] for s in states], states[0]["inputs"] == states[2]["inputs"], states[0]["outputs"] == states[2]["outputs"]]
packets = {row[0] for s in states for row in s["packets"]}
all += [all_known := {f for s in states for i in s["inputs"] for f in i[5][::2]} <= packets]
print(json.dumps(all))
ask(f"/{token}/command", "POST", "quit")
)");
    const outcome o =
        shell("mkfifo f; python3 ask.py < f > said & sare debug mesh.yaml --web > f; wait; cat said");
    if (o.err.find("was built without") != std::string::npos) GTEST_SKIP() << o.err;
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "[403, 403, 403, 403, 403, 200, true, 16, 500, [499, 520, 499], true, true, true]\n")
        << o.err;
}

/// Keys on a real terminal: completion, history and Ctrl-D.
TEST_F(debugging, CompletesAndRemembersOnATerminal) {
    write("keys",
          "sleep 2; printf 'unt\\t100\\n'; sleep 0.5; printf 'show rou\\t5\\n'; sleep 0.5; "
          "printf '\\033[A\\033[A\\b\\b\\b200\\n'; sleep 0.5; printf 'break when router[5].stalls_cr\\t > "
          "5\\n'; "
          "sleep 0.5; printf '\\004'; sleep 0.5");
    const outcome o = shell(
        "export SARE XDG_STATE_HOME=\"$PWD\" TERM=xterm; bash keys | script -qec '\"$SARE\" debug mesh.yaml' "
        "/dev/null; "
        "tail -n 4 sare/debug_history");
    EXPECT_NE(o.out.find("until 100"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("router 5; kind vc"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("(200)"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("at when router[5].stalls_credit > 5"), std::string::npos) << o.out;
    EXPECT_NE(o.out.rfind("until\\040200\\012"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace sare::test::debug_test
