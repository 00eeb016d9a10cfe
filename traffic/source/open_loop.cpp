// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/open_loop.h"

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (workload_registry::instance().name_kind("workload", "workload"), true);

}  // namespace

const config::schema<spatial_parameters>& spatial_fields() {
    static const auto fields =
        config::schema<spatial_parameters>()
            .raw("pattern", &spatial_parameters::pattern, "pattern",
                 "where messages go: a name or a section with name",
                 [](const config::value& v) { return pattern_registry::instance().resolve(v); })
            .raw("length", &spatial_parameters::length, "length",
                 "flits of a message: an integer, or a section with the name of a law", resolve_length);
    return fields;
}

std::unique_ptr<pattern> make_pattern(const config::value& v, const traffic_port& port,
                                      const std::string& folder) {
    return pattern_registry::instance().make(v, {port.nodes(), port.dims(), port.seed(), folder});
}

double message_probability(double load, double mean_length, const config::value& section) {
    const double p = load / mean_length;
    if (p <= 1) return p;
    const config::value* v = section.find("load");
    throw config::error(v ? v->where() : section.where(),
                        "'load' is " + config::number_text(load) + ", more than a message of " +
                            config::number_text(mean_length) + " flits every cycle; at most " +
                            config::number_text(mean_length));
}

}  // namespace sare::traffic
