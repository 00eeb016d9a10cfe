// SPDX-License-Identifier: Apache-2.0
// SST's side of a network (tb/sst), against a stand-in for SST's interface.
#include "tb/sst/endpoint.h"
#include "tb/sst/network_component.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sare::test {
namespace {

using SST::Interfaces::SimpleNetwork;
using Request = SimpleNetwork::Request;

constexpr std::uint64_t latency = 700;  // ps, of the links to the network
const std::string mesh =
    "clock_period: 500ps\n"
    "network: {topology: mesh, dims: [4, 4]}\n"
    "router: {depth: 8}\n"
    "nic: {flit_bytes: 8}\n";
constexpr std::uint64_t period = 500;  // ps, of the mesh

/// Number of a message in its source's messages of a destination and virtual network.
struct tag_event final : SST::Event {
    explicit tag_event(std::uint64_t n) : number(n) {}
    tag_event* clone() override { return new tag_event(number); }
    std::uint64_t number;
};

/// A NIC: sends what it is given as soon as there is room, and takes what arrives unless it is told not to.
class nic {
  public:
    struct arrival {
        std::int64_t source;
        int vn;
        std::uint64_t number, at;
    };

    nic(SST::Simulation& s, SST::ComponentId_t id, std::map<std::string, std::string> params, int vns)
        : m_simulation(s), m_waiting(static_cast<std::size_t>(vns)) {
        SST::Params p(std::move(params));
        m_endpoint = std::make_unique<sst::endpoint>(id, p, vns);
        m_endpoint->setNotifyOnReceive(&m_receive);
        m_endpoint->setNotifyOnSend(&m_send);
    }
    sst::endpoint& operator*() { return *m_endpoint; }
    sst::endpoint* operator->() { return m_endpoint.get(); }

    void send(std::int64_t to, std::uint64_t bytes, int vn = 0, std::uint64_t number = 0) {
        auto* r = new Request(to, m_endpoint->getEndpointID(), bytes * 8);
        r->givePayload(new tag_event(number));
        m_waiting[static_cast<std::size_t>(vn)].emplace_back(r);
        go_on(vn);
    }
    bool go_on(int vn) {
        auto& all = m_waiting[static_cast<std::size_t>(vn)];
        while (!all.empty() && m_endpoint->send(all.front().get(), vn)) {
            all.front().release();
            all.pop_front();
        }
        return true;
    }
    bool take(int vn) {
        while (takes && m_endpoint->requestToReceive(vn)) {
            const std::unique_ptr<Request> r(m_endpoint->recv(vn));
            const std::unique_ptr<SST::Event> e(r->takePayload());
            const auto* tag = static_cast<const tag_event*>(e.get());
            arrived.push_back({r->src, r->vn, tag == nullptr ? 0 : tag->number, m_simulation.now});
        }
        return true;
    }
    std::size_t waiting(int vn = 0) const { return m_waiting[static_cast<std::size_t>(vn)].size(); }

    bool takes = true;
    std::vector<arrival> arrived;

  private:
    SST::Simulation& m_simulation;
    std::unique_ptr<sst::endpoint> m_endpoint;
    SimpleNetwork::Handler<nic, &nic::take> m_receive{this};
    SimpleNetwork::Handler<nic, &nic::go_on> m_send{this};
    std::vector<std::deque<std::unique_ptr<Request>>> m_waiting;  // by virtual network
};

using settings = std::map<std::string, std::string>;

/// A network with an endpoint at each of its nodes; components of one simulation have numbers from `first`
/// on.
class bench {
  public:
    bench(const std::string& yaml, int nodes, int vns = 1, const settings& of_nic = {},
          SST::Simulation* shared = nullptr, SST::ComponentId_t first = 0, const settings& of_network = {})
        : m_own(shared == nullptr ? std::make_unique<SST::Simulation>() : nullptr),
          m_simulation(shared == nullptr ? *m_own : *shared),
          m_first(first) {
        const std::string file = testing::TempDir() + "sst_test_" + std::to_string(::getpid()) + ".yaml";
        std::ofstream(file) << yaml;
        for (int n = 0; n < nodes; ++n)
            m_simulation.connect(first, "node" + std::to_string(n), id_of(n), "rtr_port", latency);
        settings its = of_network;
        its["experiment"] = file;
        its["vns"] = std::to_string(vns);
        SST::Params p(its);
        m_network = std::make_unique<sst::network_component>(first, p);
        std::remove(file.c_str());
        for (int n = 0; n < nodes; ++n) {
            settings at_node = of_nic;
            if (at_node.count("use_nid_remap") != 0) at_node["logical_nid"] = std::to_string(nodes - 1 - n);
            m_nics.push_back(std::make_unique<nic>(m_simulation, id_of(n), at_node, vns));
        }
    }
    /// Runs the untimed phases before time.
    bench& start() {
        for (unsigned phase = 0; phase < 3; ++phase) untimed(phase, &SST::BaseComponent::init);
        m_network->setup();
        return *this;
    }
    void untimed(unsigned phase, void (SST::BaseComponent::*step)(unsigned)) {
        for (const auto& n : m_nics) (n->operator*().*step)(phase);
        (*m_network.*step)(phase);
        m_simulation.next_phase();
    }
    nic& operator[](int n) { return *m_nics[static_cast<std::size_t>(n)]; }
    SST::Simulation& simulation() { return m_simulation; }
    sst::network_component& network() { return *m_network; }
    void run() { m_simulation.run(~std::uint64_t{0}); }
    std::uint64_t counted(const std::string& statistic) {
        return m_simulation.statistics[{m_first, statistic}].sum;
    }

  private:
    SST::ComponentId_t id_of(int n) const { return m_first + 1 + static_cast<unsigned>(n); }

    std::unique_ptr<SST::Simulation> m_own;
    SST::Simulation& m_simulation;
    SST::ComponentId_t m_first;
    std::unique_ptr<sst::network_component> m_network;
    std::vector<std::unique_ptr<nic>> m_nics;
};

/// Cycles from the one in which a message is sent into an idle network to its delivery.
std::uint64_t cycles_of_one(const std::string& yaml, std::uint32_t from, std::uint32_t to,
                            std::uint64_t bytes) {
    stepped_network net(experiment::read(config::parse_yaml(yaml, "test"), "."), 1);
    std::uint64_t end = 0;
    net.on_delivered([&](const delivery& d) { end = d.consumed; });
    sare::message m;
    m.source = from, m.destination = to, m.bytes = bytes, m.flits = net.flits_for(bytes);
    net.send(m, 0);
    net.advance(100000);
    return end;
}

TEST(Sst, TakesTheTimeOfTheSteppedNetworkAndOfTwoLinks) {
    for (const char* fidelity : {"flit", "analytic", "node_links"}) {
        const std::string yaml = mesh + ("fidelity: " + std::string(fidelity) + "\n");
        for (const auto& [to, bytes] : {std::pair{1, 8}, {15, 8}, {15, 999}, {0, 64}}) {
            bench all(yaml, 16, 1, {{"input_buf_size", "0B"}});
            all.start();
            for (const std::uint64_t at :
                 {std::uint64_t{800}, std::uint64_t{100300}, std::uint64_t{200299}}) {
                all.simulation().run(at);
                all.simulation().now = at;
                all[0].send(to, static_cast<std::uint64_t>(bytes));
                all.run();
                const std::uint64_t sent = (at + latency) / period + 1;  // the first cycle that begins later
                EXPECT_EQ(all[to].arrived.back().at,
                          (sent + cycles_of_one(yaml, 0, to, bytes)) * period + latency)
                    << fidelity << " to " << to << ' ' << bytes << " bytes at " << at;
            }
            EXPECT_EQ(all.counted("messages"), 3U);
        }
    }
}

TEST(Sst, WakesForTheNearerOfTwoMessages) {
    const std::string far = "network: {topology: mesh, dims: [4, 4], link_latency: 1000}\nrouter: {vcs: 2}\n";
    for (const char* fidelity : {"flit", "analytic"}) {
        const std::string yaml = far + "fidelity: " + fidelity + "\n";
        bench all(yaml, 16, 1, {{"input_buf_size", "0B"}});
        all.start();
        all[0].send(15, 8);
        all.simulation().run(100000);
        all.simulation().now = 100000;
        all[5].send(6, 8);
        all.run();
        const std::uint64_t sent[] = {1, 101};  // cycles of 1 ns
        EXPECT_EQ(all[15].arrived.at(0).at, (sent[0] + cycles_of_one(yaml, 0, 15, 8)) * 1000 + latency);
        EXPECT_EQ(all[6].arrived.at(0).at, (sent[1] + cycles_of_one(yaml, 5, 6, 8)) * 1000 + latency);
    }
}

/// What comes of 3,000 messages.
struct outcome {
    std::string text;  ///< the arrivals, a line each
    std::uint64_t out_of_order = 0, early = 0;
};

/// Sends random messages among 16 nodes in three virtual networks, through buffers of 200 bytes, by a queue
/// of events that breaks ties by `order`.
outcome send_many(const settings& of_network, unsigned order = 1) {
    bench all(mesh, 16, 3, {{"input_buf_size", "200B"}, {"output_buf_size", "200B"}}, nullptr, 0, of_network);
    all.start();
    all.simulation().order = order;
    rng random(1, stream::test, 0);
    std::map<std::tuple<std::int64_t, std::int64_t, int>, std::uint64_t> sent, received;
    for (int k = 0; k < 3000; ++k) {
        const int from = static_cast<int>(random.below(16)), vn = static_cast<int>(random.below(3));
        const std::int64_t to = random.below(4) == 0 ? 5 : random.below(16);
        all[from].send(to, 1 + random.below(300), vn, sent[{from, to, vn}]++);
        if (k % 4 == 0) all.simulation().run(static_cast<unsigned>(k) * 900);
    }
    all.run();
    outcome out;
    for (int n = 0; n < 16; ++n) {
        std::set<std::tuple<std::int64_t, int, std::uint64_t>> seen;
        for (const nic::arrival& a : all[n].arrived) {
            EXPECT_TRUE(seen.insert({a.source, a.vn, a.number}).second) << "twice at " << n;
            out.out_of_order += a.number != received[{a.source, n, a.vn}]++ ? 1 : 0;
            out.text +=
                std::to_string(a.source) + ' ' + std::to_string(a.vn) + ' ' + std::to_string(a.at) + '\n';
        }
    }
    EXPECT_EQ(sent, received);
    EXPECT_EQ(all.counted("messages"), 3000U);
    EXPECT_GT(all.counted("refusals"), 0U);
    out.early = all.counted("early");
    return out;
}

TEST(Sst, DeliversTheSameWhateverEventOfATimeComesFirst) {
    const outcome one = send_many({{"set", "router.vcs=6"}}, 104729);
    EXPECT_EQ(one.text, send_many({{"set", "router.vcs=6"}}, 1).text);
    EXPECT_EQ(one.text, send_many({{"set", "router.vcs=6"}}, 17).text);
}

TEST(Sst, DeliversAllOnceAndKeepsTheOrderOfAPairOfNodes) {
    const std::string one_vc = "router.vcs=3; routing.function=dor", several = "router.vcs=6";
    const outcome free = send_many({{"set", several}, {"ordered", "false"}});
    EXPECT_GT(free.out_of_order, 0U);
    EXPECT_EQ(free.early, 0U);
    const outcome ordered = send_many({{"set", several}});
    EXPECT_EQ(ordered.out_of_order, 0U);
    EXPECT_GT(ordered.early, 0U);
    const outcome by_itself = send_many({{"set", one_vc}, {"ordered", "false"}});
    EXPECT_EQ(by_itself.out_of_order, 0U);
    EXPECT_EQ(by_itself.text, send_many({{"set", one_vc}}).text);
}

TEST(Sst, StallsSendersToAReceiverThatTakesNothing) {
    bench all(mesh, 16, 2, {{"input_buf_size", "64B"}, {"output_buf_size", "128B"}});
    all.start();
    all[5].takes = false;
    for (int n = 0; n < 16; ++n)
        for (std::uint64_t k = 0; k < 50; ++k) all[n].send(5, 64, 0, k);
    all.run();
    std::size_t stalled = 0;
    for (int n = 0; n < 16; ++n) stalled += all[n].waiting();
    // What is not at the senders fills buffers: of the receiver, of sources, of routers' ports (5 of 8
    // flits).
    EXPECT_LE(16 * 50 - stalled, 1 + 16 * 2 + 16 * 5 + 16U);
    EXPECT_FALSE(all[0]->spaceToSend(0, 64 * 8));
    EXPECT_FALSE(all[0]->spaceToSend(0, 0)) << "a request takes a byte at least";
    EXPECT_EQ(all.counted("refusals"), 1U);

    all[6].send(5, 64, 1);  // the other virtual network goes on until it is full, too
    all[6].send(7, 64, 1);
    all.run();
    EXPECT_EQ(all[7].arrived.size(), 1U);
    all.network().finish();
    EXPECT_NE(all.simulation().output.written.find("messages were still under way"), std::string::npos);

    all[5].takes = true;
    all[5].take(0);
    all[5].take(1);
    all.run();
    EXPECT_EQ(all[5].arrived.size(), 16 * 50 + 1U);
    EXPECT_TRUE(all[0]->spaceToSend(0, 128 * 8));
}

TEST(Sst, GivesRoomBackWhenARequestHasLeftItsSource) {
    bench all(mesh, 16, 1, {{"output_buf_size", "128B"}});
    all.start();
    auto* large = new Request(9, 0, 1000 * 8);
    EXPECT_TRUE(all[0]->send(large, 0));  // larger than the buffer, which is empty
    Request next(9, 0, 8);
    EXPECT_FALSE(all[0]->send(&next, 0));
    EXPECT_FALSE(all[0]->send(&next, 1)) << "there is one virtual network";
    all.run();
    EXPECT_TRUE(all[0]->send(new Request(next), 0));
    EXPECT_TRUE(all[0]->spaceToSend(0, 127 * 8));
    EXPECT_FALSE(all[0]->spaceToSend(0, 128 * 8));
    EXPECT_EQ(
        all.simulation().statistics[(std::pair<SST::ComponentId_t, std::string>(1, "refused_sends"))].sum,
        1U);
}

TEST(Sst, SendsToOneAndToAllOthersBeforeAndAfterTime) {
    bench all(mesh, 16);
    all.start();
    for (auto step : {&SST::BaseComponent::init, &SST::BaseComponent::complete}) {
        all[3]->sendUntimedData(new Request(SimpleNetwork::INIT_BROADCAST_ADDR, 3, 0));
        all[4]->sendUntimedData(new Request(4, 4, 0));
        for (unsigned phase = 5; phase < 8; ++phase) all.untimed(phase, step);
        for (int n = 0; n < 16; ++n) {
            std::multiset<std::int64_t> from;
            while (Request* r = all[n]->recvUntimedData()) {
                from.insert(r->src);
                delete r;
            }
            EXPECT_EQ(from.count(3), n == 3 ? 0U : 1U) << n;
            EXPECT_EQ(from.count(4), n == 4 ? 1U : 0U) << n;
        }
    }
    EXPECT_EQ(all[7]->getEndpointID(), 7);
    EXPECT_EQ(all[7]->getLinkBW().getRoundedValue(), 128'000'000'000) << "8 bytes in 500 ps";
}

TEST(Sst, KnowsEndpointsByTheirNumbersInAJob) {
    bench all(mesh, 16, 1, {{"use_nid_remap", "true"}, {"job_id", "4"}});  // the last node has number 0
    all.start();
    all[15].send(3, 8, 0, 77);
    all.run();
    EXPECT_EQ(all[15]->getEndpointID(), 0);
    ASSERT_EQ(all[12].arrived.size(), 1U);
    EXPECT_EQ(all[12].arrived[0].number, 77U);
    EXPECT_EQ(all[12].arrived[0].source, 0);
}

TEST(Sst, RunsSeveralNetworksInOneSimulation) {
    SST::Simulation both;
    const char* const ring = "clock_period: 300ps\nnetwork: {topology: ring, n: 8}\nrouter: {vcs: 2}\n";
    bench one(mesh, 16, 1, {}, &both, 0), other(ring, 8, 1, {}, &both, 100);
    one.start();
    other.start();
    bench alone(ring, 8);
    alone.start();
    for (bench* b : {&one, &other, &alone})
        for (int n = 0; n < 8; ++n) (*b)[n].send((n + 3) % 8, 100);
    one.run();
    alone.run();
    for (int n = 0; n < 8; ++n) {
        ASSERT_EQ(other[n].arrived.size(), 1U);
        EXPECT_EQ(other[n].arrived[0].at, alone[n].arrived[0].at);
        EXPECT_EQ(one[n].arrived.size(), 1U);
    }
}

/// Returns the message with which a network is refused; "" if it is not.
std::string refusal(const std::string& yaml, int vns = 1, const settings& of_nic = {}, int nodes = 16) {
    try {
        bench(yaml, nodes, vns, of_nic).start();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

TEST(Sst, RefusesWhatCannotBe) {
    const auto says = [](const std::string& text, const char* words) {
        EXPECT_NE(text.find(words), std::string::npos) << text;
    };
    EXPECT_EQ(refusal(mesh), "");
    says(refusal("clock_period: 333.3ps\nnetwork: {topology: mesh, dims: [4, 4]}\n"), "--timebase");
    says(refusal("network: {topology: torus, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 1}\n"), "vc");
    says(refusal(mesh, 1, {}, 17), "node16");
    says(refusal(mesh + "fidelity: analytic\n"), "input_buf_size");
    says(refusal(mesh, 1, {{"input_buf_size", "8ns"}}), "give it in B or b");
    says(refusal(mesh, 1, {{"output_buf_size", "0B"}}), "output_buf_size");
    bench all(mesh, 15);
    all.start();
    all[0].send(15, 8);
    EXPECT_THROW(all.run(), std::runtime_error) << "no endpoint there";
}

}  // namespace
}  // namespace sare::test
