// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/map/address_crossing.h"
#include "tests/tlm/memory/memory_support.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <gtest/gtest.h>

#include <set>

/// One address space over two networks: a range of the first network's map goes on by the second one's.
namespace sare::test::address_crossing_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct plain_cpu : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<plain_cpu> socket;
    explicit plain_cpu(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {}

    tlm::tlm_response_status access(bool write, std::uint64_t address, std::vector<unsigned char>& data,
                                    atomic_access* atomic = nullptr, access_options* options = nullptr) {
        tlm::tlm_generic_payload p;
        access_timing told;
        p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(address);
        p.set_data_ptr(data.data());
        p.set_data_length(static_cast<unsigned>(data.size()));
        p.set_streaming_width(p.get_data_length());
        p.set_extension(&told);
        if (atomic != nullptr) p.set_extension(atomic);
        if (options != nullptr) p.set_extension(options);
        sc_time delay = sc_core::SC_ZERO_TIME;
        const sc_time made = sc_core::sc_time_stamp();
        socket->b_transport(p, delay);
        EXPECT_TRUE(times_fit(p, made, sc_core::sc_time_stamp() + delay));
        sc_core::wait(delay);
        times = told;
        p.clear_extension<access_timing>();
        p.clear_extension<atomic_access>();
        p.clear_extension<access_options>();
        return p.get_response_status();
    }
    access_times times;
};

/// A memory at node 3 of the second network, that of the first one behind node 3 there, initiators at both
/// nodes 0.
struct joined_networks {
    explicit joined_networks(std::uint32_t stages, std::uint32_t classes_of_first = 2)
        : first("first", 2, 2, router_params{}, classes_of_first),
          second("second", 2, 2, router_params{}, 2),
          map1(first.engine, {{0x100000, 0x4000, 3, 0x1000}}),
          map2(second.engine, interleaved(0x1000, 0x2000, {{3}, {1}}, 0x100, {})),
          near("near", first.nics[0], map1),
          beside("beside", second.nics[0], map2),
          at3("at3", second.nics[3], map2),
          at1("at1", second.nics[1], map2),
          crossing("crossing", first.nics[3], map1, second.nics[0], map2, {stages, 4}) {
        far_cpu.socket.bind(near.initiators);
        local_cpu.socket.bind(beside.initiators);
        at3.memory.bind(ram3.socket);
        at1.memory.bind(ram1.socket);
    }
    void run(const std::function<void()>& body) {
        bool through = false;
        sc_core::sc_spawn([&] {
            body();
            through = true;
        });
        sc_core::sc_start();
        EXPECT_TRUE(through);
        EXPECT_EQ(crossing.under_way(), 0U);
        EXPECT_EQ(first.engine.net().view().leftovers() + second.engine.net().view().leftovers(), "");
    }
    hand_mesh first, second;
    memory_map map1, map2;
    memory_bridge near, beside, at3, at1;
    address_crossing crossing;
    plain_cpu far_cpu{"far_cpu"}, local_cpu{"local_cpu"};
    blocking_memory_model<> ram3{"ram3", 0x1000, always(20)}, ram1{"ram1", 0x1000, always(20)};
};

/// With clocks in step a synchroniser of n stages takes n cycles, each way.
TEST(AddressCrossing, TakesACycleForEachStage) {
    joined_networks s(3);
    s.run([&] {
        std::vector<unsigned char> data(64, 5), seen(64);
        EXPECT_EQ(s.local_cpu.access(true, 0x1100, data), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(s.local_cpu.access(false, 0x1100, seen), tlm::TLM_OK_RESPONSE);
        const sc_time there = s.local_cpu.times.total();
        std::fill(seen.begin(), seen.end(), 0);
        EXPECT_EQ(s.far_cpu.access(false, 0x100100, seen), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(seen, data);
        EXPECT_EQ(s.far_cpu.times.memory(), there + sc_time(6, SC_NS));
        // Beyond the second map's end, and of the first one's.
        EXPECT_EQ(s.far_cpu.access(false, 0x102ff0, seen), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(s.far_cpu.access(false, 0x1100, seen), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

/// What an access asks for of the first network's classes is nothing to the second one, which has fewer.
TEST(AddressCrossing, DoesNotPassMessageClassesOn) {
    joined_networks s(2, 4);
    s.run([&] {
        std::vector<unsigned char> data(8, 3);
        for (const auto mode : {access_mode::exact, access_mode::estimate, access_mode::functional}) {
            s.near.set_mode(mode);
            access_options options;
            options.request_class = 2;
            options.response_class = 3;
            EXPECT_EQ(s.far_cpu.access(true, 0x100100, data, nullptr, &options), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(options.request_class, 2U);
            EXPECT_EQ(options.response_class, 3U);
        }
    });
}

/// Clocks of other periods that change, modes that change, several threads: data are as written, and both
/// networks' initiators count by atomic accesses without losing one.
TEST(AddressCrossing, KeepsDataAsWritten) {
    joined_networks s(2);
    s.second.engine.set_period(sc_time(3, SC_NS));
    rng random(7, stream::test, 3);
    std::set<std::uint64_t> counted;
    unsigned running = 6;
    for (unsigned k = 0; k < 6; ++k)
        sc_core::sc_spawn([&, k] {
            plain_cpu& cpu = k < 4 ? s.far_cpu : s.local_cpu;
            const std::uint64_t base = k < 4 ? 0x100000 : 0x1000;
            std::vector<unsigned char> own(0x200);
            for (int n = 0; n < 60; ++n) {
                const std::uint64_t at = random.below(0x180);
                std::vector<unsigned char> data(1 + random.below(0x80));
                const bool write = random.bernoulli(0.5);
                for (auto& b : data) b = static_cast<unsigned char>(random.next());
                EXPECT_EQ(cpu.access(write, base + 0x200 * k + at, data), tlm::TLM_OK_RESPONSE);
                if (write)
                    std::copy(data.begin(), data.end(), own.begin() + static_cast<std::ptrdiff_t>(at));
                else
                    EXPECT_TRUE(
                        std::equal(data.begin(), data.end(), own.begin() + static_cast<std::ptrdiff_t>(at)));
                atomic_access add;
                std::vector<unsigned char> one{1, 0, 0, 0, 0, 0, 0, 0};
                EXPECT_EQ(cpu.access(true, base + 0x1000, one, &add), tlm::TLM_OK_RESPONSE);
                std::uint64_t before = 0;
                std::memcpy(&before, add.before.data(), 8);
                EXPECT_TRUE(counted.insert(before).second) << before;
            }
            --running;
        });
    s.run([&] {
        while (running != 0) {
            sc_core::wait(sc_time(300 + random.below(500), SC_NS));
            s.first.engine.set_period(sc_time(1 + random.below(4), SC_NS));
            s.second.engine.set_period(sc_time(0.5 * (1 + random.below(4)), SC_NS));
            s.near.set_mode(static_cast<access_mode>(random.below(3)));
            s.beside.set_mode(static_cast<access_mode>(random.below(3)));
        }
    });
    EXPECT_EQ(counted.size(), 360U);
    EXPECT_EQ(*counted.rbegin(), 359U);
}

TEST(AddressCrossing, RefusesImpossibleParameters) {
    hand_mesh first("first", 2, 1, router_params{}, 2), second("second", 2, 1, router_params{}, 2);
    memory_map map1(first.engine, {}), map2(second.engine, {});
    EXPECT_EQ(report_of([&] { address_crossing c("c", first.nics[0], map1, first.nics[1], map1); }),
              "c: both maps are of one network; a crossing is between two");
    EXPECT_EQ(report_of([&] {
                  address_crossing c("d", first.nics[0], map1, second.nics[1], map2, {0, 1});
              }),
              "d: stages and at_once are 0 and 1; both must be 1 to 1024");
}

}  // namespace
}  // namespace sare::test::address_crossing_test
