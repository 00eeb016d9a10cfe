// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/observer.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/message_numbers.h"
#include "tlm/state/archive.h"
#include "tlm/stats/log/merged_records.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

/// The slowest packets of a run, and some of the others, in bounded memory: `sare why` begins with them.
namespace sare {
namespace slowest_of_run {
namespace {

constexpr const char* file = "slowest.csv";

const table_form form{file, R"(
    chosen: text. Why it is here: slowest; sample (of all others, at random); asked.
    packet: count. Its number in order of injection; empty if several processes ran the network.
    message: count. That of its message; only with `messages`, and of one process.
    class: count. Class of the message.
    source: count. Node that sent it.
    destination: count. Node that it went to.
    flits: count in flits. Its length.
    hops: count in routers. Routers that it visited.
    generated: count in cycles. When its message was generated.
    injected: count in cycles. When its first flit left the source queue.
    consumed: count in cycles. When its last flit came.
    latency: count in cycles. From generation to consumption.
)"};

struct parameters {
    std::uint32_t packets = 20, samples = 100;
    config::number_set numbers{}, messages{}, sources = everything(), destinations = everything();

    static config::number_set everything() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

/// Returns a number for each packet as if drawn at random, which threads and processes do not change.
std::uint64_t draw(cycle_t injected, std::uint32_t source) {
    std::uint64_t z = (injected << 24 ^ source) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    return z ^ z >> 31;
}

struct record {
    std::uint64_t packet = 0, message = 0;
    cycle_t generated = 0, injected = 0, consumed = 0;
    std::uint32_t source = 0, destination = 0, flits = 0, hops = 0, message_class = 0;

    cycle_t latency() const { return consumed - generated; }
    std::uint64_t draw() const { return slowest_of_run::draw(injected, source); }
};
/// Orders records with equal rank by what threads and processes do not change.
auto place_of(const record& r) {
    return std::tie(r.consumed, r.source, r.destination, r.injected, r.generated, r.message_class, r.flits,
                    r.hops);
}
bool is_slower(const record& a, const record& b) {
    return a.latency() != b.latency() ? a.latency() > b.latency() : place_of(a) < place_of(b);
}
bool is_drawn_before(const record& a, const record& b) {
    return a.draw() != b.draw() ? a.draw() < b.draw() : place_of(a) < place_of(b);
}

/// The first records of an order, at most so many.
template <bool (*is_before)(const record&, const record&)>
class first_records {
  public:
    explicit first_records(std::size_t most) : m_most(most) {}
    /// True if the record is among the first so far.
    bool wants(const record& r) const {
        return m_heap.size() < m_most || (m_most != 0 && is_before(r, m_heap.front()));
    }
    /// Adds a record that it wants(). Returns one that is no longer among the first, if there is one.
    std::optional<record> add(const record& r) {
        m_heap.push_back(r);
        std::push_heap(m_heap.begin(), m_heap.end(), is_before);
        if (m_heap.size() <= m_most) return std::nullopt;
        std::pop_heap(m_heap.begin(), m_heap.end(), is_before);
        const record last = m_heap.back();
        m_heap.pop_back();
        return last;
    }
    /// The last of the first records; null: there are fewer of them than asked for.
    const record* last() const { return m_heap.size() < m_most || m_most == 0 ? nullptr : &m_heap.front(); }
    std::vector<record> take() { return std::exchange(m_heap, {}); }
    std::vector<record> sorted() const {
        std::vector<record> all = m_heap;
        std::sort_heap(all.begin(), all.end(), is_before);
        return all;
    }
    void serialize(archive& a) { a(m_heap); }

  private:
    std::size_t m_most;
    std::vector<record> m_heap;  ///< a heap whose front is the last in the order
};

/// Numbers packets from the first cycle on, and chooses among those consumed in the measured window.
class slowest final : public statistic, public observer {
  public:
    slowest(const parameters& p, fabric& net)
        : m_asked(p),
          m_is_asked(!p.numbers.empty() || !p.messages.empty()),
          m_net(net),
          m_pool(net.view().packets()),
          m_messages(net.view().messages()),
          m_slowest(p.packets),
          m_sample(p.samples) {
        net.stepper().add_observer(*static_cast<observer*>(this));
    }
    ~slowest() override { m_net.stepper().remove_observer(*static_cast<observer*>(this)); }

    void start(cycle_t) override { m_measuring = true; }
    void stop(cycle_t) override { m_measuring = false; }

    void packet_injected(std::uint32_t, const packet& p, cycle_t) override {
        const std::size_t slot = slot_of(p);
        if (slot >= m_numbers.size()) m_numbers.resize(slot + slot / 2 + 64, ~std::uint64_t{0});
        m_numbers[slot] = m_packets++;
        if (!m_asked.messages.empty()) m_messages.of(p);
    }
    using statistic::packet_consumed;
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        // Most packets are neither slow nor drawn.
        const bool is_chosen = m_measuring && (now - p.generated >= m_least_latency ||
                                               draw(p.injected, p.route.source) <= m_last_draw);
        if (is_chosen || m_is_asked) take(p, now, is_chosen);
    }
    void message_consumed(const message_record& m, cycle_t) override { m_messages.message_consumed(m); }
    void packet_dropped(std::uint32_t, const packet& p, cycle_t) override { m_messages.packet_dropped(p); }

    void serialize(archive& a) override {
        a(m_measuring, m_packets, m_numbers, m_messages, m_slowest, m_sample, m_found);
        set_limits();
    }
    void add_up(world& all) override {
        m_numbered = false;
        record_file<record> mine;
        const std::vector<record> others = m_sample.take();
        for (const record& r : m_slowest.take()) mine.append(r);
        for (const record& r : others) mine.append(r);
        for (const auto& of_rank : gather_records(all, mine))
            of_rank.for_each([&](const record& r) { choose(r); });
    }
    void report(const reading&, run_result& out) const override {
        table t(form);
        for (const auto& [why, records] :
             {std::make_pair("slowest", m_slowest.sorted()), std::make_pair("sample", m_sample.sorted()),
              std::make_pair("asked", m_found)})
            for (const record& r : records) add_row(t, why, r);
        out.tables.emplace_back(file, t.text());
    }

  private:
    void take(const packet& p, cycle_t now, bool is_chosen) {
        const std::size_t slot = slot_of(p);
        const record r{slot < m_numbers.size() ? m_numbers[slot] : 0,
                       m_asked.messages.empty() ? 0 : m_messages.of(p),
                       p.generated,
                       p.injected,
                       now,
                       p.route.source,
                       p.route.destination,
                       p.flits,
                       p.hops,
                       m_net.view().messages()[p.message].what.message_class};
        const auto has = [](const config::number_set& asked, std::uint64_t n) {
            return n <= 0xffffffff && asked.contains(static_cast<std::uint32_t>(n));
        };
        if (has(m_asked.numbers, r.packet) || (!m_asked.messages.empty() && has(m_asked.messages, r.message)))
            m_found.push_back(r);
        if (is_chosen && m_asked.sources.contains(r.source) && m_asked.destinations.contains(r.destination))
            choose(r);
    }
    std::size_t slot_of(const packet& p) const { return static_cast<std::size_t>(&p - &m_pool[0]); }
    void choose(const record& r) {
        const std::optional<record> other = m_slowest.wants(r) ? m_slowest.add(r) : r;
        if (other && m_sample.wants(*other)) m_sample.add(*other);
        set_limits();
    }
    void set_limits() {
        if (const record* const last = m_slowest.last()) m_least_latency = last->latency();
        if (const record* const last = m_sample.last()) m_last_draw = last->draw();
    }
    void add_row(table& t, const char* why, const record& r) const {
        t.cell(why);
        m_numbered ? t.cell(r.packet) : t.no_cell();
        m_numbered && !m_asked.messages.empty() ? t.cell(r.message) : t.no_cell();
        t.counts({r.message_class, r.source, r.destination, r.flits, r.hops});
        t.counts({r.generated, r.injected, r.consumed, r.latency()});
        t.end_row();
    }

    const parameters m_asked;
    const bool m_is_asked;  ///< true: packets or messages are asked for by number
    fabric& m_net;
    const shared_pool<packet>& m_pool;
    cycle_t m_least_latency = 0;  ///< shorter ones are not among the slowest
    std::uint64_t m_last_draw = ~std::uint64_t{0};
    bool m_measuring = false, m_numbered = true;
    std::uint64_t m_packets = 0;           ///< injected so far
    std::vector<std::uint64_t> m_numbers;  ///< by slot
    message_numbers m_messages;            ///< used if messages are asked for
    first_records<is_slower> m_slowest;
    first_records<is_drawn_before> m_sample;
    std::vector<record> m_found;
};

config::schema<parameters> fields() {
    using p = parameters;
    config::schema<p> s;
    s.number("packets", &p::packets, 0, 1e6, "", "How many of the slowest.")
        .number("samples", &p::samples, 0, 1e6, "", "How many of all others, at random, to compare with.")
        .numbers("numbers", &p::numbers,
                 "These as well, by number in order of injection from 0, in the window or not.")
        .numbers("messages", &p::messages, "The packets of these messages as well, likewise.")
        .numbers("sources", &p::sources, "Only packets from these nodes.")
        .of_places("node")
        .numbers("destinations", &p::destinations, "Only packets to these nodes.")
        .of_places("node");
    return s;
}

const statistic_declaration declared{
    "slowest",
    "The slowest packets of the measured window, and a sample of the others: slowest.csv.",
    fields(),
    {},
    [](const parameters& p, const config::value& section, const statistic_context& c) {
        return new slowest(p, c.flit_level("slowest", section.where()));
    }};

}  // namespace
}  // namespace slowest_of_run
}  // namespace sare
