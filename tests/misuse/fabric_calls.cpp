// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"
#include "tlm/router/vc/model.h"

/// The fabric, as engine.net() gives it.
namespace sare::test::fabric_calls {
namespace {

fabric& net(platform& p) {
    return p.mesh.engine.net();
}

message any_message(hostile& n) {
    message m;
    m.source = n(4);
    m.destination = n(4);
    m.flits = n.flag() ? 1 : n(4);
    m.message_class = n(4);
    return m;
}

flit any_flit(hostile& n) {
    flit f;
    f.packet = n(4);
    f.vc = static_cast<std::uint8_t>(n(4));
    f.kind = static_cast<std::uint8_t>(n(4));
    return f;
}

/// A call with one number, of so many that there are; of what it gives, nothing is asked.
template <class F>
std::function<void(platform&, hostile&)> of_one(std::uint64_t there, F f) {
    return [=](platform& p, hostile& n) { f(net(p), n.number<std::uint32_t>(there)); };
}
/// Of a router, a port and a VC.
template <class F>
std::function<void(platform&, hostile&)> of_vc(F f) {
    return [=](platform& p, hostile& n) { f(net(p), n(4), n(5), n(4)); };
}

}  // namespace

const misuse_calls& all() {
    static const misuse_calls all{
        {"fabric::fabric",
         [](platform&, hostile& n) { look_at(fabric(n(8), n(4), n.number<std::uint64_t>()).view().vcs()); }},
        {"network_builder::add_router",
         [](platform& p, hostile& n) {
             net(p).builder().add_router(std::make_shared<vc_model>(with_vcs(n.flag() ? 4 : n(16))), n(5),
                                         n(3));
         }},
        {"network_builder::add_nic",
         [](platform& p, hostile& n) {
             nic_params its;
             its.flit_bytes = n(64);
             its.max_packet_flits = n(64);
             net(p).builder().add_nic(its);
         }},
        {"network_builder::connect",
         [](platform&, hostile& n) {
             fabric f(4, 4, 1);
             link_attributes a;
             a.latency = n(4);
             a.wake = n(4);
             f.builder().connect({link_end::kind::router, 0, 0}, {link_end::kind::router, 1, 0}, a);
         }},
        {"network_stepper::set_seed", of_one(0, [](fabric& f, auto k) { f.stepper().set_seed(k); })},
        {"network_stepper::shuffle_evaluation",
         of_one(0, [](fabric& f, auto k) { f.stepper().shuffle_evaluation(k); })},
        {"network_stepper::next_work",
         of_one(500, [](fabric& f, auto k) { look_at(f.stepper().next_work(k)); })},
        {"network_stepper::next_work_of_all",
         of_one(500, [](fabric& f, auto k) { look_at(f.stepper().next_work_of_all(k)); })},
        {"network_reset::router",
         [](platform& p, hostile& n) { p.mesh.engine.net().reset().router(n(4), n.number<cycle_t>(500)); }},
        {"network_reset::nic",
         [](platform& p, hostile& n) { p.mesh.engine.net().reset().nic(n(4), n.number<cycle_t>(500)); }},
        {"fabric::sleeper",
         [](platform& p, hostile& n) { look_at(p.composed.engine().net().sleeper(n(8))); }},
        {"network_port::is_here", of_one(4, [](fabric& f, auto k) { look_at(f.port().is_here(k)); })},
        {"network_port::router_of", of_one(4, [](fabric& f, auto k) { look_at(f.port().router_of(k)); })},
        {"network_port::flits_for",
         [](platform& p, hostile& n) { look_at(net(p).port().flits_for(n.number<std::uint64_t>(1000))); }},
        {"network_port::padded", of_one(4, [](fabric& f, auto k) { look_at(f.port().padded(k)); })},
        {"network_port::send", [](platform& p, hostile& n) { net(p).port().send(any_message(n)); }},
        {"network_port::takes",
         [](platform& p, hostile& n) { look_at(net(p).port().takes(any_message(n))); }},
        {"network_port::wrong_with",
         [](platform& p, hostile& n) { look_at(net(p).port().wrong_with(any_message(n))); }},
        {"network_port::queued", of_one(4, [](fabric& f, auto k) { look_at(f.port().queued(k)); })},
        {"network_port::queued_of",
         [](platform& p, hostile& n) { look_at(net(p).port().queued_of(n(4), n(3))); }},
        {"network_port::call_when_queued",
         [](platform& p, hostile& n) { net(p).port().call_when_queued(n(4), n(3), n(3)); }},
        {"network_port::set_accepting",
         [](platform& p, hostile& n) {
             const std::uint32_t node = n(4), of_class = n(3);
             net(p).port().set_accepting(node, of_class, false);
             net(p).port().set_accepting(node, of_class, true);
         }},
        {"network_port::held_back",
         [](platform& p, hostile& n) { look_at(net(p).port().held_back(n(4), n(3))); }},
        {"foreign_port::write_flit",
         [](platform& p, hostile& n) {
             p.left.engine.net().foreign().write_flit(n(2), any_flit(n), p.left.engine.cycle());
         }},
        {"foreign_port::make_packet",
         [](platform& p, hostile& n) {
             route_header route;
             route.source = n(4);
             route.destination = n(4);
             look_at(p.left.engine.net().foreign().make_packet(route, n(4)));
         }},
        {"foreign_port::write_credit",
         [](platform& p, hostile& n) {
             p.left.engine.net().foreign().write_credit(2 + n(9), n(4), p.left.engine.cycle());
         }},
        {"network_builder::take_over_nic",
         [](platform&, hostile& n) {
             fabric f(4, 4, 1);
             f.builder().add_nic({});
             f.builder().take_over_nic(n(1));
         }},
        {"network_view::is_taken_over",
         of_one(4, [](fabric& f, auto k) { look_at(f.view().is_taken_over(k)); })},
        {"external_nics::next_packet",
         [](platform& p, hostile& n) { look_at(p.left.engine.net().nics().next_packet(n(2), n(1))); }},
        {"external_nics::flit_leaves",
         [](platform& p, hostile& n) {
             fabric& f = p.left.engine.net();
             const std::uint32_t node = n(2), of_class = n(1);
             if (f.nics().next_packet(node, of_class) != nullptr)
                 look_at(f.nics().flit_leaves(node, of_class, p.left.engine.cycle()));
         }},
        {"external_nics::flit_arrives",
         [](platform& p, hostile& n) {
             fabric& f = p.left.engine.net();
             f.nics().flit_arrives(2 + n(9), any_flit(n), p.left.engine.cycle());
         }},
        {"network_view::ports", of_one(4, [](fabric& f, auto k) { look_at(f.view().ports(k)); })},
        {"network_view::model", of_one(4, [](fabric& f, auto k) { look_at(f.view().model(k)); })},
        {"network_view::nic", of_one(4, [](fabric& f, auto k) { look_at(f.view().nic(k)); })},
        {"network_view::has_router", of_one(4, [](fabric& f, auto k) { look_at(f.view().has_router(k)); })},
        {"network_view::is_here", of_one(4, [](fabric& f, auto k) { look_at(f.view().is_here(k)); })},
        {"network_view::bank_of", of_one(4, [](fabric& f, auto k) { look_at(f.view().bank_of(k)); })},
        {"network_view::in_bank", of_one(4, [](fabric& f, auto k) { look_at(f.view().in_bank(k)); })},
        {"network_view::domain_of", of_one(4, [](fabric& f, auto k) { look_at(f.view().domain_of(k)); })},
        {"network_view::depth_beyond",
         [](platform& p, hostile& n) { look_at(net(p).view().depth_beyond(n(4), n(5))); }},
        {"network_view::events",
         [](platform&, hostile& n) {
             fabric f(1, 1, 1);
             f.builder().add_router(std::make_shared<vc_model>(router_params{}), 2);
             f.builder().count_events();
             f.builder().finish();
             look_at(f.view().events(router_event::va_bid, n(1), n(2)));
         }},
        {"network_view::counts_of", of_one(4, [](fabric& f, auto k) { look_at(f.view().counts_of(k)); })},
        {"network_view::in", of_vc([](fabric& f, auto r, auto q, auto v) { look_at(f.view().in(r, q, v)); })},
        {"network_view::out",
         of_vc([](fabric& f, auto r, auto q, auto v) { look_at(f.view().out(r, q, v)); })},
        {"network_view::bids_for_vc",
         of_vc([](fabric& f, auto r, auto q, auto v) { look_at(f.view().bids_for_vc(r, q, v)); })},
        {"network_view::flits_sent", of_vc([](fabric& f, auto r, auto q, auto v) {
             look_at(f.view().flits_sent(r, q, v));
             look_at(f.view().flits_sent(r));
         })},
        {"network_view::may_begin",
         of_vc([](fabric& f, auto n, auto, auto v) { look_at(f.view().may_begin(n, v, 1)); })},
        {"network_view::paused_before", of_vc([](fabric& f, auto r, auto q, auto t) {
             look_at(f.view().paused_before({link_end::kind::router, r, q}, t));
             look_at(f.view().paused_before({link_end::kind::nic, r, q}, t));
         })},
        {"network_view::buffered",
         [](platform& p, hostile& n) { look_at(net(p).view().buffered(n(4), n(5), n(4), n(2))); }},
        {"network_view::count_buffers",
         [](platform& p, hostile& n) {
             std::vector<std::uint64_t> bins(n(9) % 9);
             net(p).view().count_buffers(bins);
         }},
    };
    return all;
}

}  // namespace sare::test::fabric_calls
