// SPDX-License-Identifier: Apache-2.0
// A simulator with a clock of its own that has a network beside it: sixteen nodes compute for 100 ns each and
// pass a token of 4 kB around. No SystemC: link sare::stepped.
#include <tlm/stepped.h>

#include <cstdio>
#include <functional>
#include <queue>

namespace {

/// The client's own event queue, in nanoseconds.
class event_queue {
  public:
    void at(double ns, std::function<void()> what) { m_events.push({ns, m_number++, std::move(what)}); }
    bool empty() const { return m_events.empty(); }
    double next() const { return m_events.top().ns; }
    void run_one() {
        const std::function<void()> what = m_events.top().what;
        m_now = m_events.top().ns;
        m_events.pop();
        what();
    }
    double now() const { return m_now; }

  private:
    struct event {
        double ns;
        unsigned long number;
        std::function<void()> what;
        bool operator<(const event& o) const { return ns != o.ns ? ns > o.ns : number > o.number; }
    };
    std::priority_queue<event> m_events;
    unsigned long m_number = 0;
    double m_now = 0;
};

const char* const description = R"(
network: {topology: torus, dims: [4, 4]}
router: {vcs: 4, depth: 8}
clock_period: 0.5ns
)";

}  // namespace

int main() {
    sare::stepped_network net(
        sare::experiment::read(sare::config::parse_yaml(description, "description"), "."));
    std::printf("%s\n", net.check_deadlock().text.c_str());
    event_queue events;
    const auto pass_on = [&](std::uint32_t node) {
        sare::message m;
        m.source = node;
        m.destination = node + 1;
        m.flits = net.flits_for(4096);
        net.send(m, net.cycle_at(events.now()));
    };
    net.on_delivered([&](const sare::delivery& d) {
        const std::uint32_t node = d.what.destination;
        const double ns = net.ns_of(d.consumed);
        if (node + 1 == net.nodes())
            return void(std::printf("node %u has the token after %.1f ns\n", node, ns));
        events.at(ns + 100, [&pass_on, node] { pass_on(node); });
    });
    events.at(0, [&] { pass_on(0); });
    // Whatever comes first: an event of the client, or one of the network.
    while (!events.empty() || net.open() != 0) {
        const sare::cycle_t network = net.next_event();
        if (!events.empty() && (network == sare::workload::never || events.next() <= net.ns_of(network)))
            events.run_one();
        else
            net.advance(network + 1);
    }
}
