// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "traffic/source/bernoulli.h"
#include "traffic/source/driven_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace sare::traffic::variants::reactive {
namespace {

struct parameters : spatial_parameters {
    std::uint32_t initial = 1;
    double probability = 0.5;
    std::uint32_t min = 1;
    std::uint32_t max = 1;
    std::uint64_t limit = 0;
    double load = 0;

    /// Returns the mean number of messages that a message triggers.
    double children() const { return probability * (0.5 * min + 0.5 * max); }
    /// True if each message triggers just one, and there are no others: their number stays the same.
    bool keeps_all() const { return probability >= 1 && min == 1 && max == 1 && load == 0; }
};

/// Throws for a process without an end: it dies out if a message has less than one child in the mean.
void check_children(const parameters& p, const config::value& section) {
    if (p.limit != 0 || p.children() < 1 || p.keeps_all()) return;
    throw config::error(section.where(),
                        "workload 'reactive': a message triggers " + config::number_text(p.children()) +
                            " in the mean ('probability' times the mean of 'min' and 'max'), so their number "
                            "grows without bound and has no mean; lower it below 1, or end it by 'limit'");
}

/// A branching process: what a consumed message triggers is drawn from the stream of its consumer. The tag of
/// a message is its generation; nodes make those of the first one at the beginning, and at a rate.
class reactive : public driven_source {
  public:
    /// `rate`: messages per node and cycle, whatever is consumed.
    reactive(const parameters& p, const workload_context& c, double rate)
        : driven_source(p, c), m(p), m_rate(rate), m_gaps(rate > 0 ? rate : 1) {}

    void start(traffic_port& port) override {
        driven_source::start(port);
        for (std::uint32_t i = 0; m_rate > 0 && i < port.nodes(); ++i) {
            m_arrivals.emplace_back(port.seed(), stream::arrival, i);
            if (!silent(i)) m_due.push_back({port.first_cycle() + m_gaps.next(m_arrivals[i]) - 1, i});
        }
        std::make_heap(m_due.begin(), m_due.end(), std::greater<>());
    }
    cycle_t next_tick() const override {
        const cycle_t next = driven_source::next_tick();
        return m_due.empty() ? next : std::min(next, m_due.front().first);
    }
    void tick(cycle_t now) override {
        driven_source::tick(now);
        while (!m_due.empty() && m_due.front().first <= now) {
            std::pop_heap(m_due.begin(), m_due.end(), std::greater<>());
            const std::uint32_t node = m_due.back().second;
            m_due.pop_back();
            if (full()) continue;
            ++m_initial;
            trigger(node, 1);
            m_due.push_back({now + m_gaps.next(m_arrivals[node]), node});
            std::push_heap(m_due.begin(), m_due.end(), std::greater<>());
        }
    }

    void delivered(const delivery& d) override {
        count(d);
        m_last = d.consumed;
        const std::uint32_t node = d.what.destination;
        if (silent(node) || !random(node).bernoulli(m.probability)) return;
        std::uint32_t left = m.min + random(node).below(m.max - m.min + 1);
        for (; left > 0 && !full(); --left) trigger(node, d.what.tag + 1);
    }

    bool finished() const override { return begun() && under_way() == 0 && (m_due.empty() || full()); }
    /// True if it ends: with a limit or, without a rate, if a message triggers less than one on average.
    bool runs_to_completion() const override {
        if (m_rate > 0) return m.limit != 0;
        return m.limit != 0 || m.children() < 1;
    }

    void serialize(archive& a) override {
        driven_source::serialize(a);
        a(m_initial, m_generations, m_last, m_arrivals, m_due);
    }

    config::value results() const override {
        config::value out = driven_source::results();
        const auto made = static_cast<double>(messages_made());
        const double mean = m_initial == 0 ? 0 : made / static_cast<double>(m_initial);
        out.set("initial_messages", config::number(m_initial));
        out.set("mean_progeny", config::number(mean));
        out.set("generations", config::number(m_generations));
        out.set("last_consumption_cycle", config::number(m_last));
        return out;
    }

  private:
    void begin(std::uint32_t nodes) override {
        for (std::uint32_t k = 0; k < m.initial; ++k)
            for (std::uint32_t i = 0; i < nodes && !full(); ++i)
                if (!silent(i)) trigger(i, 1);
        m_initial = messages_made();
    }
    bool full() const { return m.limit != 0 && messages_made() >= m.limit; }
    void trigger(std::uint32_t node, std::uint64_t generation) {
        m_generations = std::max(m_generations, generation);
        send(node, generation);
    }

    parameters m;
    double m_rate;
    geometric m_gaps;
    std::vector<rng> m_arrivals;                           ///< stream of each node's own messages
    std::vector<std::pair<cycle_t, std::uint32_t>> m_due;  ///< heap: when a node makes a message of its own
    std::uint64_t m_initial = 0, m_generations = 0;
    cycle_t m_last = 0;
};

const config::registration<workload, const workload_context&> registered{
    "reactive",
    "A consumed message triggers new ones of its consumer with some probability (spiking neurons).",
    config::schema<parameters>()
        .include(spatial_fields())
        .number("load", &parameters::load, 0, 1, "flits/node/cycle",
                "that nodes make of themselves, as bernoulli does, beside what is triggered")
        .number("initial", &parameters::initial, 0, 1 << 20, "messages", "of every node in the first cycle")
        .number("probability", &parameters::probability, 0, 1, "", "that a consumed message triggers any")
        .number("min", &parameters::min, 1, 1 << 16, "messages", "triggered at least")
        .number("max", &parameters::max, 1, 1 << 16, "messages", "triggered at most; each number as likely")
        .number("limit", &parameters::limit, 0, 1e18, "messages",
                "in all, then none is triggered; 0: no limit"),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        if (p.min > p.max)
            throw config::error(section.where(),
                                fmt::format("workload 'reactive': min {} is above max {}", p.min, p.max));
        if (p.initial == 0 && p.load == 0)
            throw config::error(
                section.where(),
                "workload 'reactive': 'initial' and 'load' are both 0, so no message is ever made");
        check_children(p, section);
        const double rate =
            p.load == 0 ? 0
                        : message_probability(p.load, make_length(p.length, {c.folder, c.flit_bytes})->mean(),
                                              section);
        return in_class(p.message_class, std::make_unique<reactive>(p, c, rate));
    }};

}  // namespace
}  // namespace sare::traffic::variants::reactive
