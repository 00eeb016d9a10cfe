// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/base/rng.h"
#include "tlm/network/simulation.h"
#include "traffic/bridge/client/sare_bridge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <sstream>
#include <thread>

/// Runs of the bridge with scripted computers, each in a thread of its own, in a process of their own.
namespace sare::test {

/// A session by the C library.
class client {
  public:
    struct settings {
        std::vector<std::uint32_t> nodes{SARE_BRIDGE_ANY_NODE};
        bool gives_macs = true;
        std::uint64_t quantum = 0, lookahead = 0;
        std::string name = "peer";
    };
    client(const std::string& address, const settings& s) {
        std::vector<sare_bridge_node> nodes;
        for (const std::uint32_t n : s.nodes) {
            nodes.push_back({n, s.gives_macs ? 1U : 0U, {}});
            const auto bytes = mac(n);
            std::copy(bytes.begin(), bytes.end(), nodes.back().mac[0]);
        }
        sare_bridge_hello hello{};
        hello.name = s.name.c_str();
        hello.nodes = nodes.data();
        hello.node_count = static_cast<std::uint32_t>(nodes.size());
        hello.quantum = s.quantum;
        hello.lookahead = s.lookahead;
        hello.timeout_s = 30;
        char problem[SARE_BRIDGE_MAX_TEXT] = "";
        m_session = sare_bridge_connect(address.c_str(), &hello, &welcome, problem);
        error = problem;
    }
    ~client() { close(""); }
    client(const client&) = delete;
    client& operator=(const client&) = delete;

    static std::vector<std::uint8_t> mac(std::uint32_t node) {
        return {2, 0, 0, 0, static_cast<std::uint8_t>(node >> 8), static_cast<std::uint8_t>(node)};
    }
    static std::vector<std::uint8_t> broadcast() { return std::vector<std::uint8_t>(6, 0xff); }
    static std::vector<std::uint8_t> bytes(const std::vector<std::uint8_t>& to, std::uint32_t from,
                                           std::size_t length, std::uint8_t fill = 0) {
        std::vector<std::uint8_t> all = to;
        const auto source = mac(from);
        all.insert(all.end(), source.begin(), source.end());
        all.insert(all.end(), {0x88, 0xb5});
        all.resize(length, fill);
        return all;
    }

    bool is_open() const { return m_session != nullptr; }
    sare_bridge* get() const { return m_session; }
    bool wait(std::uint64_t& grant) { return sare_bridge_wait(m_session, &grant) == 1; }
    bool receive(sare_bridge_frame& f) { return sare_bridge_receive(m_session, &f) == 1; }
    void send(std::uint64_t time, std::uint32_t place, const std::vector<std::uint8_t>& f) {
        sare_bridge_send(m_session, time, place, f.data(), static_cast<std::uint32_t>(f.size()));
    }
    void done(std::uint64_t time) { sare_bridge_done(m_session, time); }
    void close(const char* reason) {
        sare_bridge_close(m_session, reason);
        m_session = nullptr;
    }

    sare_bridge_welcome welcome{};
    std::string error;

  private:
    sare_bridge* m_session = nullptr;
};

/// A run with one bridge: `network` and `traffic` as lines of words, `more` what is put into the section
/// peers.
struct bridge_setting {
    std::string network = "mesh dims=2";
    std::string traffic = "quantum=1000 access_latency=1000";
    std::string peers = "sessions=2";
    std::string background = {};  ///< "bernoulli load=0.1": beside the bridge, of so many nodes:
    std::uint32_t bridged = 0;
    std::string fidelity = "flit";

    std::string address() const { return "/tmp/sare-test-" + std::to_string(getpid()) + ".sock"; }
    experiment make() const {
        config::value all = config::value::map({});
        all.set("network", section(network, "topology"));
        all.set("fidelity", config::value::scalar(fidelity));
        config::value work = section("bridge " + traffic, "workload");
        config::value in = section("sare " + peers, "protocol");
        in.set("listen", config::value::scalar(address()));
        work.set("peers", in);
        if (background.empty()) {
            all.set("traffic", work);
        } else {
            config::value one = config::value::map({}), other = config::value::map({});
            one.set("tasks", config::value::scalar(std::to_string(bridged)));
            one.set("traffic", work);
            one.set("shared", config::value::scalar("true"));
            other.set("background", config::value::scalar("true"));
            other.set("traffic", section(background, "workload"));
            all.set("traffic", section("applications", "workload"));
            config::value both = config::value::map({});
            both.set("computers", one);
            both.set("noise", other);
            config::value traffic_section = section("applications", "workload");
            traffic_section.set("applications", both);
            all.set("traffic", traffic_section);
        }
        return experiment::read(all, "");
    }
};

using script = std::function<void(const std::string& address)>;

/// What `read` finds in the results, or "error: ...". The scripts run beside it, each in a thread.
inline std::string run_bridge(const bridge_setting& s, const std::vector<script>& scripts,
                              const std::function<std::string(const run_result&)>& read) {
    return in_child([&] {
        std::vector<std::thread> all;
        for (const script& f : scripts) all.emplace_back(f, "unix:" + s.address());
        std::string warnings;
        run_control control;
        control.warn = [&warnings](const std::string& text) { warnings += "warning: " + text + "\n"; };
        std::string text;
        try {
            const experiment e = s.make();
            simulation& one = *new simulation(e);  // never deleted: others may still be in it
            const run_result r = one.run(e, control);
            text = warnings +
                   (r.status == run_status::completed ? "" : std::string(to_string(r.status)) + ": ") +
                   read(r);
        } catch (const std::exception& problem) {
            text = warnings + "error: " + problem.what();
        }
        for (std::thread& t : all) t.join();
        return text;
    });
}

/// A figure of the bridge's, by a dotted path.
inline std::string figure(const run_result& r, const std::string& path) {
    const config::value* v = &r.workload;
    if (const config::value* several = v->find("applications")) v = several->items().at(0).find("results");
    std::istringstream in(path);
    for (std::string key; v != nullptr && std::getline(in, key, '.');) v = v->find(key);
    return v == nullptr ? "none" : v->text();
}

/// A computer that sends by chance and answers what comes in, in order of its own time, until `end`; then it
/// stays until nothing can be under way, and leaves.
inline script chance(std::uint32_t node, std::uint32_t computers, std::uint64_t seed, std::uint64_t end) {
    return [=](const std::string& address) {
        client c(address, {{node}, node % 2 == 0, 0, 0, "computer-" + std::to_string(node)});
        if (!c.is_open()) return;
        struct event {
            std::uint64_t time, number;
            std::vector<std::uint8_t> to;
            bool operator>(const event& o) const {
                return time != o.time ? time > o.time : number > o.number;
            }
        };
        std::priority_queue<event, std::vector<event>, std::greater<>> events;
        std::uint64_t number = 0;
        rng random(seed, stream::test, node);
        const auto below = [&random](std::uint32_t n) { return random.below(n); };
        events.push({std::uint64_t{1000} * below(1000), number++, client::broadcast()});
        const auto act_until = [&](std::uint64_t time) {
            while (!events.empty() && events.top().time < time) {
                const event e = events.top();
                events.pop();
                if (e.time >= end) continue;
                c.send(e.time, 0,
                       client::bytes(e.to, node, 14 + below(1500), static_cast<std::uint8_t>(number)));
                if (below(2) == 0)
                    events.push({e.time + std::uint64_t{100} * below(20000), number++,
                                 below(10) == 0 ? client::broadcast() : client::mac(below(computers))});
            }
        };
        std::uint64_t grant = 0;
        while (c.wait(grant)) {
            for (sare_bridge_frame f; c.receive(f);) {
                act_until(f.time);
                if (below(4) != 0)
                    events.push(
                        {f.time + std::uint64_t{100} * below(30000), number++, {f.bytes + 6, f.bytes + 12}});
            }
            act_until(grant);
            c.done(grant);
            if (grant >= 4 * end) break;
        }
        c.close("its time is over");
    };
}

}  // namespace sare::test
