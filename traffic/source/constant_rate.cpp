// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::constant_rate {
namespace {

enum class phase { random, common };

struct parameters : timed_parameters {
    phase begin = phase::random;
};

/// A law of a message every `period` cycles, which need not be whole: message k falls into the cycle that
/// holds the time phase + k period.
class constant_rate {
  public:
    static constexpr bool several = true;
    struct clock {
        rng random;
        double part = 0;  ///< time of the last message within its cycle
    };
    constant_rate(double period, phase begin) : m_period(std::min(period, 0x1p62)), m_begin(begin) {}

    cycle_t first(clock& c, cycle_t from) const {
        c.part = m_begin == phase::random ? c.random.uniform() * m_period : margin;
        return from + whole_cycles(c.part);
    }
    cycle_t next(clock& c) const {
        c.part += m_period;
        return whole_cycles(c.part);
    }

  private:
    /// Part of a cycle: rounding of a period shall not put a message into the cycle before.
    static constexpr double margin = 0x1p-20;
    double m_period;
    phase m_begin;
};

const config::registration<workload, const workload_context&> registered{
    "constant_rate", "Every node makes a message each so many cycles: mean length / load (open loop).",
    config::schema<parameters>()
        .include(timed_fields())
        .choice("phase", &parameters::begin, {{"random", phase::random}, {"common", phase::common}},
                "random: every node begins at a time of its own in the first period; common: all in the "
                "first cycle"),
    [](const parameters& p, const config::value&, const workload_context& c) {
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, {c.folder, c.flit_bytes});
            const double rate = part * p.load / length->mean();
            return std::make_unique<timed_source<constant_rate>>(p, c.folder, std::move(length), rate,
                                                                 constant_rate(1 / rate, p.begin));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::constant_rate
