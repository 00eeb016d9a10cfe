// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/ram.h"

#include <tlm/chi/checker.h>
#include <tlm/chi/coherence_checker.h>
#include <tlm/chi/home.h>
#include <tlm/chi/memory_node.h>
#include <tlm/config/yaml.h>
#include <tlm/network/network.h>

#include <cstdio>
#include <vector>

namespace chi = sare::chi;

// Adds one to a word that others add to, too; each in its turn.
struct cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<cpu, 512> socket{"socket"};
    unsigned turn;

    cpu(sc_core::sc_module_name name, unsigned number) : sc_module(name), turn(number) {
        SC_HAS_PROCESS(cpu);
        SC_THREAD(run);
    }
    void run() {
        for (unsigned round = 0; round < 100;) {
            std::uint32_t word = access(tlm::TLM_READ_COMMAND, 0);
            if (word % 2 != turn) continue;
            access(tlm::TLM_WRITE_COMMAND, word + 1);
            ++round;
        }
    }
    std::uint32_t access(tlm::tlm_command command, std::uint32_t word) {
        tlm::tlm_generic_payload t;
        t.set_command(command);
        t.set_address(0x1000);
        t.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        t.set_data_length(4);
        t.set_streaming_width(4);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(t, delay);
        wait(delay + sc_core::sc_time(1, sc_core::SC_NS));
        return word;
    }
};

int sc_main(int, char**) {
    const auto network =
        sare::config::parse_document("network: {topology: mesh, dims: [2, 2]}\nrouter: {vcs: 4}\n", "net");
    sare::network net("net", sare::experiment::read(network, "."), 4);

    // Nodes 0 and 1 have a processor with a cache, node 2 is home to all lines, node 3 has the memory.
    chi::transport transport(net.engine());
    const std::uint32_t bus = transport.params().bus_bytes;
    const chi::system_map map{{2}, {3}};
    chi::cache first("first", bus, map), second("second", bus, map);
    chi::home home("home", bus, map);
    chi::memory_node memory("memory", bus);
    chi::interface at0("at0", net.nic_module(0), transport), at1("at1", net.nic_module(1), transport),
        at2("at2", net.nic_module(2), transport), at3("at3", net.nic_module(3), transport);
    chi::checker rules("rules", 0, bus);
    first.socket.bind(rules.node);
    rules.network.bind(at0.node);
    second.socket.bind(at1.node);
    home.socket.bind(at2.node);
    memory.socket.bind(at3.node);

    cpu even("even", 0), odd("odd", 1);
    ram<512> dram("dram", sc_core::sc_time(30, sc_core::SC_NS));
    even.socket.bind(first.cpu);
    odd.socket.bind(second.cpu);
    memory.memory.bind(dram.socket);
    chi::coherence_checker coherence;
    first.observe(0, coherence);
    second.observe(1, coherence);

    sc_core::sc_start();
    std::printf("%llu loads, %llu stores, %llu snoops; broken rules: %zu, of coherence: %zu\n",
                static_cast<unsigned long long>(coherence.loads),
                static_cast<unsigned long long>(coherence.stores),
                static_cast<unsigned long long>(home.count().snoops), rules.rules.violations.size(),
                coherence.violations.size());
    return rules.rules.violations.empty() && coherence.violations.empty() ? 0 : 1;
}
