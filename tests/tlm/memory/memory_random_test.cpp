// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"

#include <gtest/gtest.h>

/// Random accesses of many initiators to many memories, through a network under load: each ID of each
/// initiator has bytes of its own in every range, and what it reads there is what it has written before.
namespace sare::test::memory_random_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr unsigned accesses = 12500;  // of a seed
constexpr unsigned slice = 256;       // bytes of an ID in a range
constexpr unsigned slices = 32;
constexpr std::uint64_t range_bytes = std::uint64_t{slice} * slices;

/// An access, and what it must come back with.
struct expectation {
    std::vector<unsigned char> data;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

/// Ranges and what is in them, as if every access were done when it is issued.
struct reference {
    std::vector<address_range> ranges;
    std::vector<std::vector<unsigned char>> images;  ///< by range
    std::vector<address_range> owned;                ///< the same, and what is dealt to several memories
    unsigned next_slice = 0;

    /// Two ranges in every memory of 2 * range_bytes, the first one behind the second.
    void add_memory(std::uint32_t node, std::uint32_t number) {
        for (const std::uint64_t offset : {range_bytes, std::uint64_t{0}}) {
            // Each range borders on the next one, but for every fourth.
            std::uint64_t base = 0x10000;
            if (!ranges.empty())
                base = ranges.back().base + range_bytes + (ranges.size() % 4 == 0 ? range_bytes : 0);
            ranges.push_back({base, range_bytes, node, offset, number});
            images.emplace_back(range_bytes);
            owned.push_back(ranges.back());
        }
    }
    /// One more, over several memories behind their own two.
    void add_stripes(const std::vector<memory_place>& places, std::uint64_t granule,
                     const std::vector<std::uint64_t>& hash) {
        ranges.push_back({ranges.back().base + range_bytes, range_bytes});
        images.emplace_back(range_bytes);
        for (const address_range& r : interleaved(ranges.back().base, range_bytes, places, granule, hash))
            owned.push_back(r);
    }

    /// Done now; a copy, so that reads leave the transaction as it is.
    static expectation expect(const transaction& t, const address_range& r,
                              std::vector<unsigned char>& image) {
        transaction_pool pool;
        transaction& copy = pool.take(t.is_write(), t.get_address() - r.base, t.get_data_length());
        copy.data = t.data;
        copy.set_data_ptr(copy.data.data());
        copy.set_streaming_width(t.get_streaming_width());
        copy.set_byte_enable_ptr(t.get_byte_enable_ptr());
        copy.set_byte_enable_length(t.get_byte_enable_length());
        std::vector<unsigned char> wide = image;
        wide.resize(image.size() + t.get_data_length());  // bytes that are not enabled may stick out
        access_bytes(copy, wide);
        std::copy_n(wide.begin(), image.size(), image.begin());
        expectation e;
        e.data = copy.data;
        copy.release();
        return e;
    }
};

std::uint32_t id_of(const transaction& t) {
    const access_id* id = t.get_extension<access_id>();
    return id == nullptr ? 0 : id->value;
}

/// What one initiator does: random accesses, each of an ID that has a slice in all ranges.
class source {
  public:
    source(reference& all, unsigned ids, std::uint64_t seed)
        : m_all(all), m_random(seed, stream::test, all.next_slice), m_first(all.next_slice) {
        m_ids = ids;
        all.next_slice += ids;
    }

    /// A random access of ID `only` (of any one: below 0), and what it must come back with.
    transaction& draw(transaction_pool& pool, int only, expectation& must) {
        const std::uint32_t id = only >= 0 ? static_cast<std::uint32_t>(only) : m_random.below(m_ids);
        // Those of the first memory are asked for more often.
        const std::size_t k =
            m_random.below(m_random.bernoulli(0.6) ? static_cast<std::uint32_t>(m_all.ranges.size()) : 2U);
        const address_range& r = m_all.ranges[k];
        // The first one's slice ends where the range ends.
        const std::uint64_t first = r.base + range_bytes - std::uint64_t{slice} * (m_first + id + 1);
        const unsigned length = 1 + m_random.below(m_random.bernoulli(0.5) ? 8 : 200);
        const unsigned room = slice - length;
        const std::uint64_t at =
            first + (m_random.bernoulli(0.2) ? room : m_random.below(std::min(room, 64U) + 1));
        transaction& t = pool.take(m_random.bernoulli(0.5), at, length);
        for (auto& byte : t.data) byte = static_cast<unsigned char>(m_random.next());
        shape(t, first + slice);
        if (m_random.bernoulli(0.5)) t.set_auto_extension(new access_timing);
        if (id != 0 || m_random.bernoulli(0.5)) t.set_auto_extension(new access_id(id));
        if (m_random.below(50) == 0) return lose(t, must);
        must = reference::expect(t, r, m_all.images[k]);
        return t;
    }
    sc_time pause() { return sc_time(m_random.below(30), SC_NS); }
    bool often() { return m_random.bernoulli(0.3); }

  private:
    /// Nothing is there, or not for all of it.
    transaction& lose(transaction& t, expectation& must) {
        const unsigned length = t.get_data_length();
        t.set_address(m_random.bernoulli(0.5) ? 0x100 : m_all.ranges.back().base + range_bytes - length / 2);
        t.set_streaming_width(length);
        t.set_byte_enable_ptr(nullptr);
        must = {t.data, tlm::TLM_ADDRESS_ERROR_RESPONSE};
        return t;
    }
    /// Some stream, some have byte enables, with which they may stick out of the slice.
    void shape(transaction& t, std::uint64_t end) {
        const unsigned length = t.get_data_length();
        if (m_random.bernoulli(0.1)) t.set_streaming_width(1 + m_random.below(2 * length));
        if (m_random.bernoulli(0.8)) return;
        t.enables.resize(1 + m_random.below(length));
        for (auto& e : t.enables) e = m_random.bernoulli(0.6) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        if (t.get_streaming_width() >= length && m_random.bernoulli(0.5)) {
            const std::uint64_t inside = end - t.get_address();
            const auto more = static_cast<unsigned>(inside) + 1 + m_random.below(16);
            t.enables.assign(more, TLM_BYTE_DISABLED);
            for (std::uint64_t j = 0; j < inside; ++j)
                t.enables[j] = m_random.bernoulli(0.6) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            t.data.resize(more, 7);
            t.set_data_ptr(t.data.data());
            t.set_data_length(more);
            t.set_streaming_width(more);
        }
        t.set_byte_enable_ptr(t.enables.data());
        t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
    }

    reference& m_all;
    rng m_random;
    unsigned m_ids, m_first;
};

/// Threads on one socket, each with an ID of its own, that call b_transport.
template <unsigned Width>
struct blocking_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<blocking_initiator, Width> socket;
    std::function<void(blocking_initiator&, int)> body;
    transaction_pool pool;

    blocking_initiator(const sc_core::sc_module_name& name, int threads)
        : sc_core::sc_module(name), socket("socket") {
        for (int k = 0; k < threads; ++k) sc_core::sc_spawn([this, k] { body(*this, k); });
    }
};

struct system_of_memories {
    explicit system_of_memories(std::uint64_t s)
        : seed(s),
          net("net", 3, 3, with_vcs(keeps_order() ? classes() : 4), classes(), 1, s),
          random(s, stream::test, 99) {}
    /// Of each three seeds one has one message class; of each four one has one VC a class.
    std::uint32_t classes() const { return seed % 3 == 0 ? 1 : 2; }
    bool keeps_order() const { return seed % 4 == 0; }

    /// A memory on a bridge of its own.
    template <unsigned Width, class Memory>
    void add_memory(std::uint32_t node, const memory_bridge_params& params, std::uint32_t slowest_ns) {
        const std::string number = std::to_string(windows.size());
        auto& bridge =
            keep<basic_memory_bridge<Width>>("memory_bridge" + number, net.nics[node], *map, params);
        auto& memory = keep<Memory>("memory" + number, 3 * range_bytes, [this, slowest_ns] {
            return sc_time(1 + random.below(slowest_ns), SC_NS);
        });
        checkers.between<Width>(bridge.memory, memory.socket);
        windows.push_back(params.window);
        at_end.push_back([this, &bridge, &memory, params] {
            const memory_counts& c = bridge.memory_counts_of(0);
            EXPECT_LE(c.most_held, params.window * initiators) << bridge.name();
            EXPECT_LE(c.most_at_once, params.at_once) << bridge.name();
            EXPECT_LE(memory.most_at_once, params.at_once) << bridge.name();
            EXPECT_EQ(c.most_at_once > 1, params.at_once > 1) << bridge.name();
            done += c.accesses;
        });
    }

    template <unsigned Width>
    void add_phases(basic_memory_bridge<Width>& bridge, unsigned ids, double response_ns) {
        const std::string number = std::to_string(initiators++);
        auto& cpu = keep<phase_initiator<Width>>("cpu" + number);
        auto& what = keep<source>(all, ids, seed);
        auto& must = keep<std::map<const transaction*, expectation>>();
        auto& order = keep<std::map<std::uint32_t, std::deque<const transaction*>>>();
        cpu.response_time = sc_time(response_ns, SC_NS);
        cpu.annotated = sc_time(ids, SC_NS);
        cpu.on_response = [this, &must, &order](transaction& t) {
            auto& of_id = order[id_of(t)];
            out_of_order += of_id.front() != &t;
            of_id.erase(std::find(of_id.begin(), of_id.end(), &t));
            judge(t, must.at(&t));
            must.erase(&t);
        };
        cpu.body = [this, &what, &must, &order](phase_initiator<Width>& self) {
            while (issued < accesses) {
                ++issued;
                expectation e;
                transaction& t = what.draw(self.pool, -1, e);
                must[&t] = std::move(e);
                order[id_of(t)].push_back(&t);
                const sc_time ahead = what.often() ? what.pause() : sc_core::SC_ZERO_TIME;
                t.made = sc_core::sc_time_stamp() + ahead;
                self.begin(t, ahead);
                if (what.often()) sc_core::wait(what.pause());
            }
            self.finish();
        };
        checkers.between<Width>(cpu.socket, bridge.initiators);
        at_end.push_back([&cpu] {
            EXPECT_EQ(cpu.pool.in_use(), 0U);
            EXPECT_EQ(cpu.outstanding, 0U);
        });
    }

    template <unsigned Width>
    void add_blocking(basic_memory_bridge<Width>& bridge, int threads) {
        const std::string number = std::to_string(initiators++);
        auto& cpu = keep<blocking_initiator<Width>>("cpu" + number, threads);
        auto& what = keep<source>(all, static_cast<unsigned>(threads), seed);
        cpu.body = [this, &what](blocking_initiator<Width>& self, int mine) {
            while (issued < accesses) {
                ++issued;
                expectation e;
                transaction& t = what.draw(self.pool, mine, e);
                sc_time delay = what.often() ? what.pause() : sc_core::SC_ZERO_TIME;
                t.made = sc_core::sc_time_stamp() + delay;
                self.socket->b_transport(t, delay);
                t.answered = sc_core::sc_time_stamp() + delay;
                judge(t, e);
                t.release();
                if (what.often()) sc_core::wait(what.pause() + delay);
            }
        };
        checkers.between<Width>(cpu.socket, bridge.initiators);
        at_end.push_back([&cpu] { EXPECT_EQ(cpu.pool.in_use(), 0U); });
    }

    void judge(const transaction& t, const expectation& e) {
        ++judged;
        if (t.get_extension<access_timing>() != nullptr) {
            ++timed;
            if (!times_fit(t, t.made, t.answered)) ++wrong;
        }
        if (t.get_response_status() != e.status || t.data != e.data) ++wrong;
    }

    /// Makes something that lives as long as the system.
    template <class T, class... Args>
    T& keep(Args&&... args) {
        if constexpr (std::is_base_of_v<sc_core::sc_module, T>) {
            return named<T>(std::forward<Args>(args)...);
        } else {
            auto made = std::make_shared<T>(std::forward<Args>(args)...);
            kept.push_back(made);
            return *made;
        }
    }
    template <class T, class... Args>
    T& named(const std::string& name, Args&&... args) {
        auto made = std::make_shared<T>(name.c_str(), std::forward<Args>(args)...);
        kept.push_back(made);
        return *made;
    }

    std::uint64_t seed;
    reference all;
    hand_mesh net;
    rng random;
    std::optional<memory_map> map;
    std::vector<std::shared_ptr<void>> kept;
    std::vector<std::function<void()>> at_end;
    protocol_checkers checkers;
    std::vector<std::uint32_t> windows;
    unsigned initiators = 0, issued = 0, judged = 0, timed = 0, wrong = 0, out_of_order = 0;
    std::uint64_t done = 0;
};

class memory_random : public testing::TestWithParam<int> {};

TEST_P(memory_random, ReadsDataAsInAReferenceMemory) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    system_of_memories s(seed);
    for (const auto& [node, number] : {std::pair{8U, 0U}, {6U, 0U}, {2U, 0U}, {2U, 1U}, {4U, 0U}})
        s.all.add_memory(node, number);
    const std::uint64_t behind = 2 * range_bytes;
    const std::vector<memory_place> four{{8, behind}, {6, behind}, {2, behind, 1}, {4, behind}};
    if (seed % 2 == 0) s.all.add_stripes(four, 64, {0x1100, 0x200});
    s.all.add_stripes({{2, behind}, {8, behind + range_bytes / 2}}, 16, {});
    s.map.emplace(s.net.engine, s.all.owned);

    memory_bridge_params one, few, many, pair;
    one.window = 2;
    few.window = 3;
    few.at_once = 3;
    many.window = 6;
    many.at_once = 8;
    many.timing = memory_timing::phases;
    pair.at_once = 2;
    pair.timing = memory_timing::phases;
    s.add_memory<32, blocking_memory_model<32>>(8, one, 60);
    s.add_memory<64, phased_memory_model<64>>(6, pair, 80);
    s.add_memory<128, blocking_memory_model<128>>(2, few, 120);
    s.add_memory<512, phased_memory_model<512>>(2, many, 200);
    s.add_memory<256, blocking_memory_model<256>>(4, few, 20);

    memory_bridge_params usual, waits, last;
    waits.order = last.order = access_order::wait;
    waits.outstanding = last.outstanding = 4;
    if (s.keeps_order()) last.order = access_order::network;
    auto& b0 = s.keep<basic_memory_bridge<32>>("b0", s.net.nics[0], *s.map, usual);
    auto& b1 = s.keep<basic_memory_bridge<64>>("b1", s.net.nics[0], *s.map, usual);
    auto& b3 = s.keep<basic_memory_bridge<128>>("b3", s.net.nics[3], *s.map, waits);
    auto& b4 = s.keep<basic_memory_bridge<256>>("b4", s.net.nics[4], *s.map, usual);
    auto& b7 = s.keep<basic_memory_bridge<512>>("b7", s.net.nics[7], *s.map, last);
    s.add_phases(b0, 4, 0);
    s.add_phases(b0, 1, 3);
    s.add_blocking(b1, 3);
    s.add_phases(b3, 3, 5);
    s.add_blocking(b3, 4);
    s.add_phases(b4, 2, 0);
    s.add_blocking(b4, 1);
    s.add_phases(b7, 8, 0);
    ASSERT_LE(s.all.next_slice, slices);

    const auto traffic = make_workload("bernoulli", 9,
                                       {{"load", std::vector<std::string>{"0.1", "0.3", "0.9"}[seed % 3]},
                                        {"length", "5"},
                                        {"stop_cycle", "150000"}});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    s.net.engine.set_workload(*traffic);
    sc_core::sc_start();

    EXPECT_EQ(s.judged, s.issued);
    EXPECT_GE(s.judged, accesses);
    EXPECT_GT(s.timed, accesses / 3);
    EXPECT_EQ(s.wrong, 0U);
    EXPECT_EQ(s.out_of_order, 0U);
    for (const auto& check : s.at_end) check();
    s.checkers.look();
    EXPECT_GT(s.done, accesses * 9 / 10);
    EXPECT_LE(b0.initiator_counts_of(0).most_outstanding, usual.outstanding);
    EXPECT_LE(b7.initiator_counts_of(0).most_outstanding, last.outstanding);
    EXPECT_EQ(s.net.engine.net().view().leftovers(), "");
}

INSTANTIATE_TEST_SUITE_P(seeds, memory_random, testing::Range(1, 9));

}  // namespace
}  // namespace sare::test::memory_random_test
