// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/routing/routing_support.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"
#include "tlm/network/routes/rerouting.h"
#include "tlm/router/vc/model.h"
#include "tlm/router_api/registry.h"
#include "tlm/router_api/router_context.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

/// A network without SystemC, from a few lines: many of them fit in one process.
namespace sare::test {

struct fabric_setting {
    std::string network = "mesh dims=4,4";
    std::string routing = "dor";
    std::string traffic = "bernoulli load=0.1";  ///< unused where a test brings its own workload
    std::string length = "fixed";                ///< of messages: a section of its own
    std::uint64_t seed = 1;
    std::uint32_t classes = 1;
    router_params router;
    std::string kind;  ///< another kind of routers than vc: its section, "bubble vcs=2"; brings its routing
    nic_params nic;
    bool compact_allowed = true;
    bool counts_events = false;                  ///< of routers: router_event
    network_scale scale = network_scale::small;  ///< it is run as, at least
    thread_policy threads;
    world* processes = nullptr;  ///< that run it together
    std::uint64_t scatter = 0;   ///< not 0: these are given routers anyhow, drawn from this seed
    config::value failures;      ///< events of the section `failures`
    std::uint32_t reroute = 0;   ///< its delay
    bool checked = false;        ///< by bank_check
};

inline void connect(fabric& f, const topology& net) {
    using kind = link_end::kind;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p));
            const link_attributes link = net.link(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) {
                f.builder().connect({kind::router, r, p}, {kind::router, to.id, to.port}, link);
            } else if (to.what == port_peer::kind::node) {
                f.builder().connect({kind::router, r, p}, {kind::nic, to.id, 0}, link);
            }
        }
    for (std::uint32_t n = 0; n < net.nodes(); ++n)
        f.builder().connect({kind::nic, n, 0},
                            {kind::router, net.router_of(node_id(n)).value, net.port_of(node_id(n)).value},
                            net.injection_link(node_id(n)));
}

/// The workload of `line`; `length` is the law of its messages' lengths: "bimodal first=1 second=5".
inline std::unique_ptr<workload> traffic_of(const std::string& line, std::uint32_t nodes,
                                            const std::string& length = "") {
    config::value all = section(line, "workload");
    if (!length.empty()) all.set("length", section(length, "name"));
    return workload_registry::instance().make(all, workload_context{"", nodes});
}

inline std::shared_ptr<const router_model> model_of(const fabric_setting& s) {
    if (s.kind.empty()) return std::make_shared<vc_model>(s.router);
    return router_registry::instance().make(section(s.kind, "kind"));
}

inline std::unique_ptr<routing_function> routing_of(const fabric_setting& s, const router_model& model,
                                                    const topology& map) {
    const std::uint32_t vcs = model.terms().vcs / s.classes;
    const config::value own = model.own_routing(map.name());
    if (s.kind.empty() || own.type() == config::value::kind::null) return routing(s.routing, map, vcs);
    return routing_registry::instance().make(own, {&map, vcs});
}

/// Of its processes.
inline partition_map parts_of(const fabric_setting& s, const topology& map) {
    partition_map cut = cut_map(map, s.processes->ranks());
    if (s.scatter == 0) return cut;
    rng random(s.scatter, stream::test, 80);
    const std::uint32_t ranks = s.processes->ranks();
    for (std::uint32_t r = 0; r < map.routers(); ++r)  // some to each
        cut.of_router[r] = static_cast<std::uint16_t>(r < ranks ? r : random.below(ranks));
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        cut.of_node[n] = cut.of_router[map.router_of(node_id(n)).value];
    return cut;
}

/// Topology, routing function and the machine. `map` replaces the setting's network, `kind` its routers (with
/// as many VCs).
class test_fabric {
  public:
    explicit test_fabric(const fabric_setting& s, std::unique_ptr<topology> map = nullptr,
                         std::shared_ptr<const router_model> kind = nullptr)
        : m_map(map ? std::move(map) : test::network(s.network)),
          m_model(kind ? std::move(kind) : model_of(s)),
          m_way(routing_of(s, *m_model, *m_map)),
          net(m_model->terms().vcs, s.classes, s.seed) {
        if (!s.compact_allowed) net.builder().require_wide_routers();
        if (s.counts_events) net.builder().count_events();
        if (s.checked) net.builder().check_routers();
        net.builder().run_as(s.scale);
        net.builder().set_threads(s.threads);
        if (s.processes != nullptr) net.builder().set_world(*s.processes, parts_of(s, *m_map));
        net.builder().set_routing(*m_map, *m_way);
        set_hazards(s);
        for (std::uint32_t r = 0; r < m_map->routers(); ++r)
            net.builder().add_router(m_model, m_map->ports(router_id(r)), m_map->clock(router_id(r)));
        nic_params nic = s.nic;
        if (m_model->terms().packet != 0) {
            nic.max_packet_flits = m_model->terms().packet;
            nic.pad = true;
        }
        for (std::uint32_t n = 0; n < m_map->nodes(); ++n) net.builder().add_nic(nic);
        connect(net, *m_map);
        net.builder().finish();
    }

    const topology& map() const { return *m_map; }
    const router_model& model() const { return *m_model; }
    const routing_function& way() const { return *m_way; }

    /// Runs from cycle `from` until nothing is left to do or to cycle `end`; gives the first cycle not run.
    cycle_t run(cycle_t from, cycle_t end) {
        cycle_t t = from;
        for (; t < end; t = net.stepper().next_work(t)) {
            net.stepper().step(t);
            ++steps;
        }
        return t;
    }

  private:
    void set_hazards(const fabric_setting& s) {
        if (has_bit_errors(*m_map)) net.builder().set_bit_errors(8 * s.nic.flit_bytes);
        if (s.failures.type() == config::value::kind::null) return;
        experiment e;
        e.failures.events = s.failures;
        e.failures.reroute = s.reroute;
        const std::uint32_t vcs = m_model->terms().routes_by_itself ? 0 : m_model->terms().vcs / s.classes;
        net.builder().set_failures(make_failures(e, *m_map, *m_way, vcs));
    }

    std::unique_ptr<topology> m_map;
    std::shared_ptr<const router_model> m_model;
    std::unique_ptr<routing_function> m_way;

  public:
    fabric net;
    std::uint64_t steps = 0;  ///< cycles that had to be run
};

/// A message between every fifth pair of nodes, of 1 to `longest` flits, so far apart that each is alone.
inline std::vector<sare::message> lone_messages(std::uint32_t nodes, std::uint32_t longest, cycle_t apart) {
    std::vector<sare::message> script;
    for (std::uint32_t n = 0; n < nodes; ++n)
        for (std::uint32_t m = 0; m < nodes; ++m) {
            if (m == n || (n * 7 + m) % 5 != 0) continue;
            sare::message one;
            one.source = n;
            one.destination = m;
            one.flits = 1 + (n + m) % longest;
            one.generated = script.size() * apart + 3;
            script.push_back(one);
        }
    return script;
}

/// Sends what it is told, when it is told.
class scripted_traffic final : public workload {
  public:
    explicit scripted_traffic(std::vector<sare::message> script) : m_script(std::move(script)) {}

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override {
        return m_next == m_script.size() ? never : m_script[m_next].generated;
    }
    void tick(cycle_t now) override {
        for (; m_next < m_script.size() && m_script[m_next].generated <= now; ++m_next)
            m_port->send(m_script[m_next]);
    }
    bool finished() const override { return m_next == m_script.size(); }
    bool runs_to_completion() const override { return true; }
    bool wants_deliveries() const override { return false; }
    generated_counts generated(cycle_t) override {
        generated_counts all;
        for (std::size_t k = 0; k < m_next; ++k) all.flits += m_script[k].flits;
        all.messages = m_next;
        return all;
    }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    std::vector<sare::message> m_script;  ///< in order of generation
    std::size_t m_next = 0;
    traffic_port* m_port = nullptr;
};

/// What became of every packet, in order, as the observer is told.
struct packet_log final : observer {
    std::vector<std::uint64_t> lines;

    void add(std::uint32_t node, const packet& p, cycle_t now, bool in) {
        lines.insert(lines.end(), {now * 2 + in, node, p.route.source, p.route.destination, p.flits, p.hops,
                                   p.generated, p.injected});
    }
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, true);
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, false);
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

/// Returns what becomes of the messages `all` on the network `map`, in which nothing may be left at the end.
/// `shuffle`: seed of another order of evaluation; 0: the usual one.
inline packet_log log_of(const fabric_setting& s, std::unique_ptr<topology> map,
                         const std::vector<sare::message>& all, std::uint64_t shuffle = 0) {
    test_fabric f(s, std::move(map));
    if (shuffle != 0) f.net.stepper().shuffle_evaluation(shuffle);
    scripted_traffic traffic(all);
    packet_log log;
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 1'000'000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    return log;
}

}  // namespace sare::test
