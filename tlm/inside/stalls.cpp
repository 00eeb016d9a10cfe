// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/observer.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/stall_finder.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <array>

/// Statistics of stalls by cause: cycles in which the flit at the front of an input VC waited.
namespace sare {
namespace {

struct stall_parameters {
    std::uint32_t interval = 1;
};

/// Names and texts in the order of stall_reason.
constexpr std::array<std::pair<const char*, const char*>, stall_reasons> reason_texts{
    {{"behind", "heads behind another packet in their FIFO."},
     {"vc", "every output VC that it might have was another packet's."},
     {"credit", "there was no room beyond, in the next router."},
     {"consumer", "there was no room beyond, in the node that it is for."},
     {"va", "an output VC was free for it, and it did not get one in this cycle."},
     {"switch", "it had output VC and credits, and another flit had the switch."},
     {"link", "the same, and the link was busy with a flit before, or asleep."},
     {"clock", "the router had no edge: its clock stood still, or was slow and the flit being worked on."}}};

/// Counts of one router: cycles by port, then class, then reason.
class stall_counts {
  public:
    stall_counts(std::uint64_t* counts, std::uint32_t classes) : m_counts(counts), m_classes(classes) {}
    void add(std::uint32_t port, std::uint32_t of_class, stall_reason why, std::uint64_t cycles) const {
        m_counts[(std::size_t{port} * m_classes + of_class) * stall_reasons +
                 static_cast<std::size_t>(why)] += cycles;
    }

  private:
    std::uint64_t* m_counts;
    std::uint32_t m_classes;
};

/// Looks at the input VCs of one router, in cycles of its clock: multiples of the interval count, and a few
/// before each show which packets are being worked on.
class router_stalls {
  public:
    router_stalls(const network_view& net, std::uint32_t router, std::uint32_t interval)
        : m_net(net),
          m_finder(net, router),
          m_interval(interval),
          m_lead(m_finder.pace().rc + m_finder.pace().va + m_finder.pace().flit + m_finder.link_cycles() + 2),
          m_inputs(m_finder.inputs()) {}

    /// Starts in cycle `now` of the network.
    void start(cycle_t now) {
        m_next = m_finder.clock().first_edge(now);
        m_fresh = false;
    }
    /// Ends cycle `t` of the network. `counts`: by port and cause.
    void cycle_over(cycle_t t, const stall_counts& counts) {
        if (!m_finder.clock().has_edge(t)) return;
        const cycle_t now = m_finder.clock().first_edge(t);
        if (now < m_next) return;
        count_as_before(now, counts);
        m_next = now + 1;
        const cycle_t phase = now % m_interval;
        if (phase != 0 && phase + m_lead < m_interval) {
            m_fresh = false;
            return;
        }
        if (!m_fresh) forget();
        look(now);
        m_fresh = true;
        if (phase == 0) count(now / m_interval, now / m_interval + 1, counts);
    }
    /// Stops before cycle `t` of the network.
    void stop(cycle_t t, const stall_counts& counts) {
        const cycle_t end = m_finder.clock().first_edge(t);
        if (m_next < end) count_as_before(end, counts);
    }
    /// Counts what is over before cycle `t` of the network.
    void settle(cycle_t t, const stall_counts& counts) {
        stop(t, counts);
        m_next = std::max(m_next, m_finder.clock().first_edge(t));
    }
    void packets_taken_out() { m_fresh = false; }

    void serialize(archive& a) { a(m_finder, m_inputs, m_next, m_fresh); }

  private:
    struct input {
        front_flit front;
        flit seen;          ///< front flit when last seen
        bool empty = true;  ///< true: nothing was seen
        /// State in the cycle looked at last:
        bool waits = false;
        bool came = false;  ///< true: a head came to the front, behind a packet that left
        stall_reason why = stall_reason::behind;
        std::uint8_t of_class = 0;
    };

    /// Counts cycles before `now` in which nothing has changed.
    void count_as_before(cycle_t now, const stall_counts& counts) {
        const auto samples_before = [this](cycle_t t) { return (t + m_interval - 1) / m_interval; };
        count(samples_before(m_next), samples_before(now), counts);
    }
    /// Counts the samples from `first` to before `end`, each of which stands for the interval that it begins.
    void count(cycle_t first, cycle_t end, const stall_counts& counts) {
        if (first == end) return;
        const cycle_t from = cycle_of_sample(first), to = cycle_of_sample(end), cycles = to - from,
                      stopped = m_finder.clock().cycles_stopped(from, to);
        for (std::uint32_t i = 0; i < m_inputs.size(); ++i) {
            input& in = m_inputs[i];
            if (in.empty) continue;
            const std::uint32_t port = i / m_finder.vcs();
            if (in.waits) counts.add(port, in.of_class, in.why, cycles - stopped);
            if (in.came)
                counts.add(port, in.of_class, stall_reason::behind, cycle_of_sample(first + 1) - from);
            else
                counts.add(port, in.of_class, stall_reason::clock,
                           in.waits ? stopped : cycles - (end - first) * m_interval);
            in.came = false;
            count_behind(i, port, cycles, counts);
        }
    }
    void count_behind(std::uint32_t i, std::uint32_t port, std::uint64_t cycles,
                      const stall_counts& counts) const {
        const std::uint32_t flits = m_finder.in(i).count;
        for (std::uint32_t n = 1; n < flits; ++n)
            if (const flit f = m_finder.buffered(i, n); f.is_head())
                counts.add(port, class_of(f), stall_reason::behind, cycles);
    }
    /// Network cycle in which sample n is taken.
    cycle_t cycle_of_sample(cycle_t n) const { return m_finder.clock().cycle_of(n * m_interval); }
    std::uint8_t class_of(const flit& f) const {
        return m_net.messages()[m_net.packets()[f.packet].message].what.message_class;
    }

    /// Begins anew: flits that are here may be worked on as if they had just come.
    void forget() {
        for (input& in : m_inputs) in = {};
        m_finder.forget();
    }
    void look(cycle_t now) {
        m_finder.begin_cycle(now);
        for (std::uint32_t i = 0; i < m_inputs.size(); ++i) look_at(i, now);
        m_finder.end_cycle();
    }
    void look_at(std::uint32_t i, cycle_t now) {
        input& in = m_inputs[i];
        in.waits = in.came = false;
        const in_vc seen = m_finder.in(i);
        if (seen.count == 0) return leave_empty(i, seen, in, now);
        const flit f = m_finder.buffered(i, 0);
        const bool stays = !in.empty && is_same(f, in.seen);
        if (!stays) come_to_front(in, f, in.empty ? now : now + 1);
        if (!in.front.whole) find_tail(i, seen, in, now);
        m_finder.find_output(i, seen, in.front, now);
        const auto cause = m_finder.reason(i, in.front, now);
        in.waits = cause.has_value();
        if (cause) in.why = cause->why;
    }
    void leave_empty(std::uint32_t i, const in_vc& seen, input& in, cycle_t now) const {
        if (!in.empty) in.front.last_sent = now;
        in.empty = true;
        if (in.front.out != front_flit::none && m_finder.out(in.front.out).owner != i)
            in.front.out = front_flit::none;
        // One that came and left in this cycle, and more of its packet is to come.
        if (seen.out >= m_finder.inputs() || m_finder.sent(seen.out) == 0) return;
        m_finder.find_output(i, seen, in.front, now);
        if (in.front.out == seen.out) in.front.last_sent = now;
    }
    static bool is_same(const flit& a, const flit& b) {
        return a.packet == b.packet && a.kind == b.kind && (a.is_head() || a.sequence == b.sequence);
    }
    /// Puts a flit at the front. If another was there before, it left in the cycle before `since`.
    void come_to_front(input& in, const flit& f, cycle_t since) {
        if (!in.empty) in.front.last_sent = since - 1;
        in.came = !in.empty && f.is_head();
        in.empty = false;
        in.seen = f;
        in.front.since = since;
        in.front.head = f.is_head();
        in.of_class = class_of(f);
        if (!f.is_head()) return;
        in.front.room = static_cast<std::uint16_t>(m_net.packets()[f.packet].flits);
        in.front.out = front_flit::none;
        in.front.whole = false;
    }
    void find_tail(std::uint32_t i, const in_vc& seen, input& in, cycle_t now) {
        if (!m_finder.pace().whole) return;
        for (std::uint32_t n = 0; n < seen.count && !in.front.whole; ++n)
            in.front.whole = m_finder.buffered(i, n).is_tail();
        in.front.tail_came = now;
    }
    const network_view& m_net;
    stall_finder m_finder;
    std::uint32_t m_interval, m_lead;
    std::vector<input> m_inputs;  ///< by port * VCs + VC
    cycle_t m_next = 0;           ///< first cycle that is not over
    bool m_fresh = false;         ///< true: the cycle before was looked at
};

class stalls final : public statistic, public cycle_observer {
  public:
    stalls(const stall_parameters& p, fabric& net) : m_net(net), m_classes(net.view().classes()) {
        const network_view& view = net.view();
        for (std::uint32_t r = 0; r < view.routers(); ++r) {
            m_first_port.push_back(m_ports);
            m_ports += view.ports(r);
            if (view.has_router(r)) m_routers.push_back({r, router_stalls(view, r, p.interval)});
        }
        m_first_port.push_back(m_ports);
        m_counts.resize(std::size_t{m_ports} * m_classes * stall_reasons);
    }
    ~stalls() override { look_away(); }

    void start(cycle_t now) override {
        for (auto& [r, watch] : m_routers) watch.start(now);
        look_on();
    }
    void stop(cycle_t now) override {
        if (!m_looks) return;
        if (now != 0) m_net.stepper().pass(now - 1);
        for (auto& [r, watch] : m_routers) watch.stop(now, counts_of(r));
        look_away();
    }
    std::vector<std::uint64_t> waits(cycle_t now) override {
        if (m_looks && now != 0) {
            m_net.stepper().pass(now - 1);
            for (auto& [r, watch] : m_routers) watch.settle(now, counts_of(r));
        }
        std::vector<std::uint64_t> all(m_ports);
        for (std::size_t k = 0; k < m_counts.size(); ++k)
            all[k / (std::size_t{m_classes} * stall_reasons)] += m_counts[k];
        return all;
    }
    /// Settles all cycles that are over before it writes.
    void serialize(archive& a) override {
        bool looks = m_looks;
        if (!a.reads() && looks) m_net.stepper().pass();
        a(looks, m_counts);
        for (auto& [r, watch] : m_routers) watch.serialize(a);
        if (a.reads() && looks) look_on();
    }
    void add_up(world& all) override { all.sum(m_counts.data(), m_counts.size()); }

    void cycle_over(cycle_t t) override {
        for (auto& [r, watch] : m_routers) watch.cycle_over(t, counts_of(r));
    }
    void packets_taken_out(cycle_t) override {
        for (auto& [r, watch] : m_routers) watch.packets_taken_out();
    }

    /// Sums a reason over input ports `begin` to before `end`, in order of routers.
    std::uint64_t sum(std::size_t begin, std::size_t end, stall_reason why) const {
        std::uint64_t all = 0;
        for (std::uint32_t c = 0; c < m_classes; ++c) all += sum(begin, end, c, why);
        return all;
    }
    std::uint64_t of_router(std::size_t r, stall_reason why) const {
        return sum(m_first_port[r], m_first_port[r + 1], why);
    }
    std::uint64_t of_class(std::uint32_t c, stall_reason why) const { return sum(0, m_ports, c, why); }
    std::uint64_t of_all(stall_reason why) const { return sum(0, m_ports, why); }

  private:
    void look_on() {
        if (!m_looks) m_net.stepper().add_observer(*this);
        m_looks = true;
    }
    void look_away() {
        if (m_looks) m_net.stepper().remove_observer(*this);
        m_looks = false;
    }
    std::uint64_t sum(std::size_t begin, std::size_t end, std::uint32_t of_class, stall_reason why) const {
        std::uint64_t all = 0;
        for (std::size_t port = begin; port < end; ++port)
            all += m_counts[(port * m_classes + of_class) * stall_reasons + static_cast<std::size_t>(why)];
        return all;
    }
    stall_counts counts_of(std::uint32_t r) {
        return {&m_counts[std::size_t{m_first_port[r]} * m_classes * stall_reasons], m_classes};
    }

    struct watched {
        std::uint32_t router;
        router_stalls watch;
    };

    fabric& m_net;
    const std::uint32_t m_classes;
    bool m_looks = false;
    std::uint32_t m_ports = 0;
    std::vector<std::uint32_t> m_first_port;  ///< by router; last: number of all
    std::vector<std::uint64_t> m_counts;      ///< by port, class, reason
    std::vector<watched> m_routers;           ///< routers of this process
};

/// Figures of the cycles of every cause, for each port, router and class, and for the run.
std::vector<figure> stall_figures() {
    std::vector<figure> all;
    for (int c = 0; c < stall_reasons; ++c) {
        const auto why = static_cast<stall_reason>(c);
        const std::string name = reason_texts[static_cast<std::size_t>(c)].first;
        const std::string waited =
            (why == stall_reason::behind ? "Cycles of waiting: "
                                         : "Cycles of input VCs in which the flit at the front waited: ") +
            std::string(reason_texts[static_cast<std::size_t>(c)].second);
        const auto add = [&](scope of, const std::string& under, auto count) {
            all.push_back({of, under + name, "cycles", waited, summing::total,
                           [count](const reading& r, const figure_place& p) {
                               return figure_cell(count(static_cast<const stalls&>(*r.own), p.row));
                           }});
        };
        add(scope::port, "stalls_",
            [why](const stalls& s, std::size_t row) { return s.sum(row, row + 1, why); });
        add(scope::router, "stalls_",
            [why](const stalls& s, std::size_t row) { return s.of_router(row, why); });
        add(scope::message_class, "stalls_", [why](const stalls& s, std::size_t row) {
            return s.of_class(static_cast<std::uint32_t>(row), why);
        });
        add(scope::run, "stalls.", [why](const stalls& s, std::size_t) { return s.of_all(why); });
    }
    return all;
}

const statistic_declaration stalls_declared{
    "stalls", "Cycles in which flits waited in input VCs, by cause: ports.csv, routers.csv, classes.csv.",
    config::schema<stall_parameters>().number(
        "interval", &stall_parameters::interval, 1, 1e9, "cycles",
        "from one look at the routers to the next, in their cycles, each for all of them; 1: exact"),
    stall_figures(), [](const stall_parameters& p, const config::value& section, const statistic_context& c) {
        return new stalls(p, c.flit_level("stalls", section.where()));
    }};

}  // namespace
}  // namespace sare
