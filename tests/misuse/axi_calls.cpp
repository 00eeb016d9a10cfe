// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"

/// AXI4: bridges, bursts of any shape, checkers.
namespace sare::test::axi_calls {
namespace {

/// A burst of any shape, with data of a length that may be its own.
struct any_burst : tlm::tlm_generic_payload {
    explicit any_burst(hostile& n) {
        e.id = n(4);
        e.type = static_cast<axi::burst>(n(3));
        e.beats = static_cast<std::uint16_t>(n(16));
        e.size = static_cast<std::uint8_t>(n(4));
        e.qos = static_cast<std::uint8_t>(n(16));
        e.exclusive = n.flag();
        const std::uint32_t own = axi::bytes_of(e, 0);
        data.resize(n.flag() && own < 100000 ? own : n(64) % 100000);
        set_command(static_cast<tlm::tlm_command>(n(3) % 3));
        set_address(0x10000 + n.number<std::uint64_t>(0x4000));
        set_data_length(static_cast<unsigned>(data.size()));
        set_data_ptr(data.data());
        set_streaming_width(n.flag() ? get_data_length() : n(16));
        set_extension(&e);
    }
    ~any_burst() override { clear_extension(&e); }
    axi::extension e;
    std::vector<unsigned char> data;
};

template <class F>
void with_burst(hostile& n, const F& f) {
    any_burst b(n);
    f(b, n(64));
}

}  // namespace

const misuse_calls& all() {
    using phases = std::vector<tlm::tlm_phase>;
    static const misuse_calls all{
        {"axi::bridge::bridge",
         [](platform& p, hostile& n) {
             axi::bridge_params its;
             its.request_classes = {n(4), n(4)};
             its.response_classes = {n(4)};
             its.outstanding = n.flag() ? 16 : n(16);
             look_at(*new axi::bridge<64>(sc_core::sc_gen_unique_name("made"), p.mesh.nics[0], p.map, its));
         }},
        {"axi::bridge::manager", [](platform& p, hostile& n) { look_at(p.managers.manager(n(1))); }},
        {"axi::bridge::subordinate",
         [](platform& p, hostile& n) { look_at(p.subordinates.subordinate(n(1))); }},
        {"axi::bridge_base::agent", [](platform& p, hostile& n) { look_at(p.managers.agent(n(1))); }},
        {"axi::bridge_base::reads_of", [](platform& p, hostile& n) { look_at(p.managers.reads_of(n(1))); }},
        {"axi::bridge_base::writes_of", [](platform& p, hostile& n) { look_at(p.managers.writes_of(n(1))); }},
        {"axi::bridge_base::subordinate_counts_of",
         [](platform& p, hostile& n) { look_at(p.subordinates.subordinate_counts_of(n(1))); }},
        {"axi::bridge_params::request_class",
         [](platform&, hostile& n) {
             axi::bridge_params its;
             its.request_classes.resize(n(3) % 3);
             look_at(its.request_class(n(16)));
         }},
        {"axi::bridge_params::response_class",
         [](platform&, hostile& n) { look_at(axi::bridge_params().response_class(n(16))); }},
        {"axi::bridge_params::resolved",
         [](platform&, hostile& n) { look_at(axi::bridge_params().resolved(n(4)).response_class(n(16))); }},
        {"axi::check_bus", [](platform&, hostile& n) { axi::check_bus(n(128)); }},
        {"axi::extension_of",
         [](platform&, hostile& n) {
             with_burst(n, [&](any_burst& b, std::uint32_t bus) {
                 if (n.flag()) b.clear_extension(&b.e);
                 look_at(axi::extension_of(b, bus));
                 b.set_extension(&b.e);
             });
         }},
        {"axi::bytes_of",
         [](platform&, hostile& n) {
             with_burst(n, [](any_burst& b, std::uint32_t) { look_at(axi::bytes_of(b.e, b.get_address())); });
         }},
        {"axi::lowest_address",
         [](platform&, hostile& n) {
             with_burst(
                 n, [](any_burst& b, std::uint32_t) { look_at(axi::lowest_address(b.e, b.get_address())); });
         }},
        {"axi::wrong_with",
         [](platform&, hostile& n) {
             with_burst(n, [](any_burst& b, std::uint32_t bus) { look_at(axi::wrong_with(b.e, b, bus)); });
         }},
        {"axi::broken_rule",
         [](platform&, hostile& n) {
             const axi::burst_shape b{static_cast<axi::burst>(n(4)), n(300), n(40), n(5000)};
             look_at(axi::broken_rule(b, n(64)).text);
         }},
        {"axi::parts_of",
         [](platform&, hostile& n) {
             with_burst(n,
                        [](any_burst& b, std::uint32_t bus) { look_at(axi::parts_of(b.e, b, bus).size()); });
         }},
        {"axi::checker_rules::checker_rules",
         [](platform&, hostile& n) { look_at(axi::checker_rules(n(64)).open()); }},
        {"axi::checker_rules::phase",
         [](platform&, hostile& n) {
             axi::checker_rules rules(8);
             any_burst b(n);
             const phases every{tlm::BEGIN_REQ,          tlm::END_REQ,           tlm::BEGIN_RESP,
                                tlm::END_RESP,           axi::BEGIN_PARTIAL_REQ, axi::END_PARTIAL_REQ,
                                axi::BEGIN_PARTIAL_RESP, axi::END_PARTIAL_RESP};
             for (int k = 0; k < 6; ++k) rules.phase(b, every[n(8) % 8], n.time());
         }},
        {"axi::checker_rules::completed",
         [](platform&, hostile& n) {
             axi::checker_rules rules(8);
             any_burst b(n);
             rules.completed(b, n.time());
         }},
        {"axi::checker_rules::before_blocking",
         [](platform& p, hostile& n) {
             any_burst b(n);
             axi::checker_rules(8).before_blocking(b);
             // Through the network: it comes back, with a status.
             const bool back = p.in_process([&] {
                 sc_core::sc_time delay = n.delay();
                 p.manager.socket->b_transport(b, delay);
             });
             if (!back) throw std::runtime_error("a burst\nnever comes back");
         }},
        {"axi::checker_rules::after_blocking",
         [](platform&, hostile& n) {
             any_burst b(n);
             axi::checker_rules(8).after_blocking(b);
         }},
    };
    return all;
}

}  // namespace sare::test::axi_calls
