// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

/// The modes of a bridge, and what changes with them: exact, estimate, functional.
namespace sare::test::memory_modes_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// A process that is loosely timed; `forgotten`: what it was told to forget of DMI.
struct blocking_cpu : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<blocking_cpu> socket;
    std::function<void(blocking_cpu&)> body;
    transaction_pool pool;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> forgotten;

    explicit blocking_cpu(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        SC_HAS_PROCESS(blocking_cpu);
        socket.register_invalidate_direct_mem_ptr(this, &blocking_cpu::forget);
        SC_THREAD(run);
    }
    /// What it takes, in its own time.
    sc_time access(bool write, std::uint64_t address, unsigned bytes, sc_time& delay, unsigned char* data,
                   std::uint32_t id = 0) {
        transaction& t = pool.take(write, address, bytes);
        if (id != 0) t.set_auto_extension(new access_id(id));
        if (write) std::copy_n(data, bytes, t.data.begin());
        const sc_time start = sc_core::sc_time_stamp() + delay;
        socket->b_transport(t, delay);
        EXPECT_TRUE(t.is_response_ok());
        EXPECT_EQ(t.get_address(), address);
        EXPECT_EQ(t.get_data_length(), bytes);
        if (!write) std::copy_n(t.data.begin(), bytes, data);
        t.release();
        return sc_core::sc_time_stamp() + delay - start;
    }

  private:
    void run() {
        if (body) body(*this);
    }
    void forget(sc_dt::uint64 first, sc_dt::uint64 last) { forgotten.emplace_back(first, last); }
};

/// A memory that gives DMI, of `given` of its bytes.
struct direct_memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<direct_memory> socket;
    std::vector<unsigned char> bytes;
    std::pair<std::uint64_t, std::uint64_t> given;

    direct_memory(const sc_core::sc_module_name& name, std::size_t size)
        : sc_core::sc_module(name), socket("socket"), bytes(size), given(0, size - 1) {
        socket.register_b_transport(this, &direct_memory::b_transport);
        socket.register_get_direct_mem_ptr(this, &direct_memory::get_direct_mem_ptr);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        delay += sc_time(10, SC_NS);
        p.set_dmi_allowed(true);
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
        dmi.set_start_address(given.first);
        dmi.set_end_address(given.second);
        dmi.set_dmi_ptr(bytes.data() + given.first);
        dmi.set_read_latency(sc_time(10, SC_NS));
        dmi.allow_read_write();
        return true;
    }
};

memory_bridge_params of_mode(access_mode mode, std::uint32_t sample = 1000) {
    memory_bridge_params p;
    p.mode = mode;
    p.sample = sample;
    return p;
}

/// Initiators at node 0 of a 4x4 mesh, a memory of two ranges at node 15.
struct mode_system {
    explicit mode_system(const memory_bridge_params& params = {})
        : net("net", 4, 4, router_params{}, 2),
          map(net.engine, {{0x1000, 0x1000, 15, 0x1000}, {0x8000, 0x1000, 15, 0}}),
          near("near", net.nics[0], map, params),
          far("far", net.nics[15], map),
          ram("ram", 0x2000),
          cpu("cpu") {
        checkers.between<32>(cpu.socket, near.initiators);
        checkers.between<32>(far.memory, ram.socket);
    }
    /// With traffic of `load` until the body ends.
    void run(const std::function<void(blocking_cpu&)>& body, double load = 0) {
        cpu.body = [&](blocking_cpu& self) {
            body(self);
            ended = true;
            if (load != 0) sc_core::sc_stop();
        };
        std::unique_ptr<workload> traffic;
        if (load != 0) {
            traffic = make_workload("bernoulli", 16, {{"load", std::to_string(load)}, {"length", "4"}});
            sc_core::sc_start(sc_core::SC_ZERO_TIME);
            net.engine.set_workload(*traffic);
        }
        sc_core::sc_start();
        EXPECT_TRUE(ended);
        checkers.look();
        if (load == 0) {
            EXPECT_EQ(net.engine.net().view().leftovers(), "");
        }
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near, far;
    direct_memory ram;
    blocking_cpu cpu;
    protocol_checkers checkers;
    bool ended = false;
};

/// Without other traffic the closed form is exact, for any length, and with nothing learned.
TEST(MemoryModes, EstimateToTheCycleWithoutTraffic) {
    mode_system s(of_mode(access_mode::estimate, 0));
    unsigned char data[256] = {};
    std::vector<double> took[2];
    s.run([&](blocking_cpu& cpu) {
        sc_time delay;
        for (const access_mode mode : {access_mode::estimate, access_mode::exact}) {
            s.near.set_mode(mode);
            for (const unsigned bytes : {1U, 8U, 64U, 256U})
                for (const bool write : {false, true}) {
                    delay += sc_time(2.5, SC_NS);
                    took[mode == access_mode::exact].push_back(cpu.access(write, 0x1100, bytes, delay, data) /
                                                               sc_time(1, SC_NS));
                    const cycle_t closed =
                        2 + zero_load(router_params{}, 7, 1) +
                        zero_load(router_params{}, 7, s.net.engine.net().port().flits_for(8 + bytes)) + 10;
                    EXPECT_EQ(took[mode == access_mode::exact].back() + 0.5, static_cast<double>(closed));
                }
            if (mode == access_mode::estimate) {
                EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
            }
        }
    });
    EXPECT_EQ(took[0], took[1]);
}

/// The memory on the initiator's own node: one router, and no link between routers.
TEST(MemoryModes, EstimateToTheCycleWithinANode) {
    mode_system s;
    blocking_cpu own("own");
    own.socket.bind(s.far.initiators);
    std::vector<sc_time> took;
    own.body = [&](blocking_cpu& self) {
        unsigned char data[64];
        for (const access_mode mode : {access_mode::estimate, access_mode::exact}) {
            s.far.set_mode(mode);
            sc_time delay;
            took.push_back(self.access(false, 0x1100, 64, delay, data));
            sc_core::wait(500, SC_NS);  // the estimate's probe is back
        }
    };
    s.run([](blocking_cpu& cpu) {
        unsigned char byte = 0;
        sc_time delay(1, sc_core::SC_US);
        cpu.access(false, 0x1800, 1, delay, &byte);
    });
    ASSERT_EQ(took.size(), 2U);
    EXPECT_EQ(took[0], took[1]);
    EXPECT_GT(took[0], sc_time(20, SC_NS));
}

/// Mean of round trips under traffic of `load`, in cycles: of `all` accesses of mixed lengths.
double mean_of(mode_system& s, blocking_cpu& cpu, unsigned all, unsigned& waits) {
    tlm_utils::tlm_quantumkeeper keeper;
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, sc_core::SC_US));
    keeper.reset();
    rng random(7, stream::test, 1);
    unsigned char data[64] = {};
    double sum = 0;
    for (unsigned k = 0; k < all; ++k) {
        keeper.inc(sc_time(random.below(40), SC_NS));
        sc_time delay = keeper.get_local_time();
        const sc_time before = sc_core::sc_time_stamp();
        sum += cpu.access(k % 2 == 0, 0x1000 + 64 * random.below(32), k % 4 < 2 ? 8 : 64, delay, data) /
               s.net.engine.period();
        waits += sc_core::sc_time_stamp() != before;
        keeper.set(delay);
        if (keeper.need_sync()) keeper.sync();
    }
    keeper.sync();
    return sum / all;
}

/// Of links that sleep an estimate's closed form knows nothing; that each message has to wake them is learned
/// from probes, as all waiting is.
TEST(MemoryModes, LearnTheWakingOfLinks) {
    const auto sleepy = config::parse_yaml(
        "network: {topology: mesh, dims: [4, 4], link_wake: 20, link_idle: 5}\n"
        "router: {vcs: 2}\n",
        "sleepy");
    sare::network net("net", experiment::read(sleepy, "."), 2);
    memory_map map(net.engine(), {{0, 0x1000, 15}});
    memory_bridge near("near", net.nic_module(0), map, of_mode(access_mode::estimate, 16)),
        far("far", net.nic_module(15), map);
    direct_memory ram("ram", 0x1000);
    blocking_cpu cpu("cpu");
    cpu.socket.bind(near.initiators);
    far.memory.bind(ram.socket);
    std::map<access_mode, double> mean;
    cpu.body = [&](blocking_cpu& self) {
        unsigned char data[8] = {};
        for (const access_mode mode : {access_mode::estimate, access_mode::exact}) {
            near.set_mode(mode);
            for (unsigned k = 0; k < 100; ++k) {
                sc_time delay;
                const sc_time took = self.access(false, 8 * k, 8, delay, data);
                if (k >= 20) mean[mode] += took / net.engine().period() / 80;
                sc_core::wait(2, sc_core::SC_US);
            }
        }
    };
    sc_core::sc_start();
    EXPECT_GT(mean[access_mode::exact], 2 * 6 * 20);  // six links each way, asleep each time
    EXPECT_NEAR(mean[access_mode::estimate], mean[access_mode::exact], mean[access_mode::exact] / 50);
}

/// Sections of an experiment whose NICs pad their packets, and what the estimate's closed form knows of it.
struct padding {
    const char* sections;
    bool known;  ///< before the first probe
    /// For the test's name, which is not to be an address.
    friend std::ostream& operator<<(std::ostream& out, const padding& p) {
        const std::string all = p.sections;
        const std::size_t router = all.find("router: ") + 8;
        return out << all.substr(router, all.find('\n', router) - router) << (p.known ? ", known" : "");
    }
};
class memory_modes_padding : public testing::TestWithParam<padding> {};

/// On an idle network, once it has been learned: messages of any length take what their padded packets do.
TEST_P(memory_modes_padding, EstimateTheTimeOfPaddedPackets) {
    const auto tree = config::parse_document(GetParam().sections, "padding");
    sare::network net("net", experiment::read(tree, "."), 1);
    memory_map map(net.engine(), {{0, 0x1000, net.map().nodes() - 1}});
    memory_bridge near("near", net.nic_module(0), map,
                       of_mode(access_mode::estimate, GetParam().known ? 0 : 1)),
        far("far", net.nic_module(net.map().nodes() - 1), map);
    direct_memory ram("ram", 0x1000);
    blocking_cpu cpu("cpu");
    cpu.socket.bind(near.initiators);
    far.memory.bind(ram.socket);
    bool ended = false;
    cpu.body = [&](blocking_cpu& self) {
        unsigned char data[64] = {};
        std::map<access_mode, double> mean;
        for (const access_mode mode : {access_mode::estimate, access_mode::exact}) {
            near.set_mode(mode);
            for (unsigned k = 0; k < 40; ++k) {
                sc_time delay;
                const sc_time took = self.access(k % 2 == 0, 0, k % 4 < 2 ? 8 : 64, delay, data);
                if (k >= 20) mean[mode] += took / net.engine().period() / 20;
                sc_core::wait(1, sc_core::SC_US);
            }
        }
        EXPECT_NEAR(mean[access_mode::estimate], mean[access_mode::exact], mean[access_mode::exact] / 50);
        ended = true;
        sc_core::sc_stop();
    };
    sc_core::sc_start();
    EXPECT_TRUE(ended);
}

INSTANTIATE_TEST_SUITE_P(
    kinds, memory_modes_padding,
    testing::Values(
        padding{"network: {topology: mesh, dims: [4, 4]}\n"
                "router: {vcs: 2, depth: 32}\nnic: {pad: true, max_packet_flits: 16}\n",
                true},
        padding{"network: {topology: mesh, dims: [4, 4]}\n"
                "router: {vcs: 2, depth: 32}\nnic: {pad: true, max_packet_flits: 16}\n",
                false},
        padding{"network: {topology: torus, dims: [4]}\nrouter: {kind: bubble, packet: 16}\n", true},
        padding{"network: {topology: mesh, dims: [9]}\nrouter: {kind: dally}\nnic: {delay: 7}\n", true},
        padding{"network: {topology: kary_ntree, k: 2, n: 3}\nrouter: {kind: multistage, packet: 16}\n",
                true},
        padding{"network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 2, depth: 32}\n"
                "nic: {delay: 7, max_packet_flits: 4}\n",
                true},
        padding{"network: {topology: torus, dims: [4, 4]}\nrouter: {kind: apenet, vcs: 3}\nrouting: "
                "duato\nnic: {max_packet_flits: 258, flit_bytes: 16, header_bytes: 32}\n",
                false},
        padding{"network: {topology: mesh, dims: [4, 4]}\nrouter: {kind: deflection, delay: 1}\n", true},
        padding{"network: {topology: triangular_torus, w: 4, h: 4}\nrouter: {kind: spinnaker, packet: 4}\n",
                false}));

class memory_modes_load : public testing::TestWithParam<double> {};

/// In the same network, one after another: first the estimate, which has to learn from its own probes.
TEST_P(memory_modes_load, EstimateTheMeanWithinATenth) {
    mode_system s(of_mode(access_mode::estimate, 16));
    double estimated = 0, exact = 0;
    unsigned waits = 0, exact_waits = 0;
    s.run(
        [&](blocking_cpu& cpu) {
            sc_core::wait(2000, SC_NS);
            mean_of(s, cpu, 1000, waits);
            estimated = mean_of(s, cpu, 2000, waits);
            s.near.set_mode(access_mode::exact);
            exact = mean_of(s, cpu, 2000, exact_waits);
        },
        GetParam());
    EXPECT_EQ(waits, 0U);
    EXPECT_EQ(exact_waits, 2000U);
    EXPECT_NEAR(estimated, exact, exact / 10);
    std::printf("load %.1f: estimated %.2f cycles, exact %.2f\n", GetParam(), estimated, exact);
}

INSTANTIATE_TEST_SUITE_P(loads, memory_modes_load, testing::Values(0.0, 0.1, 0.3, 0.6));

/// Load that comes later is learned, too; and without probes it is not, so that it is they that learn.
class memory_modes_learning : public testing::TestWithParam<bool> {};
TEST_P(memory_modes_learning, LearnLoadOnlyFromProbes) {
    mode_system s(of_mode(access_mode::estimate, GetParam() ? 16 : 0));
    double empty = 0, loaded = 0;
    unsigned waits = 0;
    s.run(
        [&](blocking_cpu& cpu) {
            empty = mean_of(s, cpu, 5, waits);  // of the first cycles, before there is much traffic
            mean_of(s, cpu, 1000, waits);
            loaded = mean_of(s, cpu, 1000, waits);
        },
        0.4);
    EXPECT_EQ(loaded > empty * 1.05, GetParam()) << empty << " " << loaded;
}
INSTANTIATE_TEST_SUITE_P(probes, memory_modes_learning, testing::Bool());

/// Every change of mode, in the midst of accesses of 3 threads each with an ID of its own, and of an
/// initiator by phases: each reads what it has written last.
TEST(MemoryModes, KeepDataRightAcrossChanges) {
    mode_system s;
    phase_initiator<> pipelined("pipelined");
    s.checkers.between<32>(pipelined.socket, s.near.initiators);
    unsigned wrong = 0, done = 0, late = 0;
    std::map<std::uint64_t, unsigned char> written;  // by the initiator by phases
    std::map<const transaction*, unsigned char> must;
    std::deque<const transaction*> order;
    pipelined.on_response = [&](transaction& t) {
        late += order.front() != &t;
        order.erase(std::find(order.begin(), order.end(), &t));
        if (!t.is_write() && t.data != std::vector<unsigned char>(8, must[&t])) ++wrong;
        ++done;
    };
    pipelined.body = [&](phase_initiator<>& self) {
        rng random(5, stream::test, 2);
        for (unsigned k = 0; k < 3000; ++k) {
            const std::uint64_t at = 0x8800 + 8 * random.below(4);
            const bool write = random.bernoulli(0.5);
            if (write) written[at] = static_cast<unsigned char>(k);
            transaction& t = self.pool.take(write, at, 8, static_cast<unsigned char>(write ? k : 0xee));
            must[&t] = written[at];
            order.push_back(&t);
            self.begin(t);
            if (random.bernoulli(0.1)) sc_core::wait(random.below(300), SC_NS);
        }
        self.finish();
    };
    bool over = false;
    sc_core::sc_spawn([&] {
        rng random(5, stream::test, 3);
        while (!over) {
            s.near.set_mode(static_cast<access_mode>(random.below(3)));
            sc_core::wait(1 + random.below(400), SC_NS);
        }
    });
    unsigned threads = 3;
    for (unsigned me = 1; me <= 2; ++me)
        sc_core::sc_spawn([&, me] {
            rng random(5, stream::test, 10 + me);
            std::vector<unsigned char> image(16);
            sc_time delay;
            for (unsigned k = 0; k < 3000; ++k) {
                const unsigned at = random.below(16);
                unsigned char byte = static_cast<unsigned char>(random.next());
                const bool write = random.bernoulli(0.5);
                if (write) image[at] = byte;
                s.cpu.access(write, 0x1000 + 16 * me + at, 1, delay, &byte, me);
                if (byte != image[at]) ++wrong;
                if (random.bernoulli(0.2)) {
                    sc_core::wait(delay);
                    delay = sc_core::SC_ZERO_TIME;
                }
            }
            over = --threads == 0;
        });
    s.run([&](blocking_cpu& cpu) {
        unsigned char byte = 0;
        sc_time delay;
        for (unsigned k = 0; k < 2000; ++k) {
            unsigned char now = static_cast<unsigned char>(k);
            if (k % 3 == 0) byte = now;
            cpu.access(k % 3 == 0, 0x1fff, 1, delay, &now);
            if (now != byte) ++wrong;
            sc_core::wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        }
        over = --threads == 0;
    });
    EXPECT_EQ(done, 3000U);
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(late, 0U);
}

/// The mode is changed while a write by phases is on its way; a blocking read of its ID right after that sees
/// it.
TEST(MemoryModes, DoNotLetAnIdOvertakeItself) {
    mode_system s;
    phase_initiator<> both("both");
    s.checkers.between<32>(both.socket, s.near.initiators);
    both.body = [&](phase_initiator<>& self) {
        transaction& write = self.pool.take(true, 0x1000, 8, 0x5a);
        self.begin(write);
        s.near.set_mode(access_mode::functional);
        transaction &same = self.pool.take(false, 0x1000, 8), &other = self.pool.take(false, 0x1000, 8);
        other.set_auto_extension(new access_id(1));
        sc_time delay;
        self.socket->b_transport(other, delay);
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(other.data[0], 0);  // of another ID: it overtakes
        self.socket->b_transport(same, delay);
        EXPECT_GT(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(same.data[0], 0x5a);
        same.release();
        other.release();
        self.finish();
    };
    s.run([](blocking_cpu& cpu) {
        unsigned char byte = 0;
        sc_time delay;
        cpu.access(false, 0x1800, 1, delay, &byte);
    });
}

/// Only the memory's own time passes.
TEST(MemoryModes, TakeOnlyTheTimeOfTheMemoryWhenFunctional) {
    mode_system s(of_mode(access_mode::functional));
    unsigned char data[64] = {1, 2, 3};
    s.run([&](blocking_cpu& cpu) {
        sc_time delay(3, SC_NS);
        EXPECT_EQ(cpu.access(true, 0x8010, 64, delay, data), sc_time(10, SC_NS));
        EXPECT_EQ(delay, sc_time(13, SC_NS));
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(s.ram.bytes[0x12], 3);
    });
    EXPECT_EQ(s.near.initiator_counts_of(0).accesses, 1U);
    EXPECT_EQ(s.far.memory_counts_of(0).accesses, 1U);
}

/// In the bounds of range and memory, by the range's addresses; and as long as the mode is functional.
TEST(MemoryModes, KeepDirectMemoryWithinItsRange) {
    mode_system s;
    blocking_cpu cpu("direct_cpu");
    cpu.socket.bind(s.near.initiators);
    cpu.body = [&](blocking_cpu& self) {
        transaction& t = self.pool.take(false, 0x1800, 4);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(self.socket->get_direct_mem_ptr(t, dmi));  // exact
        s.near.set_mode(access_mode::functional);
        ASSERT_EQ(self.forgotten.size(), 1U);  // what was refused may be asked for again
        const auto expect = [&](std::uint64_t at, std::uint64_t first, std::uint64_t last,
                                std::size_t place) {
            t.set_address(at);
            ASSERT_TRUE(self.socket->get_direct_mem_ptr(t, dmi));
            EXPECT_EQ(t.get_address(), at);
            EXPECT_EQ(dmi.get_start_address(), first);
            EXPECT_EQ(dmi.get_end_address(), last);
            EXPECT_EQ(dmi.get_dmi_ptr(), &s.ram.bytes[place]);
            EXPECT_EQ(dmi.get_read_latency(), sc_time(10, SC_NS));
        };
        expect(0x1800, 0x1000, 0x1fff, 0x1000);
        expect(0x8000, 0x8000, 0x8fff, 0);
        s.ram.given = {0xff0, 0x100f};
        expect(0x8ff8, 0x8ff0, 0x8fff, 0xff0);
        expect(0x1000, 0x1000, 0x100f, 0x1000);
        for (const std::uint64_t nowhere : {0x3000, 0x1010}) {  // no range, or beyond what the memory gives
            t.set_address(nowhere);
            EXPECT_FALSE(self.socket->get_direct_mem_ptr(t, dmi));
            EXPECT_EQ(dmi.get_start_address(), nowhere);
            EXPECT_EQ(dmi.get_end_address(), nowhere);
            EXPECT_FALSE(dmi.is_read_allowed());
        }
        self.forgotten.clear();
        s.ram.socket->invalidate_direct_mem_ptr(0xff8, 0x1003);
        using addresses = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
        EXPECT_EQ(self.forgotten, (addresses{{0x1000, 0x1003}, {0x8ff8, 0x8fff}}));
        self.forgotten.clear();
        s.near.set_mode(access_mode::estimate);
        EXPECT_EQ(self.forgotten, (addresses{{0, ~std::uint64_t{0}}}));
        t.set_address(0x1000);
        EXPECT_FALSE(self.socket->get_direct_mem_ptr(t, dmi));
        t.release();
    };
    s.run([](blocking_cpu& plain) {
        unsigned char byte = 0;
        sc_time delay;
        plain.access(false, 0x1800, 1, delay, &byte);
    });
}

/// The keeper alone synchronises, and the time it has come to is what all accesses took.
TEST(MemoryModes, HonourTheQuantum) {
    mode_system s(of_mode(access_mode::estimate, 4));
    s.run([&](blocking_cpu& cpu) {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, sc_core::SC_US));
        keeper.reset();
        sc_time sum;
        unsigned syncs = 0;
        unsigned char data[8];
        for (unsigned k = 0; k < 200; ++k) {
            sc_time delay = keeper.get_local_time();
            const sc_time before = sc_core::sc_time_stamp();
            sum += cpu.access(false, 0x1000, 8, delay, data);
            EXPECT_EQ(sc_core::sc_time_stamp(), before);
            EXPECT_LT(keeper.get_local_time(), sc_time(1, sc_core::SC_US));
            keeper.set(delay);
            if (!keeper.need_sync()) continue;
            keeper.sync();
            ++syncs;
        }
        keeper.sync();
        EXPECT_EQ(sc_core::sc_time_stamp(), sum);
        EXPECT_GT(sum, sc_time(200 * 60, SC_NS));
        EXPECT_LE(syncs, sum / sc_time(1, sc_core::SC_US));
        EXPECT_GE(syncs, sum / sc_time(1.1, sc_core::SC_US) - 1);
    });
}

/// By phases a read takes as long as an exact one, while the network stands still.
TEST(MemoryModes, EstimateAccessesByPhases) {
    mode_system s(of_mode(access_mode::estimate, 0));
    phase_initiator<> pipelined("pipelined");
    s.checkers.between<32>(pipelined.socket, s.near.initiators);
    std::vector<sc_time> took;
    sc_time start;
    pipelined.on_response = [&](transaction&) { took.push_back(sc_core::sc_time_stamp() - start); };
    pipelined.body = [&](phase_initiator<>& self) {
        for (const access_mode mode : {access_mode::estimate, access_mode::exact, access_mode::functional}) {
            s.near.set_mode(mode);
            start = sc_core::sc_time_stamp();
            const std::uint64_t before = s.net.engine.net().view().messages_started();
            self.begin(self.pool.take(false, 0x1000, 64));
            self.finish();
            EXPECT_EQ(s.net.engine.net().view().messages_started() - before,
                      mode == access_mode::exact ? 2U : 0U);
        }
    };
    s.run([](blocking_cpu& cpu) {
        unsigned char byte = 0;
        sc_time delay;
        cpu.access(false, 0x1800, 1, delay, &byte);
    });
    ASSERT_EQ(took.size(), 3U);
    EXPECT_EQ(took[0], took[1]);
    EXPECT_EQ(took[2], sc_time(10, SC_NS));
}

}  // namespace
}  // namespace sare::test::memory_modes_test
