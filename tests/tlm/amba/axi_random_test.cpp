// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/axi_support.h"
#include "tests/tlm/router/protocol_checker.h"

/// Random bursts of many managers to many subordinates, through a network under load: each ID of each manager
/// has bytes of its own in every range, reads wait for the writes before them, and what they read is what was
/// written.
namespace sare::test::axi_random_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr unsigned bursts = 15000;  // of a seed
constexpr unsigned slice = 4096;    // bytes of an ID in a range
constexpr unsigned slices = 24;
constexpr std::uint64_t range_bytes = std::uint64_t{slice} * slices;

/// What every range has, if each write is done when it is answered: AXI4 orders reads and writes no other
/// way.
struct image {
    address_range range;
    std::vector<unsigned char> bytes;
};

struct system_of_axi {
    explicit system_of_axi(std::uint64_t s)
        : seed(s), net("net", 3, 3, with_vcs(4), 4, 1, s), random(s, stream::test, 99) {}

    template <class T, class... Args>
    T& keep(Args&&... args) {
        auto made = std::make_shared<T>(std::forward<Args>(args)...);
        kept.push_back(made);
        return *made;
    }

    template <unsigned Width, class Memory>
    void add_subordinate(std::uint32_t node, const axi::bridge_params& params, std::uint32_t slowest_ns) {
        const std::string number = std::to_string(kept.size());
        auto& bridge =
            keep<axi::bridge<Width>>(("sub_bridge" + number).c_str(), net.nics[node], *map, params);
        auto& memory = keep<Memory>(("memory" + number).c_str(), range_bytes * 2, [this, slowest_ns] {
            return sc_time(1 + random.below(slowest_ns), SC_NS);
        });
        checkers.between<Width>(bridge.subordinates, memory.socket);
        at_end.push_back([this, &bridge, &memory, params] {
            const memory_counts& c = bridge.subordinate_counts_of(0);
            EXPECT_LE(c.most_held, params.window * 2 * managers) << bridge.name();
            EXPECT_LE(c.most_at_once, params.at_once) << bridge.name();
            EXPECT_LE(memory.most_at_once, params.at_once) << bridge.name();
            EXPECT_GT(c.accesses, 0U);
        });
    }

    /// A burst of ID `id`, in its slice of some range; what it must read is in `must`.
    transaction& draw(transaction_pool& pool, unsigned id, unsigned first_slice, bool write, unsigned width,
                      std::size_t& where) {
        where = random.below(static_cast<std::uint32_t>(images.size()));
        const std::uint64_t base =
            images[where].range.base + range_bytes - std::uint64_t{slice} * (first_slice + id + 1);
        transaction& t = pool.take(write, base, 1);
        unsigned size = 0;
        while ((1U << size) < width / 8) ++size;
        size -= random.below(std::min(size + 1, 3U));
        const unsigned beat = 1U << size;
        const auto type = static_cast<axi::burst>(random.below(3));
        unsigned beats = 1 + random.below(type == axi::burst::incr ? std::min(24U, slice / beat) : 16);
        if (type == axi::burst::wrap) beats = 2U << random.below(4);
        std::uint64_t at = random.below(random.bernoulli(0.7) ? 256 : slice);
        if (type == axi::burst::wrap) at = at / beat * beat;
        if (type == axi::burst::incr) {
            const std::uint64_t all = std::uint64_t{beat} * beats;
            if (random.bernoulli(0.2)) at = slice - all + random.below(beat);  // up to the end of the 4 KiB
            if (at / beat * beat + all > slice) at = slice - all;
        }
        t.set_address(base + at);
        auto& e = make_burst(t, type, size, beats, id);
        if (random.bernoulli(0.5)) t.set_auto_extension(new access_timing);
        e.qos = static_cast<std::uint8_t>(random.below(16));
        for (auto& byte : t.data) byte = static_cast<unsigned char>(random.next());
        if (write && random.bernoulli(0.3)) {
            t.enables.resize(t.data.size());
            for (auto& b : t.enables) b = random.bernoulli(0.6) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            t.set_byte_enable_ptr(t.enables.data());
            t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
        }
        return t;
    }
    /// Does a write; of a read, says whether it is right.
    void settle(const transaction& t, std::size_t where, const std::vector<unsigned char>* expected) {
        ++judged;
        if (t.get_extension<access_timing>() != nullptr && !times_fit(t, t.made, t.answered)) ++wrong;
        if (t.get_response_status() != tlm::TLM_OK_RESPONSE) ++wrong;
        const auto addresses = addresses_of(*t.get_extension<axi::extension>(), t.get_address());
        if (addresses.size() != t.data.size()) ++wrong;
        if (t.is_read()) {
            wrong += t.data != *expected;
            return;
        }
        image& i = images[where];
        for (std::size_t k = 0; k < addresses.size(); ++k)
            if (t.get_byte_enable_ptr() == nullptr || t.enables[k] == TLM_BYTE_ENABLED)
                i.bytes[addresses[k] - i.range.base] = t.data[k];
    }
    std::vector<unsigned char> expected_of(const transaction& t, std::size_t where) {
        std::vector<unsigned char> all;
        for (const std::uint64_t a : addresses_of(*t.get_extension<axi::extension>(), t.get_address()))
            all.push_back(images[where].bytes[a - images[where].range.base]);
        return all;
    }

    /// Its IDs are used in turns: some only written, others only read, until all is answered; then the other
    /// way round. So several bursts of an ID are under way, and none depends on an order that AXI4 does not
    /// give.
    template <unsigned Width>
    void add_phases(axi::bridge<Width>& bridge, unsigned ids, double response_ns) {
        const unsigned first = next_slice, manager = managers++;
        next_slice += ids;
        auto& cpu = keep<phase_manager<Width>>(("cpu" + std::to_string(manager)).c_str());
        cpu.response_time = sc_time(response_ns, SC_NS);
        struct under_way {
            std::size_t where;
            std::vector<unsigned char> expected;
        };
        auto& open = keep<std::map<const transaction*, under_way>>();
        auto& order = keep<std::map<std::uint32_t, std::deque<const transaction*>>>();
        cpu.on_response = [this, &open, &order](transaction& t) {
            auto& of_id = order[t.get_extension<axi::extension>()->id * 2 + t.is_write()];
            out_of_order += of_id.front() != &t;
            of_id.pop_front();
            settle(t, open.at(&t).where, &open.at(&t).expected);
            open.erase(&t);
        };
        auto& round = keep<unsigned>(0U);
        cpu.body = [this, &open, &order, &round, ids, first](phase_manager<Width>& self, bool writes) {
            for (unsigned mine = 0; issued < bursts; ++mine) {
                for (unsigned k = 0; k < 12; ++k) {
                    // Halves of the IDs change roles each round.
                    const unsigned id = random.below(ids / 2) * 2 + ((mine + writes) % 2);
                    ++issued;
                    std::size_t where = 0;
                    transaction& t = draw(self.pool, id, first, writes, Width, where);
                    open[&t] = {where, writes ? std::vector<unsigned char>() : expected_of(t, where)};
                    order[id * 2 + writes].push_back(&t);
                    t.made = sc_core::sc_time_stamp();
                    self.begin(t);
                    if (random.bernoulli(0.3)) sc_core::wait(sc_time(random.below(30), SC_NS));
                }
                // Both have to be through.
                ++round;
                while (round < 2 * (mine + 1) && issued < bursts) sc_core::wait(sc_time(20, SC_NS));
                self.finish();
            }
            self.finish();
        };
        checkers.between<Width>(cpu.socket, bridge.managers);
        at_end.push_back([&cpu] {
            EXPECT_EQ(cpu.pool.in_use(), 0U);
            EXPECT_EQ(cpu.outstanding, 0U);
        });
    }

    template <unsigned Width>
    struct blocking_manager : public sc_core::sc_module {
        tlm_utils::simple_initiator_socket<blocking_manager, Width, axi::protocol> socket;
        transaction_pool pool;
        explicit blocking_manager(const sc_core::sc_module_name& name)
            : sc_core::sc_module(name), socket("socket") {}
    };
    template <unsigned Width>
    void add_blocking(axi::bridge<Width>& bridge, unsigned threads) {
        const unsigned first = next_slice, manager = managers++;
        next_slice += threads;
        auto& cpu = keep<blocking_manager<Width>>(("cpu" + std::to_string(manager)).c_str());
        for (unsigned id = 0; id < threads; ++id)
            sc_core::sc_spawn([this, &cpu, id, first] {
                while (issued < bursts) {
                    ++issued;
                    std::size_t where = 0;
                    transaction& t = draw(cpu.pool, id, first, random.bernoulli(0.5), Width, where);
                    const auto expected = expected_of(t, where);
                    sc_time delay = sc_core::SC_ZERO_TIME;
                    t.made = sc_core::sc_time_stamp();
                    cpu.socket->b_transport(t, delay);
                    t.answered = sc_core::sc_time_stamp() + delay;
                    settle(t, where, &expected);
                    t.release();
                    if (random.bernoulli(0.3)) sc_core::wait(delay);
                }
            });
        checkers.between<Width>(cpu.socket, bridge.managers);
        at_end.push_back([&cpu] { EXPECT_EQ(cpu.pool.in_use(), 0U); });
    }

    std::uint64_t seed;
    hand_mesh net;
    rng random;
    std::vector<image> images;
    std::optional<memory_map> map;
    std::vector<std::shared_ptr<void>> kept;
    std::vector<std::function<void()>> at_end;
    axi_checkers checkers;
    unsigned managers = 0, next_slice = 0, issued = 0, judged = 0, wrong = 0, out_of_order = 0;
};

/// Bytes that are called by b_transport.
template <unsigned Width = 64>
struct blocking_subordinate : public sc_core::sc_module {
    tlm_utils::simple_target_socket<blocking_subordinate, Width, axi::protocol> socket;
    std::vector<unsigned char> bytes;
    std::function<sc_time()> takes;
    unsigned now[2] = {0, 0}, most_at_once = 0;  ///< of reads, of writes

    blocking_subordinate(const sc_core::sc_module_name& name, std::size_t size, std::function<sc_time()> time)
        : sc_core::sc_module(name), socket("socket"), bytes(size), takes(std::move(time)) {
        socket.register_b_transport(this, &blocking_subordinate::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        unsigned& beside = now[p.is_write()];
        most_at_once = std::max(most_at_once, ++beside);
        sc_core::wait(takes());
        --beside;
        delay += sc_time(1, SC_NS);
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
};

class axi_random : public testing::TestWithParam<int> {};

TEST_P(axi_random, ReadsDataAsInAReferenceMemory) {
    system_of_axi s(static_cast<std::uint64_t>(GetParam()));
    std::vector<address_range> ranges;
    for (const std::uint32_t node : {8U, 6U, 2U, 4U}) {
        ranges.push_back({0x100000 + ranges.size() * range_bytes, range_bytes, node});
        s.images.push_back({ranges.back(), std::vector<unsigned char>(range_bytes)});
    }
    // One more over all four, most of whose bursts cross stripes.
    const std::uint64_t base = 0x100000 + ranges.size() * range_bytes;
    s.images.push_back({{base, range_bytes}, std::vector<unsigned char>(range_bytes)});
    for (const address_range& r : interleaved(
             base, range_bytes, {{8, range_bytes}, {6, range_bytes}, {2, range_bytes}, {4, range_bytes}}, 128,
             {0x1200, 0x8400}))
        ranges.push_back(r);
    s.map.emplace(s.net.engine, ranges);

    axi::bridge_params blocking, phases, narrow;
    blocking.window = 3;
    blocking.at_once = 3;
    phases.window = 4;
    phases.at_once = 4;
    phases.timing = memory_timing::phases;
    narrow.window = 1;
    narrow.timing = memory_timing::phases;
    s.add_subordinate<32, blocking_subordinate<32>>(8, blocking, 60);
    s.add_subordinate<64, phase_subordinate<64>>(6, phases, 80);
    s.add_subordinate<256, phase_subordinate<256>>(2, narrow, 120);
    s.add_subordinate<512, phase_subordinate<512>>(4, phases, 20);

    // Urgent bursts have a class of their own, responses the two others.
    axi::bridge_params usual, waits;
    usual.request_classes = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    usual.response_classes = {2, 2, 2, 2, 2, 2, 2, 2, 3};
    waits = usual;
    waits.order = access_order::wait;
    waits.outstanding = 4;
    auto& b0 = s.keep<axi::bridge<32>>("b0", s.net.nics[0], *s.map, usual);
    auto& b1 = s.keep<axi::bridge<64>>("b1", s.net.nics[0], *s.map, usual);
    auto& b3 = s.keep<axi::bridge<128>>("b3", s.net.nics[3], *s.map, waits);
    auto& b7 = s.keep<axi::bridge<512>>("b7", s.net.nics[7], *s.map, usual);
    s.add_phases(b0, 4, 0);
    s.add_phases(b1, 2, 3);
    s.add_blocking(b1, 3);
    s.add_phases(b3, 4, 5);
    s.add_blocking(b3, 2);
    s.add_phases(b7, 6, 0);
    ASSERT_LE(s.next_slice, slices);

    const auto traffic = make_workload("bernoulli", 9,
                                       {{"load", std::vector<std::string>{"0.1", "0.3", "0.9"}[s.seed % 3]},
                                        {"length", "5"},
                                        {"stop_cycle", "100000"}});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    s.net.engine.set_workload(*traffic);
    sc_core::sc_start();

    EXPECT_EQ(s.judged, s.issued);
    EXPECT_GE(s.judged, bursts);
    EXPECT_EQ(s.wrong, 0U);
    EXPECT_EQ(s.out_of_order, 0U);
    for (const auto& check : s.at_end) check();
    s.checkers.look();
    EXPECT_LE(b0.reads_of(0).most_outstanding, usual.outstanding);
    EXPECT_LE(b3.writes_of(0).most_outstanding, waits.outstanding);
    EXPECT_EQ(s.net.engine.net().view().leftovers(), "");
}

INSTANTIATE_TEST_SUITE_P(seeds, axi_random, testing::Range(1, 7));

}  // namespace
}  // namespace sare::test::axi_random_test
