// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/plain_modules.h"
#include "tests/support/leaky_switch.h"
#include "tests/tlm/systemc/systemc_support.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <set>

/// Memories and initiators on the network by the bridge.
namespace sare::test::systemc_bridge_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint64_t range_bytes = 0x1000;

bool everywhere(std::uint32_t) {
    return true;
}

/// A 3x3 mesh with a bridge at every node; those that `has_memory` names own 4 KiB from (1 + node) * 4 KiB
/// on.
struct bridged {
    bridged(std::uint32_t classes, const std::function<bool(std::uint32_t)>& has_memory,
            double memory_ns = 10, std::shared_ptr<const router_model> kind = nullptr)
        : net("net", 3, 3, router_params{}, classes, 1, 1, everywhere, std::move(kind)) {
        std::vector<address_range> ranges;
        for (std::uint32_t n = 0; n < 9; ++n) ranges.push_back({range_bytes * (1 + n), range_bytes, n});
        map.emplace(net.engine, ranges);
        for (std::uint32_t n = 0; n < 9; ++n) {
            bridges.emplace_back(("bridge" + std::to_string(n)).c_str(), net.nics[n], *map);
            if (!has_memory(n)) continue;
            memories.emplace_back(("memory" + std::to_string(n)).c_str(), range_bytes,
                                  sc_time(memory_ns, SC_NS));
            bridges[n].memory.bind(memories.back().socket);
        }
    }
    hand_mesh net;
    std::optional<memory_map> map;
    std::deque<memory_bridge> bridges;
    std::deque<examples::memory> memories;
};

/// A process on an initiator socket.
struct master : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<master> socket;
    std::function<void(master&)> body;
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&)> on_response;

    explicit master(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        SC_HAS_PROCESS(master);
        socket.register_nb_transport_bw(this, &master::nb_transport_bw);
        SC_THREAD(run);
    }
    void run() { body(*this); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
        EXPECT_EQ(phase, tlm::BEGIN_RESP);
        return on_response(p);
    }
    void begin(tlm::tlm_generic_payload& p) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(socket->nb_transport_fw(p, phase, delay), tlm::TLM_UPDATED);
        EXPECT_EQ(phase, tlm::END_REQ);
    }
    void end(tlm::tlm_generic_payload& p) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_time delay = sc_core::SC_ZERO_TIME;
        EXPECT_EQ(socket->nb_transport_fw(p, phase, delay), tlm::TLM_COMPLETED);
    }
};

void fill(tlm::tlm_generic_payload& p, bool write, std::uint64_t address, unsigned char* data,
          unsigned bytes) {
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(address);
    p.set_data_ptr(data);
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

std::uint32_t hops(std::uint32_t a, std::uint32_t b) {
    const auto d = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
    return 1 + d(a % 3, b % 3) + d(a / 3, b / 3);
}

/// Closed form: each of the two messages is with its NIC in the cycle after it was made.
cycle_t access_cycles(std::uint32_t from, std::uint32_t to, unsigned bytes, cycle_t memory) {
    const std::uint32_t with_data = (8 + bytes + 15) / 16;
    const router_params p;
    return 1 + zero_load(p, hops(from, to), with_data) + memory + 1 + zero_load(p, hops(from, to), 1);
}

TEST(SystemcBridge, KeepsDataAndLatencyOfBlockingAccesses) {
    bridged b(2, everywhere);
    master m("master");
    m.socket.bind(b.bridges[4].initiators);
    std::vector<unsigned char> image(9 * range_bytes, 0);
    int done = 0;
    m.body = [&](master& self) {
        rng random(3, stream::test, 0);
        for (int k = 0; k < 600; ++k) {
            unsigned char data[300];
            const unsigned bytes = 1 + random.below(300);
            const std::uint32_t target = random.below(9);
            const std::uint64_t at = target * range_bytes + random.below(range_bytes - bytes);
            const bool write = random.bernoulli(0.5);
            for (unsigned i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(random.next());
            if (write) std::copy(data, data + bytes, image.begin() + static_cast<std::ptrdiff_t>(at));
            tlm::tlm_generic_payload p;
            fill(p, write, range_bytes + at, data, bytes);
            // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it refers to goes on.
            const sc_time start = sc_core::sc_time_stamp();
            sc_time delay = sc_core::SC_ZERO_TIME;
            self.socket->b_transport(p, delay);
            ASSERT_TRUE(p.is_response_ok());
            ASSERT_EQ(p.get_address(), range_bytes + at);
            ASSERT_TRUE(std::equal(data, data + bytes, image.begin() + static_cast<std::ptrdiff_t>(at)));
            ASSERT_EQ((sc_core::sc_time_stamp() - start) / sc_time(1, SC_NS),
                      static_cast<double>(access_cycles(4, target, bytes, 10)));
            ++done;
        }
    };
    sc_core::sc_start();
    EXPECT_EQ(done, 600);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

TEST(SystemcBridge, AnswersAddressErrors) {
    bridged b(1, [](std::uint32_t n) { return n != 5; });
    master m("master");
    m.socket.bind(b.bridges[0].initiators);
    std::vector<tlm::tlm_response_status> blocking, non_blocking;
    // Between ranges; before all; past the end; of a node without memory; across it and another; around the
    // end of all addresses.
    const std::vector<std::pair<std::uint64_t, unsigned>> wrong{
        {0x900000, 4}, {0, 1}, {10 * range_bytes - 1, 2}, {6 * range_bytes, 4}, {6 * range_bytes - 2, 4},
        {~0ULL, 8}};
    std::deque<tlm::tlm_generic_payload> payloads;
    unsigned char data[8] = {};
    m.on_response = [&](tlm::tlm_generic_payload& p) {
        non_blocking.push_back(p.get_response_status());
        return tlm::TLM_COMPLETED;
    };
    m.body = [&](master& self) {
        for (const auto& [address, bytes] : wrong) {
            tlm::tlm_generic_payload p;
            fill(p, true, address, data, bytes);
            sc_time delay(5, SC_NS);
            self.socket->b_transport(p, delay);
            EXPECT_EQ(delay, sc_time(5, SC_NS));
            blocking.push_back(p.get_response_status());
        }
        for (const auto& [address, bytes] : wrong) {
            fill(payloads.emplace_back(), true, address, data, bytes);
            self.begin(payloads.back());
        }
    };
    sc_core::sc_start();
    const std::vector<tlm::tlm_response_status> all(wrong.size(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(blocking, all);
    EXPECT_EQ(non_blocking, all);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

/// The time that the initiator ran ahead passes first; then the network's and the memory's.
TEST(SystemcBridge, HonoursAQuantumKeeper) {
    bridged b(2, everywhere);
    master m("master");
    m.socket.bind(b.bridges[0].initiators);
    m.body = [&](master& self) {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(10, sc_core::SC_US));
        keeper.reset();
        unsigned char data[8] = {};
        tlm::tlm_generic_payload p;
        keeper.inc(sc_time(250, SC_NS));
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        fill(p, false, range_bytes * 9, data, 8);
        sc_time delay = keeper.get_local_time();
        self.socket->b_transport(p, delay);
        keeper.set(delay);
        EXPECT_EQ(keeper.get_current_time(),
                  sc_time(250 + static_cast<double>(access_cycles(0, 8, 8, 10)), SC_NS));
        EXPECT_FALSE(keeper.need_sync());
    };
    sc_core::sc_start();
}

/// Initiators at three nodes with eight transactions each on their way; one response at a time at each.
TEST(SystemcBridge, CarriesManyOutstandingOfManyInitiators) {
    constexpr unsigned bytes = 40, each = 8, rounds = 30;
    bridged b(2, everywhere);
    struct state {
        std::deque<tlm::tlm_generic_payload> payloads{each};
        std::vector<std::vector<unsigned char>> data;
        std::deque<tlm::tlm_generic_payload*> to_end;
        std::set<tlm::tlm_generic_payload*> back;
        sc_core::sc_event response;
        unsigned done = 0;
    };
    std::deque<master> masters;
    std::deque<state> states;
    for (const std::uint32_t node : {0u, 4u, 8u}) {
        master& m = masters.emplace_back(("master" + std::to_string(node)).c_str());
        state& s = states.emplace_back();
        s.data.assign(each, std::vector<unsigned char>(bytes));
        m.socket.bind(b.bridges[node].initiators);
        m.on_response = [&s](tlm::tlm_generic_payload& p) {
            EXPECT_TRUE(s.to_end.empty()) << "a response began before the last one had ended";
            EXPECT_TRUE(p.is_response_ok());
            s.to_end.push_back(&p);
            s.response.notify(3, SC_NS);
            return tlm::TLM_ACCEPTED;
        };
        m.body = [&s, node](master& self) {
            for (unsigned round = 0; round < rounds; ++round)
                for (const bool write : {true, false}) {
                    for (unsigned k = 0; k < each; ++k) {
                        auto& data = s.data[k];
                        for (unsigned i = 0; i < bytes; ++i)
                            data[i] = static_cast<unsigned char>(write ? node * 31 + k * 17 + round + i : 0);
                        // All initiators at all memories, each at places of its own.
                        fill(s.payloads[k], write, range_bytes * (1 + k) + node * 64, data.data(), bytes);
                        self.begin(s.payloads[k]);
                    }
                    for (s.back.clear(); s.back.size() < each;) {
                        sc_core::wait(s.response);
                        tlm::tlm_generic_payload* p = s.to_end.front();
                        s.to_end.pop_front();
                        EXPECT_TRUE(s.back.insert(p).second);
                        self.end(*p);
                    }
                    for (unsigned k = 0; k < each; ++k)
                        for (unsigned i = 0; i < bytes; ++i)
                            ASSERT_EQ(s.data[k][i],
                                      static_cast<unsigned char>(node * 31 + k * 17 + round + i));
                    s.done += each;
                }
        };
    }
    sc_core::sc_start();
    for (const auto& s : states) EXPECT_EQ(s.done, 2 * each * rounds);
    EXPECT_EQ(b.net.engine.net().view().leftovers(), "");
}

/// Counts the payloads that come back to it: those of which nothing is held any more.
struct counting_manager final : tlm::tlm_mm_interface {
    unsigned freed = 0;
    void free(tlm::tlm_generic_payload* p) override {
        p->reset();
        ++freed;
    }
};

/// Accesses of up to 2 KiB, three packets, through routers that drop every seventh packet.
struct lossy {
    static constexpr unsigned each = 4, rounds = 40;  // at once of an initiator; one after another

    lossy() : b(2, everywhere, 10, leaky_routers()) {
        for (const std::uint32_t node : {0u, 4u, 8u}) {
            masters.emplace_back(("master" + std::to_string(node)).c_str());
            masters.back().socket.bind(b.bridges[node].initiators);
        }
    }
    static std::shared_ptr<const router_model> leaky_routers() {
        leaky_parameters p;
        p.vcs = router_params{}.vcs;
        p.depth = 64;
        p.drop_every = 7;
        return std::make_shared<leaky_model>(p);
    }

    struct access {
        tlm::tlm_generic_payload payload;
        std::vector<unsigned char> data;
    };
    /// A write of what no other access writes, or a read.
    void draw(access& a, rng& random) {
        a.data.assign(1 + random.below(2000), 0);
        const auto bytes = static_cast<unsigned>(a.data.size());
        const bool write = random.bernoulli(0.5);
        if (write)
            for (auto& byte : a.data) byte = static_cast<unsigned char>(random.next() | 1);
        fill(a.payload, write, range_bytes * (1 + random.below(9)), a.data.data(), bytes);
    }
    /// The access has ended: with what its status says?
    void judge(access& a) {
        if (a.payload.is_response_ok()) {
            ++right;
            return;
        }
        EXPECT_EQ(a.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
        ++failed;
        if (!a.payload.is_write()) return;
        std::vector<unsigned char> there(a.data.size());
        tlm::tlm_generic_payload look;
        fill(look, false, a.payload.get_address(), there.data(), static_cast<unsigned>(there.size()));
        masters.front().socket->transport_dbg(look);
        ++(there == a.data ? responses_lost : requests_lost);
    }
    /// All have been answered, each for one message that was lost, and nothing is left.
    void expect_all_answered() {
        const fabric& net = b.net.engine.net();
        EXPECT_EQ(right + failed, masters.size() * each * rounds);
        EXPECT_EQ(failed, net.view().changes().lost_messages);
        EXPECT_GT(net.view().changes().dropped.packets, failed);  // of some, more than one packet
        EXPECT_GT(right, 50U);
        EXPECT_GT(requests_lost, 10U);
        EXPECT_GT(responses_lost, 10U);
        EXPECT_TRUE(net.view().empty());
        EXPECT_EQ(net.view().leftovers(), "");
        EXPECT_EQ(net.view().messages().in_use(), 0U);
        EXPECT_EQ(net.view().packets().in_use(), 0U);
    }

    bridged b;
    std::deque<master> masters;
    unsigned right = 0, failed = 0, requests_lost = 0, responses_lost = 0;
};

TEST(SystemcBridge, AnswersDroppedAccessesOfBlockedInitiators) {
    lossy net;
    std::uint64_t seed = 0;
    for (master& m : net.masters)
        m.body = [&net, mine = seed++](master& self) {
            rng random(mine, stream::test, 0);
            for (unsigned k = 0; k < lossy::each * lossy::rounds; ++k) {
                lossy::access a;
                net.draw(a, random);
                sc_time delay = sc_core::SC_ZERO_TIME;
                self.socket->b_transport(a.payload, delay);
                net.judge(a);
            }
        };
    sc_core::sc_start();
    net.expect_all_answered();
}

TEST(SystemcBridge, AnswersDroppedAccessesByBeginResp) {
    lossy net;
    counting_manager manager;
    std::deque<std::deque<lossy::access>> all;
    std::deque<std::pair<sc_core::sc_event, unsigned>> waiting;
    for (master& m : net.masters) {
        auto& mine = all.emplace_back();
        auto& [response, outstanding] = waiting.emplace_back();
        m.on_response = [&net, &mine, &response = response,
                         &outstanding = outstanding](tlm::tlm_generic_payload& p) {
            for (auto& a : mine)
                if (&a.payload == &p) net.judge(a);
            p.release();
            --outstanding;
            response.notify(sc_core::SC_ZERO_TIME);
            return tlm::TLM_COMPLETED;
        };
        m.body = [&net, &mine, &manager, &response = response, &outstanding = outstanding,
                  seed = all.size()](master& self) {
            rng random(seed, stream::test, 0);
            for (unsigned k = 0; k < lossy::each * lossy::rounds; ++k) {
                auto& a = mine.emplace_back();
                net.draw(a, random);
                a.payload.set_mm(&manager);
                a.payload.acquire();
                ++outstanding;
                self.begin(a.payload);
                while (outstanding == lossy::each) sc_core::wait(response);
            }
        };
    }
    sc_core::sc_start();
    net.expect_all_answered();
    EXPECT_EQ(manager.freed, net.right + net.failed);
}

/// Node 1's NIC has a thousand flits of requests to send when a response has to leave it.
cycle_t response_behind_requests(std::uint32_t classes) {
    bridged b(classes, everywhere);
    master flood("flood"), victim("victim");
    flood.socket.bind(b.bridges[1].initiators);
    victim.socket.bind(b.bridges[0].initiators);
    std::vector<unsigned char> data(2048);
    std::deque<tlm::tlm_generic_payload> payloads;
    flood.on_response = [](tlm::tlm_generic_payload&) { return tlm::TLM_COMPLETED; };
    flood.body = [&](master& self) {
        for (int k = 0; k < 8; ++k) {
            fill(payloads.emplace_back(), true, range_bytes * 3, data.data(), 2048);
            self.begin(payloads.back());
        }
    };
    double took = 0;
    victim.body = [&](master& self) {
        tlm::tlm_generic_payload p;
        unsigned char word[8];
        fill(p, false, range_bytes * 2, word, 8);
        sc_time delay = sc_core::SC_ZERO_TIME;
        self.socket->b_transport(p, delay);
        took = sc_core::sc_time_stamp() / sc_time(1, SC_NS);
    };
    sc_core::sc_start();
    return static_cast<cycle_t>(took);
}

TEST(SystemcBridge, LetsResponsesPassRequestsWithTwoClasses) {
    EXPECT_LE(response_behind_requests(2), access_cycles(0, 1, 8, 10) + 2);
}

TEST(SystemcBridge, HoldsResponsesBehindRequestsWithOneClass) {
    EXPECT_GT(response_behind_requests(1), 900U);
}

TEST(SystemcBridge, TakesNoTimeForDebugAccesses) {
    bridged b(1, [](std::uint32_t n) { return n == 3; });
    master m("master");
    m.socket.bind(b.bridges[0].initiators);
    m.body = [](master&) {};
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    unsigned char data[4] = {1, 2, 3, 4}, back[4] = {};
    tlm::tlm_generic_payload p;
    fill(p, true, range_bytes * 4 + 8, data, 4);
    EXPECT_EQ(m.socket->transport_dbg(p), 4U);
    fill(p, false, range_bytes * 4 + 8, back, 4);
    EXPECT_EQ(m.socket->transport_dbg(p), 4U);
    EXPECT_TRUE(std::equal(data, data + 4, back));
    fill(p, false, range_bytes * 2, data, 4);  // a node without memory
    EXPECT_EQ(m.socket->transport_dbg(p), 0U);
}

}  // namespace
}  // namespace sare::test::systemc_bridge_test
