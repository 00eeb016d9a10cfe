// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/region/level_governor.h"

#include <fmt/format.h>

#include <algorithm>

/// A governor by two thresholds with hysteresis between them, as ondemand governors of processors are.
namespace sare {
namespace threshold_governor {
namespace {

const bool named = (level_governor_registry::instance().name_kind(level_governor::kind, "name"), true);

struct parameters {
    double domain_load::*measure = &domain_load::occupancy;
    double up = 0.2, down = 0.05;
};

/// Goes to the level before, which is the faster one, above `up`, and to the next one below `down`.
class governor final : public level_governor {
  public:
    explicit governor(const parameters& p) : m_params(p) {}
    std::uint32_t next_level(const domain_load& load) override {
        const double seen = load.*m_params.measure;
        if (seen > m_params.up && load.level > 0) return load.level - 1;
        if (seen < m_params.down) return std::min(load.level + 1, load.levels - 1);
        return load.level;
    }

  private:
    const parameters m_params;
};

config::schema<parameters> fields() {
    using p = parameters;
    config::schema<p> s;
    s.choice("measure", &p::measure,
             {{"occupancy", &domain_load::occupancy}, {"utilisation", &domain_load::utilisation}},
             "Share of the places of input buffers that hold flits, or flits for each output and cycle.")
        .number("up", &p::up, 0, 1, "", "Above it the domain goes to the level before in the list.")
        .number("down", &p::down, 0, 1, "", "Below it the domain goes to the next level of the list.");
    return s;
}

const config::registration<level_governor> registered{
    "threshold", "Steps through the levels by two thresholds of the load, with hysteresis between them.",
    fields(), [](const parameters& p, const config::value& section) {
        if (p.down > p.up)
            throw config::error(section.where(),
                                fmt::format("governor 'threshold': 'down' is {}, which is above 'up', {}",
                                            config::number_text(p.down), config::number_text(p.up)));
        return new governor(p);
    }};

}  // namespace
}  // namespace threshold_governor
}  // namespace sare
