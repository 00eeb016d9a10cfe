// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/sare.h"

#include <cstdio>
#include <deque>
#include <optional>

namespace {

/// Notes when messages arrive.
class arrivals final : public sare::workload {
  public:
    void start(sare::traffic_port&) override {}
    sare::cycle_t next_tick() const override { return never; }
    void tick(sare::cycle_t) override {}
    void delivered(const sare::delivery& d) override {
        std::printf("node %u, cycle %llu: message %llu of %u flits over the crossing\n", d.what.destination,
                    static_cast<unsigned long long>(d.consumed),
                    static_cast<unsigned long long>(d.what.tag >> 32), d.what.flits);
        ++count;
    }
    sare::generated_counts generated(sare::cycle_t) override { return {}; }
    sare::generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    unsigned count = 0;
};

/// A row of routers in which the node of the last one is a gateway.
struct row {
    row(const std::string& name, std::uint32_t length, const sc_core::sc_time& period)
        : map(sare::make_topology("mesh", {{"dims", std::to_string(length) + ",1"}})),
          routing(sare::make_routing("dor", *map, pipeline.vcs)),
          engine((name + "_engine").c_str(), pipeline.vcs, 1, 1, period) {
        engine.set_routing(*map, *routing);
        for (std::uint32_t n = 0; n < length; ++n) {
            const std::string number = name + std::to_string(n);
            routers.emplace_back(("router_" + number).c_str(), engine, pipeline, 5);
            nics.emplace_back(("nic_" + number).c_str(), engine);
            if (n != 0)
                channels.emplace_back(("row_" + number).c_str(), engine, routers[n - 1].port(0),
                                      routers[n].port(1));
            if (n + 1 < length)
                channels.emplace_back(("node_" + number).c_str(), engine, routers[n].port(4), nics[n].port());
        }
        edge.emplace((name + "_gateway").c_str(), engine, length - 1);
        channels.emplace_back((name + "_edge").c_str(), engine, routers.back().port(4), edge->port());
    }
    sare::router_params pipeline;
    std::unique_ptr<sare::topology> map;
    std::unique_ptr<sare::routing_function> routing;
    sare::cycle_engine engine;
    std::deque<sare::router> routers;
    std::deque<sare::nic> nics;
    std::deque<sare::channel> channels;
    std::optional<sare::gateway> edge;
};

}  // namespace

/// A network on a chip at 1 GHz and one beside it at 400 MHz, with a crossing between them; then the slow one
/// is slowed down further.
int sc_main(int, char**) {
    row chip("chip", 4, sc_core::sc_time(1, sc_core::SC_NS)),
        board("board", 3, sc_core::sc_time(2.5, sc_core::SC_NS));
    sare::crossing bridge("bridge", *chip.edge, *board.edge, {8, 2});  // FIFOs of 8, synchronisers of 2
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    arrivals there;
    board.engine.set_workload(there);

    for (unsigned k = 0; k < 3; ++k) {
        sare::message m;
        m.source = 0;
        m.destination = chip.edge->node();
        m.flits = 1 + 7 * k;
        m.generated = chip.engine.cycle();
        m.tag = std::uint64_t{k} << 32 | 0;  // to node 0 of the other network
        chip.engine.send(m);
        sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
        std::printf("%s: chip in cycle %llu, board in cycle %llu\n",
                    sc_core::sc_time_stamp().to_string().c_str(),
                    static_cast<unsigned long long>(chip.engine.cycle()),
                    static_cast<unsigned long long>(board.engine.cycle()));
        if (k == 1) board.engine.set_period(sc_core::sc_time(5, sc_core::SC_NS));
    }
    const bool clean =
        chip.engine.net().view().leftovers().empty() && board.engine.net().view().leftovers().empty();
    std::printf("%u messages, %s\n", there.count,
                clean && bridge.empty() ? "nothing left on the way" : "SOMETHING LEFT");
    return there.count == 3 && clean ? 0 : 1;
}
