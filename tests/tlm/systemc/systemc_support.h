// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"
#include "tlm/router/vc/model.h"
#include "tlm/sare.h"

#include <deque>
#include <functional>

/// Networks of modules for tests. SystemC holds one simulation per process, but any number of engines in it.
namespace sare::test {

/// What became of every packet, in order.
struct packet_records final : observer {
    std::vector<std::vector<std::uint64_t>> lines;

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
        lines.push_back({0, now, node, p.route.source, p.route.destination, p.flits});
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        lines.push_back(
            {1, now, node, p.route.source, p.route.destination, p.flits, p.hops, p.generated, p.injected});
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

/// Sends what it is told when it is told, and keeps what is delivered.
struct script final : workload {
    std::vector<std::pair<cycle_t, message>> to_send;  ///< by time
    std::vector<delivery> received;
    std::size_t next = 0;
    traffic_port* port = nullptr;

    void add(cycle_t at, std::uint32_t source, std::uint32_t destination, std::uint32_t flits) {
        sare::message m;
        m.source = source;
        m.destination = destination;
        m.flits = flits;
        m.generated = at;
        to_send.emplace_back(at, m);
    }
    void start(traffic_port& p) override { port = &p; }
    cycle_t next_tick() const override { return next == to_send.size() ? never : to_send[next].first; }
    void tick(cycle_t now) override {
        for (; next_tick() == now; ++next) port->send(to_send[next].second);
    }
    void delivered(const delivery& d) override { received.push_back(d); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
};

/// A grid by hand: every router, NIC and channel as a module. `ours` says which routers are made: of another
/// one the number is kept, and the caller binds what stands there; its channels are left out. `kind`: another
/// kind of routers, with as many VCs.
struct hand_mesh {
    hand_mesh(
        const std::string& name, std::uint32_t width, std::uint32_t height, const router_params& params,
        std::uint32_t classes = 1, std::uint32_t latency = 1, std::uint64_t seed = 1,
        const std::function<bool(std::uint32_t)>& ours = [](std::uint32_t) { return true; },
        std::shared_ptr<const router_model> kind = nullptr)
        : map(make_topology("mesh", {{"dims", std::to_string(width) + "," + std::to_string(height)},
                                     {"link_latency", std::to_string(latency)}})),
          routing(make_routing("dor", *map, params.vcs / classes)),
          engine((name + "_engine").c_str(), params.vcs, classes, seed) {
        engine.set_routing(*map, *routing);
        if (kind == nullptr) kind = std::make_shared<vc_model>(params);
        for (std::uint32_t n = 0; n < width * height; ++n) {
            const std::string number = std::to_string(n);
            routers.emplace_back();
            if (ours(n))
                routers.back().emplace((name + "_r" + number).c_str(), engine, 5, kind);
            else
                engine.wiring().add_foreign_router(5);
            nics.emplace_back((name + "_n" + number).c_str(), engine);
            if (ours(n)) link_up(name + "_c" + number, routers[n]->port(4), nics[n].port(), 1);
        }
        for (std::uint32_t n = 0; n < width * height; ++n) {
            if (n % width + 1 < width && ours(n) && ours(n + 1))
                link_up(name + "_x" + std::to_string(n), routers[n]->port(0), routers[n + 1]->port(1),
                        latency);
            if (n + width < width * height && ours(n) && ours(n + width))
                link_up(name + "_y" + std::to_string(n), routers[n]->port(2), routers[n + width]->port(3),
                        latency);
        }
    }
    void link_up(const std::string& name, const flit_port& a, const flit_port& b, std::uint32_t latency) {
        channels.emplace_back(name.c_str(), engine, a, b, link_attributes{latency, 1});
    }

    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;
    cycle_engine engine;
    std::deque<std::optional<router>> routers;
    std::deque<nic> nics;
    std::deque<channel> channels;
};

/// Cycles of a message of `flits` over `hops` routers without other traffic, from generation to consumption.
inline cycle_t zero_load(const router_params& p, std::uint32_t hops, std::uint32_t flits,
                         std::uint32_t latency = 1) {
    const std::uint32_t links = 2 + (hops - 1) * latency;
    return nic_params{}.delay + links +
           hops * (p.effective_rc_delay() + p.va_delay + p.sa_delay + p.st_delay) + flits - 1;
}

/// The text of the report that `f` throws; "" if it throws none.
template <class F>
std::string report_of(F f) {
    try {
        f();
    } catch (const sc_core::sc_report& r) {
        return r.get_msg();
    }
    return "";
}

}  // namespace sare::test
