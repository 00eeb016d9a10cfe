// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/link_parameters.h"

#include "tlm/base/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare {
namespace {

const struct kind_of_topology {
    kind_of_topology() { topology_registry::instance().name_kind("topology", "topology"); }
} named;

}  // namespace

std::uint64_t link_picoseconds(double seconds) {
    return seconds > 0 ? static_cast<std::uint64_t>(std::llround(seconds * 1e12))
                       : link_attributes::in_cycles;
}

std::uint64_t link_decibits_per_second(double bandwidth) {
    return static_cast<std::uint64_t>(std::round(bandwidth * 10));
}

link_attributes link_parameters::link() const {
    const std::uint32_t own = link_width == 0 ? 1 : cycles_of_flit(flit_phits, link_width);
    link_attributes a{link_latency, std::max(link_cycles_per_flit, own), link_picoseconds(latency),
                      link_decibits_per_second(bandwidth)};
    a.idle = link_idle;
    a.wake = link_wake;
    a.bit_error_rate = link_bit_error_rate;
    a.flit_phits = flit_phits;
    a.latency_follows = latency > 0 && link_latency == 1;
    a.rate_follows = bandwidth > 0 && link_cycles_per_flit == 1 && link_width == 0;
    return a;
}

link_attributes link_parameters::node_link() const {
    link_attributes a = link();
    a.latency = node_link_latency;
    a.cycles_per_flit = 1;
    a.idle = a.wake = 0;
    a.bit_error_rate = 0;
    if (node_latency > 0)
        a.picoseconds = link_picoseconds(node_latency);
    else if (latency > 0 && node_link_latency != 1)
        a.picoseconds = link_attributes::in_cycles;
    else if (latency > 0 && !nodes_apart)
        a.picoseconds = 0;
    a.latency_follows = node_link_latency == 1 && a.picoseconds != link_attributes::in_cycles;
    return a;
}

config::schema<link_parameters> link_fields() {
    config::schema<link_parameters> fields;
    fields
        .number("link_latency", &link_parameters::link_latency, 1, most_link_cycles, "cycles",
                "time of a flit on a link between routers")
        .number("node_link_latency", &link_parameters::node_link_latency, 1, most_link_cycles, "cycles",
                "time of a flit on a link between a node and its router, either way")
        .number("link_cycles_per_flit", &link_parameters::link_cycles_per_flit, 1, most_link_cycles, "cycles",
                "time between two flits on a link between routers: above 1 for links narrower than a flit")
        .number("flit_phits", &link_parameters::flit_phits, 1, most_phits, "phits",
                "size of a flit, for links whose width is given")
        .number("link_width", &link_parameters::link_width, 0, most_phits, "phits per cycle",
                "width of links between routers: a flit takes flit_phits / link_width cycles, rounded up, "
                "and at least link_cycles_per_flit; 0: that alone")
        .number("link_bit_error_rate", &link_parameters::link_bit_error_rate, 0, most_bit_error_rate, "",
                "of each bit on links between routers; a flit has 8 x nic.flit_bytes bits")
        .number("link_wake", &link_parameters::link_wake, 0, most_wake_cycles, "cycles",
                "a link between routers can sleep, and a flit waits so long until it is awake; 0: it never "
                "sleeps")
        .number(
            "link_idle", &link_parameters::link_idle, 0, most_link_cycles, "cycles",
            "a link that can sleep does when it has carried nothing for so long; 0: only when it is told to")
        .number("latency", &link_parameters::latency, 0, most_link_seconds, "s, in whole ps",
                "latency of a link between routers as a time, of which cycles are made; a link_latency other "
                "than 1 beside it holds for flits; 0: link_latency")
        .number("node_latency", &link_parameters::node_latency, 0, most_link_seconds, "s, in whole ps",
                "latency of a link between a node and its router as a time; 0: node_link_latency, or where "
                "latency alone is given none, a cycle for flits (of trees, stages and the crossbar, whose "
                "nodes are not at routers: latency)")
        .number("bandwidth", &link_parameters::bandwidth, 0, most_bandwidth, "bit/s, in whole tenths",
                "of every link, and of it the cycles of a flit are made; link_cycles_per_flit other than 1, "
                "or link_width, beside it hold for flits; 0: a flit in link_cycles_per_flit");
    return fields;
}

std::string wrong_with(const link_attributes& a) {
    const auto beyond = [](const char* what, std::uint64_t is, std::uint64_t least, std::uint64_t most) {
        if (is >= least && is <= most) return std::string();
        return fmt::format("{} is {}; it must be from {} to {}", what, is, least, most);
    };
    for (std::string wrong :
         {beyond("latency", a.latency, 1, most_link_cycles),
          beyond("cycles_per_flit", a.cycles_per_flit, 1, most_link_cycles),
          beyond("clock", a.clock.cycles(), 1, most_clock), beyond("idle", a.idle, 0, most_link_cycles),
          beyond("wake", a.wake, 0, most_wake_cycles),
          beyond("synchroniser", std::max(a.synchroniser, a.credit_synchroniser), 0, most_synchroniser)})
        if (!wrong.empty()) return wrong;
    if (a.bit_error_rate >= 0 && a.bit_error_rate <= most_bit_error_rate) return "";
    return fmt::format("bit_error_rate is {}; it must be from 0 to {}", a.bit_error_rate,
                       most_bit_error_rate);
}

std::string list_text(const std::vector<std::uint32_t>& numbers) {
    return "[" + joined(numbers) + "]";
}

config::location place(const config::value& section, const char* key) {
    const config::value* v = section.type() == config::value::kind::map ? section.find(key) : nullptr;
    return v != nullptr ? v->where() : section.where();
}

}  // namespace sare
