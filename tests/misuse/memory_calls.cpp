// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"

#include "tlm/memory/atomic/exclusive_monitor.h"

/// Memory maps and bridges, and accesses of any attributes by their sockets.
namespace sare::test::memory_calls {
namespace {

/// With any attributes; data and enables are there for as many bytes as it says, or it is long without any.
struct any_payload : tlm::tlm_generic_payload {
    explicit any_payload(hostile& n) {
        const std::uint32_t length = n(8), enables = n(4);
        data.resize(length % 100000);
        bytes_enabled.resize(enables % 1000, TLM_BYTE_ENABLED);
        set_command(static_cast<tlm::tlm_command>(n(3) % 3));
        set_address(n.number<std::uint64_t>(0x1000));
        set_data_length(data.size() == length || !n.flag() ? static_cast<unsigned>(data.size()) : length);
        set_data_ptr(get_data_length() > data.size() ? nullptr : data.data());
        set_streaming_width(n.flag() ? get_data_length() : n(8));
        if (n.flag()) {
            set_byte_enable_ptr(bytes_enabled.data());
            set_byte_enable_length(static_cast<unsigned>(bytes_enabled.size()));
        }
        options.request_class = n(4);
        options.response_class = n.flag() ? access_options::last : n(4);
        options.agent = n.number<std::uint64_t>(3);
        options.exclusive = n.flag();
        id.value = n(3);
        set_extension(&options);
        set_extension(&id);
    }
    ~any_payload() override {
        clear_extension(&options);
        clear_extension(&id);
    }
    std::vector<unsigned char> data, bytes_enabled;
    access_options options;
    access_id id;
};

/// Some of stripes.
address_range any_range(hostile& n) {
    if (n.flag())
        return interleaved(n.number<std::uint64_t>(0x1000), n.number<std::uint64_t>(0x1000),
                           {{n(4), n.number<std::uint64_t>(0x100), n(2)}}, n.number<std::uint64_t>(0x100))[0];
    return {n.number<std::uint64_t>(0x1000), n.number<std::uint64_t>(0x1000), n(4),
            n.number<std::uint64_t>(0x100), n(2)};
}

/// Of the near bridge's initiators, in any mode: it returns, with a status.
void access_by_socket(platform& p, hostile& n, const std::function<void(tlm::tlm_generic_payload&)>& call) {
    any_payload payload(n);
    p.near_bridge.set_mode(static_cast<access_mode>(n(3) % 3));
    if (!p.in_process([&] { call(payload); })) throw std::runtime_error("an access\nnever comes back");
}

}  // namespace

const misuse_calls& all() {
    static const misuse_calls all{
        {"memory_map::memory_map",
         [](platform& p, hostile& n) {
             look_at(*new memory_map(p.left.engine, {any_range(n), any_range(n)}));
         }},
        {"basic_memory_bridge::basic_memory_bridge",
         [](platform& p, hostile& n) {
             memory_bridge_params its;
             its.order = static_cast<access_order>(n(3));
             its.outstanding = n(16);
             its.window = n(16);
             its.timing = static_cast<memory_timing>(n(2));
             its.at_once = n(4);
             its.mode = static_cast<access_mode>(n(3));
             its.sample = n(100);
             look_at(*new memory_bridge(sc_core::sc_gen_unique_name("made"), p.mesh.nics[0], p.map, its));
         }},
        {"basic_memory_bridge::initiator",
         [](platform& p, hostile& n) { look_at(p.near_bridge.initiator(n(1))); }},
        {"basic_memory_bridge::memory_at",
         [](platform& p, hostile& n) { look_at(p.far_bridge.memory_at(n(1))); }},
        {"memory_bridge_base::initiator",
         [](platform& p, hostile& n) {
             look_at(static_cast<memory_bridge_base&>(p.managers).initiator(n(2)));
         }},
        {"memory_bridge_base::memory_at",
         [](platform& p, hostile& n) {
             look_at(static_cast<memory_bridge_base&>(p.subordinates).memory_at(n(1)));
         }},
        {"memory_bridge_base::set_mode",
         [](platform& p, hostile& n) {
             p.near_bridge.set_mode(static_cast<access_mode>(n(3)));
             access_by_socket(p, n, [&](auto& payload) {
                 sc_core::sc_time delay;
                 p.cpu.socket->b_transport(payload, delay);
             });
         }},
        {"memory_bridge_base::forget_direct",
         [](platform& p, hostile& n) {
             p.near_bridge.forget_direct(n.number<std::uint64_t>(0x1000), n.number<std::uint64_t>(0x1000));
         }},
        {"memory_bridge_base::set_view",
         [](platform& p, hostile& n) {
             const auto any = [&] { return n.number<std::uint64_t>(0x1000); };
             p.near_bridge.set_view(n(1), {{any(), any(), any()}, {any(), any(), any()}});
         }},
        {"memory_bridge_base::initiator_statistics",
         [](platform& p, hostile& n) { look_at(p.near_bridge.initiator_statistics(n(1))); }},
        {"memory_bridge_base::memory_statistics",
         [](platform& p, hostile& n) { look_at(p.far_bridge.memory_statistics(n(1))); }},
        {"memory_bridge_base::initiator_counts_of",
         [](platform& p, hostile& n) { look_at(p.near_bridge.initiator_counts_of(n(1))); }},
        {"memory_bridge_base::memory_counts_of",
         [](platform& p, hostile& n) { look_at(p.far_bridge.memory_counts_of(n(1))); }},

        {"check_attributes", [](platform&, hostile& n) { look_at(check_attributes(any_payload(n))); }},
        {"extent_of",
         [](platform& p, hostile& n) {
             access_by_socket(p, n, [&](auto& payload) {
                 sc_core::sc_time delay = n.delay();
                 p.cpu.socket->b_transport(payload, delay);
                 if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
                     throw std::runtime_error("an access\nwithout a status");
             });
         }},
        {"length_in",
         [](platform& p, hostile& n) {
             access_by_socket(p, n, [&](auto& payload) {
                 if (payload.get_data_ptr() == nullptr) return;
                 look_at(p.cpu.socket->transport_dbg(payload));
                 tlm::tlm_dmi dmi;
                 look_at(p.cpu.socket->get_direct_mem_ptr(payload, dmi));
             });
         }},
        {"text_of", [](platform&, hostile& n) { look_at(text_of(any_payload(n))); }},
        {"out_of_turn",
         [](platform& p, hostile& n) {
             any_payload payload(n);
             const tlm::tlm_phase phases[] = {tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP};
             tlm::tlm_phase phase = phases[n(3) % 3];
             look_at(out_of_turn(phase, payload, "the base protocol"));
             sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
             p.cpu.socket->nb_transport_fw(payload, phase, delay);
         }},
        {"text_of_open", [](platform&, hostile& n) { look_at(text_of_open(any_payload(n))); }},
        {"open_payloads::has", [](platform&, hostile& n) { look_at(open_payloads().has(any_payload(n))); }},
        {"open_payloads::add",
         [](platform&, hostile& n) {
             const any_payload payload(n);
             open_payloads open;
             open.add(payload);
             look_at(open.has(payload));
         }},
        {"open_payloads::remove",
         [](platform&, hostile& n) {
             const any_payload here(n), never(n);
             open_payloads open;
             open.add(here);
             open.remove(&never);
             open.remove(&here);
             open.remove(&here);
             look_at(open.has(here));
         }},
        {"id_of", [](platform&, hostile& n) { look_at(id_of(any_payload(n))); }},
        {"access_id::access_id", [](platform&, hostile& n) { look_at(access_id(n())); }},
        {"exclusive_monitor::admit",
         [](platform&, hostile& n) {
             exclusive_monitor m;
             any_payload payload(n);
             look_at(m.admit(payload));
         }},
        {"address_map::address_map",
         [](platform&, hostile& n) {
             look_at(address_map({any_range(n), any_range(n)}).ranges().size());
         }},
        {"address_map::find",
         [](platform& p, hostile& n) { look_at(p.map.find(n.number<std::uint64_t>(0x2000))); }},
        {"address_range::in_memory",
         [](platform&, hostile& n) { look_at(any_range(n).in_memory(n.number<std::uint64_t>(0x1000))); }},
        {"address_range::bytes_from",
         [](platform&, hostile& n) { look_at(any_range(n).bytes_from(n.number<std::uint64_t>(0x1000))); }},
        {"address_range::bytes_before",
         [](platform&, hostile& n) { look_at(any_range(n).bytes_before(n.number<std::uint64_t>(0x1000))); }},
        {"address_range::addresses_of",
         [](platform&, hostile& n) {
             const address_range r = any_range(n);
             look_at(r.addresses_of(n.number<std::uint64_t>(0x1000), n.number<std::uint64_t>(0x1000)));
             look_at(r.text());
         }},
    };
    return all;
}

}  // namespace sare::test::memory_calls
