// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/router_api/router_context.h"

#include <gtest/gtest.h>

#include <functional>

/// Blocks that break the protocol are found out: by a NIC that gets flits out of place, by a router that gets
/// a flit for a full buffer or a credit that it never spent.
namespace sare::test::protocol_test {
namespace {

using kind = link_end::kind;

struct silent_block final : foreign_endpoint {
    void flit_arrived(const flit&) override {}
    void credit_arrived(std::uint32_t, std::uint32_t) override {}
};

/// A node and a router with one port, each wired to a block that is not ours.
class bench {
  public:
    bench() : net(2, 1, 1) {
        params.vcs = 2;
        params.depth = 3;
        net.builder().require_wide_routers();  // they leave such checks to the links of tlm/systemc
        net.builder().add_router(std::make_shared<vc_model>(params), 2);
        net.builder().add_nic({});
        net.builder().add_nic({});
        const std::uint32_t a = net.builder().add_foreign(at_nic), b = net.builder().add_foreign(at_router);
        net.builder().connect({kind::foreign, a, 0}, {kind::nic, 0, 0}, {1, 1});
        net.builder().connect({kind::nic, 0, 0}, {kind::foreign, a, 0}, {1, 1});
        net.builder().connect({kind::foreign, b, 0}, {kind::router, 0, 0}, {1, 1});
        net.builder().connect({kind::router, 0, 0}, {kind::foreign, b, 0}, {1, 1});
        net.builder().connect({kind::router, 0, 1}, {kind::nic, 1, 0}, {1, 1});
        net.builder().connect({kind::nic, 1, 0}, {kind::router, 0, 1}, {1, 1});
        map = network("mesh dims=1,1 concentration=2");
        way = routing("dor", *map, 2);
        net.builder().set_routing(*map, *way);
        net.builder().finish();
        for (std::uint32_t n = 0; n < 4; ++n) {
            packet& p = net.context().packets()[net.context().packets().part(0).take()];
            p.flits = 4;
            p.route.destination = n == 3 ? 1 : 0;
        }
    }

    /// Flit `sequence` of packet `id`, of four flits.
    static flit part(std::uint32_t id, std::uint16_t sequence, std::uint8_t vc = 0) {
        flit f;
        f.packet = id;
        f.sequence = sequence;
        f.vc = vc;
        f.kind =
            static_cast<std::uint8_t>((sequence == 0 ? flit::head : 0) | (sequence == 3 ? flit::tail : 0));
        return f;
    }

    /// Sends flits to the node, one a cycle, and gives what it says: "" if it takes them.
    std::string send(const std::vector<flit>& flits) {
        return message_of([&](cycle_t t) {
            if (t < flits.size()) net.foreign().write_flit(0, flits[t], t);
        });
    }

    std::string message_of(const std::function<void(cycle_t)>& in_cycle) {
        try {
            for (cycle_t t = 0; t < 20; ++t) {
                net.stepper().step(t);
                in_cycle(t);
            }
        } catch (const protocol_error& e) {
            return e.what();
        }
        return "";
    }

    router_params params;
    silent_block at_nic, at_router;
    fabric net;
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> way;
};

TEST(Protocol, LetsANodeTakeWholePacketsOnTwoChannels) {
    bench b;
    // Consumption of the last flit would want a message: the tail is left out.
    EXPECT_EQ(b.send({b.part(0, 0), b.part(1, 0, 1), b.part(0, 1), b.part(1, 1, 1), b.part(0, 2)}), "");
    EXPECT_EQ(b.net.view().flits_consumed(), 5U);
}

TEST(Protocol, RefusesMixedPacketsAtANode) {
    EXPECT_EQ(bench().send({bench::part(0, 0), bench::part(1, 1)}),
              "node 0 vc 0: flit 1 of packet 1 came out of place");
}

TEST(Protocol, RefusesASecondHeadAtANode) {
    EXPECT_EQ(bench().send({bench::part(0, 0), bench::part(1, 0)}),
              "node 0 vc 0: flit 0 of packet 1 came out of place");
}

TEST(Protocol, RefusesAMissingFlitAtANode) {
    EXPECT_EQ(bench().send({bench::part(0, 0), bench::part(0, 2)}),
              "node 0 vc 0: flit 2 of packet 0 came out of place");
}

TEST(Protocol, RefusesAFlitTwiceAtANode) {
    EXPECT_EQ(bench().send({bench::part(0, 0), bench::part(0, 1), bench::part(0, 1)}),
              "node 0 vc 0: flit 1 of packet 0 came out of place");
}

TEST(Protocol, RefusesAPacketWithoutHeadAtANode) {
    EXPECT_EQ(bench().send({bench::part(2, 1)}), "node 0 vc 0: flit 1 of packet 2 came out of place");
}

TEST(Protocol, RefusesAPacketForAnotherNode) {
    EXPECT_EQ(bench().send({bench::part(3, 0)}), "node 0 vc 0: flit 0 of packet 3 came out of place");
}

TEST(Protocol, RefusesACreditTooManyAtANode) {
    bench b;
    EXPECT_EQ(b.message_of([&b](cycle_t t) {
        if (t == 0) b.net.foreign().write_credit(0, 1, t);
    }),
              "more credits came back to a NIC than it spent");
}

TEST(Protocol, RefusesACreditTooManyAtARouter) {
    bench b;
    EXPECT_EQ(b.message_of([&b](cycle_t t) {
        if (t == 0) b.net.foreign().write_credit(1, 1, t);
    }),
              "router 0 port 0 vc 1: more credits came back than were spent");
}

/// The packet's way leads back to the block, which gives no credit: the fourth flit of the next packet has no
/// place.
TEST(Protocol, RefusesAFlitForAFullBuffer) {
    bench b;
    const std::vector<flit> flits = {b.part(0, 0), b.part(0, 1), b.part(0, 2), b.part(0, 3),
                                     b.part(1, 0), b.part(1, 1), b.part(1, 2), b.part(1, 3)};
    EXPECT_EQ(b.message_of([&](cycle_t t) {
        if (t < flits.size()) b.net.foreign().write_flit(1, flits[t], t);
    }),
              "router 0 port 0 vc 0: a flit came for a full buffer");
}

}  // namespace
}  // namespace sare::test::protocol_test
