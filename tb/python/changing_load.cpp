// SPDX-License-Identifier: Apache-2.0
#include "tb/python/changing_load.h"

#include "traffic/source/open_loop.h"

#include <algorithm>
#include <utility>

namespace sare::python {

/// A source with its view of the network: its life begins later, it has its own random numbers, and it waits
/// for room by itself.
class changing_load::part final : public forwarding_port {
  public:
    explicit part(std::unique_ptr<workload> its) : work(std::move(its)) {}

    void begin(traffic_port& port, cycle_t first, std::uint64_t seed) {
        m_port = &port;
        m_first = first;
        m_seed = seed;
        m_levels.assign(std::size_t{port.nodes()} * port.classes(), no_level);
        work->start(*this);
    }
    std::uint64_t seed() const override { return m_seed; }
    cycle_t first_cycle() const override { return m_first; }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        level_of(node, message_class) = level;
        m_port->call_when_queued(node, message_class, level);
    }
    /// Calls the source if it waits and there is room; if it still waits, asks again.
    void queue_space(std::uint32_t node, std::uint32_t message_class) {
        std::uint32_t& level = level_of(node, message_class);
        if (level == no_level) return;
        if (m_port->queued_of(node, message_class) > level)
            return m_port->call_when_queued(node, message_class, level);
        level = no_level;
        work->queue_space(node, message_class);
    }

    const std::unique_ptr<workload> work;

  private:
    static constexpr std::uint32_t no_level = ~0U;
    std::uint32_t& level_of(std::uint32_t node, std::uint32_t message_class) {
        return m_levels[std::size_t{node} * classes() + message_class];
    }
    cycle_t m_first = 0;
    std::uint64_t m_seed = 0;
    std::vector<std::uint32_t> m_levels;  ///< levels asked for, by node * classes + class
};

changing_load::changing_load(std::unique_ptr<workload> first, maker make) : m_make(std::move(make)) {
    m_parts.push_back(std::make_unique<part>(std::move(first)));
}

changing_load::~changing_load() = default;

/// Removes sources that have sent all they will.
void changing_load::drop_finished(cycle_t at) {
    const auto over = std::stable_partition(m_parts.begin(), m_parts.end() - 1,
                                            [](const auto& p) { return !p->work->finished(); });
    std::for_each(over, m_parts.end() - 1, [&](const auto& p) {
        const generated_counts its = p->work->generated(at - 1);
        m_before.messages += its.messages;
        m_before.flits += its.flits;
    });
    m_parts.erase(over, m_parts.end() - 1);
}

void changing_load::change(double load, cycle_t at) {
    drop_finished(at);
    auto next = std::make_unique<part>(m_make(load));
    dynamic_cast<traffic::open_loop_source&>(*m_parts.back()->work).stop_at(at);
    constexpr std::uint64_t stride = 0x9e3779b97f4a7c15;  // so that no source repeats another
    next->begin(*m_port, at, m_port->seed() + stride * ++m_changes);
    m_parts.push_back(std::move(next));
}

void changing_load::start(traffic_port& port) {
    m_port = &port;
    m_parts.front()->begin(port, port.first_cycle(), port.seed());
}

cycle_t changing_load::next_tick() const {
    cycle_t next = never;
    for (const auto& p : m_parts) next = std::min(next, p->work->next_tick());
    return next;
}

void changing_load::tick(cycle_t now) {
    for (const auto& p : m_parts)
        if (p->work->next_tick() == now) p->work->tick(now);
}

void changing_load::queue_space(std::uint32_t node, std::uint32_t message_class) {
    for (const auto& p : m_parts) p->queue_space(node, message_class);
}

bool changing_load::wants_deliveries() const {
    return m_parts.front()->work->wants_deliveries();
}
void changing_load::delivered(const delivery& d) {
    m_parts.front()->work->delivered(d);
}
void changing_load::lost(const message& m) {
    m_parts.front()->work->lost(m);
}

bool changing_load::finished() const {
    return std::all_of(m_parts.begin(), m_parts.end(), [](const auto& p) { return p->work->finished(); });
}

template <class F>
generated_counts changing_load::sum(F of_one) const {
    generated_counts all;
    for (const auto& p : m_parts) {
        const generated_counts one = of_one(*p->work);
        all.messages += one.messages;
        all.flits += one.flits;
    }
    return all;
}

generated_counts changing_load::generated(cycle_t now) {
    const generated_counts here = sum([now](workload& w) { return w.generated(now); });
    return {here.messages + m_before.messages, here.flits + m_before.flits};
}
generated_counts changing_load::backlog_of(std::uint32_t node, std::uint32_t message_class) const {
    return sum([&](const workload& w) { return w.backlog_of(node, message_class); });
}
std::uint32_t changing_load::largest_message() const {
    return m_parts.front()->work->largest_message();
}
std::uint32_t changing_load::classes_needed() const {
    return m_parts.front()->work->classes_needed();
}
std::uint32_t changing_load::nodes_needed() const {
    return m_parts.front()->work->nodes_needed();
}
config::value changing_load::results() const {
    return m_parts.front()->work->results();
}

}  // namespace sare::python
