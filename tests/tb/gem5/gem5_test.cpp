// SPDX-License-Identifier: Apache-2.0
// gem5's side of a network (tb/gem5), against a stand-in for gem5's interface.
#include "tb/gem5/ruby_network.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace sare::test {
namespace {

using gem5::Tick;
using namespace gem5::ruby;

constexpr unsigned vnets = 3, ordered_vnet = 2, side = 4, each = side * side;
constexpr Tick clock_ticks = 1000;
const std::string mesh =
    "network: {topology: mesh, dims: [4, 4], concentration: 2}\n"
    "router: {vcs: 6, depth: 4}\n"
    "nic: {flit_bytes: 16}\n";

/// Message with a number, about an address.
struct note final : Message {
    note(unsigned k, MessageSizeType s) : Message(gem5::curTick()), number(k), size(s) {}
    MsgPtr clone() const override { return std::make_shared<note>(*this); }
    const MessageSizeType& getMessageSize() const override { return size; }
    NetDest& getDestination() override { return to; }
    bool functionalRead(gem5::Packet* p) override {
        if (p->address != number) return false;
        p->data = data;
        return true;
    }
    bool functionalRead(gem5::Packet* p, WriteMask& mask) override { return mask.found = functionalRead(p); }
    bool functionalWrite(gem5::Packet* p) override {
        if (p->address != number) return false;
        data = p->data;
        return true;
    }
    unsigned number;
    MessageSizeType size;
    NetDest to;
    int data = 0;
};

/// Controller that notes what it gets, while it reads.
struct reader final : Consumer {
    struct arrival {
        Tick at;
        unsigned vnet, number;
        std::vector<NodeID> to;
    };
    explicit reader(gem5::ClockedObject* o) : Consumer(o) {}
    void wakeup() override {
        for (unsigned v = 0; v < vnets; ++v)
            while (reads && in[v]->isReady(gem5::curTick())) {
                auto& m = static_cast<note&>(*in[v]->peekMsgPtr());
                got.push_back({gem5::curTick(), v, m.number, m.to.getAllDest()});
                in[v]->dequeue(gem5::curTick());
            }
    }
    void print(std::ostream&) const override {}
    bool reads = true;
    std::vector<std::unique_ptr<MessageBuffer>> in, out;
    std::vector<arrival> got;
};

/// Caches and directories, one of each at each router of a mesh, and a network between them.
class machine {
  public:
    /// `buffer`: messages that a buffer to a controller holds; 0: any number.
    explicit machine(const std::string& experiment, std::size_t buffer = 0,
                     std::vector<unsigned> nodes = {}) {
        gem5::host = {};
        caches = directories = each;
        const std::string file = testing::TempDir() + "gem5_test_" + std::to_string(::getpid()) + ".yaml";
        std::ofstream(file) << experiment;
        params.experiment = file;
        params.clock = clock_ticks;
        params.nodes = std::move(nodes);
        for (unsigned k = 0; k < 2 * each; ++k) {
            controllers.push_back({k < each ? MachineType_L1Cache : MachineType_Directory, k % each});
            routers.push_back({{static_cast<int>(k % each)}});
        }
        for (unsigned k = 0; k < 2 * each; ++k) links.push_back({{&controllers[k], &routers[k]}});
        for (BasicExtLink& l : links) params.ext_links.push_back(&l);
        net = std::make_unique<ruby::ruby_network>(params);
        for (unsigned k = 0; k < 2 * each; ++k) {
            readers.push_back(std::make_unique<reader>(net.get()));
            for (unsigned v = 0; v < vnets; ++v) {
                readers[k]->in.push_back(std::make_unique<MessageBuffer>(buffer));
                readers[k]->out.push_back(std::make_unique<MessageBuffer>());
                readers[k]->in[v]->setConsumer(readers[k].get());
                net->setFromNetQueue(k, v == ordered_vnet, v, "", readers[k]->in[v].get());
                net->setToNetQueue(k, v == ordered_vnet, v, "", readers[k]->out[v].get());
            }
        }
        net->init();
        net->regStats();
        std::remove(file.c_str());
    }
    std::shared_ptr<note> send(unsigned from, const std::vector<unsigned>& to, unsigned vnet, unsigned number,
                               MessageSizeType size = MessageSizeType_Control) {
        auto m = std::make_shared<note>(number, size);
        for (const unsigned k : to) m->to.add(controllers[k].id);
        readers[from]->out[vnet]->enqueue(m, gem5::curTick(), clock_ticks);
        return m;
    }
    reader& at(unsigned k) { return *readers[k]; }
    /// Wakes a reader that has not read, or not all.
    void read(unsigned k) {
        readers[k]->reads = true;
        readers[k]->scheduleEvent(gem5::Cycles(1));
    }
    std::size_t arrived() const {
        std::size_t all = 0;
        for (const auto& r : readers) all += r->got.size();
        return all;
    }
    double held_back() const {
        net->collateStats();
        std::ostringstream text;
        net->print(text);
        const std::size_t at = text.str().find("holds back ");
        return at == std::string::npos ? 0 : std::stod(text.str().substr(at + 11));
    }

    gem5::SareNetworkParams params;
    std::vector<AbstractController> controllers;
    std::vector<BasicRouter> routers;
    std::vector<BasicExtLink> links;
    std::unique_ptr<ruby::ruby_network> net;
    std::vector<std::unique_ptr<reader>> readers;
};

/// Cycle in which the last flit of a message leaves an idle stepped network that it is sent into in `at`.
cycle_t consumed(const std::string& text, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                 cycle_t at) {
    stepped_network net(experiment::read(config::parse_yaml(text, "mesh"), "."), vnets);
    cycle_t end = 0;
    net.on_delivered([&](const delivery& d) { end = d.consumed; });
    message m;
    m.source = from, m.destination = to, m.flits = net.flits_for(bytes), m.message_class = 1;
    net.send(m, at);
    net.advance(at + 1000);
    return end;
}

/// A data message and a control message, in an idle network and in one that has work in each cycle elsewhere.
TEST(Gem5, TakesWhatTheSteppedNetworkTakes) {
    for (const Tick period : {Tick{1000}, Tick{400}, Tick{2500}})
        for (const MessageSizeType size : {MessageSizeType_Control, MessageSizeType_Data})
            for (const bool busy : {false, true}) {
                // The clock of gem5's network holds unless the experiment says another.
                const std::string clock = "clock_period: " + std::to_string(period) + "ps\n";
                machine m(period == clock_ticks ? mesh : mesh + clock);
                gem5::host.now = 14 * clock_ticks;
                if (busy) m.send(10, {each}, 0, 1, MessageSizeType_Data);
                gem5::host.run(20 * clock_ticks);
                gem5::host.now = 20 * clock_ticks;
                m.send(3, {each + 12}, 1, 0, size);  // sent a clock later
                gem5::host.run(1'000'000);
                ASSERT_EQ(m.at(each + 12).got.size(), 1U);
                const cycle_t start = (21 * clock_ticks + period - 1) / period;
                const std::uint64_t bytes = size == MessageSizeType_Control ? 8 : 72;
                const cycle_t end = consumed(mesh, 2 * 3, 2 * 12 + 1, bytes, start);
                // A controller reads at an edge of its own clock.
                const Tick there = (end + 1) * period;
                EXPECT_EQ(m.at(each + 12).got[0].at, (there + clock_ticks - 1) / clock_ticks * clock_ticks);
                if (busy) continue;
                const auto figure = [](const char* name) {
                    return gem5::statistics::dump.at(std::string("network.") + name)();
                };
                EXPECT_EQ(figure("packets_injected"), 1);
                EXPECT_EQ(figure("packets_received"), 1);
                EXPECT_EQ(figure("flits_received"), size == MessageSizeType_Control ? 1 : 5);
                EXPECT_EQ(figure("average_packet_latency"), end * period - 20 * clock_ticks);
                EXPECT_EQ(figure("average_packet_queueing_latency"), start * period - 20 * clock_ticks);
            }
}

TEST(Gem5, DeliversEveryMessageOnce) {
    machine m(mesh, 2);
    std::vector<unsigned> sent(3000), to(3000);
    for (unsigned k = 0; k < 3000; ++k) {
        to[k] = k * 7 % (2 * each);
        m.send(k % (2 * each), {to[k]}, k % vnets, k,
               k % 5 == 0 ? MessageSizeType_Data : MessageSizeType_Control);
        if (k % 20 == 19) gem5::host.run(gem5::curTick() + clock_ticks);
    }
    EXPECT_FALSE(gem5::host.run(100'000'000));
    EXPECT_EQ(m.arrived(), 3000U);
    for (unsigned k = 0; k < 2 * each; ++k)
        for (const reader::arrival& a : m.at(k).got) {
            EXPECT_EQ(to[a.number], k);
            EXPECT_EQ(a.number % vnets, a.vnet);
            EXPECT_EQ(sent[a.number]++, 0U);
        }
}

/// Number of messages that come before one sent earlier by the same controller.
unsigned overtaken(unsigned vnet) {
    machine m(mesh);
    for (unsigned k = 0; k < 400; ++k)
        m.send(k % 5, {each + 15}, vnet, k, k % 3 == 0 ? MessageSizeType_Data : MessageSizeType_Control);
    gem5::host.run(100'000'000);
    EXPECT_EQ(m.arrived(), 400U);
    unsigned count = 0;
    std::vector<unsigned> last(5);
    for (const reader::arrival& a : m.at(each + 15).got) {
        count += a.number < last[a.number % 5];
        last[a.number % 5] = std::max(last[a.number % 5], a.number);
    }
    return count;
}

TEST(Gem5, KeepsOrderInOrderedVirtualNetworks) {
    EXPECT_EQ(overtaken(ordered_vnet), 0U);
    EXPECT_GT(overtaken(0), 0U);  // two VCs a class: the network itself does not keep it
}

TEST(Gem5, CopiesAMessageToEachDestination) {
    machine m(mesh);
    const std::vector<unsigned> to = {0, 3, 8, each + 3, each + 9};
    m.send(7, to, 0, 42);
    m.send(7, {3}, 0, 43);
    gem5::host.run(1'000'000);
    EXPECT_EQ(m.arrived(), to.size() + 1);
    for (const unsigned k : to) {
        ASSERT_GE(m.at(k).got.size(), 1U) << k;
        EXPECT_EQ(m.at(k).got[0].number, 42U);
        EXPECT_EQ(m.at(k).got[0].to, std::vector<NodeID>{k});
    }
}

TEST(Gem5, HoldsBackWhatFullBuffersRefuse) {
    for (const unsigned vnet : {1U, ordered_vnet}) {
        machine m(mesh, 2);
        reader& slow = m.at(each + 5);
        slow.reads = false;
        for (unsigned k = 0; k < 100; ++k) m.send(0, {each + 5}, vnet, k, MessageSizeType_Data);
        gem5::host.run(10'000'000);
        EXPECT_EQ(slow.got.size(), 0U);
        EXPECT_FALSE(slow.in[vnet]->areNSlotsAvailable(1, gem5::curTick()));
        EXPECT_GT(m.held_back(), 0);
        EXPECT_TRUE(m.at(0).out[vnet]->isReady(gem5::curTick()));  // it backs up into the sender
        // Other virtual networks go on.
        m.send(0, {each + 4}, 0, 1000);
        gem5::host.run(20'000'000);
        EXPECT_EQ(m.at(each + 4).got.size(), 1U);
        // One is read, one comes; then all.
        slow.in[vnet]->dequeue(gem5::curTick());
        gem5::host.run(30'000'000);
        EXPECT_FALSE(slow.in[vnet]->areNSlotsAvailable(1, gem5::curTick()));
        m.read(each + 5);
        EXPECT_FALSE(gem5::host.run(100'000'000));
        EXPECT_EQ(slow.got.size(), 99U);
        EXPECT_EQ(m.held_back(), 0);
    }
}

TEST(Gem5, RestsWhileABufferIsFull) {
    machine m(mesh, 2);
    reader& slow = m.at(each + 5);
    slow.reads = false;
    for (unsigned k = 0; k < 4; ++k) m.send(k, {each + 5}, 0, k);
    EXPECT_FALSE(gem5::host.run(10'000'000));  // nobody polls
    EXPECT_EQ(m.held_back(), 2);
    m.read(each + 5);
    gem5::host.run(20'000'000);
    EXPECT_EQ(slow.got.size(), 4U);
}

/// A source that cannot send is asked once or twice a cycle, however many messages come to it meanwhile.
TEST(Gem5, AsksAFullSourceOnceACycle) {
    machine m(mesh, 2);
    m.at(each + 5).reads = false;
    for (unsigned k = 0; k < 400; ++k) {
        m.send(0, {each + 5}, 0, k, MessageSizeType_Data);
        gem5::host.run(gem5::curTick() + clock_ticks);
        gem5::host.now = (k + 1) * clock_ticks;
    }
    EXPECT_LE(m.at(0).out[0]->looks, 3 * 400U);
    m.read(each + 5);
    gem5::host.run(100'000'000);
    EXPECT_EQ(m.at(each + 5).got.size(), 400U);
}

/// Room that a controller makes in the very tick in which a message comes shows only in the next.
TEST(Gem5, SeesRoomThatWasMadeAsAMessageCame) {
    const auto send = [](machine& m) {
        for (unsigned k = 0; k < 3; ++k) m.send(0, {each + 5}, 0, k);
    };
    machine first(mesh, 2);
    send(first);
    gem5::host.run(1'000'000);
    ASSERT_EQ(first.at(each + 5).got.size(), 3U);
    const Tick second_comes = first.at(each + 5).got[1].at - clock_ticks;

    machine m(mesh, 2);
    m.at(each + 5).reads = false;
    send(m);
    MessageBuffer& buffer = *m.at(each + 5).in[0];
    gem5::EventFunctionWrapper read([&] { buffer.dequeue(gem5::curTick()); }, "read");
    gem5::host.put(read, second_comes);
    gem5::host.run(1'000'000);
    EXPECT_FALSE(buffer.areNSlotsAvailable(1, gem5::curTick()));  // the second and the third
    EXPECT_EQ(m.held_back(), 0);
}

TEST(Gem5, FindsMessagesInFlight) {
    machine m(mesh);
    const auto sent = m.send(0, {each + 15}, 0, 77, MessageSizeType_Data);
    sent->data = 5;
    gem5::Packet p{77, 0};
    WriteMask mask;
    EXPECT_FALSE(m.net->functionalRead(&p));  // it is in the controller's buffer
    gem5::host.run(3 * clock_ticks);
    EXPECT_TRUE(m.net->functionalRead(&p));
    EXPECT_TRUE(m.net->functionalRead(&p, mask));
    EXPECT_EQ(p.data, 5);
    p.data = 6;
    EXPECT_EQ(m.net->functionalWrite(&p), 1U);
    EXPECT_EQ(sent->data, 6);
    gem5::Packet other{78, 0};
    EXPECT_FALSE(m.net->functionalRead(&other));
    EXPECT_EQ(m.net->functionalWrite(&other), 0U);
    gem5::host.run(1'000'000);
    EXPECT_EQ(m.at(each + 15).got.size(), 1U);
    EXPECT_FALSE(m.net->functionalRead(&p));
}

/// Error of a machine; "" if there is none.
std::string error_of(const std::string& experiment, const std::vector<unsigned>& nodes = {}) {
    try {
        machine m(experiment, 1, nodes);
        m.at(each).reads = false;
        for (unsigned k = 0; k < 3; ++k) m.send(0, {each}, 0, k);
        gem5::host.run(1'000'000);
        return "";
    } catch (const std::runtime_error& e) {
        return e.what();
    }
}

TEST(Gem5, RefusesWhatItCannotDo) {
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    EXPECT_EQ(error_of(mesh), "");
    has(error_of("network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 3}\n"),
        "more controllers at router");
    has(error_of(mesh, {1, 2}), "'nodes' has");
    std::vector<unsigned> nodes(2 * each);
    has(error_of(mesh, nodes), "twice");
    nodes[0] = 2 * each;
    has(error_of(mesh, nodes), "'nodes' has node");
    has(error_of(mesh + "clock_period: 0.5ps\n"), "'clock_period' is");
    has(error_of(mesh + "colour: red\n"), "colour");
    const std::string ring = "network: {topology: torus, dims: [16], concentration: 2}\n";
    has(error_of(ring + "routing: {function: dor, dateline: none}\nrouter: {vcs: 6}\n"), "deadlock");
    has(error_of(mesh + "fidelity: analytic\n"), "no node can refuse");
    has(error_of("network: {topology: torus, dims: [4, 4], concentration: 2}\nrouter: {vcs: 3}\n"),
        "dateline");
    has(error_of("network: {topology: mesh, dims: [4, 4], concentration: 2}\nrouter: {vcs: 2}\n"),
        "message classes");
}

}  // namespace
}  // namespace sare::test
