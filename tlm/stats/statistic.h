// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/ids.h"
#include "tlm/config/registry.h"
#include "tlm/stats/figure.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Optional statistics, which a run takes if `measurement.statistics` names them. A run without them pays
/// nothing.
namespace sare {

class archive;
class counted_network;
struct message_record;
struct packet;
class fabric;
class section_parts;
class statistic_set;
class world;

/// The network of which a statistic is taken.
struct statistic_context {
    const counted_network& counters;          ///< counters of the network
    fabric* net = nullptr;                    ///< network of routers; null: the contention-free model
    std::uint32_t flit_bits = 0;              ///< bits of data that a flit carries
    const section_parts* sections = nullptr;  ///< sections of the experiment, already checked; null: none
    const statistic_set* others = nullptr;    ///< all statistics of the run
    /// Returns the cycles from generation to arrival of a message that has the network for itself; 0: the
    /// network loses it. The first call builds a contention-free model. Empty if messages end in combiners,
    /// which add up messages at routers (combiner_network).
    std::function<cycle_t(const message&)> idle_latency{};
    /// Returns the network of routers. `name`: name of the statistic, for the error. Throws config::error at
    /// `at` in the contention-free model, which has none.
    fabric& flit_level(const std::string& name, const config::location& at) const;
};

/// An optional statistic of a run, in a statistic_set, while the run goes on. Its figures read it at the end.
class statistic {
  public:
    virtual ~statistic() = default;
    /// Begins the measured window, whose first cycle is `now`.
    virtual void start(cycle_t now) { (void)now; }
    /// Takes a sample before cycle `now`, at the end of each interval of the measured window, such as a
    /// batch; intervals may differ in length.
    virtual void sample(cycle_t now) { (void)now; }
    /// Ends the measured window before cycle `now`.
    virtual void stop(cycle_t now) { (void)now; }
    /// Returns the next cycle before which look() must be called, in the measured window or not;
    /// workload::never: none.
    virtual cycle_t next_look() const { return workload::never; }
    /// Looks at the network before cycle `now`, which is next_look() or later; must move next_look() on.
    virtual void look(cycle_t now) { (void)now; }
    /// True if packet_consumed() must be called for every packet that is consumed, in the measured window or
    /// not. Asked once, after construction.
    virtual bool wants_packets() const { return false; }
    /// Takes a packet that is consumed in cycle `now`.
    virtual void packet_consumed(const packet& p, cycle_t now) { (void)p, (void)now; }
    /// True if message_consumed() must be called for every message of which the last packet is consumed, in
    /// the measured window or not. Asked once, after construction.
    virtual bool wants_messages() const { return false; }
    /// Takes a message whose last packet is consumed in cycle `now`.
    virtual void message_consumed(const message_record& m, cycle_t now) { (void)m, (void)now; }
    /// Returns the cycles that flits have waited at each input port in the measured window until before cycle
    /// `now`: all ports of router 0, then of router 1, ... Empty if the statistic does not count them.
    virtual std::vector<std::uint64_t> waits(cycle_t now) {
        (void)now;
        return {};
    }
    /// Writes or reads the counters of the statistic, for checkpoints (docs/checkpoint.md).
    virtual void serialize(archive& a) = 0;
    /// Adds the counters of all processes together; afterwards rank 0 has the sums. All processes must call.
    virtual void add_up(world& all) = 0;
    /// Adds the tables of the statistic to `out`, whose link_loads and node_loads are already filled in.
    virtual void report(const reading& from, run_result& out) const { (void)from, (void)out; }
};

/// Statistics by name, for the list measurement.statistics.
using statistic_registry = config::registry<statistic, const statistic_context&>;

/// Returns the figures that the statistic named `name` declares; empty for an unknown name.
const std::vector<figure>& figures_of(const std::string& name);

/// Work that a statistic asks of the routers. nothing: none; events: counting of their events
/// (network_view::events()), which costs time.
enum class counting : std::uint8_t { nothing, events };

/// True if some statistic of `list`, the value of `measurement.statistics`, makes routers count events; false
/// if `list` is null. Throws config::error for an unknown statistic.
bool counts_events(const config::value& list);

/// Declares a statistic and its figures by a constant in its source file; nothing else has to know of it.
class statistic_declaration {
  public:
    /// Declares statistic `name`, explained by `sentence`. `fields`: schema of its parameters `P`. `figures`:
    /// its figures. make(parameters, section, context) returns a new statistic, which the caller owns. Names
    /// that a statistic, or a figure that every run has, already has are errors, see config::name_taken().
    template <class P, class Make>
    statistic_declaration(const std::string& name, std::string_view sentence, const config::schema<P>& fields,
                          std::vector<figure> figures, Make make, counting counts = counting::nothing) {
        set(name, std::move(figures), counts);
        config::registration<statistic, const statistic_context&>(name, sentence, fields, std::move(make));
    }

  private:
    static void set(const std::string& name, std::vector<figure> figures, counting counts);
};

/// The optional statistics of a run.
class statistic_set {
  public:
    /// Makes the statistics of the list `measurement.statistics`; none if `list` is null. Throws
    /// config::error for an unknown statistic, and for one that is named twice.
    statistic_set(const config::value& list, statistic_context context);
    statistic_set(const statistic_set&) = delete;  // statistics keep a pointer to it
    statistic_set& operator=(const statistic_set&) = delete;
    /// Adds a statistic that the caller owns and that must outlive the set, without figures: only start(),
    /// sample(), stop(), add_up() and serialize() reach it.
    void take(statistic& always) { m_always.push_back(&always); }
    void start(cycle_t now);   ///< calls start() of each statistic
    void sample(cycle_t now);  ///< calls sample() of each statistic
    void stop(cycle_t now);    ///< calls stop() of each statistic
    /// Returns the earliest next_look() of all statistics of the list; workload::never: none.
    cycle_t next_look() const;
    /// Calls look() of each statistic of the list whose next_look() is `now` or earlier.
    void look(cycle_t now);
    /// True if some statistic wants packets.
    bool wants_packets() const { return !m_of_packets.empty(); }
    /// Passes a packet that is consumed in cycle `now` to the statistics that want packets.
    void packet_consumed(const packet& p, cycle_t now) {
        for (statistic* s : m_of_packets) s->packet_consumed(p, now);
    }
    /// True if some statistic wants messages.
    bool wants_messages() const { return !m_of_messages.empty(); }
    /// Passes a message whose last packet is consumed in cycle `now` to the statistics that want messages.
    void message_consumed(const message_record& m, cycle_t now) {
        for (statistic* s : m_of_messages) s->message_consumed(m, now);
    }
    /// Returns statistic::waits() of the first statistic of the list that counts waits; empty if none does.
    std::vector<std::uint64_t> waits(cycle_t now) const;
    void add_up(world& all);     ///< calls add_up() of each statistic
    void serialize(archive& a);  ///< calls serialize() of each statistic
    /// Appends the figures and tables of all statistics of the list to `out`. `from.own` is not used.
    void read(reading from, run_result& out) const;

  private:
    /// A statistic of the list, with its name in the list.
    struct one {
        std::string name;
        std::unique_ptr<statistic> what;
    };
    template <class F>
    void for_each(F&& f) const {
        for (const one& s : m_all) f(*s.what);
        for (statistic* s : m_always) f(*s);
    }
    std::vector<one> m_all;                 ///< statistics of the list, in its order
    std::vector<statistic*> m_always;       ///< statistics of take()
    std::vector<statistic*> m_of_packets;   ///< statistics that want packets
    std::vector<statistic*> m_of_messages;  ///< statistics that want messages
};

}  // namespace sare
