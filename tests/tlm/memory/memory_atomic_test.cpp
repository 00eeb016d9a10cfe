// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <gtest/gtest.h>

/// Atomic accesses beside others: who waits for whom.
namespace sare::test::memory_atomic_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket;
    explicit initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {}

    /// Adds one to a word, or reads it; its own time passes.
    void access(std::uint64_t address, bool adds) {
        atomic_access add;
        unsigned char data[8] = {1};
        tlm::tlm_generic_payload p;
        p.set_command(adds ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(address);
        p.set_data_ptr(data);
        p.set_data_length(8);
        p.set_streaming_width(8);
        if (adds) p.set_extension(&add);
        sc_time delay;
        socket->b_transport(p, delay);
        EXPECT_TRUE(p.is_response_ok());
        p.clear_extension<atomic_access>();
        sc_core::wait(delay);
    }
};

/// One memory; an initiator by messages, and one without.
struct two_modes {
    two_modes() {
        by_messages.socket.bind(near.initiators);
        without.socket.bind(beside.initiators);
        far.memory.bind(memory.socket);
        beside.set_mode(access_mode::functional);
    }
    hand_mesh net{"net", 2, 2, router_params{}, 2};
    memory_map map{net.engine, {{0x1000, 0x1000, 3}}};
    memory_bridge near{"near", net.nics[0], map}, beside{"beside", net.nics[1], map},
        far{"far", net.nics[3], map};
    initiator by_messages{"by_messages"}, without{"without"};
    blocking_memory_model<> memory{"memory", 0x1000, always(40)};
    const sc_time end{20, sc_core::SC_US};
};

/// Whichever the atomic ones are, the others keep the memory busy all the time.
void count_beside(initiator two_modes::*atomic, initiator two_modes::*others) {
    two_modes s;
    unsigned counted = 0, others_done = 0;
    sc_time longest;
    for (int k = 0; k < 8; ++k)
        sc_core::sc_spawn([&, k] {
            sc_core::wait(sc_time(7 * k, SC_NS));
            for (; sc_core::sc_time_stamp() < s.end; ++others_done) (s.*others).access(0x1100, false);
        });
    sc_core::sc_spawn([&] {
        while (sc_core::sc_time_stamp() < s.end) {
            const sc_time begun = sc_core::sc_time_stamp();
            (s.*atomic).access(0x1000, true);
            longest = std::max(longest, sc_core::sc_time_stamp() - begun);
            ++counted;
        }
    });
    sc_core::sc_start();
    EXPECT_EQ(s.memory.bytes[0] + 256U * s.memory.bytes[1], counted);
    EXPECT_LT(longest, sc_time(1, sc_core::SC_US));
    EXPECT_GT(counted, 20U);
    EXPECT_GT(others_done, 20U);
}

TEST(MemoryAtomic, EndsWithoutMessagesBesideOthersByMessages) {
    count_beside(&two_modes::without, &two_modes::by_messages);
}
TEST(MemoryAtomic, EndsByMessagesBesideOthersWithout) {
    count_beside(&two_modes::by_messages, &two_modes::without);
}

}  // namespace
}  // namespace sare::test::memory_atomic_test
