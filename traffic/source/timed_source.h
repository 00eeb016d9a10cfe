// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/refusals.h"
#include "tlm/base/world.h"
#include "tlm/state/archive.h"
#include "traffic/source/open_loop.h"
#include "traffic/source/wheel.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace sare::traffic {

/// Parameters of sources that send at times of their own.
struct timed_parameters : spatial_parameters {
    /// Value of the key `classes`: a map from message class (0 to 15) to its share of the load; shares are
    /// divided by their sum. Null: all messages are of one class.
    config::value classes;
    double load = 0.1;  ///< offered load in flits per node and cycle, of all classes together
    /// Largest number of messages of a class in a node's source queue, with the one that is being injected; a
    /// message made while the queue is full is refused, but counted as generated. 0: no limit.
    std::uint32_t source_queue = 0;
    cycle_t start_cycle = 0;  ///< first cycle in which messages are made
    cycle_t stop_cycle = 0;   ///< first cycle in which no message is made any more; 0: messages are made to
                              ///< the end of the run
};

/// Returns the schema of timed_parameters without `source_queue`.
const config::schema<timed_parameters>& timed_fields();

/// An open-loop source: every sender generates messages at times given by a law of the gaps between them,
/// whether or not the network accepts them. A *sender* is a node, or, if there are several message classes, a
/// class of a node. While its source queue is full, a sender hands over no messages; their times and lengths
/// are recomputed from a copy of its clock (the state of its arrival process) when there is room, or when
/// they are counted. If `source_queue` is set, they are refused instead. Times and lengths are drawn from the
/// arrival stream; destinations from the packet stream, in the order of sending. The times of next messages
/// are in a timing wheel, so that idle senders cost nothing.
///
/// `Law` has a type `clock` with a member `rng random`, the arrival stream of a node; two functions,
/// `cycle_t first(clock&, cycle_t from)`, the cycle of the first message, not before `from`, and
/// `cycle_t next(clock&)`, the cycles from there to the next one; and a constant `several`: true if next()
/// may be 0, for messages of the same cycle. If a law also has `std::uint32_t flits(clock&)`, that is the
/// length of the message that is due.
template <class Law>
class timed_source : public workload, public open_loop_source, public refusing_workload {
  public:
    /// `rate`: messages per sender and cycle; 0: the source sends none, and `law` is not used. `length`: law
    /// of their lengths, not null; if `law` has flits(), only its mean and limits are used. `folder`: folder
    /// to which names of files are relative. `classes`: message classes that each node sends, each by a
    /// sender of its own.
    timed_source(timed_parameters p, std::string folder, std::unique_ptr<length_law> length, double rate,
                 Law law, std::vector<std::uint32_t> classes = {0})
        : m_parameters(std::move(p)),
          m_folder(std::move(folder)),
          m_length(std::move(length)),
          m_rate(rate),
          m_law(law),
          m_classes(std::move(classes)),
          m_stop(m_parameters.stop_cycle == 0 ? never : m_parameters.stop_cycle),
          m_window(m_parameters.source_queue == 0 ? backlog_window : m_parameters.source_queue) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_pattern = choose_pattern(port);
        m_count = port.nodes();
        m_nodes.resize(m_count * m_classes.size());
        if (const std::uint32_t packet = port.padded(1); packet != 1) {
            const double data = m_length->mean();
            m_length = padded(std::move(m_length), packet);
            m_padding = m_length->mean() / data;
        }
        if (m_parameters.source_queue != 0) m_refused.resize(m_nodes.size());
        m_fixed = m_length->fixed() && !says_length::value ? m_length->largest() : 0;
        m_plain = m_pattern->uniform() && m_fixed != 0 && m_count > 1 && m_classes.size() == 1;
        m_draft.flits = m_fixed;
        if (m_rate <= 0) return;
        m_wheel.reset(m_nodes, 8 / m_rate);
        const cycle_t first = std::max(m_parameters.start_cycle, port.first_cycle());
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            if (!port.is_here(node_of(i)) || m_pattern->silent(i)) continue;
            node& n = m_nodes[i];
            n.arrivals.random = rng(port.seed(), stream::arrival, i);
            n.packets = rng(port.seed(), stream::packet, i);
            n.credit = m_window;
            prepare(n.arrivals, i, port);
            n.when = m_law.first(n.arrivals, first);
            ++m_live;
            if (alive(n)) m_wheel.insert(i);
        }
    }

    cycle_t next_tick() const override { return m_wheel.next(); }

    void tick(cycle_t now) override { m_plain ? send_due<true>(now) : send_due<false>(now); }

    void queue_space(std::uint32_t at, std::uint32_t message_class) override {
        const std::uint32_t i = sender_of(at, message_class);
        node& n = m_nodes[i];
        const cycle_t now = m_port->now();
        if (m_parameters.source_queue != 0) {
            m_refused[i] += made_before(counted{n.arrivals, n.when, {}}, now).waiting;
            if (!m_backlogs.empty()) m_backlogs[i].waiting = {};
            n.when = m_law.first(n.arrivals, now);
            if (!alive(n)) return;
        }
        n.waits = false;
        n.credit = 0;
        while (n.when <= now) {
            if (n.credit == 0 && !refill(i, n)) return;
            const std::uint32_t flits = send<false>(i, n);
            if (!m_backlogs.empty() && m_backlogs[i].waiting.messages != 0) {
                --m_backlogs[i].waiting.messages;
                m_backlogs[i].waiting.flits -= flits;
            }
            n.when += m_law.next(n.arrivals);
            if (!alive(n)) return;
        }
        m_wheel.insert(i);
    }

    double expected_load() const override { return m_rate * m_length->mean(); }
    bool demand(std::uint32_t source, std::vector<double>& to) const override {
        if (!m_pattern->silent(source) && !m_pattern->shares(source, to)) return false;
        for (double& flits : to) flits *= m_padding;
        return true;
    }
    bool uniform() const override { return m_pattern->uniform(); }
    bool refuses() const override { return m_parameters.source_queue != 0; }
    void stop_at(cycle_t end) override {
        const cycle_t before = std::exchange(m_stop, std::min(m_stop, end));
        if (m_rate <= 0) return;
        m_wheel.reset(m_nodes, 8 / m_rate);
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            node& n = m_nodes[i];
            if (!m_port->is_here(node_of(i)) || m_pattern->silent(i) || n.when >= before) continue;
            if (alive(n) && !n.waits) m_wheel.insert(i);
        }
    }

    bool wants_deliveries() const override { return false; }
    bool runs_by_nodes() const override { return true; }
    bool finished() const override { return m_live == 0 && (m_stop != never || m_rate <= 0); }
    std::uint32_t largest_message() const override { return m_length->largest(); }

    generated_counts generated(cycle_t now) override {
        generated_counts all{m_sent_messages, m_fixed != 0 ? m_sent_messages * m_fixed : m_sent_flits};
        m_counted = now + 1;
        for (const generated_counts& r : m_refused) all += r;
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            if (!m_nodes[i].waits) continue;
            if (m_backlogs.empty()) m_backlogs.resize(m_nodes.size());
            m_backlogs[i] = made_before(counted_last(i), m_counted);
            all += m_backlogs[i].waiting;
        }
        return all;
    }

    generated_counts backlog_of(std::uint32_t at, std::uint32_t message_class) const override {
        const std::uint32_t i = sender_of(at, message_class);
        return refuses() || i >= m_backlogs.size() || !m_nodes[i].waits ? generated_counts{}
                                                                        : m_backlogs[i].waiting;
    }

    generated_counts refused_of(std::uint32_t at, std::uint32_t message_class) const override {
        const std::uint32_t i = sender_of(at, message_class);
        return i >= m_refused.size() ? generated_counts{} : refused_before(i, m_counted);
    }

    void add_up(world& all) override {
        const std::uint64_t here = refused_messages();
        m_refused_elsewhere = all.sum(here) - here;
    }

    config::value results() const override {
        config::value out = config::value::map({});
        if (m_parameters.source_queue != 0)
            out.set("refused_messages", config::number(refused_messages() + m_refused_elsewhere));
        return out;
    }

    void serialize(archive& a) override {
        a(m_nodes, m_wheel, m_live, m_draft, m_sent_messages, m_sent_flits, m_backlogs, m_refused);
        if (m_pattern != nullptr) m_pattern->serialize(a);
        m_length->serialize(a);
    }

  protected:
    /// @name Setters of the tag and class of the message that is due and of all later ones, for use in
    /// pattern::destination()
    void set_tag(std::uint64_t tag) { m_draft.tag = tag; }
    void set_class(std::uint32_t message_class) { m_draft.message_class = message_class; }
    /// Returns the message that is due; in pattern::destination() all of it is known but the destination.
    const message& due() const { return m_draft; }
    /// Called once for each sender `i` that may send, before first() of its clock `arrivals`: sets the clock
    /// up.
    virtual void prepare(typename Law::clock& arrivals, std::uint32_t i, const traffic_port& port) {
        (void)arrivals, (void)i, (void)port;
    }
    /// Returns the state of the arrival process of sender i, up to its next message.
    const typename Law::clock& clock_of(std::uint32_t i) const { return m_nodes[i].arrivals; }
    /// @name Senders: the node of sender i, and the index of its class in the constructor's `classes`
    std::uint32_t node_of(std::uint32_t i) const { return m_classes.size() == 1 ? i : i % m_count; }
    std::uint32_t place_of(std::uint32_t i) const { return m_classes.size() == 1 ? 0 : i / m_count; }
    /// Calls f(clock), with the clock as it is at the message, for every message generated before cycle
    /// `until` that waits for room in its source queue. Draws no lengths.
    template <class F>
    void for_each_waiting(cycle_t until, F f) const {
        for (const node& n : m_nodes) {
            if (!n.waits) continue;
            typename Law::clock arrivals = n.arrivals;
            for (cycle_t when = n.when; when < std::min(until, m_stop); when += m_law.next(arrivals))
                f(arrivals);
        }
    }
    /// Returns the pattern. Its functions are called with the number of a sender in the place of the source
    /// node.
    virtual std::unique_ptr<pattern> choose_pattern(const traffic_port& port) {
        return make_pattern(m_parameters, port, m_folder);
    }

  private:
    template <class L, class = void>
    struct has_flits : std::false_type {};
    template <class L>
    struct has_flits<
        L, std::void_t<decltype(std::declval<const L&>().flits(std::declval<typename L::clock&>()))>>
        : std::true_type {};
    using says_length = has_flits<Law>;
    /// Type that exists only for clocks that are not trivially copyable, and so serialize themselves.
    template <class Clock>
    using if_not_plain = std::enable_if_t<!std::is_trivially_copyable_v<Clock>, int>;

    /// Largest number of messages of a sender in its node's source queue if that has no limit; further
    /// messages are only counted, and made when there is room.
    static constexpr std::uint32_t backlog_window = 16;

    /// State of one sender.
    struct alignas(64) node {
        typename Law::clock arrivals;  ///< state of the law of gaps and lengths, up to the next message to be
                                       ///< sent
        rng packets;                   ///< random stream of destinations
        cycle_t when = 0;              ///< cycle in which the next message to be sent is generated
        std::uint32_t link = 0;        ///< link of the record in the timing wheel
        std::uint32_t credit = 0;  ///< number of messages for which the source queue has room without asking
                                   ///< again
        bool waits = false;        ///< true: the sender waits for a call of queue_space()

        template <class Archive, class Clock = typename Law::clock, if_not_plain<Clock> = 0>
        void serialize(Archive& a) {
            a(arrivals, packets, when, link, credit, waits);
        }
    };

    /// The messages of a waiting sender that have been counted, and its clock behind the last of them, which
    /// is ahead of node::arrivals.
    struct counted {
        typename Law::clock arrivals;
        cycle_t when = 0;
        generated_counts waiting;

        template <class Archive, class Clock = typename Law::clock, if_not_plain<Clock> = 0>
        void serialize(Archive& a) {
            a(arrivals, when, waiting);
        }
    };

    std::uint32_t next_length(typename Law::clock& arrivals) const {
        if constexpr (says_length::value)
            return m_port->padded(m_law.flits(arrivals));
        else
            return m_length->next(arrivals.random);
    }

    /// Returns the number of the sender of a node and class; a number that no sender has if the node does not
    /// send this class.
    std::uint32_t sender_of(std::uint32_t at, std::uint32_t message_class) const {
        std::uint32_t place = 0;
        while (place < m_classes.size() && m_classes[place] != message_class) ++place;
        return place * m_count + at;
    }

    /// Sets the credit of a sender to the room in its source queue; returns false, and has queue_space()
    /// called later, if there is no room.
    bool refill(std::uint32_t i, node& n) {
        const std::uint32_t from = node_of(i), its_class = m_classes[place_of(i)];
        const std::uint32_t queued = m_port->queued_of(from, its_class);
        if (queued < m_window) {
            n.credit = m_window - queued;
            return true;
        }
        n.waits = true;
        m_port->call_when_queued(from, its_class,
                                 m_parameters.source_queue == 0 ? backlog_window / 2 : m_window - 1);
        return false;
    }

    /// Returns the last count of the messages of waiting sender `i`; if none have been counted, a count of no
    /// messages with the sender's own clock.
    counted counted_last(std::uint32_t i) const {
        if (!m_backlogs.empty() && m_backlogs[i].waiting.messages != 0) return m_backlogs[i];
        return {m_nodes[i].arrivals, m_nodes[i].when, {}};
    }
    /// Returns the count `b` continued with the messages that the law makes before cycle `until`, or m_stop
    /// if that is earlier.
    counted made_before(counted b, cycle_t until) const {
        for (; b.when < std::min(until, m_stop); b.when += m_law.next(b.arrivals))
            b.waiting += generated_counts{1, next_length(b.arrivals)};
        return b;
    }
    /// Returns the number of messages of sender `i`, and of their flits, refused before cycle `until`.
    generated_counts refused_before(std::uint32_t i, cycle_t until) const {
        generated_counts all = m_refused[i];
        if (m_nodes[i].waits) all += made_before(counted_last(i), until).waiting;
        return all;
    }
    std::uint64_t refused_messages() const {
        std::uint64_t messages = 0;
        for (std::uint32_t i = 0; i < m_refused.size(); ++i)
            messages += refused_before(i, m_port->now() + 1).messages;
        return messages;
    }

    template <bool Plain>
    void send_due(cycle_t now) {
        m_wheel.take(now, [this, now](std::uint32_t i, node& n) {
            do {
                if (n.credit == 0 && !refill(i, n)) return false;
                send<Plain>(i, n);
                n.when = now + m_law.next(n.arrivals);
            } while (Law::several && n.when == now);
            return alive(n);
        });
    }

    /// Hands the message that is due to the network and returns its length in flits. `Plain`: value of
    /// m_plain.
    template <bool Plain>
    std::uint32_t send(std::uint32_t i, node& n) {
        --n.credit;
        message& m = m_draft;
        m.source = Plain ? i : node_of(i);
        if (!Plain && m_fixed == 0) m_sent_flits += m.flits = next_length(n.arrivals);
        m.generated = n.when;
        m.destination = Plain ? other_node_of(i, m_count, n.packets) : m_pattern->destination(i, n.packets);
        ++m_sent_messages;
        m_port->send(m);
        return m.flits;
    }

    /// Returns true if the next message is generated before m_stop; else takes the sender out of m_live. Call
    /// at most once after each draw.
    bool alive(const node& n) {
        if (n.when < m_stop) return true;
        --m_live;
        return false;
    }

    timed_parameters m_parameters;
    std::string m_folder;
    std::unique_ptr<length_law> m_length;
    double m_padding = 1;  ///< mean length with padding of the NICs, as a multiple of the mean without
    double m_rate;         ///< messages per sender and cycle; 0: none
    Law m_law;
    std::vector<std::uint32_t> m_classes;
    cycle_t m_stop;          ///< first cycle in which no message is generated; never: no such cycle
    std::uint32_t m_window;  ///< largest number of messages of a class that are handed to a node's source
                             ///< queue
    traffic_port* m_port = nullptr;
    std::unique_ptr<pattern> m_pattern;
    std::uint32_t m_count = 0;  ///< number of nodes
    std::uint32_t m_fixed = 0;  ///< length of every message in flits; 0: lengths are drawn
    bool m_plain = false;  ///< true: all messages have one length, each node is one sender, and the pattern
                           ///< is other_node()
    std::vector<node> m_nodes;  ///< senders: all nodes of the first class, then all nodes of the second, and
                                ///< so on
    wheel<node> m_wheel;
    std::uint64_t m_live = 0;  ///< number of senders whose next message is before m_stop
    message m_draft;           ///< last message sent; the next one differs in few members
    std::uint64_t m_sent_messages = 0;
    std::uint64_t m_sent_flits = 0;   ///< flits of the messages whose length was drawn
    std::vector<counted> m_backlogs;  ///< count of each sender that waits, as the last generated() left it;
                                      ///< empty: none has waited yet
    std::vector<generated_counts> m_refused;  ///< messages of each sender refused by a full source queue;
                                              ///< empty: queues have no limit
    cycle_t m_counted = 0;  ///< cycle before which the last generated() has counted all messages
    std::uint64_t m_refused_elsewhere = 0;  ///< messages refused in other processes
};

}  // namespace sare::traffic
