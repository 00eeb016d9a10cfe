// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/ram.h"

#include <tlm/config/yaml.h>
#include <tlm/memory/atomic/atomic_access.h>
#include <tlm/network/network.h>
#include <tlm/sare.h>

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

// Writes 1 KiB over four memories, reads it back, and says where the time went.
struct cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<cpu> socket{"socket"};

    explicit cpu(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(cpu);
        SC_THREAD(run);
    }
    void run() {
        std::vector<unsigned char> bytes(1024);
        for (unsigned k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<unsigned char>(7 * k);
        const std::vector<unsigned char> written = bytes;
        access(tlm::TLM_WRITE_COMMAND, bytes);
        std::fill(bytes.begin(), bytes.end(), 0);
        access(tlm::TLM_READ_COMMAND, bytes);
        std::cout << (bytes == written ? "data as written" : "WRONG") << std::endl;
        const std::uint64_t first = next_of(0x80001000), second = next_of(0x80001000);
        std::cout << "counted " << first << ", " << second << std::endl;
        sc_core::sc_stop();
    }
    void access(tlm::tlm_command command, std::vector<unsigned char>& bytes) {
        tlm::tlm_generic_payload t;
        t.set_command(command);
        t.set_address(0x80000020);
        t.set_data_ptr(bytes.data());
        t.set_data_length(static_cast<unsigned>(bytes.size()));
        t.set_streaming_width(static_cast<unsigned>(bytes.size()));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        sare::access_timing where;
        t.set_extension(&where);
        socket->b_transport(t, delay);
        std::cout << where.queueing() << " + " << where.request() << " + " << where.memory() << " + "
                  << where.response() << " = " << where.total() << '\n';
        t.clear_extension(&where);
    }
    /// Returns the next value of a counter that others may use, too.
    std::uint64_t next_of(std::uint64_t address) {
        std::uint64_t one = 1, was = 0;
        tlm::tlm_generic_payload t;
        t.set_address(address);
        t.set_data_ptr(reinterpret_cast<unsigned char*>(&one));
        t.set_data_length(sizeof one);
        t.set_streaming_width(sizeof one);
        sare::atomic_access count;  // adds, and fetches what was there
        t.set_command(tlm::TLM_WRITE_COMMAND);
        t.set_extension(&count);  // the operand is the data
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(t, delay);
        std::memcpy(&was, count.before.data(), sizeof was);
        t.clear_extension(&count);
        return was;
    }
};

int sc_main(int, char**) {
    const auto e = sare::experiment::read(
        sare::config::parse_yaml("{network: {topology: mesh, dims: [3, 2]}}", "the network"), ".");
    sare::network net("net", e, 2);

    // 64 KiB over the memories of nodes 2 to 5, 256 bytes each in turn; bits 12 and 13 of an address change
    // the turn.
    sare::memory_map addresses(
        net.engine(), sare::interleaved(0x80000000, 0x10000, {{2}, {3}, {4}, {5}}, 256, {0x1000, 0x2000}));
    std::vector<std::unique_ptr<sare::memory_bridge>> bridges;
    std::vector<std::unique_ptr<ram<>>> rams;
    for (std::uint32_t node = 0; node < 6; ++node) {
        const std::string number = std::to_string(node);
        bridges.push_back(
            std::make_unique<sare::memory_bridge>(("at" + number).c_str(), net.nic_module(node), addresses));
        if (node < 2) continue;
        rams.push_back(std::make_unique<ram<>>(("ram" + number).c_str()));
        bridges.back()->memory.bind(rams.back()->socket);
    }
    cpu core("core");
    core.socket.bind(bridges[0]->initiators);

    addresses.accesses().print_at_end(std::cout);  // as the simulation ends
    sare::transaction_trace trace(addresses);
    trace.start();
    sc_core::sc_start();
    std::ofstream csv("transactions.csv"), perfetto("transactions.perfetto-trace"), ftr("transactions.ftr"),
        fst("transactions.fst");
    trace.write_csv(csv);
    trace.write_perfetto(perfetto);
    trace.write_ftr(ftr);
    if (sare::router_waves::available()) trace.write_fst(fst);
    for (const sare::access_summary& s : addresses.accesses().results())
        std::cout << s.bridge << ": " << s.accesses << " accesses, " << s.mean_ns << " ns\n";
    return 0;
}
