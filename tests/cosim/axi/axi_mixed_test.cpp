// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/atomic.h"
#include "cosim/axi/model/burst.h"
#include "cosim/axi/tlm/pin_manager.h"
#include "cosim/axi/tlm/pin_subordinate.h"
#include "tests/support/error_of.h"
#include "tlm/axi/axi_bridge.h"
#include "tlm/axi/checker.h"
#include "tlm/config/yaml.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>

/// One network with managers and memories at pins and of TLM: each manager reaches each memory.
namespace sare::axi::axi_mixed_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint64_t region_bytes = 0x10000, own_bytes = 0x2000;

/// Of TLM; what was never written is as in a memory at pins.
struct tlm_memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<tlm_memory, 64, protocol> socket{"socket"};
    byte_store bytes;
    explicit tlm_memory(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_b_transport(this, &tlm_memory::serve);
    }
    void serve(tlm::tlm_generic_payload& p, sc_time& delay) {
        const unsigned width = p.get_streaming_width();
        for (unsigned k = 0; k < p.get_data_length(); ++k) {
            const std::uint64_t at = p.get_address() + k % width;
            const bool enabled = p.get_byte_enable_ptr() == nullptr ||
                                 p.get_byte_enable_ptr()[k % p.get_byte_enable_length()] != TLM_BYTE_DISABLED;
            if (p.is_read())
                p.get_data_ptr()[k] = bytes.get(at);
            else if (enabled)
                bytes.set(at, p.get_data_ptr()[k]);
        }
        delay += sc_time(7, SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// Of TLM: writes and reads bursts in bytes of its own in each region.
struct tlm_manager : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<tlm_manager, 64, protocol> socket{"socket"};
    byte_store expected;
    unsigned done = 0, wrong = 0;
    explicit tlm_manager(const sc_core::sc_module_name& name) : sc_module(name) {}
    void run(std::uint64_t seed, const bool& closing) {
        rng random(seed, stream::test, 12);
        std::vector<unsigned char> data;
        while (!closing) {
            const unsigned length = 8 * (1 + random.below(16));
            const std::uint64_t address =
                region_bytes * random.below(2) + 6 * own_bytes + 128 * random.below(own_bytes / 128);
            data.assign(length, 0);
            const bool write = random.bernoulli(0.5);
            for (auto& b : data) b = static_cast<unsigned char>(random.next());
            tlm::tlm_generic_payload p;
            p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            p.set_address(address);
            p.set_data_ptr(data.data());
            p.set_data_length(length);
            p.set_streaming_width(length);
            sc_time delay(random.below(50), SC_NS);
            socket->b_transport(p, delay);
            sc_core::wait(delay);
            wrong += !p.is_response_ok();
            for (unsigned k = 0; k < length; ++k)
                if (write)
                    expected.set(address + k, data[k]);
                else
                    wrong += data[k] != expected.get(address + k);
            ++done;
        }
    }
};

/// At pins; AxLOCK is 0, since what it draws has not the form of exclusive bursts.
struct plain_manager final : clocked {
    sc_core::sc_out<forward_pins> out{"out"};
    sc_core::sc_in<backward_pins> in{"in"};
    random_manager manager;
    bool closing = false;

    plain_manager(const sc_core::sc_module_name& name, random_manager behaviour)
        : clocked(name), manager(std::move(behaviour)) {}
    void start_of_simulation() override { show(true); }
    void edge() override {
        manager.clock(in.read());
        show(closing);
    }
    void show(bool begins_nothing) {
        forward_pins f = manager.drive(begins_nothing);
        f.ar.lock = f.aw.lock = 0;
        out.write(f);
    }
};

struct port_signals {
    sc_core::sc_signal<forward_pins> forward;
    sc_core::sc_signal<backward_pins> backward;
};

struct mixed_system {
    mixed_system()
        : e(experiment::read(
              config::parse_yaml("{network: {topology: mesh, dims: [3, 3]}, router: {vcs: 2}}", "the mesh"),
              ".")),
          net("net", e, 2),
          map(net.engine(), {{0, region_bytes, 8, 0}, {region_bytes, region_bytes, 2, region_bytes}}),
          clock("clock", period(), 0.5, period() / 2) {
        bridge_params p;
        p.at_once = 4;
        for (int k = 0; k < 4; ++k) transactions.emplace_back(("transactions" + std::to_string(k)).c_str());
        for (const std::uint32_t n : {0U, 2U, 4U, 6U, 8U})
            bridges.emplace(n, std::make_unique<bridge<64>>(("at" + std::to_string(n)).c_str(),
                                                            net.nic_module(n), map, p));
        manager_params of_managers;
        of_managers.map = {{0, region_bytes - 1, 8}, {region_bytes, 2 * region_bytes - 1, 2}};
        for (const std::uint32_t n : {0U, 4U}) {
            std::vector<random_manager::part> parts;
            for (std::uint64_t k = 0; k < 2; ++k)
                parts.push_back({k * region_bytes + managers.size() * own_bytes, own_bytes});
            auto& m = managers.emplace_back(("manager" + std::to_string(n)).c_str(),
                                            random_manager(of_managers, parts, {}, 1, n));
            auto& adapter = adapters.emplace_back(("adapter" + std::to_string(n)).c_str());
            auto& between = transactions[managers.size() - 1];
            adapter.socket.bind(between.from);
            between.to.bind(bridges.at(n)->managers);
            connect(m.out, m.in, adapter);
            m.clock(clock);
            adapter.clock(clock);
        }
        cpu.socket.bind(bridges.at(6)->managers);
        transactions[2].to.bind(ram.socket);
        bridges.at(8)->subordinates.bind(transactions[2].from);
        transactions[3].to.bind(pins_memory.socket);
        bridges.at(2)->subordinates.bind(transactions[3].from);
        connect(pins_memory.out, pins_memory.in, memory);
        pins_memory.clock(clock);
        memory.clock(clock);
        sc_core::sc_spawn([this] { cpu.run(1, closing); });
    }
    /// `forward` and `backward`: of one end; the other one has in and out.
    template <class Forward, class Backward, class Other>
    void connect(Forward& forward, Backward& backward, Other& other) {
        auto& wires = pins.emplace_back();
        auto& r = rules.emplace_back(("rules" + std::to_string(pins.size())).c_str(), 64);
        forward(wires.forward);
        backward(wires.backward);
        other.in(wires.forward);
        other.out(wires.backward);
        r.forward(wires.forward);
        r.backward(wires.backward);
        r.clock(clock);
    }
    sc_time period() { return net.engine().period(); }

    experiment e;
    network net;
    memory_map map;
    sc_core::sc_clock clock;
    std::map<std::uint32_t, std::unique_ptr<bridge<64>>> bridges;
    std::deque<checker<64>> transactions;
    std::deque<plain_manager> managers;
    std::deque<pin_manager<64>> adapters;
    tlm_manager cpu{"cpu"};
    tlm_memory ram{"ram"};
    pin_subordinate<64> pins_memory{"pins_memory", 2};
    memory_module memory{"memory", random_memory(format(), {}, random_memory::write_order::none, 1, 2)};
    std::deque<port_signals> pins;
    std::deque<checker_module> rules;
    bool closing = false;
};

TEST(AxiMixed, RunsPinsAndTransactionsOnOneNetwork) {
    mixed_system s;
    sc_core::sc_start(5000 * s.period());
    s.closing = true;
    for (auto& m : s.managers) m.closing = true;
    sc_core::sc_start(3000 * s.period());
    std::uint64_t at_pins = 0;
    for (auto& m : s.managers) {
        EXPECT_EQ(m.manager.first_error(), "") << m.name();
        EXPECT_TRUE(m.manager.idle()) << m.name();
        EXPECT_GT(m.manager.lost(), 0U);  // DECERR
        at_pins += m.manager.done();
    }
    for (auto& a : s.adapters) EXPECT_EQ(a.open(), 0U);
    for (auto& r : s.rules) EXPECT_EQ(r.rules.first_violation(), "") << r.name();
    for (auto& t : s.transactions) EXPECT_EQ(t.rules.violations, std::vector<std::string>()) << t.name();
    EXPECT_EQ(s.pins_memory.open(), 0U);
    EXPECT_EQ(s.cpu.wrong, 0U);
    EXPECT_GT(s.cpu.done, 30U);
    EXPECT_GT(at_pins, 500U);
    std::cout << at_pins << " transactions of managers at pins, " << s.cpu.done << " of the other one\n";
    EXPECT_EQ(s.net.engine().net().view().leftovers(), "");
}

TEST(AxiMixed, RefusesAnAnswerToNoRequest) {
    sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
    tlm_manager cpu("cpu");
    pin_subordinate<64> memory("memory");
    cpu.socket.bind(memory.socket);
    port_signals pins;
    memory.clock(clock);
    memory.out(pins.forward);
    memory.in(pins.backward);
    backward_pins b;
    b.b_valid = true;
    b.b_id = 3;
    pins.backward.write(b);
    const std::string error = test::error_of([] { sc_core::sc_start(10, SC_NS); });
    EXPECT_NE(error.find("memory: the subordinate answers ID 3, of which nothing is under way"),
              std::string::npos)
        << error;
}

// ---- atomic transactions of AXI5

/// At pins: one write after the other, each when the one before has all of its responses.
struct scripted_manager final : clocked {
    struct step {
        address what;
        std::vector<std::uint64_t> beats;
    };
    sc_core::sc_out<forward_pins> out{"out"};
    sc_core::sc_in<backward_pins> in{"in"};
    std::deque<step> steps;
    std::vector<std::uint64_t> fetched;  ///< on R
    std::size_t answers = 0;             ///< on B
    bool b_due = false, r_due = false;
    forward_pins shown;

    explicit scripted_manager(const sc_core::sc_module_name& name) : clocked(name) {}
    void start_of_simulation() override { out.write(shown); }
    void edge() override {
        const backward_pins b = in.read();
        if (shown.aw_valid && b.aw_ready) shown.aw_valid = false;
        if (shown.w_valid && b.w_ready) next_beat();
        if (b.b_valid && shown.b_ready) b_due = false, ++answers;
        if (b.r_valid && shown.r_ready) fetched.push_back(b.r.get(0, 64)), r_due = !b.r_last;
        if (!b_due && !r_due && !shown.w_valid && !steps.empty()) begin();
        shown.b_ready = shown.r_ready = true;
        out.write(shown);
    }
    void begin() {
        shown.aw = steps.front().what;
        shown.aw_valid = shown.w_valid = b_due = true;
        r_due = fetches(shown.aw);
        beat = 0;
        show_beat();
    }
    void show_beat() {
        const step& s = steps.front();
        shown.w = {};
        shown.w.set(0, 64, s.beats[beat]);
        for_bytes(operand_of(s.what), beat, 8,
                  [&](std::uint64_t, std::uint32_t lane) { shown.w.set(64 + lane, 1, 1); });
        shown.w_last = beat + 1 == s.beats.size();
    }
    void next_beat() {
        if (++beat == steps.front().beats.size()) {
            shown.w_valid = false;
            steps.pop_front();
        } else {
            show_beat();
        }
    }
    std::size_t beat = 0;
};

/// At pins: one access at a time, plain or atomic.
struct atomic_memory final : clocked {
    sc_core::sc_in<forward_pins> in{"in"};
    sc_core::sc_out<backward_pins> out{"out"};
    unsigned char bytes[64] = {};
    std::optional<address> write;
    std::vector<wide> beats;
    std::deque<backward_pins> reads, answers;  ///< R and B
    std::size_t atomics = 0;
    backward_pins shown;

    explicit atomic_memory(const sc_core::sc_module_name& name) : clocked(name) {}
    void start_of_simulation() override { out.write(shown); }
    void edge() override {
        const forward_pins f = in.read();
        if (shown.r_valid && f.r_ready) reads.pop_front();
        if (shown.b_valid && f.b_ready) answers.pop_front();
        if (f.ar_valid && shown.ar_ready) read(f.ar, bytes);
        if (f.aw_valid && shown.aw_ready) write = f.aw;
        if (f.w_valid && shown.w_ready) beats.push_back(f.w);
        if (write && beats.size() == write->beats()) serve();
        shown = reads.empty() ? backward_pins() : reads.front();
        if (!answers.empty()) shown.b_valid = true, shown.b_id = answers.front().b_id;
        shown.aw_ready = !write;
        shown.w_ready = shown.ar_ready = true;
        out.write(shown);
    }
    void read(const address& a, const unsigned char* from) {
        for (std::uint32_t n = 0; n < a.beats(); ++n) {
            backward_pins& r = reads.emplace_back();
            r.r_valid = true;
            r.r_id = a.id;
            r.r_last = n + 1 == a.beats();
            for_bytes(a, n, 8, [&](std::uint64_t at, std::uint32_t lane) { r.r.set(8 * lane, 8, from[at]); });
        }
    }
    void serve() {
        unsigned char operand[64] = {};
        const address all = operand_of(*write);
        for (std::uint32_t n = 0; n < all.beats(); ++n)
            for_bytes(all, n, 8, [&](std::uint64_t at, std::uint32_t lane) {
                const auto byte = static_cast<unsigned char>(beats[n].get(8 * lane, 8));
                if (write->atop != 0)
                    operand[at] = byte;
                else if (beats[n].get(64 + lane, 1) != 0)
                    bytes[at] = byte;
            });
        if (const auto what = atomic_of(*write); write->atop != 0) {
            ++atomics;
            const std::uint32_t size = value_bytes(*write);
            unsigned char* const data = operand + all.addr;
            if (is_upper_half(*write)) std::rotate(data, data + size, data + 2 * size);
            if (fetches(*write)) read(value_of(*write), bytes);
            what->apply(bytes + write->addr, data, size);
        }
        answers.emplace_back().b_id = write->id;
        write.reset();
        beats.clear();
    }
    std::uint64_t value(std::size_t at) const {
        std::uint64_t v = 0;
        for (std::size_t k = 0; k < 8; ++k) v |= std::uint64_t{bytes[at + k]} << 8 * k;
        return v;
    }
};

address atomic_at(std::uint64_t addr, std::uint8_t atop, std::uint8_t size, std::uint8_t len = 0,
                  burst_kind burst = burst_kind::incr) {
    address a;
    a.id = 2;
    a.addr = addr;
    a.atop = atop;
    a.size = size;
    a.len = len;
    a.burst = burst;
    return a;
}

/// What is asked for and fetched at the pins of a manager, and atomic transactions at those of the memory.
void do_atomics(atomic_place who, std::size_t at_memory) {
    const auto e = experiment::read(
        config::parse_yaml("{network: {topology: mesh, dims: [2]}, router: {vcs: 2}}", "it"), ".");
    network net("net", e, 2);
    memory_map map(net.engine(), {{0, 64, 1, 0}});
    sc_core::sc_clock clock("clock", net.engine().period(), 0.5, net.engine().period() / 2);
    bridge_params p;
    p.atomics = who;
    bridge<64> near("near", net.nic_module(0), map, p), far("far", net.nic_module(1), map, p);
    scripted_manager manager("manager");
    pin_manager<64> adapter("adapter");
    pin_subordinate<64> end("end", 2);
    atomic_memory memory("memory");
    adapter.socket.bind(near.managers);
    far.subordinates.bind(end.socket);
    port_signals pins[2];
    checker_module rules[2] = {{"rules0", 64}, {"rules1", 64}};
    const auto connect = [&](int k, auto& forward, auto& backward, auto& other) {
        forward(pins[k].forward);
        backward(pins[k].backward);
        other.in(pins[k].forward);
        other.out(pins[k].backward);
        rules[k].forward(pins[k].forward);
        rules[k].backward(pins[k].backward);
        rules[k].clock(clock);
    };
    connect(0, manager.out, manager.in, adapter);
    connect(1, end.out, end.in, memory);
    for (clocked* c : std::initializer_list<clocked*>{&manager, &adapter, &end, &memory}) c->clock(clock);
    manager.steps = {{atomic_at(16, 0x10, 3), {5}},                                 // store, add
                     {atomic_at(16, 0x20, 3), {3}},                                 // load, add
                     {atomic_at(20, 0x31, 3, 0, burst_kind::wrap), {7}},            // compare 0, write 7
                     {atomic_at(16, 0x30, 2), {9}},                                 // swap
                     {atomic_at(24, 0x31, 3, 1, burst_kind::wrap), {0x11, 0}},      // compare, 8 bytes
                     {atomic_at(24, 0x31, 3, 1, burst_kind::wrap), {0x12, 0x10}}};  // not equal
    sc_core::sc_start(2000 * net.engine().period());
    EXPECT_EQ(manager.answers, 6U);
    EXPECT_EQ(manager.fetched, (std::vector<std::uint64_t>{5, 0, 8, 0, 0x11}));
    EXPECT_EQ(memory.value(16), 0x700000009U);
    EXPECT_EQ(memory.value(24), 0x11U);
    EXPECT_EQ(memory.atomics, at_memory);
    for (auto& r : rules) EXPECT_EQ(r.rules.first_violation(), "") << r.name();
    EXPECT_EQ(adapter.open() + end.open(), 0U);
}

TEST(AxiMixed, DoesAtomicsAtThePinsOfAManager) {
    do_atomics(atomic_place::bridge, 0);
}

TEST(AxiMixed, DoesAtomicsAtThePinsOfAMemory) {
    do_atomics(atomic_place::memory, 6);
}

TEST(AxiMixed, ChecksTheRulesOfAtomics) {
    const auto rule = [](const address& a, std::uint64_t strobes, bool twice = false) {
        pin_checker c(64);
        forward_pins f;
        f.aw_valid = f.w_valid = f.w_last = true;
        f.aw = a;
        f.w.set(64, 8, strobes);
        backward_pins b;
        b.aw_ready = b.w_ready = true;
        c.cycle(f, b);
        if (twice) c.cycle(f, b);
        return c.first_violation();
    };
    EXPECT_EQ(rule(atomic_at(8, 0x20, 3), 0xff), "");
    EXPECT_EQ(rule(atomic_at(8, 0x20, 3), 0x7f),
              "cycle 1: AXI4_ERRM_WSTRB: WSTRB of an atomic transaction lacks bytes, at beat 1 of 1 of the "
              "write of ID "
              "2 at 0x8");
    EXPECT_EQ(rule(atomic_at(8, 0x32, 3), 0xff), "cycle 1: AXI5 AWATOP: AW: AWATOP of no operation");
    EXPECT_EQ(rule(atomic_at(4, 0x30, 3), 0xff),
              "cycle 1: AXI5 AWATOP: AW: an atomic transaction that is not aligned to its value");
    EXPECT_EQ(rule(atomic_at(12, 0x31, 3), 0xff),
              "cycle 1: AXI5 AWATOP: AW: AtomicCompare of an upper half must be WRAP");
    EXPECT_EQ(rule(atomic_at(8, 0x10, 3), 0xff, true),
              "cycle 2: AXI5 atomic ID: the ID of an atomic transaction that is open is used again");
    EXPECT_EQ(rule(atomic_at(0, 0x30, 2, 1), 0xf),
              "cycle 1: AXI5 AWATOP: AW: an atomic transaction in more beats than it needs");
}

}  // namespace
}  // namespace sare::axi::axi_mixed_test
