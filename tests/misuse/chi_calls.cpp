// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"
#include "tlm/chi/atomics.h"

/// CHI: flits of any fields at every node and interface, and the nodes' parameters.
namespace sare::test::chi_calls {
namespace {

chi::flit any_flit(hostile& n) {
    chi::flit f;
    f.on = static_cast<chi::channel>(n(4));
    f.opcode = static_cast<std::uint8_t>(n(60));
    f.resp = static_cast<std::uint8_t>(n(8));
    f.size = static_cast<std::uint8_t>(n(7));
    f.allow_retry = n.flag();
    f.exp_comp_ack = n.flag();
    f.txn = static_cast<std::uint16_t>(n(3));
    f.db = static_cast<std::uint16_t>(n(3));
    f.source = n(3);
    f.target = n(3);
    f.home = n(3);
    f.address = n.number<std::uint64_t>(0x1000);
    f.data_id = static_cast<std::uint8_t>(n(4));
    return f;
}

/// Of no more bytes than it has.
chi::debug_access any_debug(hostile& n) {
    static std::array<unsigned char, 2 * chi::line_bytes> bytes{};
    chi::debug_access a;
    a.write = n.flag();
    a.address = n.number<std::uint64_t>(0x1000);
    a.bytes = bytes.data();
    a.length = n(chi::line_bytes) % bytes.size();
    return a;
}

template <class Call>
void transport_flit(hostile& n, const Call& call) {
    chi::flit f = any_flit(n);
    chi::phase phase = n.flag() ? chi::phase::flit : chi::phase::credit;
    sc_core::sc_time delay = n.flag() ? sc_core::SC_ZERO_TIME : n.time();
    call(f, phase, delay);
}

template <class Module, class... Arguments>
void make(Arguments&&... arguments) {
    look_at(*new Module(sc_core::sc_gen_unique_name("made"), std::forward<Arguments>(arguments)...));
}

const unsigned char* line() {
    static const std::array<unsigned char, chi::line_bytes> bytes{};
    return bytes.data();
}

}  // namespace

const misuse_calls& all() {
    static const misuse_calls all{
        {"chi::transport::transport",
         [](platform& p, hostile& n) {
             chi::transport_params its;
             its.bus_bytes = n.flag() ? 32 : n(64);
             its.credits = n.flag() ? 16 : n(16);
             its.classes = {n(4), n(4), n(4), n(4)};
             its.header_bytes[0] = n(16);
             its.urgent_from = n(18);
             look_at(*new chi::transport(n.flag() ? p.mesh.engine : p.left.engine, its));
         }},
        {"chi::transport::carried",
         [](platform& p, hostile& n) { look_at(p.transport.carried(static_cast<chi::channel>(n(4)))); }},
        {"chi::interface::most_waiting",
         [](platform& p, hostile& n) { look_at(p.at_cache.most_waiting(static_cast<chi::channel>(n(4)))); }},
        {"chi::interface::arrived", [](platform& p, hostile& n) { p.at_cache.arrived(any_flit(n)); }},
        {"chi::interface::debug",
         [](platform& p, hostile& n) { look_at(p.at_cache.debug(n(4), any_debug(n))); }},
        {"chi::forward_if::debug",
         [](platform& p, hostile& n) {
             look_at(static_cast<chi::forward_if&>(p.at_home).debug(n(4), any_debug(n)));
         }},
        {"chi::interface::credit",
         [](platform& p, hostile& n) { p.at_cache.credit(static_cast<chi::channel>(n(4))); }},
        {"chi::interface::nb_transport_fw",
         [](platform& p, hostile& n) {
             transport_flit(n, [&](auto&... a) { p.at_cache.nb_transport_fw(a...); });
         }},
        {"chi::agent::nb_transport_bw",
         [](platform& p, hostile& n) {
             chi::agent* const nodes[] = {&p.cache, &p.home, &p.memory_node};
             chi::agent& one = *nodes[n(3) % 3];
             transport_flit(n, [&](auto&... a) { one.nb_transport_bw(a...); });
         }},
        {"chi::cache::cache",
         [](platform&, hostile& n) {
             make<chi::cache>(n.flag() ? 32 : n(64), chi::system_map{{n(4)}, {n(4)}},
                              chi::cache_params{n(16), n(8)});
         }},
        {"chi::cache::observe",
         [](platform& p, hostile& n) {
             auto* const o = new chi::coherence_checker;
             p.cache.observe(n(3), *o);
             unsigned char bytes[8] = {};
             const std::uint64_t address = n.number<std::uint64_t>(0x1000);
             const bool back = p.in_process([&] { p.processor.access(n.flag(), address, bytes, n(8) % 9); });
             if (!back) throw std::runtime_error("an access of a cache\nnever comes back");
         }},
        {"chi::home::home",
         [](platform&, hostile& n) {
             make<chi::home>(n.flag() ? 32 : n(64), chi::system_map{{n(4)}, {n(4)}}, chi::home_params{n(16)});
         }},
        {"chi::memory_node::memory_node", [](platform&, hostile& n) { make<chi::memory_node>(n(64)); }},
        {"chi::system_map::home_of",
         [](platform& p, hostile& n) {
             look_at((n.flag() ? p.system : chi::system_map()).home_of(n.number<std::uint64_t>(0x1000)));
         }},
        {"chi::system_map::memory_of",
         [](platform& p, hostile& n) {
             look_at((n.flag() ? p.system : chi::system_map()).memory_of(n.number<std::uint64_t>(0x1000)));
         }},
        {"chi::checker::checker", [](platform&, hostile& n) { make<chi::checker>(n(4), n(64)); }},
        {"chi::checker::nb_transport_fw",
         [](platform&, hostile& n) {
             auto* const c = new chi::checker(sc_core::sc_gen_unique_name("made"), n(4), 32);
             transport_flit(n, [&](auto& f, auto&, auto&) { c->rules.flit_seen(f); });
         }},
        {"chi::checker::nb_transport_bw",
         [](platform&, hostile& n) {
             chi::checker_rules rules(32);
             for (int k = 0; k < 8; ++k) rules.flit_seen(any_flit(n));
         }},
        {"chi::checker::debug",
         [](platform& p, hostile& n) {
             any_debug(n).write ? look_at(p.at_memory.debug(n(4), any_debug(n)))
                                : look_at(p.at_cache.debug(p.at_home.id(), any_debug(n)));
         }},
        {"chi::checker_rules::checker_rules",
         [](platform&, hostile& n) { look_at(chi::checker_rules(n(64)).open()); }},
        {"chi::checker_rules::flit_seen",
         [](platform&, hostile& n) {
             chi::checker_rules rules(n(64));
             for (int k = 0; k < 8; ++k) rules.flit_seen(any_flit(n));
         }},
        {"chi::coherence_checker::loaded",
         [](platform&, hostile& n) {
             chi::coherence_checker().loaded(n(3), n.number<std::uint64_t>(0x1000), line(), n(8));
         }},
        {"chi::coherence_checker::stored",
         [](platform&, hostile& n) {
             chi::coherence_checker().stored(n(3), n.number<std::uint64_t>(0x1000), line(), n(8));
         }},
        {"chi::coherence_checker::replaced",
         [](platform&, hostile& n) {
             chi::coherence_checker().replaced(n.number<std::uint64_t>(0x1000), line(), n(8));
         }},
        {"chi::coherence_checker::changed",
         [](platform&, hostile& n) {
             chi::coherence_checker().changed(n(3), n.number<std::uint64_t>(0x1000),
                                              static_cast<chi::state>(n(4)));
         }},
        {"chi::flit::make",
         [](platform&, hostile& n) {
             look_at(chi::flit::make(static_cast<chi::req>(n(30)), n(4), static_cast<std::uint16_t>(n(4))));
         }},
        {"chi::line_buffer::add",
         [](platform&, hostile& n) {
             chi::line_buffer b;
             for (int k = 0; k < 4; ++k) look_at(b.add(any_flit(n), n(64)));
         }},
        {"chi::number_of",
         [](platform&, hostile& n) { look_at(chi::number_of(static_cast<chi::channel>(n(4)))); }},
        {"chi::flit::answer",
         [](platform&, hostile& n) {
             look_at(chi::flit::answer(static_cast<chi::rsp>(n(30)), any_flit(n)));
         }},
        {"chi::is_atomic", [](platform&, hostile& n) { look_at(chi::is_atomic(any_flit(n))); }},
        {"chi::fetches", [](platform&, hostile& n) { look_at(chi::fetches(any_flit(n))); }},
        {"chi::fits", [](platform&, hostile& n) { look_at(chi::fits(any_flit(n))); }},
        {"chi::operation_of", [](platform&, hostile& n) { look_at(chi::operation_of(any_flit(n))); }},
        {"chi::value_bytes", [](platform&, hostile& n) { look_at(chi::value_bytes(any_flit(n))); }},
        {"chi::size_of", [](platform&, hostile& n) { look_at(chi::size_of({}, n(16))); }},
        {"chi::swapped_place",
         [](platform&, hostile& n) { look_at(chi::swapped_place(n.number<std::uint64_t>(64), n(16))); }},
        {"chi::coherence_checker::updated",
         [](platform&, hostile& n) {
             chi::coherence_checker().updated(n.number<std::uint64_t>(0x1000), line(), line(), n(8));
         }},
        {"chi::is_read", [](platform&, hostile& n) { look_at(chi::is_read(any_flit(n))); }},
        {"chi::is_write", [](platform&, hostile& n) { look_at(chi::is_write(any_flit(n))); }},
        {"chi::writes_memory", [](platform&, hostile& n) { look_at(chi::writes_memory(any_flit(n))); }},
        {"chi::line_of", [](platform&, hostile& n) { look_at(chi::line_of(n.number<std::uint64_t>())); }},
        {"chi::wrong_with_bus", [](platform&, hostile& n) { look_at(chi::wrong_with_bus(n(64))); }},
    };
    return all;
}

}  // namespace sare::test::chi_calls
