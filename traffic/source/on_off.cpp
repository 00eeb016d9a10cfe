// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/geometric.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::on_off {
namespace {

struct parameters : timed_parameters {
    double on_cycles = 100;
    double off_cycles = 300;
};

/// A Markov chain of two states per node, of geometric lengths; messages as by bernoulli in the cycles that
/// are on. A node begins in the stationary state. Cost follows messages and times on (at most 1024 a
/// message), never cycles.
class on_off {
  public:
    static constexpr bool several = false;
    struct clock {
        rng random;
        cycle_t left = 0;  ///< cycles that are on from the next one
    };
    /// `probability` of a message in a cycle that is on; mean lengths from 1 cycle.
    on_off(double probability, double on, double off)
        : m_share(on / (on + off)),
          m_off_per_on(off / on),
          m_gaps(probability),
          m_on(1 / on),
          m_off(1 / off) {}

    cycle_t first(clock& c, cycle_t from) const {
        const cycle_t begin = c.random.bernoulli(m_share) ? from : from + m_off.next(c.random);
        c.left = m_on.next(c.random);
        return begin - 1 + next(c);
    }
    cycle_t next(clock& c) const {
        const cycle_t gap = m_gaps.next(c.random);  // in cycles that are on
        cycle_t on = gap, off = 0;
        for (int times = 0; on > c.left; ++times) {
            on -= c.left;
            off += m_off.next(c.random);
            c.left = m_on.next(c.random);
            if (times == most_times) {
                off += static_cast<cycle_t>(std::min(static_cast<double>(on) * m_off_per_on, 0x1p62));
                c.left += on - 1;
            }
        }
        c.left -= on;
        return std::min(gap + off, furthest);
    }

  private:
    static constexpr cycle_t furthest = cycle_t{1} << 62;  ///< later than any run lasts
    /// Times on without a message that are drawn one by one; what is left of such a gap is so long that its
    /// times off are taken at their mean, so that a message costs no more for being rare.
    static constexpr int most_times = 1024;
    double m_share;       ///< of the cycles that are on
    double m_off_per_on;  ///< cycles
    geometric m_gaps, m_on, m_off;
};

double while_on(const parameters& p) {
    return p.load * (p.on_cycles + p.off_cycles) / p.on_cycles;
}

/// A node makes no more than a message in a cycle.
void check_load(const parameters& p, double length, const config::value& section) {
    if (while_on(p) <= length) return;
    const config::value* v = section.find("load");
    throw config::error(v ? v->where() : section.where(),
                        "'load' is " + config::number_text(p.load) + ": " + config::number_text(while_on(p)) +
                            " while on, more than a message of " + config::number_text(length) +
                            " flits every cycle; at most " +
                            config::number_text(length * p.on_cycles / (p.on_cycles + p.off_cycles)));
}

const config::registration<workload, const workload_context&> registered{
    "on_off",
    "Every node is on and off by turns, for times of geometric length, and makes messages as by bernoulli "
    "while on (open loop).",
    config::schema<parameters>()
        .include(timed_fields())
        .number("on_cycles", &parameters::on_cycles, 1, 1e12, "cycles", "mean length of a time on")
        .number("off_cycles", &parameters::off_cycles, 1, 1e12, "cycles", "mean length of a time off"),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        check_load(p, make_length(p.length, c.folder)->mean(), section);
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, c.folder);
            const double on = part * while_on(p) / length->mean(), rate = part * p.load / length->mean();
            return std::make_unique<timed_source<on_off>>(p, c.folder, std::move(length), rate,
                                                          on_off(on > 0 ? on : 1, p.on_cycles, p.off_cycles));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::on_off
