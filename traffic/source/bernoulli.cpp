// SPDX-License-Identifier: Apache-2.0
#include "traffic/source/bernoulli.h"

#include "traffic/source/timed_source.h"

namespace sare::traffic::variants::bernoulli_source {
namespace {

const config::registration<workload, const workload_context&> registered{
    "bernoulli", "Every node makes a message in every cycle with the same probability (open loop).",
    config::schema<timed_parameters>()
        .include(timed_fields())
        .number("source_queue", &timed_parameters::source_queue, 0, 1 << 20, "messages",
                "a message is refused while so many wait in its node: it counts as generated; 0: no limit"),
    [](const timed_parameters& p, const config::value& section, const workload_context& c) {
        return in_classes(p.message_class, p.classes, [&](double part) {
            auto length = make_length(p.length, {c.folder, c.flit_bytes});
            const double rate = message_probability(part * p.load, length->mean(), section);
            return std::make_unique<timed_source<bernoulli>>(p, c.folder, std::move(length), rate,
                                                             bernoulli(rate > 0 ? rate : 1));
        });
    }};

}  // namespace
}  // namespace sare::traffic::variants::bernoulli_source
