// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/axi_support.h"
#include "tests/tlm/amba/chi_support.h"
#include "tlm/axi/axi_bridge.h"
#include "tlm/config/yaml.h"
#include "tlm/network/network.h"

/// QoS is a message class, and so a priority where arbiters go by classes.
namespace sare::test::qos_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

experiment mesh(const std::string& arbiter, unsigned vcs) {
    const std::string text =
        "{network: {topology: mesh, dims: [3, 3]}, router: {vcs: " + std::to_string(vcs) +
        ", va_arbiter: " + arbiter + ", sa_arbiter: " + arbiter + "}, nic: {arbiter: " + arbiter + "}}";
    return experiment::read(config::parse_yaml(text, "the mesh"), ".");
}

struct burst_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<burst_initiator, 64, axi::protocol> socket;
    explicit burst_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {}
    sc_time read(std::uint8_t qos) {
        tlm::tlm_generic_payload p;
        std::array<unsigned char, 128> bytes{};
        p.set_command(tlm::TLM_READ_COMMAND);
        p.set_data_ptr(bytes.data());
        p.set_data_length(128);
        p.set_streaming_width(128);
        axi::extension e;
        e.size = 3;
        e.beats = 16;
        e.qos = qos;
        p.set_extension(&e);
        sc_time delay = sc_core::SC_ZERO_TIME;
        const sc_time from = sc_core::sc_time_stamp();
        socket->b_transport(p, delay);
        sc_core::wait(delay);
        EXPECT_TRUE(p.is_response_ok());
        p.clear_extension(&e);
        return sc_core::sc_time_stamp() - from;
    }
};

/// Three urgent managers and five others read from one subordinate as fast as they can: either group alone
/// would fill its link.
struct axi_mesh {
    explicit axi_mesh(const std::string& arbiter)
        : net(arbiter.c_str(), mesh(arbiter, 4), 4), map(net.engine(), {{0, 0x1000, 8}}) {
        axi::bridge_params p;
        p.request_classes = {0, 0, 0, 0, 0, 0, 0, 0, 2};
        p.response_classes = {1, 1, 1, 1, 1, 1, 1, 1, 3};
        p.at_once = 64;
        for (std::uint32_t n = 0; n < 9; ++n)
            bridges.emplace_back((arbiter + std::to_string(n)).c_str(), net.nic_module(n), map, p);
        ram.emplace((arbiter + "_ram").c_str(), 0x1000, always(1));
        bridges[8].subordinates.bind(ram->socket);
        for (std::uint32_t n = 0; n < 8; ++n) {
            auto& cpu = cpus.emplace_back((arbiter + "_cpu" + std::to_string(n)).c_str());
            cpu.socket.bind(bridges[n].managers);
            const bool urgent = n % 3 == 0;
            for (int thread = 0; thread < 4; ++thread)
                sc_core::sc_spawn([this, &cpu, urgent] {
                    while (sc_core::sc_time_stamp() < sc_time(4000, SC_NS)) {
                        took[urgent] += cpu.read(urgent ? 15 : 0);
                        ++done[urgent];
                    }
                });
        }
    }
    sc_time mean(bool urgent) const { return took[urgent] / done[urgent]; }

    network net;
    memory_map map;
    std::deque<axi::bridge<>> bridges;
    std::deque<burst_initiator> cpus;
    std::optional<blocking_words<64>> ram;
    std::array<sc_time, 2> took;
    std::array<unsigned, 2> done{};
};

TEST(Qos, GivesPriorityInAxi) {
    axi_mesh by_priority("priority"), in_turn("round_robin");
    sc_core::sc_start();
    std::cout << by_priority.mean(true) << " and " << by_priority.mean(false) << ", in turn "
              << in_turn.mean(true) << " and " << in_turn.mean(false) << '\n';
    EXPECT_LT(by_priority.mean(true), 0.5 * by_priority.mean(false));
    EXPECT_LT(by_priority.mean(true), 0.9 * in_turn.mean(true));
    EXPECT_GT(by_priority.done[true], in_turn.done[true]);
}

/// Caches of which one is urgent; all lines are at home at one node, and in its memory at another one.
struct chi_mesh {
    explicit chi_mesh(const std::string& arbiter)
        : net(arbiter.c_str(), mesh(arbiter, 8), 8), transport(net.engine(), classes()) {
        const chi::system_map map{{8}, {7}};
        for (std::uint32_t n = 0; n < 7; ++n) {
            chi::cache_params p;
            p.qos = n == 0 ? 15 : n;
            auto& c = caches.emplace_back(name("cache", n).c_str(), 32, map, p);
            cpus.emplace_back(name("cpu", n).c_str()).socket.bind(c.cpu);
            attach(c, n);
            for (unsigned thread = 0; thread < 4; ++thread)
                sc_core::sc_spawn([this, n, thread] { load(n, thread); });
        }
        chi::home_params trackers;
        trackers.trackers = 64;
        attach(home.emplace(name("home", 8).c_str(), 32, map, trackers), 8);
        attach(memory.emplace(name("memory", 7).c_str(), 32), 7);
        memory->memory.bind(ram.emplace(name("ram", 7).c_str(), 0x100000, always(0)).socket);
    }
    static chi::transport_params classes() {
        chi::transport_params p;
        p.urgent_classes = {4, 5, 6, 7};
        p.urgent_from = 8;
        return p;
    }
    std::string name(const char* what, std::uint32_t n) const {
        return std::string(net.name()) + "_" + what + std::to_string(n);
    }
    void attach(chi::agent& a, std::uint32_t node) {
        auto& i = interfaces.emplace_back(name("interface", node).c_str(), net.nic_module(node), transport);
        auto& c = checkers.emplace_back(name("checker", node).c_str(), node, 32);
        a.socket.bind(c.node);
        c.network.bind(i.node);
    }
    /// Lines of its own, one after another.
    void load(std::uint32_t n, unsigned thread) {
        std::array<unsigned char, 64> bytes{};
        for (std::uint64_t k = 0; k < 60; ++k) {
            const sc_time from = sc_core::sc_time_stamp();
            cpus[n].access(false, 64 * (4096 * thread + 512 * n + k), bytes.data(), 64);
            took[n] += sc_core::sc_time_stamp() - from;
        }
    }
    network net;
    chi::transport transport;
    std::deque<chi::cache> caches;
    std::deque<chi_cpu> cpus;
    std::optional<chi::home> home;
    std::optional<chi::memory_node> memory;
    std::optional<blocking_memory_model<512>> ram;
    std::deque<chi::interface> interfaces;
    std::deque<chi::checker> checkers;
    std::array<sc_time, 7> took;
};

TEST(Qos, GivesPriorityInChi) {
    chi_mesh by_priority("priority"), in_turn("round_robin");
    sc_core::sc_start();
    for (const chi_mesh* m : {&by_priority, &in_turn})
        for (const chi::checker& c : m->checkers) EXPECT_EQ(c.rules.violations, std::vector<std::string>());
    EXPECT_LT(by_priority.took[0], 0.7 * by_priority.took[1]);
    EXPECT_LT(by_priority.took[0], 0.8 * in_turn.took[0]);
}

TEST(Qos, RefusesChannelsThatShareAClass) {
    hand_mesh net("net", 2, 2, with_vcs(8), 8);
    chi::transport_params p;
    p.urgent_from = 8;
    p.urgent_classes = {4, 5, 6, 2};
    EXPECT_EQ(
        report_of([&] { chi::transport t(net.engine, p); }),
        "the CHI transport of net_engine: two of CHI's channels share a message class, where they would "
        "wait for each other");
    p.urgent_from = 17;
    EXPECT_EQ(report_of([&] { chi::transport t(net.engine, p); }),
              "the CHI transport of net_engine: urgent_from is a QoS from 0 on; 16: none is urgent");
    p.urgent_from = 15;
    p.urgent_classes = {0, 1, 2, 3};
    chi::transport t(net.engine, p);
    chi::cache_params urgent;
    urgent.qos = 16;
    EXPECT_EQ(report_of([&] { chi::cache c("c", 32, {{3}, {2}}, urgent); }), "c: a cache's QoS is 0 to 15");
}

}  // namespace
}  // namespace sare::test::qos_test
