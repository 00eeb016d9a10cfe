// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/on_off.h"

#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::on_off_source {
namespace {

struct parameters : timed_parameters {
    double on_cycles = 100;
    double off_cycles = 300;
};

double while_on(const parameters& p) {
    return p.load * (p.on_cycles + p.off_cycles) / p.on_cycles;
}

/// Throws unless a node makes at most a message in a cycle.
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
        check_load(p, make_length(p.length, {c.folder, c.flit_bytes})->mean(), section);
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, {c.folder, c.flit_bytes});
            const double on = part * while_on(p) / length->mean(), rate = part * p.load / length->mean();
            return std::make_unique<timed_source<on_off>>(p, c.folder, std::move(length), rate,
                                                          on_off(on > 0 ? on : 1, p.on_cycles, p.off_cycles));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::on_off_source
