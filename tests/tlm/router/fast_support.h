// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/clocked.h"
#include "tests/support/spread_classes.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router/vc/model.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

/// Networks that are built twice, of fast routers and of readable ones.
namespace sare::test::router_fast_test {

struct setting {
    std::string network, graph, routing, load, length;
    std::uint32_t classes = 1;
    router_params router, other;
    double others = 0;  ///< part of the routers that are as `other`
    double relays = 0;  ///< part of the links with a foreign block on them
    bool from_lists = false, as_huge = false;
    std::uint32_t clocks = 0;  ///< not 0: routers have clocks, drawn with this seed
    nic_params nic;
    std::uint64_t seed = 0;
    cycle_t second_start = 0;

    template <class Choice>
    static std::string number(Choice c) {
        return std::to_string(static_cast<int>(c));
    }

    std::string text() const {
        const auto delays = [](const router_params& p) {
            return std::to_string(p.depth) + " places, delays " + std::to_string(p.rc_delay) +
                   std::to_string(p.va_delay) + std::to_string(p.sa_delay) + std::to_string(p.st_delay) +
                   " and " + std::to_string(p.credit_delay);
        };
        return network + graph + " | " + routing + " | " + std::to_string(classes) + " classes, " +
               std::to_string(router.vcs) + " VCs, " + delays(router) + " | " + std::to_string(others) +
               " of them " + delays(other) + ", SA arbiter " + other.sa_arbiter.text() + " | switching " +
               number(router.switching) + ", allocators " + router.va_allocator.text() + " and " +
               router.sa_allocator.text() + ", speculative " + std::to_string(router.speculative) +
               ", lookahead " + std::to_string(router.lookahead) + ", input speed-up " +
               std::to_string(router.input_speedup) + ", reallocation " + number(router.reallocation) +
               ", selection " + number(router.selection) + " | relays " + std::to_string(relays) +
               ", lists " + std::to_string(from_lists + as_huge) + ", clocks " + std::to_string(clocks) +
               " | load " + load + " of " + length + " in packets of " +
               std::to_string(nic.max_packet_flits) + " | again from cycle " + std::to_string(second_start);
    }
};

/// A foreign block that hands on what it is handed.
struct relay final : foreign_endpoint {
    fabric* net = nullptr;
    std::uint32_t id = 0;

    void flit_arrived(const flit& f) override { net->foreign().write_flit(id, f, net->port().now()); }
    void credit_arrived(std::uint32_t vc, std::uint32_t count) override {
        for (; count != 0; --count) net->foreign().write_credit(id, vc, net->port().now());
    }
};

/// A network of a setting, ready to run.
struct built {
    std::unique_ptr<topology> net;
    std::unique_ptr<routing_function> function;
    std::vector<std::unique_ptr<relay>> relays;
    std::unique_ptr<fabric> f;
    rng random;

    built(const setting& s, bool plain)
        : net(map_of(s)),
          function(routing(s.routing, *net, s.router.vcs / s.classes)),
          f(std::make_unique<fabric>(s.router.vcs, s.classes, s.seed)),
          random(s.seed, stream::test, 8) {
        if (!plain) f->builder().forbid_fast_routers();
        if (s.from_lists) s.as_huge ? f->builder().run_as_huge() : f->builder().run_from_lists();
        f->builder().set_routing(*net, *function);
        const auto model = std::make_shared<vc_model>(s.router), other = std::make_shared<vc_model>(s.other);
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            f->builder().add_router(random.bernoulli(s.others) ? other : model, net->ports(router_id(r)),
                                    net->clock(router_id(r)));
        for (std::uint32_t n = 0; n < net->nodes(); ++n) f->builder().add_nic(s.nic);
        connect_all(s.relays);
        f->builder().finish();
    }

    static std::unique_ptr<topology> map_of(const setting& s) {
        if (s.clocks == 0) return plain_map_of(s);
        return std::make_unique<clocked>(plain_map_of(s), [seed = s.clocks](std::uint32_t r) {
            return 1 + rng(seed, stream::test, r).below(seed % 3 + 1);
        });
    }
    static std::unique_ptr<topology> plain_map_of(const setting& s) {
        if (s.graph.empty()) return network(s.network);
        std::istringstream in(s.graph);
        return read_graph(in, "random", {});
    }

    void connect_all(double relayed) {
        using kind = link_end::kind;
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
                const port_peer to = net->peer(router_id(r), port_id(p));
                const link_attributes link = net->link(router_id(r), port_id(p));
                const link_end router{kind::router, r, p}, nic{kind::nic, to.id, 0};
                if (to.what == port_peer::kind::router) {
                    connect(router, {kind::router, to.id, to.port}, link, relayed);
                } else if (to.what == port_peer::kind::node) {
                    connect(router, nic, link, relayed);
                    connect(nic, router, net->injection_link(node_id(to.id)), relayed);
                }
            }
    }

    void connect(const link_end& from, const link_end& to, const link_attributes& link, double relayed) {
        if (!random.bernoulli(relayed)) return f->builder().connect(from, to, link);
        relays.push_back(std::make_unique<relay>());
        relay& between = *relays.back();
        between.net = f.get();
        between.id = f->builder().add_foreign(between);
        const link_end middle{link_end::kind::foreign, between.id, 0};
        f->builder().connect(from, middle, link, to);
        f->builder().connect(middle, to, link);
    }

    std::unique_ptr<workload> traffic(const setting& s, cycle_t start) {
        auto made = std::make_unique<spread_classes>(workload_registry::instance().make(
            section("bernoulli start_cycle=" + std::to_string(start) + " stop_cycle=" +
                        std::to_string(start + 400) + " load=" + s.load + " length=" + s.length,
                    "workload"),
            workload_context{"", net->nodes()}));
        f->stepper().set_workload(made.get());
        return made;
    }
};

}  // namespace sare::test::router_fast_test
