// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"
#include "tlm/chi/cache.h"
#include "tlm/chi/checker.h"
#include "tlm/chi/coherence_checker.h"
#include "tlm/chi/home.h"
#include "tlm/chi/memory_node.h"

#include <gtest/gtest.h>

/// Coherent systems for tests: caches, homes and memories on a mesh, a checker on every node's socket.
namespace sare::test {

/// A thread or several on a cache's socket.
struct chi_cpu : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<chi_cpu, 512> socket;
    std::map<std::uint64_t, tlm::tlm_dmi> direct;  ///< by line
    unsigned withdrawn = 0;
    access_times times;  ///< of the last access

    explicit chi_cpu(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        socket.register_invalidate_direct_mem_ptr(this, &chi_cpu::invalidate);
    }
    void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
        for (auto at = direct.lower_bound(first); at != direct.end() && at->first <= last; ++withdrawn)
            at = direct.erase(at);
    }
    /// Bytes of a line by DMI, if they may be read or written; else null.
    unsigned char* pointer(bool write, std::uint64_t address) {
        tlm::tlm_generic_payload p;
        p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(address);
        tlm::tlm_dmi dmi;
        const std::uint64_t line = chi::line_of(address);
        const auto has = direct.find(line);
        if (has != direct.end() && (!write || has->second.is_write_allowed())) {
            dmi = has->second;
        } else if (!socket->get_direct_mem_ptr(p, dmi)) {
            return nullptr;
        }
        EXPECT_EQ(dmi.get_start_address(), line);
        EXPECT_EQ(dmi.get_end_address(), line + 63);
        direct[line] = dmi;
        return dmi.get_dmi_ptr() + (address - line);
    }

    tlm::tlm_response_status access(bool write, std::uint64_t address, unsigned char* bytes, unsigned length,
                                    atomic_access* atomic = nullptr) {
        tlm::tlm_generic_payload p;
        p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(address);
        p.set_data_ptr(bytes);
        p.set_data_length(length);
        p.set_streaming_width(length);
        access_timing told;
        const struct extensions {  // not the payload's, should the process be killed, too
            tlm::tlm_generic_payload& of;
            ~extensions() {
                of.clear_extension<access_timing>();
                of.clear_extension<atomic_access>();
            }
        } at_the_end{p};
        p.set_extension(&told);
        if (atomic != nullptr) p.set_extension(atomic);
        sc_core::sc_time delay(3, sc_core::SC_NS);
        const sc_core::sc_time made = sc_core::sc_time_stamp() + delay;
        socket->b_transport(p, delay);
        EXPECT_TRUE(times_fit(p, made, sc_core::sc_time_stamp() + delay));
        times = told;
        return p.get_response_status();
    }
};

/// A node that does what a test says.
struct chi_script final : public chi::agent {
    std::vector<chi::flit> got;
    std::function<void(const chi::flit&)> on_flit = [](const chi::flit&) {};
    chi_script(const sc_core::sc_module_name& name, std::uint32_t bus_bytes) : chi::agent(name, bus_bytes) {}
    using chi::agent::send;
    using chi::agent::send_line;
    void received(const chi::flit& f) override {
        got.push_back(f);
        on_flit(f);
    }
};

/// A mesh of 4 x 4: caches on the first nodes, homes and memories on the last ones.
struct chi_system {
    static constexpr std::uint32_t nodes = 16;

    chi_system(std::uint32_t with_caches, std::uint32_t with_homes, std::uint32_t with_memories,
               std::uint32_t bus_bytes, const chi::cache_params& of_caches, const chi::home_params& of_homes,
               std::uint64_t seed = 1, std::uint32_t with_scripts = 0, std::uint32_t link_credits = 16)
        : net("net", 4, 4, with_vcs(4), 4, 1, seed),
          transport(net.engine, params(bus_bytes, link_credits)),
          random(seed, stream::test, 98) {
        chi::system_map map;
        for (std::uint32_t k = 0; k < with_homes; ++k) map.homes.push_back(nodes - 1 - k);
        for (std::uint32_t k = 0; k < with_memories; ++k) map.memories.push_back(nodes - 1 - with_homes - k);
        for (std::uint32_t k = 0; k < with_caches; ++k) {
            auto& c = caches.emplace_back(("cache" + std::to_string(k)).c_str(), bus_bytes, map, of_caches);
            c.observe(k, coherence);
            auto& cpu = cpus.emplace_back(("cpu" + std::to_string(k)).c_str());
            base_rules.emplace_back(("cpu_rules" + std::to_string(k)).c_str()).between(cpu.socket, c.cpu);
            attach(c, k, bus_bytes);
        }
        for (std::uint32_t k = 0; k < with_scripts; ++k)
            attach(scripts.emplace_back(("script" + std::to_string(k)).c_str(), bus_bytes), with_caches + k,
                   bus_bytes);
        for (const std::uint32_t n : map.homes) {
            auto& h = homes.emplace_back(("home" + std::to_string(n)).c_str(), bus_bytes, map, of_homes);
            h.observe(coherence);
            attach(h, n, bus_bytes);
        }
        for (const std::uint32_t n : map.memories) {
            auto& s = memories.emplace_back(("memory" + std::to_string(n)).c_str(), bus_bytes);
            attach(s, n, bus_bytes);
            auto& ram = rams.emplace_back(("ram" + std::to_string(n)).c_str(), 0x10000, [this] {
                return sc_core::sc_time(1 + random.below(40), sc_core::SC_NS);
            });
            base_rules.emplace_back(("ram_rules" + std::to_string(n)).c_str()).between(s.memory, ram.socket);
        }
    }
    static chi::transport_params params(std::uint32_t bus_bytes, std::uint32_t credits) {
        chi::transport_params p;
        p.bus_bytes = bus_bytes;
        p.credits = credits;
        return p;
    }
    void attach(chi::agent& a, std::uint32_t node, std::uint32_t bus_bytes) {
        auto& i =
            interfaces.emplace_back(("interface" + std::to_string(node)).c_str(), net.nics[node], transport);
        auto& c = checkers.emplace_back(("checker" + std::to_string(node)).c_str(), node, bus_bytes);
        a.socket.bind(c.node);
        c.network.bind(i.node);
    }
    /// Nothing was wrong, and nothing is left.
    void look() {
        for (const auto& c : checkers) {
            EXPECT_EQ(c.rules.violations, std::vector<std::string>()) << c.name();
            EXPECT_EQ(c.rules.open(), 0U) << c.name();
        }
        for (const auto& c : base_rules) EXPECT_EQ(c.violations, std::vector<std::string>()) << c.name();
        EXPECT_EQ(coherence.violations, std::vector<std::string>());
        for (const auto& c : caches) EXPECT_EQ(c.open(), 0U) << c.name();
        for (const auto& h : homes) EXPECT_EQ(h.open(), 0U) << h.name();
        EXPECT_EQ(transport.in_flight(), 0U);
        EXPECT_EQ(net.engine.net().view().leftovers(), "");
    }

    hand_mesh net;
    chi::transport transport;
    rng random;
    chi::coherence_checker coherence;
    std::deque<chi::cache> caches;
    std::deque<chi_cpu> cpus;
    std::deque<chi_script> scripts;
    std::deque<chi::home> homes;
    std::deque<chi::memory_node> memories;
    std::deque<blocking_memory_model<512>> rams;
    std::deque<chi::interface> interfaces;
    std::deque<chi::checker> checkers;
    std::deque<protocol_checker<512>> base_rules;
};

}  // namespace sare::test
