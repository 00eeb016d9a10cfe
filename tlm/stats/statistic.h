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

/// Statistics that a run takes where `measurement.statistics` names them: they look on while it goes on, and
/// a run that does not ask for them pays nothing.
namespace sare {

class archive;
class counted_network;
struct packet;
class fabric;
class section_parts;
class statistic_set;
class world;

/// The network that a statistic is taken of.
struct statistic_context {
    const counted_network& counters;
    fabric* net = nullptr;  ///< null: the contention-free model
    std::uint32_t flit_bits = 0;
    const section_parts* sections = nullptr;  ///< of the experiment, checked; null: none
    const statistic_set* others = nullptr;    ///< that are taken, too
    /// Or config::error at `at`: of what has no routers and links `name` cannot be taken.
    fabric& flit_level(const std::string& name, const config::location& at) const;
};

/// What is kept of a statistic while a run goes on; its figures read it in the end.
class statistic {
  public:
    virtual ~statistic() = default;
    /// The measured window begins with cycle `now`.
    virtual void start(cycle_t now) { (void)now; }
    /// An interval of the run, at whose end buffers are sampled, is over before cycle `now`.
    virtual void sample(cycle_t now) { (void)now; }
    /// The window ends before cycle `now`.
    virtual void stop(cycle_t now) { (void)now; }
    /// The next cycle before which it looks at the network, in the measured window or not; never: none.
    virtual cycle_t next_look() const { return workload::never; }
    /// Before cycle next_look().
    virtual void look(cycle_t now) { (void)now; }
    /// Told of every packet that comes to its node, in the measured window or not: packet_consumed().
    virtual bool wants_packets() const { return false; }
    virtual void packet_consumed(const packet& p, cycle_t now) { (void)p, (void)now; }
    /// Of one that counts how long flits wait: the cycles at every input port, router by router, up to before
    /// cycle `now`; else nothing.
    virtual std::vector<std::uint64_t> waits(cycle_t now) {
        (void)now;
        return {};
    }
    /// Writes what it has counted, or reads it (docs/checkpoint.md).
    virtual void serialize(archive& a) = 0;
    /// Of several processes each has counted in its part: rank 0 gets the sums.
    virtual void add_up(world& all) = 0;
    /// Adds the tables of its own to `out`, whose links and nodes are known.
    virtual void report(const reading& from, run_result& out) const { (void)from, (void)out; }
};

using statistic_registry = config::registry<statistic, const statistic_context&>;

/// The figures of a statistic, by its name.
const std::vector<figure>& figures_of(const std::string& name);

/// Declares a statistic with parameters `P`, and its figures: the one place that knows of it.
class statistic_declaration {
  public:
    template <class P, class Make>
    statistic_declaration(const std::string& name, std::string_view sentence, const config::schema<P>& fields,
                          std::vector<figure> figures, Make make) {
        set(name, std::move(figures));
        config::registration<statistic, const statistic_context&>(name, sentence, fields, std::move(make));
    }

  private:
    static void set(const std::string& name, std::vector<figure> figures);
};

/// The statistics that a run was asked for: `list` holds a section or a name each.
class statistic_set {
  public:
    statistic_set(const config::value& list, statistic_context context);
    statistic_set(const statistic_set&) = delete;  // they know each other by it
    statistic_set& operator=(const statistic_set&) = delete;
    /// Takes one, too, that the caller keeps and whose figures are not declared with it.
    void take(statistic& always) { m_always.push_back(&always); }
    void start(cycle_t now);
    void sample(cycle_t now);
    void stop(cycle_t now);
    /// The next one of any.
    cycle_t next_look() const;
    /// Those look whose cycle it is.
    void look(cycle_t now);
    /// Whether any wants them, and tells those.
    bool wants_packets() const { return !m_of_packets.empty(); }
    void packet_consumed(const packet& p, cycle_t now) {
        for (statistic* s : m_of_packets) s->packet_consumed(p, now);
    }
    /// Of the first of them that counts such.
    std::vector<std::uint64_t> waits(cycle_t now) const;
    void add_up(world& all);
    void serialize(archive& a);
    /// Adds their figures to the columns of `out`, and their tables.
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
    std::vector<statistic*> m_always, m_of_packets;
};

}  // namespace sare
