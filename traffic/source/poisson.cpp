// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/geometric.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::poisson {
namespace {

/// A law of exponential gaps in continuous time; a message is made in the cycle that its time falls into,
/// where another may have been made.
class poisson {
  public:
    static constexpr bool several = true;
    struct clock {
        rng random;
        double part = 0;  ///< time of the last message within its cycle
    };
    /// `rate`: messages per cycle.
    explicit poisson(double rate) : m_scale(-ln_2 / rate) {}

    cycle_t first(clock& c, cycle_t from) const {
        c.part = 0;
        return from + next(c);
    }
    cycle_t next(clock& c) const {
        c.part = std::min(c.part + log2_uniform(c.random) * m_scale, 0x1p62);
        return whole_cycles(c.part);
    }

  private:
    static constexpr double ln_2 = 0.6931471805599453;
    double m_scale;  ///< factor from log2 of a uniform number to cycles
};

const config::registration<workload, const workload_context&> registered{
    "poisson",
    "Every node makes messages at exponential gaps in continuous time, several in a cycle at times (open "
    "loop).",
    config::schema<timed_parameters>().include(timed_fields()),
    [](const timed_parameters& p, const config::value&, const workload_context& c) {
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, {c.folder, c.flit_bytes});
            const double rate = part * p.load / length->mean();
            return std::make_unique<timed_source<poisson>>(p, c.folder, std::move(length), rate,
                                                           poisson(rate));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::poisson
