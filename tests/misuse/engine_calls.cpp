// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"
#include "tlm/inside/describe.h"
#include "tlm/network/simulation.h"
#include "tlm/router/vc/model.h"
#include "tlm/systemc/print_router.h"

#include <array>
#include <sstream>

/// Engines, modules, crossings, and looks inside.
namespace sare::test::engine_calls {
namespace {

using sc_core::sc_gen_unique_name;

/// Modules are of the simulation until it ends.
template <class Module, class... Arguments>
void make(Arguments&&... arguments) {
    look_at(*new Module(sc_gen_unique_name("made"), std::forward<Arguments>(arguments)...));
}

message any_message(hostile& n) {
    message m;
    m.source = n(4);
    m.destination = n(4);
    m.flits = n(4);
    m.message_class = n(4);
    m.generated = n.number<cycle_t>(100);
    m.tag = n.number<std::uint64_t>(1000);
    m.bytes = n.number<std::uint64_t>(100);
    return m;
}

link_attributes any_link(hostile& n) {
    link_attributes a;
    a.latency = n(4);
    a.cycles_per_flit = n(4);
    a.clock = n(2);
    a.idle = n(4);
    a.wake = n(4);
    a.bit_error_rate = n.number<std::uint64_t>(1) * 1e-3;
    a.flit_phits = n(4);
    return a;
}

router_params any_router(hostile& n) {
    router_params p = with_vcs(4);
    switch (n(6) % 6) {
        case 0:
            p.vcs = n(5);
            break;
        case 1:
            p.depth = n(8);
            break;
        case 2:
            p.rc_delay = p.st_delay = n(3);
            break;
        case 3:
            p.input_speedup = p.iterations = n(3);
            break;
        case 4:
            p.credit_batch = n(3);
            break;
        default:
            p.va_allocator =
                config::value::scalar(std::array{"input_first", "output_first", "wavefront"}[n(3) % 3]);
    }
    return p;
}

nic_params any_nic(hostile& n) {
    nic_params p;
    p.delay = n(3);
    p.max_packet_flits = n(64);
    p.flit_bytes = n.flag() ? 16 : n(64);
    p.header_bytes = n(16);
    p.ejection_depth = n(8);
    return p;
}

flit any_flit(hostile& n) {
    flit f;
    f.packet = n(4);
    f.sequence = static_cast<std::uint16_t>(n(4));
    f.vc = static_cast<std::uint8_t>(n(4));
    f.kind = static_cast<std::uint8_t>(n(4));
    return f;
}

template <class Call>
void transport_flit(hostile& n, const Call& call) {
    flit_payload payload{any_flit(n), nullptr};
    flit_phase phase = n.flag() ? flit_phase::flit : flit_phase::credit;
    sc_core::sc_time delay = n.flag() ? sc_core::SC_ZERO_TIME : n.time();
    call(payload, phase, delay);
}

struct fifo_pair {
    engine_clock writer{sc_core::sc_time(1, sc_core::SC_NS)}, reader{sc_core::sc_time(3, sc_core::SC_NS)};
    async_fifo<int> fifo;
    fifo_pair() : fifo(writer, reader, 2, 2) {}
};

}  // namespace

const misuse_calls& all() {
    static const misuse_calls all{
        {"cycle_engine::cycle_engine",
         [](platform&, hostile& n) { make<cycle_engine>(n(8), n(4), n.number<std::uint64_t>(), n.time()); }},
        {"cycle_engine::set_period", [](platform& p, hostile& n) { p.mesh.engine.set_period(n.time()); }},
        {"engine_wiring::add_bare_router",
         [](platform& p, hostile& n) {
             p.mesh.engine.wiring().add_bare_router(n(5), std::make_shared<vc_model>(any_router(n)), n(3));
         }},
        {"engine_wiring::add_foreign_router",
         [](platform& p, hostile& n) {
             if (n.flag()) return void(p.mesh.engine.wiring().add_foreign_router(n(5)));
             p.mesh.engine.wiring().add_foreign_router(
                 n(5), n.flag() ? nullptr : std::make_shared<vc_model>(any_router(n)));
         }},
        {"cycle_engine::send", [](platform& p, hostile& n) { p.mesh.engine.send(any_message(n)); }},
        {"cycle_engine::send_for_bridge",
         [](platform& p, hostile& n) { p.left.engine.send_for_bridge(any_message(n)); }},
        {"cycle_engine::work_at",
         [](platform& p, hostile& n) { p.mesh.engine.work_at(n.number<cycle_t>(500)); }},
        {"engine_wiring::flits_sent",
         [](platform& p, hostile& n) { p.composed.engine().wiring().flits_sent(n(4), n(5), n(4)); }},
        {"cycle_engine::set_power",
         [](platform& p, hostile& n) { p.composed.engine().set_power(n(8), n.flag()); }},
        {"cycle_engine::run_until",
         [](platform& p, hostile& n) { p.mesh.engine.run_until(n.number<cycle_t>(500)); }},
        {"cycle_engine::set_horizon", [](platform& p, hostile& n) { p.mesh.engine.set_horizon(n.time()); }},
        {"cycle_engine::flits_sent",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.flits_sent(n(4), n(5), n(4))); }},
        {"cycle_engine::set_seed",
         [](platform& p, hostile& n) { p.mesh.engine.set_seed(n.number<std::uint64_t>()); }},
        {"cycle_engine::next_work",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.next_work(n.number<cycle_t>(500))); }},
        {"engine_clock::engine_clock",
         [](platform&, hostile& n) { look_at(engine_clock(n.time()).cycle_at(n.time())); }},
        {"engine_clock::cycle_at",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.clock().cycle_at(n.time())); }},
        {"engine_clock::begin_of",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.clock().begin_of(n.number<cycle_t>(500))); }},
        {"engine_clock::has",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.clock().has(n.number<cycle_t>(500))); }},
        {"engine_clock::began",
         [](platform& p, hostile& n) { look_at(p.left.engine.clock().began(n.number<cycle_t>(20))); }},
        {"engine_clock::period_of",
         [](platform& p, hostile& n) { look_at(p.mesh.engine.clock().period_of(n.number<cycle_t>(500))); }},
        {"engine_clock::change",
         [](platform&, hostile& n) {
             engine_clock c(sc_core::sc_time(1, sc_core::SC_NS));
             for (int k = 0; k < 3; ++k) {
                 c.change(n.number<cycle_t>(500), n.time(), n.time());
                 look_at(c.begin_of(n.number<cycle_t>(500)));
             }
         }},
        {"mid_cycle::wake_in", [](platform& p, hostile& n) { p.clock.wake_in(n.number<cycle_t>(500)); }},

        {"router::router", [](platform& p, hostile& n) { make<router>(p.mesh.engine, any_router(n), n(5)); }},
        {"router::in", [](platform& p, hostile& n) { look_at(p.mesh.routers[0]->in(n(5))); }},
        {"router::out", [](platform& p, hostile& n) { look_at(p.mesh.routers[0]->out(n(5))); }},
        {"router::port", [](platform& p, hostile& n) { look_at(p.mesh.routers[0]->port(n(5))); }},
        {"router::made_in", [](platform& p, hostile& n) { look_at(p.mesh.routers[0]->made_in(n(5))); }},
        {"router::made_out", [](platform& p, hostile& n) { look_at(p.mesh.routers[0]->made_out(n(5))); }},
        {"nic::nic", [](platform& p, hostile& n) { make<nic>(p.mesh.engine, any_nic(n)); }},
        {"nic::nb_transport_fw",
         [](platform& p, hostile& n) {
             transport_flit(n, [&](auto&... a) { p.mesh.nics[0].nb_transport_fw(a...); });
         }},
        {"nic::nb_transport_bw",
         [](platform& p, hostile& n) {
             transport_flit(n, [&](auto&... a) { p.mesh.nics[0].nb_transport_bw(a...); });
         }},
        {"link::link", [](platform& p, hostile& n) { make<link>(p.mesh.engine, any_link(n)); }},
        {"link::begins_at",
         [](platform& p, hostile& n) { p.mesh.channels[0].forward.begins_at(n(4), n(5)); }},
        {"link::flits_taken",
         [](platform& p, hostile& n) { look_at(p.mesh.channels[0].forward.flits_taken(n(4))); }},
        {"link::nb_transport_fw",
         [](platform& p, hostile& n) {
             link& of_gateway = n.flag() ? p.left.channels.back().backward : p.mesh.channels[0].forward;
             transport_flit(n, [&](auto&... a) { of_gateway.nb_transport_fw(a...); });
         }},
        {"link::nb_transport_bw",
         [](platform& p, hostile& n) {
             link& to_gateway = n.flag() ? p.left.channels.back().forward : p.mesh.channels[0].forward;
             transport_flit(n, [&](auto&... a) { to_gateway.nb_transport_bw(a...); });
         }},
        {"channel::channel",
         [](platform& p, hostile& n) {
             make<channel>(p.mesh.engine, p.mesh.routers[0]->port(n(5)), p.mesh.routers[1]->port(n(5)),
                           any_link(n));
         }},
        {"make_routing", [](platform& p, hostile& n) { look_at(make_routing("dor", *p.mesh.map, n(4))); }},
        {"make_workload",
         [](platform&, hostile& n) {
             const char* const kinds[] = {"bernoulli", "burst", "request_reply"};
             look_at(make_workload(kinds[n.flag() + n.flag()], n.flag() ? n(8) : n(8) % 100000));
         }},
        {"sare_print_router_of",
         [](platform& p, hostile& n) {
             std::ostringstream nowhere;
             auto* const before = std::cout.rdbuf(nowhere.rdbuf());
             sare_print_router_of(n.flag() ? &p.mesh.engine : nullptr, n(4));
             sare_print_router(n.flag() ? "mesh_r0" : nullptr);
             std::cout.rdbuf(before);
         }},

        {"network::network", [](platform& p, hostile& n) { make<network>(p.asked_for, n(4), n(10)); }},
        {"network::failures",
         [](platform& p, hostile& n) { look_at(p.composed.failures(p.asked_for, n(4)).empty()); }},
        {"network::router_module", [](platform& p, hostile& n) { look_at(p.composed.router_module(n(4))); }},
        {"network::nic_module", [](platform& p, hostile& n) { look_at(p.composed.nic_module(n(4))); }},
        {"network::foreign_router",
         [](platform& p, hostile& n) { look_at(p.composed.foreign_router(n(4)) == nullptr); }},
        {"simulation::foreign_router",
         [](platform& p, hostile& n) {
             simulation s(p.asked_for);
             look_at(s.foreign_router(n(4)) == nullptr);
         }},
        {"simulation::check_deadlock",
         [](platform& p, hostile& n) {
             simulation s(p.asked_for);
             look_at(s.check_deadlock(n.number<std::uint64_t>(1000)).calls);
         }},

        {"gateway::gateway", [](platform& p, hostile& n) { make<gateway>(p.mesh.engine, n(4)); }},
        {"gateway::in", [](platform& p, hostile& n) { look_at(p.left.edge->in(n(1))); }},
        {"gateway::out", [](platform& p, hostile& n) { look_at(p.left.edge->out(n(1))); }},
        {"crossing::crossing",
         [](platform& p, hostile& n) {
             auto* const a = new gateway(sc_gen_unique_name("edge"), p.mesh.engine, 0);
             auto* const b = new gateway(sc_gen_unique_name("edge"), p.right.engine, 0);
             make<crossing>(*a, *b, crossing_params{n(8), n(3)});
         }},
        {"first_cycle_from",
         [](platform& p, hostile& n) { look_at(first_cycle_from(p.mesh.engine.clock(), n.time())); }},
        {"async_fifo::async_fifo",
         [](platform&, hostile& n) {
             fifo_pair f;
             async_fifo<int> made(f.writer, f.reader, n(8) % 65536, n(4));
             look_at(made.room_at());
         }},
        {"async_fifo::has_room",
         [](platform&, hostile& n) { look_at(fifo_pair().fifo.has_room(n.number<cycle_t>(9))); }},
        {"async_fifo::is_ready",
         [](platform&, hostile& n) { look_at(fifo_pair().fifo.is_ready(n.number<cycle_t>(9))); }},
        {"async_fifo::write",
         [](platform&, hostile& n) {
             fifo_pair f;
             for (int k = 0; k < 3; ++k) f.fifo.write(k, n.number<cycle_t>(9));
         }},
        {"async_fifo::pop",
         [](platform&, hostile& n) {
             fifo_pair f;
             f.fifo.write(1, n.number<cycle_t>(9));
             look_at(f.fifo.front());
             for (int k = 0; k < 2; ++k) f.fifo.pop(n.number<cycle_t>(9));
         }},
        {"async_fifo::clock_changed",
         [](platform&, hostile& n) {
             fifo_pair f;
             f.fifo.write(1, n.number<cycle_t>(9));
             f.fifo.clock_changed(n.time());
         }},

        {"describe_router",
         [](platform& p, hostile& n) { look_at(describe_router(p.mesh.engine.net().view(), n(4))); }},
        {"port_name", [](platform& p, hostile& n) { look_at(port_name(*p.mesh.map, n(4), n(5))); }},
        {"peer_name", [](platform& p, hostile& n) { look_at(peer_name(*p.mesh.map, n(4), n(5))); }},
        {"arbiters_of",
         [](platform& p, hostile& n) { look_at(arbiters_of(p.mesh.engine.net().view(), n(4)).size()); }},
        {"arbiter_name",
         [](platform& p, hostile& n) { look_at(arbiter_name(p.mesh.engine.net().view(), n(4), {})); }},
        {"requester_name",
         [](platform& p, hostile& n) {
             look_at(requester_name(p.mesh.engine.net().view(), n(4), {}, n(5)));
         }},
        {"state_of_front",
         [](platform& p, hostile& n) {
             look_at(state_of_front(p.mesh.engine.net().view(), n(4), n(5), n(4)));
         }},
        {"owner_text",
         [](platform& p, hostile& n) {
             out_vc out{};
             out.owner = static_cast<decltype(out.owner)>(n(20));
             look_at(owner_text(p.mesh.engine.net().view(), n(4), out));
         }},
        {"packet_event_file::write_perfetto",
         [](platform&, hostile& n) {
             packet_event_file f([](std::uint32_t, std::uint32_t) { return "p"; });
             packet_event e;
             e.cycle = n.number<cycle_t>(9);
             e.place = n(4);
             e.is = static_cast<packet_event::what>(n(7) % 7);
             f.take(e);
             std::ostringstream to;
             f.write_perfetto(to, n.number<cycle_t>(9));
             f.write_csv(to);
         }},
        {"packet_trace::packet_in",
         [](platform& p, hostile& n) {
             packet_trace t(p.mesh.engine.net());
             look_at(t.packet_in(n(4)));
         }},
    };
    return all;
}

}  // namespace sare::test::engine_calls
