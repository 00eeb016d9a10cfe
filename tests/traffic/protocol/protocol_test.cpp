// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tlm/api/endpoint_waits.h"
#include "tlm/config/yaml.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <sstream>

/// Workload `protocol`: transactions, what nodes hold, and the check for cycles of messages at the nodes.
namespace sare::test::protocol_test {
namespace {

std::unique_ptr<workload> make(const std::string& keys, std::uint32_t nodes) {
    return workload_registry::instance().make(
        config::parse_yaml("{workload: protocol, " + keys + "}", "test"), workload_context{"", nodes});
}

std::string error_of(const std::string& keys) {
    try {
        make(keys, 16);
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

double figure(const workload& w, const char* key) {
    const config::value all = w.results();
    const config::value* const v = all.find(key);
    return v == nullptr ? -1 : std::stod(v->text());
}

/// The cells of a table of a workload, by row.
std::vector<std::vector<std::string>> cells_of(const workload& w, const std::string& file) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, text] : w.tables()) {
        std::istringstream lines(name == file ? text : "");
        for (std::string line; std::getline(lines, line);) {
            rows.emplace_back(1);
            for (const char c : line)
                c == ',' ? void(rows.back().emplace_back()) : void(rows.back().back() += c);
        }
    }
    return rows;
}

/// Messages of a kind that were sent.
double sent(const workload& w, const std::string& kind) {
    for (const auto& row : cells_of(w, "protocol_messages.csv"))
        if (row[0] == kind) return std::stod(row[2]);
    return -1;
}

/// Runs a protocol in a mesh whose routers have a VC for each class, until it ends or stands still.
struct outcome {
    std::unique_ptr<workload> work;
    bool ended = false;
    std::string cycle;  ///< of the static check
    std::string waits;  ///< of a run that stands still
};

outcome run(const std::string& keys, const std::string& mesh, std::uint32_t nodes,
            std::uint32_t threads = 1) {
    outcome o;
    o.work = make(keys, nodes);
    fabric_setting s;
    s.network = "mesh dims=" + mesh;
    s.classes = s.router.vcs = o.work->classes_needed();
    s.router.depth = 8;
    s.threads.threads = threads;
    test_fabric f(s);
    auto& ends = dynamic_cast<endpoint_workload&>(*o.work);
    o.cycle = ends.endpoint_cycle(true);
    ends.permit_cycle();
    f.net.stepper().set_workload(o.work.get());
    o.work->measured_from(0);
    f.run(0, 100'000);
    o.ended = o.work->finished() && f.net.view().empty();
    if (!o.ended) o.waits = describe_wait_for_cycle(f.net.view(), o.work.get());
    EXPECT_TRUE(!o.ended || f.net.view().leftovers().empty()) << f.net.view().leftovers();
    f.net.stepper().set_workload(nullptr);
    return o;
}

/// Cycles of a message that meets no other, from node to node of a 4x4 mesh: of its NIC, the links, four
/// stages of each router, and the flits behind the first one.
std::uint32_t alone(std::uint32_t from, std::uint32_t to, std::uint32_t flits) {
    const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
    const std::uint32_t routers = 1 + apart(from % 4, to % 4) + apart(from / 4, to / 4);
    return nic_params().delay + (routers + 1) + 4 * routers + flits - 1;
}

TEST(Protocol, TakesTheSumOfOneWayLatenciesInAnIdleNetwork) {
    const std::string places =
        "outstanding: 1, count: 3, requesters: 1, home: {name: hotspot, nodes: [14], fraction: 1}, "
        "owner: {name: hotspot, nodes: [8], fraction: 1}, memory: {name: hotspot, nodes: [7], fraction: 1}, "
        "messages: {get: {class: 0, length: 2, service: 7}, fwd: 1, ask: 1, data: {class: 2, length: 5}, "
        "inv: 1, ack: 2}, ";
    const outcome read = run(places + "transactions: {t: [get home, data requester]}", "4,4", 16);
    EXPECT_EQ(figure(*read.work, "mean_transaction_cycles"), alone(1, 14, 2) + 7 + alone(14, 1, 5));
    const outcome owned = run(places + "transactions: {t: [get home, fwd owner, data requester]}", "4,4", 16);
    EXPECT_EQ(figure(*owned.work, "mean_transaction_cycles"),
              alone(1, 14, 2) + 7 + alone(14, 8, 1) + alone(8, 1, 5));
    const outcome far = run(places + "transactions: {t: [get home, ask memory, data requester]}", "4,4", 16);
    EXPECT_EQ(figure(*far.work, "mean_transaction_cycles"),
              alone(1, 14, 2) + 7 + alone(14, 7, 1) + alone(7, 1, 5));
    // A sharer at node 8: the longer one of two branches, or both where the home waits for the
    // acknowledgement.
    const outcome branches = run(places +
                                     "sharers: 1, transactions: {t: [get home, inv sharers, ack requester, "
                                     "data requester on get]}",
                                 "4,4", 16);
    EXPECT_EQ(figure(*branches.work, "mean_transaction_cycles"),
              alone(1, 14, 2) + 7 + std::max(alone(14, 8, 1) + alone(8, 1, 1), alone(14, 1, 5)));
    const outcome joined = run(places +
                                   "sharers: 1, transactions: {t: [get home, inv sharers, ack home, "
                                   "data requester on get ack]}",
                               "4,4", 16);
    EXPECT_EQ(figure(*joined.work, "mean_transaction_cycles"),
              alone(1, 14, 2) + 7 + alone(14, 8, 1) + alone(8, 14, 1) + alone(14, 1, 5));
}

TEST(Protocol, AnswersEachInvalidationOnce) {
    for (const char* threads : {"1", "3"}) {
        const outcome o =
            run("preset: mesi_directory, outstanding: 6, count: 40, buffer: 2, "
                "sharers: {name: range, min: 1, max: 9}",
                "4,4", 16, static_cast<std::uint32_t>(std::stoi(threads)));
        ASSERT_EQ(o.cycle, "");
        ASSERT_TRUE(o.ended) << o.waits;
        EXPECT_EQ(figure(*o.work, "transactions_begun"), 16 * 40);
        EXPECT_EQ(figure(*o.work, "transactions_ended"), 16 * 40);
        double shared = 0;
        for (const auto& row : cells_of(*o.work, "protocol.csv"))
            if (row[0] == "write_shared") shared = std::stod(row[2]);
        EXPECT_GT(shared, 0);
        EXPECT_GT(sent(*o.work, "inv"), 3 * shared);
        EXPECT_EQ(sent(*o.work, "inv"), sent(*o.work, "inv_ack"));
        EXPECT_EQ(sent(*o.work, "put_m"), sent(*o.work, "put_ack"));
        EXPECT_LE(figure(*o.work, "most_messages_held"), 2);
    }
}

/// A random protocol of one or two kinds of transactions, and how many messages of each kind a transaction
/// has: 0 stands for one for each sharer.
std::string random_protocol(rng& random) {
    static const char* const roles[] = {"requester", "home", "owner", "memory", "sharers"};
    const std::uint32_t classes = 1 + random.below(5);
    std::ostringstream messages, transactions;
    for (std::uint32_t t = 0; t < 1 + random.below(2); ++t) {
        std::vector<std::uint32_t> to;
        std::ostringstream steps;
        bool answers = false;
        while (to.size() < 2 || !answers) {
            const auto k = static_cast<std::uint32_t>(to.size());
            std::uint32_t r = k == 0 ? 1 + random.below(3) : random.below(5);
            const std::uint32_t cause = k == 0 ? 0 : random.below(k);
            if (k != 0 && to[cause] == 4 && r == 4) r = 0;  // no sharer sends to sharers
            const std::uint32_t own = random.below(4) == 0 ? random.below(classes) : std::min(k, classes - 1);
            messages << "t" << t << "k" << k << ": {class: " << own << ", length: " << 1 + random.below(6)
                     << ", service: " << random.below(9) << "}, ";
            steps << (k == 0 ? "" : ", ") << "t" << t << "k" << k << ' ' << roles[r];
            if (k != 0) steps << " on t" << t << "k" << cause;
            for (std::uint32_t other = 0; k != 0 && to[cause] != 4 && other < k; ++other)
                if (other != cause && to[other] == to[cause] && random.below(2) == 0)
                    steps << " t" << t << "k" << other;  // a join
            to.push_back(r);
            answers = answers || r == 0;
        }
        transactions << "t" << t << ": {weight: " << 1 + random.below(5) << ", steps: [" << steps.str()
                     << "]}, ";
    }
    return "messages: {" + messages.str() + "}, transactions: {" + transactions.str() + "}";
}

/// What the check calls safe ends, with each transaction and message once; what does not end has a cycle
/// through the nodes. Some buffers hold all that can come to a node.
TEST(Protocol, EndsWhereverTheCheckFindsNoCycle) {
    rng random(test_seed(61), stream::test, 61);
    std::uint32_t safe = 0, safe_by_room = 0, unsafe = 0, dead = 0;
    for (int k = 0; k < 100; ++k) {
        const bool few = random.below(4) == 0;
        const std::uint32_t buffer = 1 + random.below(few ? 16 : 3);
        const std::string but_buffer =
            random_protocol(random) + ", outstanding: " + std::to_string(1 + random.below(few ? 2 : 12)) +
            (few ? ", requesters: [2, 7]" : "") +
            ", count: 30, sharers: {name: range, min: 1, max: " + std::to_string(few ? 1 : 4) + "}, buffer: ";
        const std::string keys = but_buffer + std::to_string(buffer);
        SCOPED_TRACE(keys);
        const outcome o = run(keys, "3,3", 9);
        ++(o.cycle.empty() ? safe : unsafe);
        const auto least = make(but_buffer + "1", 9);
        if (o.cycle.empty() && !dynamic_cast<endpoint_workload&>(*least).endpoint_cycle(true).empty())
            ++safe_by_room;
        ASSERT_TRUE(o.ended || !o.cycle.empty()) << o.waits;
        if (!o.ended) {
            ++dead;
            EXPECT_NE(o.waits.find("node "), std::string::npos) << o.waits << "\n" << o.cycle;
            continue;
        }
        EXPECT_EQ(figure(*o.work, "transactions_begun"), (few ? 2 : 9) * 30);
        EXPECT_EQ(figure(*o.work, "transactions_ended"), (few ? 2 : 9) * 30);
        for (const auto& row : cells_of(*o.work, "protocol_messages.csv"))
            EXPECT_EQ(row[0] == "message" ? row[3] : row[2], row[3]) << row[0];
        EXPECT_LE(figure(*o.work, "most_messages_held"), buffer);
    }
    EXPECT_GT(safe, 15u);
    EXPECT_GT(safe_by_room, 0u);
    EXPECT_GT(dead, 5u) << "of " << unsafe << " with a cycle";
}

std::string simulated(const std::string& yaml) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test.yaml"), "");
        const run_result r = simulation(e).run(e);
        return to_string(r.status) + std::string(": ") + r.reason + " | " + r.deadlock_check;
    });
}

/// With one class, 16 requesters of 3 transactions: a home can hold 48 requests, of which the last one makes
/// it refuse. Only what may stay when its requester goes on needs more than any number.
TEST(Protocol, NeedsNoMoreClassesWhereAllThatComesHasAPlace) {
    const auto cycle = [](const std::string& transaction, std::uint32_t buffer) {
        const auto w = make(
            "messages: {get: 0, data: 0, inv: 0, ack: 0}, outstanding: 3, sharers: 2, "
            "transactions: {t: [" +
                transaction + "]}, buffer: " + std::to_string(buffer),
            16);
        return dynamic_cast<endpoint_workload&>(*w).endpoint_cycle(false);
    };
    EXPECT_NE(cycle("get home, data requester", 48), "");
    EXPECT_EQ(cycle("get home, data requester", 49), "");
    // A request and two acknowledgements at the home; an invalidation at a sharer that may be the home.
    const std::string joined = "get home, inv sharers, ack home, data requester";
    EXPECT_NE(cycle(joined, 4 * 48), "");
    EXPECT_EQ(cycle(joined, 4 * 48 + 1), "");
    // The home may wait to invalidate when the requester has had its data.
    EXPECT_NE(cycle("get home, data requester, inv sharers on get", 100'000), "");
    EXPECT_EQ(cycle("get home, data requester, inv sharers on get, ack requester", 3 * 48), "");
}

TEST(Protocol, IsRefusedForcedOrRun) {
    const std::string around =
        "{network: {topology: mesh, dims: [4, 4]}, measurement: {watchdog: 2000, batch: 500}, ";
    const auto traffic = [](const std::string& keys) {
        return "traffic: {workload: protocol, preset: mesi_directory, outstanding: 16, buffer: 1" + keys +
               "}, ";
    };
    const std::string refused = simulated(around + traffic(", classes: 1") + "router: {vcs: 1}}");
    EXPECT_NE(refused.find("error: test.yaml"), std::string::npos) << refused;
    EXPECT_NE(refused.find("'get_s' (class 0) at its home waits to send 'data' (class 0)"), std::string::npos)
        << refused;
    EXPECT_NE(refused.find("checks.force"), std::string::npos) << refused;
    const std::string forced =
        simulated(around + traffic(", classes: 1") + "router: {vcs: 1}, checks: {force: true}}");
    EXPECT_EQ(forced.substr(0, 9), "deadlock:") << forced;
    EXPECT_NE(forced.find(" -> node "), std::string::npos) << forced;
    EXPECT_EQ(simulated(around + traffic(", classes: 2") + "router: {vcs: 2}}").substr(0, 6), "error:");
    const std::string good = simulated(around + traffic("") + "router: {vcs: 3}}");
    EXPECT_EQ(good.substr(0, 10), "completed:") << good;
    EXPECT_NE(good.find("endpoints: good"), std::string::npos) << good;
    // VCs that all classes share let one class wait behind another.
    const std::string shared =
        simulated(around + traffic("") + "router: {vcs: 4}, classes: {vcs: [1, 1, 1]}}");
    EXPECT_NE(shared.find("all classes share places"), std::string::npos) << shared;
    const std::string ideal = simulated(around + traffic("") + "fidelity: analytic}");
    EXPECT_NE(ideal.find("buffer: 0"), std::string::npos) << ideal;
    const std::string any =
        simulated(around +
                  "traffic: {workload: protocol, preset: chi_like, buffer: 0, classes: 1}, "
                  "router: {vcs: 1}}");
    EXPECT_EQ(any.substr(0, 10), "completed:") << any;
}

TEST(Protocol, SaysInOneLineWhatCannotBe) {
    const std::string kinds = "messages: {get: 0, data: 1, inv: 1, ack: 0}, ";
    const auto steps = [&](const std::string& s) {
        return error_of(kinds + "transactions: {t: [" + s + "]}");
    };
    EXPECT_EQ(steps("get home, data requester"), "");
    const std::pair<std::string, const char*> wrong[] = {
        {"", "needs a 'preset'"},
        {"preset: mesi", "mesi_directory"},
        {"messages: [1, 2]", "must be a map"},
        {"messages: {get: 99}, transactions: {t: [get home]}", "class"},
        {kinds + "transactions: {t: {weight: 0, steps: [get home, data requester]}}", "weight above 0"},
        {"preset: chi_like, transactions: {read_owned: {wait: 3}}", "weight"},
        {"preset: chi_like, sharers: 0", "from 1 to"},
    };
    for (const auto& [keys, what] : wrong)
        EXPECT_NE(error_of(keys).find(what), std::string::npos) << keys << ": " << error_of(keys);
    const std::pair<const char*, const char*> wrong_steps[] = {
        {"get", "is not 'KIND ROLE'"},
        {"get home data", "is not 'KIND ROLE'"},
        {"got home, data requester", "get"},
        {"get hme, data requester", "home"},
        {"get home", "no step to 'requester'"},
        {"get home, get requester", "two steps 'get'"},
        {"get home, data requester on ack", "none of the steps before"},
        {"get home, data requester on", "no kind behind 'on'"},
        {"get home, inv sharers, data sharers", "to one node"},
        {"get home, inv owner, data requester on get inv", "several roles"},
    };
    for (const auto& [text, what] : wrong_steps)
        EXPECT_NE(steps(text).find(what), std::string::npos) << text << ": " << steps(text);
}

}  // namespace
}  // namespace sare::test::protocol_test
