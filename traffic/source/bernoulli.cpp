// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/geometric.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic {
namespace {

/// A message in every cycle with the same probability: geometric gaps.
class bernoulli {
  public:
    static constexpr bool several = false;
    struct clock {
        rng random;
    };
    explicit bernoulli(double probability) : m_gaps(probability) {}
    cycle_t first(clock& c, cycle_t from) const { return from - 1 + next(c); }
    cycle_t next(clock& c) const { return m_gaps.next(c.random); }

  private:
    geometric m_gaps;
};

const config::registration<workload, const workload_context&> registered{
    "bernoulli", "Every node makes a message in every cycle with the same probability (open loop).",
    config::schema<timed_parameters>()
        .include(timed_fields())
        .number("source_queue", &timed_parameters::source_queue, 0, 1 << 20, "messages",
                "a node makes no message while so many wait in it; 0: no limit"),
    [](const timed_parameters& p, const config::value& section, const workload_context& c) {
        auto length = make_length(p.length, c.folder);
        const double rate = message_probability(p.load, length->mean(), section);
        return new timed_source<bernoulli>(p, c.folder, std::move(length), rate,
                                           bernoulli(rate > 0 ? rate : 1));
    }};

}  // namespace
}  // namespace sare::traffic
