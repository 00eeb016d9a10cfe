// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/ram.h"

#include <tlm/axi/axi_bridge.h>
#include <tlm/axi/checker.h>
#include <tlm/config/yaml.h>
#include <tlm/network/network.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace axi = sare::axi;

// Writes a burst that wraps, reads it back straight, and says how long that took.
struct dma : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<dma, 64, axi::protocol> socket{"socket"};

    explicit dma(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(dma);
        SC_THREAD(run);
    }
    void run() {
        std::vector<unsigned char> bytes(32);
        for (unsigned k = 0; k < 32; ++k) bytes[k] = static_cast<unsigned char>(k);
        access(tlm::TLM_WRITE_COMMAND, 0x10010, axi::burst::wrap, bytes);
        access(tlm::TLM_READ_COMMAND, 0x10000, axi::burst::incr, bytes);
        std::printf("byte 0 is %d, byte 16 is %d\n", bytes[0], bytes[16]);
    }
    void access(tlm::tlm_command command, std::uint64_t address, axi::burst type,
                std::vector<unsigned char>& bytes) {
        axi::extension burst;
        burst.id = 5;
        burst.type = type;
        burst.size = 3;  // beats of 8 bytes
        burst.beats = static_cast<std::uint16_t>(bytes.size() / 8);
        burst.qos = 12;
        tlm::tlm_generic_payload t;
        t.set_command(command);
        t.set_address(address);
        t.set_data_ptr(bytes.data());
        t.set_data_length(static_cast<unsigned>(bytes.size()));
        t.set_streaming_width(static_cast<unsigned>(bytes.size()));
        t.set_extension(&burst);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME, before = sc_core::sc_time_stamp();
        socket->b_transport(t, delay);
        wait(delay);
        std::printf("%s: %s, response %d\n", t.is_write() ? "write" : "read",
                    (sc_core::sc_time_stamp() - before).to_string().c_str(), static_cast<int>(burst.resp));
        t.clear_extension(&burst);
    }
};

int sc_main(int, char**) {
    const auto network =
        sare::config::parse_document("network: {topology: mesh, dims: [2, 2]}\nrouter: {vcs: 4}\n", "net");
    sare::network net("net", sare::experiment::read(network, "."), 4);
    sare::memory_map addresses(net.engine(), {{0x10000, 0x1000, 3}});

    // QoS 0 to 7 is class 0 there and class 2 back, what is urgent 1 and 3.
    axi::bridge_params by_qos;
    by_qos.request_classes = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    by_qos.response_classes = {2, 2, 2, 2, 2, 2, 2, 2, 3};
    axi::bridge<64> at0("at0", net.nic_module(0), addresses, by_qos),
        at3("at3", net.nic_module(3), addresses);

    dma device("device");
    ram<64, axi::protocol> memory("memory");
    axi::checker<64> rules("rules");
    device.socket.bind(rules.from);
    rules.to.bind(at0.managers);
    at3.subordinates.bind(memory.socket);
    sc_core::sc_start();
    for (const std::string& broken : rules.rules.violations) std::puts(broken.c_str());
    return rules.rules.violations.empty() ? 0 : 1;
}
