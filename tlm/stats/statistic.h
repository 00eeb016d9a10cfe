// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/ids.h"
#include "tlm/config/registry.h"
#include "tlm/stats/figure.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Optional statistics, which a run takes if `measurement.statistics` names them. A run without them pays
/// nothing.
namespace sare {

class archive;
class counted_network;
struct packet;
class fabric;
class section_parts;
class statistic_set;
class world;

/// Network that a statistic is taken of.
struct statistic_context {
    const counted_network& counters;
    fabric* net = nullptr;                    ///< network of routers; null: the contention-free model
    std::uint32_t flit_bits = 0;              ///< bits of data that a flit carries
    const section_parts* sections = nullptr;  ///< checked sections of the experiment; null: none
    const statistic_set* others = nullptr;    ///< all statistics of the run
    /// Returns the network of routers, for a statistic `name` that needs one. Throws config::error at `at` if
    /// there is none.
    fabric& flit_level(const std::string& name, const config::location& at) const;
};

/// State of a statistic while a run goes on; its figures read it at the end.
class statistic {
  public:
    virtual ~statistic() = default;
    /// Begins the measured window, whose first cycle is `now`.
    virtual void start(cycle_t now) { (void)now; }
    /// Takes a sample at the end of an interval, before cycle `now`, in the measured window.
    virtual void sample(cycle_t now) { (void)now; }
    /// Ends the measured window before cycle `now`.
    virtual void stop(cycle_t now) { (void)now; }
    /// Returns the next cycle before which look() must be called, in the measured window or not; never: none.
    virtual cycle_t next_look() const { return workload::never; }
    /// Looks at the network before cycle next_look().
    virtual void look(cycle_t now) { (void)now; }
    /// True if packet_consumed() must be called for every packet that is consumed, in the measured window or
    /// not.
    virtual bool wants_packets() const { return false; }
    /// Takes a packet that is consumed in cycle `now`.
    virtual void packet_consumed(const packet& p, cycle_t now) { (void)p, (void)now; }
    /// Returns the cycles that flits have waited at every input port, router by router, from the start of the
    /// run to before cycle `now`; empty if the statistic does not count them.
    virtual std::vector<std::uint64_t> waits(cycle_t now) {
        (void)now;
        return {};
    }
    /// Writes or reads the counters of the statistic (docs/checkpoint.md).
    virtual void serialize(archive& a) = 0;
    /// Adds the counters of all processes at rank 0. All processes call together.
    virtual void add_up(world& all) = 0;
    /// Adds the tables of the statistic to `out`, whose links and nodes are already filled in.
    virtual void report(const reading& from, run_result& out) const { (void)from, (void)out; }
};

using statistic_registry = config::registry<statistic, const statistic_context&>;

/// Returns the figures of the statistic of a name; empty for an unknown name.
const std::vector<figure>& figures_of(const std::string& name);

/// What a statistic asks of the routers: nothing, or that they count events (network_view::events()).
enum class counting : std::uint8_t { nothing, events };

/// True if a statistic of the list `measurement.statistics` counts events.
bool counts_events(const config::value& list);

/// Declares a statistic with parameters `P` and its figures; nothing else has to know of it.
class statistic_declaration {
  public:
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
    /// Makes the statistics of a list `measurement.statistics`; null: none. Throws config::error for an
    /// unknown one, and for one that is named twice.
    statistic_set(const config::value& list, statistic_context context);
    statistic_set(const statistic_set&) = delete;  // statistics keep a pointer to it
    statistic_set& operator=(const statistic_set&) = delete;
    /// Adds a statistic that the caller owns, without figures of its own.
    void take(statistic& always) { m_always.push_back(&always); }
    void start(cycle_t now);
    void sample(cycle_t now);
    void stop(cycle_t now);
    /// Returns the earliest next_look() of all.
    cycle_t next_look() const;
    /// Calls look() of each statistic whose next_look() is `now` or earlier.
    void look(cycle_t now);
    /// True if some statistic wants packets; packet_consumed() calls these.
    bool wants_packets() const { return !m_of_packets.empty(); }
    void packet_consumed(const packet& p, cycle_t now) {
        for (statistic* s : m_of_packets) s->packet_consumed(p, now);
    }
    /// Returns statistic::waits() of the first statistic that counts them; empty: none does.
    std::vector<std::uint64_t> waits(cycle_t now) const;
    void add_up(world& all);
    void serialize(archive& a);
    /// Adds the figures and tables of all statistics to `out`.
    void read(reading from, run_result& out) const;

  private:
    struct one {
        std::string name;
        std::unique_ptr<statistic> what;
    };
    template <class F>
    void for_each(F&& f) const {
        for (const one& s : m_all) f(*s.what);
        for (statistic* s : m_always) f(*s);
    }
    std::vector<one> m_all;
    std::vector<statistic*> m_always;      ///< statistics of take()
    std::vector<statistic*> m_of_packets;  ///< statistics that want packets
};

}  // namespace sare
