// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim's side of a network (tb/astra), against a stand-in for ASTRA-sim's interface.
#include "tb/astra/network_api.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace sare::test {
namespace {

using astra::astra_network;
using astra::network_api;

constexpr double period = 1.192;  // ns
constexpr int no_type = 0;

/// A ring of ranks, each with an interface of its own to one network.
class ring {
  public:
    explicit ring(int ranks) : m_network(read(ranks)), m_net(m_network) {
        for (int r = 0; r < ranks; ++r) m_apis.push_back(std::make_unique<network_api>(r, m_net, 50));
    }
    network_api& operator[](int r) { return *m_apis[static_cast<std::size_t>(r)]; }
    astra_network& net() { return m_net; }
    int size() const { return static_cast<int>(m_apis.size()); }

  private:
    static experiment read(int ranks) {
        return experiment::read(
            config::parse_yaml("clock_period: 1192ps\n"
                               "network: {topology: torus, dims: [" +
                                   std::to_string(ranks) +
                                   "], link_latency: 417}\n"
                                   "router: {vcs: 2, depth: 1024, rc_delay: 0, va_delay: 0, st_delay: 0}\n"
                                   "nic: {flit_bytes: 64, delay: 0, max_packet_flits: 65535}\n",
                               "ring"),
            ".");
    }
    stepped_network m_network;
    astra_network m_net;
    std::vector<std::unique_ptr<network_api>> m_apis;
};

void send(network_api& from, int to, std::uint64_t bytes, int tag = 0, void (*f)(void*) = nullptr,
          void* argument = nullptr) {
    from.sim_send(nullptr, bytes, no_type, to, tag, nullptr, f, argument);
}
void receive(network_api& at, int from, std::uint64_t bytes, int tag, void (*f)(void*), void* argument) {
    at.sim_recv(nullptr, bytes, no_type, from, tag, nullptr, f, argument);
}

/// Notes the time of a rank when it is called.
struct note {
    network_api& rank;
    double at = -1;
    static void take(void* self) {
        auto& n = *static_cast<note*>(self);
        n.at = n.rank.sim_get_time().time_val;
    }
};

/// Time of a message between neighbours of an idle ring, in ns.
double time_of_one(std::uint64_t bytes) {
    ring all(8);
    note arrival{all[1]};
    receive(all[1], 0, bytes, 0, note::take, &arrival);
    send(all[0], 1, bytes);
    all.net().run();
    return arrival.at;
}

/// One rank of an all-gather by a ring: passes on what it gets, for ranks - 1 steps.
struct gatherer {
    ring& all;
    int rank, left;
    std::uint64_t bytes;
    double end = 0;
    void step() {
        if (left-- == 0) {
            end = all[rank].sim_get_time().time_val;
            return;
        }
        const int n = all.size();
        receive(
            all[rank], (rank + n - 1) % n, bytes, left, [](void* g) { static_cast<gatherer*>(g)->step(); },
            this);
        send(all[rank], (rank + 1) % n, bytes, left);
    }
};

TEST(Astra, TakesFlitsAndLatencyForAMessage) {
    const double small = time_of_one(64), large = time_of_one(64 * 1024);
    EXPECT_NEAR(large - small, 1023 * period, 1e-6);  // a flit a cycle
    EXPECT_GE(small, 417 * period);
    EXPECT_LE(small, 425 * period);  // NICs, routers and their links
}

TEST(Astra, GathersInAsManyStepsAsARingHas) {
    for (const int ranks : {4, 8, 16}) {
        ring all(ranks);
        const std::uint64_t bytes = (1 << 20) / static_cast<unsigned>(ranks);
        std::vector<gatherer> each;
        for (int r = 0; r < ranks; ++r) each.push_back({all, r, ranks - 1, bytes});
        for (gatherer& g : each) g.step();
        all.net().run();
        for (const gatherer& g : each)
            EXPECT_NEAR(g.end, (ranks - 1) * time_of_one(bytes), 1e-6) << ranks << " ranks, rank " << g.rank;
    }
}

TEST(Astra, MatchesSendsAndReceivesInTheOrderOfBoth) {
    ring all(4);
    note first{all[1]}, second{all[1]}, other{all[1]}, sent{all[0]}, late{all[1]};
    send(all[0], 1, 640, 7, note::take, &sent);
    send(all[0], 1, 6400, 7);
    send(all[0], 1, 640, 7);
    receive(all[1], 0, 640, 7, note::take, &first);
    receive(all[1], 0, 6400, 7, note::take, &other);  // of another length: no other's
    receive(all[1], 0, 640, 7, note::take, &second);
    all.net().run();
    EXPECT_EQ(first.at, sent.at);
    EXPECT_NEAR(other.at - first.at, 100 * period, 1e-6);
    EXPECT_NEAR(second.at - first.at, 110 * period, 1e-6);

    send(all[0], 1, 64, 9);
    all.net().run();
    const double arrived = all.net().now_ns();
    all[1].sim_schedule(
        {AstraSim::NS, 1000},
        [](void* n) {
            auto& at = static_cast<note*>(n)->rank;
            receive(at, 0, 64, 9, note::take, n);
        },
        &late);
    all.net().run();
    EXPECT_DOUBLE_EQ(late.at, arrived + 1000);  // there already
}

TEST(Astra, RunsEventsByTimeThenInTheirOrder) {
    ring all(4);
    static std::string order;
    order.clear();
    const auto at = [&all](double ns, char& name) {
        all[0].sim_schedule(
            {AstraSim::NS, ns}, [](void* c) { order += *static_cast<char*>(c); }, &name);
    };
    char names[] = "abcd";
    at(20, names[2]);
    at(10, names[0]);
    at(20, names[3]);
    at(10.5, names[1]);
    all.net().run();
    EXPECT_EQ(order, "abcd");
    EXPECT_DOUBLE_EQ(all.net().now_ns(), 20);
}

}  // namespace
}  // namespace sare::test
