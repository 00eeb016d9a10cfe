// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/stepped/stepped_network.h"

#include "tlm/analytic/contention_free.h"
#include "tlm/analytic/node_link_network.h"
#include "tlm/network/stepped/fabric_engine.h"
#include "tlm/state/checkpoint.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sare {
namespace {

void refuse_what_runs(const experiment& e) {
    const std::string here = ", which a stepped network makes nothing of; leave it out";
    if (e.nic.retransmission != retransmission::none)
        throw config::error(e.at, "'nic.retransmission' is go_back_n" + here);
    if (const auto [section, at] = e.sections.of_runs(); !section.empty())
        throw config::error(at, "there is a section '" + section + "'" + here);
}

}  // namespace

/// Traffic of a stepped network: what its client sends.
class stepped_network::client final : public workload {
    /// A message that waits for its cycle.
    struct waiting_message {
        cycle_t at = 0;
        std::uint64_t number = 0;  ///< place in the order of the calls
        message what;
        /// True if it comes later: std::priority_queue has the largest in front.
        bool operator<(const waiting_message& o) const { return at != o.at ? at > o.at : number > o.number; }
        void serialize(archive& a) { a(at, number, what); }
    };

    /// A priority queue whose elements can be written to a checkpoint.
    class waiting_queue : public std::priority_queue<waiting_message> {
      public:
        void serialize(archive& a) { a(c); }
    };

  public:
    void post(const message& m, cycle_t at) {
        m_waiting.push({at, m_number++, m});
        ++m_open;
    }
    std::uint64_t open() const { return m_open; }
    traffic_port* port() const { return m_port; }

    function<void(const delivery&)> tell_delivered;
    function<void(const message&, const std::string&)> tell_lost;
    function<void(const message&)> tell_injected;

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_waiting.empty() ? never : m_waiting.top().at; }
    void tick(cycle_t now) override {
        while (!m_waiting.empty() && m_waiting.top().at <= now) {
            message m = m_waiting.top().what;
            m_waiting.pop();
            m.generated = now;
            ++m_generated.messages;
            m_generated.flits += m.flits;
            m_port->send(m);
            if (tell_injected) wait_for_injection(m);
        }
    }
    void queue_space(std::uint32_t node, std::uint32_t message_class) override {
        const auto its = m_queued.find({node, message_class});
        if (its == m_queued.end()) return;  // models without queues call for each message
        std::deque<message>& queue = its->second;
        for (const std::uint32_t left = m_port->queued_of(node, message_class); queue.size() > left;) {
            if (tell_injected) tell_injected(queue.front());
            queue.pop_front();
        }
        if (queue.empty())
            m_queued.erase(its);
        else
            m_port->call_when_queued(node, message_class, static_cast<std::uint32_t>(queue.size()) - 1);
    }
    void delivered(const delivery& d) override {
        --m_open;
        if (tell_delivered) tell_delivered(d);
    }
    void dropped(const message& m, const std::string& cause) override {
        if (tell_lost) tell_lost(m, cause);
    }
    void lost(const message&) override { --m_open; }
    bool finished() const override { return m_open == 0; }
    traffic_loop loop() const override { return traffic_loop::unknown; }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive& a) override {
        a(m_waiting, m_number, m_open, m_generated.messages, m_generated.flits, m_queued);
    }

  private:
    /// Notes a message that has just come into its source queue.
    void wait_for_injection(const message& m) {
        std::deque<message>& queue = m_queued[{m.source, m.message_class}];
        queue.push_back(m);
        m_port->call_when_queued(m.source, m.message_class, static_cast<std::uint32_t>(queue.size()) - 1);
    }

    traffic_port* m_port = nullptr;
    waiting_queue m_waiting;
    std::uint64_t m_number = 0, m_open = 0;
    generated_counts m_generated;
    /// Messages in source queues, by node and class, where the client wants to know when they leave.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<message>> m_queued;
};

struct stepped_network::inside {
    inside(const experiment& e, std::uint32_t count)
        : map(e.make_map()), classes(count), seconds(e.clock_seconds()), structure(e.structure()) {
        refuse_what_runs(e);
        if (e.fidelity == fidelity::flit) {
            auto made = std::make_unique<fabric_engine>(e, map, classes);
            flits = made.get();
            engine = std::move(made);
        } else if (e.fidelity == fidelity::node_links) {
            engine = std::make_unique<node_link_network>(*map, e.nic, seconds, classes);
        } else {
            engine = std::make_unique<contention_free>(*map, e.nic, seconds, classes,
                                                       e.fidelity == fidelity::crossbar);
        }
        engine->set_seed(e.seed);
        engine->set_workload(traffic, false);
    }

    std::shared_ptr<const topology> map;
    const std::uint32_t classes;
    const double seconds;
    const std::string structure;
    client traffic;
    std::unique_ptr<network_engine> engine;
    fabric_engine* flits = nullptr;  ///< `engine`, if it is at flit level
    cycle_t next = 0;                ///< first cycle that has not been run
    std::unique_ptr<deadlock_report> deadlock;

    void serialize(archive& a) {
        a(next);
        engine->serialize(a);
    }
};

stepped_network::stepped_network(const experiment& e, std::uint32_t classes)
    : m_inside(std::make_unique<inside>(e, classes)) {}
stepped_network::~stepped_network() = default;

const topology& stepped_network::map() const {
    return *m_inside->map;
}

std::uint32_t stepped_network::nodes() const {
    return m_inside->map->nodes();
}

std::uint32_t stepped_network::classes() const {
    return m_inside->classes;
}

network_engine& stepped_network::engine() {
    return *m_inside->engine;
}

const deadlock_report& stepped_network::check_deadlock() {
    if (m_inside->deadlock) return *m_inside->deadlock;
    m_inside->deadlock = std::make_unique<deadlock_report>();
    if (m_inside->flits == nullptr) {
        m_inside->deadlock->result = deadlock_report::verdict::by_design;
        m_inside->deadlock->text = "not needed: " + m_inside->engine->describe_standstill();
    } else {
        *m_inside->deadlock = m_inside->flits->blueprint().check_deadlock(m_inside->flits->failures());
    }
    return *m_inside->deadlock;
}

void stepped_network::send(const message& m, cycle_t at) {
    const auto refuse = [&](const std::string& what) { throw std::out_of_range("a message " + what); };
    if (m.source >= nodes())
        refuse("from node " + std::to_string(m.source) + " of " + std::to_string(nodes()));
    if (m.destination >= nodes())
        refuse("for node " + std::to_string(m.destination) + " of " + std::to_string(nodes()));
    if (m.message_class >= classes())
        refuse("of class " + std::to_string(m.message_class) + " of " + std::to_string(classes()));
    if (m.flits == 0) refuse("of no flits");
    if (at < m_inside->next)
        throw std::invalid_argument("a message in cycle " + std::to_string(at) + ", and cycle " +
                                    std::to_string(m_inside->next - 1) + " has been run");
    m_inside->traffic.post(m, at);
}

void stepped_network::on_delivered(function<void(const delivery&)> f) {
    m_inside->traffic.tell_delivered = std::move(f);
}

void stepped_network::on_lost(function<void(const message&, const std::string&)> f) {
    m_inside->traffic.tell_lost = std::move(f);
}

void stepped_network::on_injected(function<void(const message&)> f) {
    m_inside->traffic.tell_injected = std::move(f);
}

void stepped_network::set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) {
    m_inside->traffic.port()->set_accepting(node, message_class, accepts);
}

std::uint32_t stepped_network::held_back(std::uint32_t node, std::uint32_t message_class) const {
    return m_inside->traffic.port()->held_back(node, message_class);
}

std::uint64_t stepped_network::open() const {
    return m_inside->traffic.open();
}

std::uint32_t stepped_network::flits_for(std::uint64_t bytes) const {
    return m_inside->traffic.port()->flits_for(bytes);
}

cycle_t stepped_network::now() const {
    return m_inside->next;
}

cycle_t stepped_network::next_event() const {
    const cycle_t mine = m_inside->traffic.next_tick();
    if (m_inside->next == 0) return mine;  // the network is empty
    return std::max(std::min(mine, m_inside->engine->next_work(m_inside->next - 1)), m_inside->next);
}

void stepped_network::advance(cycle_t end) {
    if (end <= m_inside->next) return;
    const cycle_t first = m_inside->next;
    // A function that is called from here may send in the present cycle.
    for (cycle_t t = std::max(next_event(), first); t < end; t = next_event()) {
        m_inside->next = t;
        m_inside->engine->run_until(t + 1);
        m_inside->next = t + 1;
    }
    m_inside->engine->run_until(end);
    m_inside->next = end;
}

cycle_t stepped_network::cycle_at(double ns) const {
    const double cycles = ns * 1e-9 / m_inside->seconds;
    const double whole = std::round(cycles);
    const bool exact = std::abs(cycles - whole) <= 1e-9 * std::max(1.0, whole);
    return static_cast<cycle_t>(std::max(exact ? whole : std::ceil(cycles), 0.0));
}

double stepped_network::ns_of(cycle_t c) const {
    return static_cast<double>(c) * m_inside->seconds * 1e9;
}

void stepped_network::save(std::ostream& to) {
    write_checkpoint(to, {m_inside->structure, "", m_inside->next},
                     [this](archive& a) { m_inside->serialize(a); });
}

void stepped_network::restore(std::istream& from) {
    if (m_inside->next != 0) throw state_error("can be read only by a network that has run no cycle");
    checkpoint c(from);
    if (c.info().config != m_inside->structure) throw state_error("is of another network");
    c.restore([this](archive& a) { m_inside->serialize(a); });
}

}  // namespace sare
