// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::renewal {
namespace {

struct parameters : timed_parameters {
    config::value gaps = config::value::scalar("exponential");
    parameters() { load = 0; }
};

/// A law of any gaps, in continuous time; a message is made in the cycle that its time falls into.
class renewal {
  public:
    static constexpr bool several = true;
    struct clock {
        rng random;
        double part = 0;  ///< time of the last message within its cycle
    };
    /// `scale`: factor of all gaps.
    renewal(std::shared_ptr<const gap_law> law, double scale) : m_law(std::move(law)), m_scale(scale) {}

    cycle_t first(clock& c, cycle_t from) const {
        c.part = 0;
        return from + next(c);
    }
    cycle_t next(clock& c) const {
        c.part = std::min(c.part + m_scale * m_law->draw(c.random), 0x1p62);
        return whole_cycles(c.part);
    }

  private:
    std::shared_ptr<const gap_law> m_law;
    double m_scale;
};

const config::registration<workload, const workload_context&> registered{
    "renewal",
    "Every node makes messages at gaps of any law, of the user's or fitted to a recording (open loop).",
    config::schema<parameters>()
        .include(timed_fields())
        .raw("gaps", &parameters::gaps, "gaps",
             "cycles between two messages of a node: the name of a law, or a section with it", resolve_gaps),
    [](const parameters& p, const config::value&, const workload_context& c) {
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, {c.folder, c.flit_bytes});
            const auto law = make_gaps(p.gaps, c.folder);
            // The load says how far apart messages are in the mean, else the law does.
            const double rate = p.load > 0 ? part * p.load / length->mean() : part / law->mean();
            return std::make_unique<timed_source<renewal>>(p, c.folder, std::move(length), rate,
                                                           renewal(law, 1 / (rate * law->mean())));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::renewal
