// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/clients/workload_group.h"

#include "tlm/state/archive.h"

#include <algorithm>
#include <stdexcept>

namespace sare {

/// A workload of the group, and the network as it sees it.
class workload_group::member final : public forwarding_port {
  public:
    member(workload_group& all, std::uint32_t number, std::string name, workload& w)
        : m_all(all), m_number(number), m_name(std::move(name)), m_work(w) {}

    void begin(traffic_port& port, cycle_t first) {
        m_port = &port;
        m_first = first;
        m_work.start(*this);
    }
    workload& work() const { return m_work; }
    const std::string& name() const { return m_name; }

    cycle_t first_cycle() const override { return m_first; }
    void send(const message& m) override {
        message sent = m;
        sent.tag = m_all.take_slot(m_number, m.tag);
        m_port->send(sent);
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m_all.m_requests.add(node, {m_number, 0, message_class, level});
    }

  private:
    workload_group& m_all;
    const std::uint32_t m_number;
    const std::string m_name;
    workload& m_work;
    cycle_t m_first = 0;
};

workload_group::workload_group() = default;
workload_group::~workload_group() = default;

void workload_group::slot::serialize(archive& a) {
    a(sender, tag);
}

void workload_group::add(const std::string& name, workload& w, cycle_t first) {
    const auto same = [&](const auto& one) { return one->name() == name; };
    if (std::any_of(m_members.begin(), m_members.end(), same))
        throw std::invalid_argument("there is a workload '" + name + "' in the group; names must differ");
    const auto number = static_cast<std::uint32_t>(m_members.size());
    m_members.push_back(std::make_unique<member>(*this, number, name, w));
    m_works.push_back(&w);
    if (m_port != nullptr) m_members.back()->begin(*m_port, first);
}

void workload_group::start(traffic_port& port) {
    m_port = &port;
    m_requests.start(port);
    for (const auto& one : m_members) one->begin(port, port.first_cycle());
}

std::uint64_t workload_group::take_slot(std::uint32_t sender, std::uint64_t tag) {
    if (m_free.empty()) {
        m_free.push_back(m_slots.size());
        m_slots.emplace_back();
    }
    const std::uint64_t number = m_free.back();
    m_free.pop_back();
    m_slots[number] = {sender, tag};
    return number;
}

/// Returns the workload that has sent `m`, and the message as that workload sent it.
std::pair<workload&, message> workload_group::owner_of(const message& m) const {
    const slot& its = m_slots[m.tag];
    message sent = m;
    sent.tag = its.tag;
    return {*m_works[its.sender], sent};
}

void workload_group::delivered(const delivery& d) {
    auto [w, sent] = owner_of(d.what);
    m_free.push_back(d.what.tag);
    if (w.wants_deliveries()) w.delivered({sent, d.injected, d.consumed});
}

void workload_group::dropped_at(const message& m, const std::string& cause, const drop_location& at) {
    auto [w, sent] = owner_of(m);
    w.dropped_at(sent, cause, at);
}

void workload_group::lost(const message& m) {
    auto [w, sent] = owner_of(m);
    m_free.push_back(m.tag);
    w.lost(sent);
}

void workload_group::packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) {
    auto [w, sent] = owner_of(m);
    if (w.wants_packets()) w.packet_delivered(sent, node, injected, now);
}

void workload_group::queue_space(std::uint32_t node, std::uint32_t message_class) {
    m_requests.serve(node, message_class, [&](const queue_space_requests::request& r) {
        m_works[r.sender]->queue_space(node, message_class);
    });
}

void workload_group::judged(const judged_sources& all) {
    for (workload* const w : m_works) w->judged(all);
}

generated_counts workload_group::backlog_of(std::uint32_t node, std::uint32_t message_class) const {
    generated_counts sum;
    for (const workload* const w : m_works)
        if (message_class < w->classes_needed()) sum += w->backlog_of(node, message_class);
    return sum;
}

generated_counts workload_group::refused_of(std::uint32_t node, std::uint32_t message_class) const {
    generated_counts sum;
    for (const workload* const w : m_works)
        if (message_class < w->classes_needed()) sum += refused_by(*w, node, message_class);
    return sum;
}

/// Returns the sum of the loads; 0 if one is not known.
double workload_group::expected_load() const {
    double sum = 0;
    bool all_known = true;
    for (const workload* const w : m_works) {
        sum += w->expected_load();
        all_known = all_known && w->expected_load() > 0;
    }
    return all_known ? sum : 0;
}

config::value workload_group::results() const {
    config::value all = config::value::map({});
    for (const auto& one : m_members) all.set(one->name(), one->work().results());
    return all;
}

std::vector<std::pair<std::string, std::string>> workload_group::tables() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& one : m_members)
        for (auto& [name, text] : one->work().tables())
            all.emplace_back(one->name() + "." + name, std::move(text));
    return all;
}

result_streams workload_group::files() const {
    result_streams all;
    for (const auto& one : m_members)
        for (auto& [name, write] : one->work().files())
            all.emplace_back(one->name() + "." + name, std::move(write));
    return all;
}

bool workload_group::observe(const observation& how) {
    bool any = false;
    for (workload* const w : m_works) any = w->observe(how) || any;
    return any;
}

void workload_group::use(const host_services& host) {
    for (workload* const w : m_works) w->use(host);
}

config::value workload_group::host_results() const {
    config::value all;
    for (const auto& one : m_members) {
        const config::value its = one->work().host_results();
        if (its.type() == config::value::kind::null) continue;
        if (all.type() == config::value::kind::null) all = config::value::map({});
        all.set(one->name(), its);
    }
    return all;
}

std::string workload_group::failure() const {
    for (const auto& one : m_members)
        if (std::string why = one->work().failure(); !why.empty()) return one->name() + ": " + why;
    return "";
}

void workload_group::serialize(archive& a) {
    a(m_slots, m_free, m_requests);
    a.same(m_members.size(), "the number of workloads");
    several_workloads::serialize(a);
}

}  // namespace sare
