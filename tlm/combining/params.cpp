// SPDX-License-Identifier: Apache-2.0
#include "tlm/combining/params.h"

#include "tlm/api/section_registry.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare {
namespace {

const section_registration<combining_params> combining_section{
    "combining", 25, "A combiner at each router, for collectives that are done in the network."};

}  // namespace

config::schema<combining_params> combining_params::fields() {
    using p = combining_params;
    config::schema<p> s;
    s.number("entries", &p::entries, 0, 1 << 20, "packets",
             "Partial sums that a combiner can hold; 0: there are no combiners.")
        .choice("when_full", &p::when_full, {{"forward", full_table::forward}, {"block", full_table::block}},
                "A packet that finds no entry goes on uncombined, or packets wait at their sources until "
                "their group has entries left.")
        .number("groups", &p::groups, 1, 1 << 20, "groups",
                "With when_full: block, groups of tasks that share a combiner's entries in equal parts.")
        .number("ports", &p::ports, 1, most_ports - 1, "",
                "Of a combiner at its router; neighbours and nodes take turns with them.")
        .number("latency", &p::latency, 1, 1'000'000, "cycles",
                "From the last flit of a packet in a combiner until what it sends is in its source queue.")
        .number("cycles_per_flit", &p::cycles_per_flit, 1, 65535, "cycles",
                "In which a port of a combiner takes a flit.");
    return s;
}

void combining_params::check(const config::value*) {
    if (on() && share() == 0)
        throw config::error(
            at,
            fmt::format("'combining.groups' is {}, and 'entries' is {}: each group needs an entry at least",
                        groups, entries));
}

std::string combining_params::needs_one_process() const {
    return on() ? "'combining' adds up at routers of all of them" : "";
}

}  // namespace sare
