// SPDX-License-Identifier: Apache-2.0
#include "cosim/cosim_params.h"

#include "tlm/api/section_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {
namespace {

const section_registration<cosim_params> cosim_section{"cosim", 40, "Routers in RTL."};

}  // namespace

std::string cosim_params::rtl_of(std::uint32_t router) const {
    if (rtl.type() != config::value::kind::map) return rtl.text();
    for (const auto& [routers, its] : rtl.entries())
        if (config::to_number_set(config::value::scalar(routers, its.where()), "cosim.rtl").contains(router))
            return its.text();
    return own_router;
}

std::vector<std::string> cosim_params::kinds() const {
    if (rtl.type() != config::value::kind::map) return {rtl.text()};
    std::vector<std::string> all;
    for (const auto& [routers, its] : rtl.entries()) all.push_back(its.text());
    return all;
}

void cosim_params::check(const config::value*) {
    if (rtl.type() == config::value::kind::list)
        throw config::error(rtl.where(),
                            "'cosim.rtl' must be a text, or a map such as {0-3: a.so, 4-15: b.so}");
    if (rtl.type() != config::value::kind::map) return;
    if (rtl.entries().empty())
        throw config::error(rtl.where(),
                            "'cosim.rtl' is an empty map; write such as {0-3: a.so, 4-15: b.so}");
    std::vector<config::number_set> known;
    for (const auto& [routers, its] : rtl.entries()) {
        const auto set = config::to_number_set(config::value::scalar(routers, its.where()), "cosim.rtl");
        if (its.type() != config::value::kind::scalar)
            throw config::error(its.where(), "'cosim.rtl." + routers + "' must be a library or sare_router");
        for (const config::number_set& other : known)
            for (const auto& [first, last] : other.ranges)
                for (const auto& [from, to] : set.ranges)
                    if (first <= to && from <= last)
                        throw config::error(
                            its.where(), fmt::format("cosim.rtl has router {} twice", std::max(first, from)));
        known.push_back(set);
    }
}

config::schema<cosim_params> cosim_params::fields() {
    using p = cosim_params;
    config::schema<p> s;
    s.numbers("replace", &p::replace, "Routers that are RTL: all, numbers, ranges such as 0-3.")
        .of_places("router")
        .numbers("shadow", &p::shadow,
                 "Routers with RTL beside the model, compared pin for pin; the model carries the traffic.")
        .of_places("router")
        .numbers("nics", &p::nics, "Nodes whose network interface is RTL.")
        .of_places("node")
        .numbers("shadow_nics", &p::shadow_nics,
                 "Nodes whose network interface has RTL beside it, compared pin for pin.")
        .of_places("node")
        .raw("rtl", &p::rtl, "text or map",
             "Which RTL: sare_router, or the library (.so) of a router of your own; or a map from routers to "
             "these.")
        .include(hardware_params::fields());
    return s;
}

}  // namespace sare::cosim
