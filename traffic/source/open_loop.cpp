// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/open_loop.h"

#include "tlm/topology/composite/planes.h"
#include "traffic/source/timed_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (workload_registry::instance().name_kind("workload", "workload"), true);

/// A pattern without the messages that a node would send to itself.
class to_others final : public pattern {
  public:
    explicit to_others(std::unique_ptr<pattern> all) : m_all(std::move(all)) {}
    std::uint32_t destination(std::uint32_t source, rng& random) override {
        std::uint32_t d = source;  // the only node there may be, if there is no other in a thousand draws
        for (int n = 0; n < 1000 && d == source; ++n) d = m_all->destination(source, random);
        return d;
    }
    bool silent(std::uint32_t source) const override {
        const auto* fixed = dynamic_cast<const permutation*>(m_all.get());
        return m_all->silent(source) || (fixed != nullptr && fixed->of(source) == source);
    }
    bool shares(std::uint32_t source, std::vector<double>& to) const override {
        std::vector<double> all(to.size(), 0);
        if (!m_all->shares(source, all)) return false;
        const double others = 1 - all[source];
        if (others <= 0) {
            to[source] += 1;
            return true;
        }
        for (std::uint32_t d = 0; d < to.size(); ++d)
            if (d != source) to[d] += all[d] / others;
        return true;
    }
    void serialize(archive& a) override { m_all->serialize(a); }

  private:
    std::unique_ptr<pattern> m_all;
};

/// Throws config::error if the network is of planes and the pattern sends from one to another. In very large
/// networks looks at the first sources alone.
void check_planes(const pattern& p, const traffic_port& port, const config::value& section) {
    const topology* const net = port.map();
    const auto* const shape = net == nullptr ? nullptr : dynamic_cast<const planes_shape*>(net->shape());
    if (shape == nullptr || net->nodes() != port.nodes()) return;
    constexpr std::uint32_t most_pairs = 1U << 26;
    const std::uint32_t sources = std::min(port.nodes(), most_pairs / port.nodes() + 1);
    std::vector<double> to;
    for (std::uint32_t s = 0; s < sources; ++s) {
        if (p.silent(s)) continue;
        to.assign(port.nodes(), 0);
        if (!p.shares(s, to)) return;
        const planes_shape::plane& here = shape->of_node(s);
        for (std::uint32_t d = 0; d < port.nodes(); ++d)
            if (const planes_shape::plane& there = shape->of_node(d); to[d] > 0 && &there != &here)
                throw config::error(
                    section.where(),
                    fmt::format("the pattern sends from node {} in plane {} to node {} in plane {}, and no "
                                "link joins planes; choose a pattern that stays within them, or workload "
                                "'applications' with one in each",
                                s, shape->number_of(here), d, shape->number_of(there)));
    }
}

}  // namespace

const config::schema<spatial_parameters>& spatial_fields() {
    static const auto fields =
        config::schema<spatial_parameters>()
            .raw("pattern", &spatial_parameters::pattern, "pattern",
                 "where messages go: a name or a section with name",
                 [](const config::value& v) { return pattern_registry::instance().resolve(v); })
            .raw("length", &spatial_parameters::length, "length",
                 "flits of a message: an integer, or a section with the name of a law", resolve_length)
            .flag("to_self", &spatial_parameters::to_self,
                  "false: a node that the pattern would have send to itself sends nothing")
            .raw("class", &spatial_parameters::message_class, "integer",
                 "message class of what it sends; of a source that has several the first one");
    return fields;
}

const config::schema<timed_parameters>& timed_fields() {
    static const auto fields =
        config::schema<timed_parameters>()
            .raw("classes", &timed_parameters::classes, "map of numbers",
                 "the share of the load of each message class, such as {0: 0.8, 1: 0.2}; they sum up to 1, "
                 "or are in proportion")
            .number("load", &timed_parameters::load, 0, 1e6, "flits/node/cycle", "offered load")
            .include(spatial_fields())
            .number("start_cycle", &timed_parameters::start_cycle, 0, 1e15, "cycles", "no message before")
            .number("stop_cycle", &timed_parameters::stop_cycle, 0, 1e15, "cycles",
                    "no message from then on; 0: never stops");
    return fields;
}

std::unique_ptr<pattern> make_pattern(const spatial_parameters& p, const traffic_port& port,
                                      const std::string& folder) {
    auto made = pattern_registry::instance().make(
        p.pattern, {port.nodes(), port.dims(), port.seed(), folder, port.names()});
    check_planes(*made, port, p.pattern);
    if (p.to_self || made->uniform()) return made;
    return std::make_unique<to_others>(std::move(made));
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
