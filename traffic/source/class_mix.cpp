// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/class_mix.h"

#include "tlm/state/archive.h"

#include <algorithm>

namespace sare::traffic {

/// The network as one of the sources sees it: its classes begin with 0, and of the source queues it sees its
/// own messages.
class class_mix::member final : public forwarding_port {
  public:
    member(part its, std::uint32_t number)
        : first(its.first_class),
          count(its.work->classes_needed()),
          work(std::move(its.work)),
          m_seed_shift(number * 0x9e3779b97f4a7c15ULL) {}

    void start(traffic_port& port) {
        m_port = &port;
        work->start(*this);
    }
    message own(const message& m) const {
        message of_work = m;
        of_work.message_class -= first;
        return of_work;
    }

    /// @name traffic_port
    /// @{
    std::uint32_t classes() const override { return count; }
    /// Returns the seed of the source; the first one's is that of a source alone.
    std::uint64_t seed() const override { return m_port->seed() + m_seed_shift; }
    void send(const message& m) override {
        message placed = m;
        placed.message_class += first;
        m_port->send(placed);
    }
    std::uint32_t queued(std::uint32_t node) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t c = 0; c < count; ++c) sum += m_port->queued_of(node, first + c);
        return sum;
    }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_port->queued_of(node, first + message_class);
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m_port->call_when_queued(node, first + message_class, level);
    }
    /// @}

    const std::uint32_t first, count;
    const std::unique_ptr<workload> work;

  private:
    const std::uint64_t m_seed_shift;
};

class_mix::class_mix(std::vector<part> parts) {
    std::sort(parts.begin(), parts.end(),
              [](const part& a, const part& b) { return a.first_class < b.first_class; });
    for (part& p : parts)
        m_members.push_back(
            std::make_unique<member>(std::move(p), static_cast<std::uint32_t>(m_members.size())));
}

class_mix::~class_mix() = default;

void class_mix::start(traffic_port& port) {
    m_port = &port;
    for (const auto& m : m_members) m->start(port);
}

bool class_mix::all(bool (workload::*is)() const) const {
    return std::all_of(m_members.begin(), m_members.end(), [is](const auto& m) { return (*m->work.*is)(); });
}

bool class_mix::any(bool (workload::*is)() const) const {
    return std::any_of(m_members.begin(), m_members.end(), [is](const auto& m) { return (*m->work.*is)(); });
}

class_mix::member& class_mix::of_class(std::uint32_t message_class) const {
    std::size_t k = m_members.size() - 1;
    while (k > 0 && m_members[k]->first > message_class) --k;
    return *m_members[k];
}

cycle_t class_mix::next_tick() const {
    cycle_t next = never;
    for (const auto& m : m_members) next = std::min(next, m->work->next_tick());
    return next;
}

void class_mix::tick(cycle_t now) {
    for (const auto& m : m_members)
        if (m->work->next_tick() <= now) m->work->tick(now);
}

void class_mix::delivered(const delivery& d) {
    member& m = of_class(d.what.message_class);
    if (m.work->wants_deliveries()) m.work->delivered({m.own(d.what), d.injected, d.consumed});
}

void class_mix::dropped_at(const message& what, const std::string& cause, const drop_location& at) {
    const member& m = of_class(what.message_class);
    m.work->dropped_at(m.own(what), cause, at);
}

void class_mix::lost(const message& what) {
    const member& m = of_class(what.message_class);
    m.work->lost(m.own(what));
}

bool class_mix::wants_packets() const {
    return any(&workload::wants_packets);
}

void class_mix::packet_delivered(const message& what, std::uint32_t node, cycle_t injected, cycle_t now) {
    const member& m = of_class(what.message_class);
    if (m.work->wants_packets()) m.work->packet_delivered(m.own(what), node, injected, now);
}

bool class_mix::wants_deliveries() const {
    return any(&workload::wants_deliveries);
}

void class_mix::queue_space(std::uint32_t node, std::uint32_t message_class) {
    const member& m = of_class(message_class);
    m.work->queue_space(node, message_class - m.first);
}

bool class_mix::finished() const {
    return all(&workload::finished);
}

bool class_mix::runs_to_completion() const {
    return all(&workload::runs_to_completion);
}

traffic_loop class_mix::loop() const {
    traffic_loop all = m_members[0]->work->loop();
    for (const auto& m : m_members) all = both(all, m->work->loop());
    return all;
}

double class_mix::progress() const {
    double least = 1;
    for (const auto& m : m_members) least = std::min(least, m->work->progress());
    return least;
}

void class_mix::measured_from(cycle_t now) {
    for (const auto& m : m_members) m->work->measured_from(now);
}

void class_mix::measured_to(cycle_t now) {
    for (const auto& m : m_members) m->work->measured_to(now);
}

generated_counts class_mix::generated(cycle_t now) {
    generated_counts sum;
    for (const auto& m : m_members) sum += m->work->generated(now);
    return sum;
}

generated_counts class_mix::backlog_of(std::uint32_t node, std::uint32_t message_class) const {
    const member& m = of_class(message_class);
    if (message_class < m.first) return {};
    return m.work->backlog_of(node, message_class - m.first);
}

generated_counts class_mix::refused_of(std::uint32_t node, std::uint32_t message_class) const {
    const member& m = of_class(message_class);
    if (message_class < m.first) return {};
    return refused_by(*m.work, node, message_class - m.first);
}

double class_mix::expected_load() const {
    double sum = 0;
    for (const auto& m : m_members) sum += m->work->expected_load();
    return sum;
}

std::uint32_t class_mix::largest_message() const {
    std::uint32_t largest = 0;
    for (const auto& m : m_members) largest = std::max(largest, m->work->largest_message());
    return largest;
}

std::uint32_t class_mix::nodes_needed() const {
    std::uint32_t most = 0;
    for (const auto& m : m_members) most = std::max(most, m->work->nodes_needed());
    return most;
}

std::uint32_t class_mix::classes_needed() const {
    return m_members.back()->first + m_members.back()->count;
}

/// Returns the results; for several sources by class, if they have any.
config::value class_mix::results() const {
    if (m_members.size() == 1) return m_members[0]->work->results();
    config::value out = config::value::map({});
    for (const auto& m : m_members)
        if (config::value its = m->work->results(); !its.entries().empty())
            out.set("class_" + std::to_string(m->first), std::move(its));
    return out;
}

/// Returns the first source's tables; open-loop sources, of which there may be several, have none.
std::vector<std::pair<std::string, std::string>> class_mix::tables() const {
    return m_members[0]->work->tables();
}

bool class_mix::runs_by_nodes() const {
    return all(&workload::runs_by_nodes);
}

bool class_mix::awaits_losses() const {
    return std::any_of(m_members.begin(), m_members.end(),
                       [](const auto& m) { return sare::awaits_losses(*m->work); });
}

bool class_mix::agrees() const {
    return std::any_of(m_members.begin(), m_members.end(),
                       [](const auto& m) { return sare::agrees(*m->work); });
}

cycle_t class_mix::next_agreement() const {
    cycle_t next = never;
    for (const auto& m : m_members) next = std::min(next, next_agreement_of(*m->work));
    return next;
}

void class_mix::agree(world& all, std::uint32_t most) {
    for (const auto& m : m_members)
        if (auto* const its = dynamic_cast<synchronized_workload*>(m->work.get());
            its != nullptr && its->next_agreement() <= m_port->now())
            its->agree(all, most);
}

void class_mix::add_up(world& all) {
    for (const auto& m : m_members) m->work->add_up(all);
}

standstill class_mix::stuck() const {
    for (const auto& m : m_members)
        if (standstill why = m->work->stuck(); !why.first.empty()) return why;
    return {};
}

void class_mix::serialize(archive& a) {
    for (const auto& m : m_members) m->work->serialize(a);
}

}  // namespace sare::traffic
