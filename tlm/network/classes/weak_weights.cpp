// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/weak_weights.h"

#include "tlm/network/experiment.h"
#include "tlm/router_api/class_vcs.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// Returns a value of a section as text; `usual` if it is not written.
std::string text_of(const config::value& section, const char* key, const char* usual) {
    const config::value* v = section.type() == config::value::kind::map ? section.find(key) : nullptr;
    return v == nullptr || v->type() != config::value::kind::scalar ? usual : v->text();
}

bool weighs(const config::value* arbiter, const char* usually_by) {
    return arbiter != nullptr && text_of(*arbiter, "name", "") == "weighted" &&
           text_of(*arbiter, "by", usually_by) == "class";
}

}  // namespace

/// A VC cannot ask while the packet behind the one that left gets its route and its VC.
std::string warning_of_weights(const experiment& e, const class_vcs& shares) {
    const config::value& router = e.router;
    if (router.type() != config::value::kind::map || text_of(router, "kind", "vc") != "vc") return "";
    if (!weighs(router.find("va_arbiter"), "input") && !weighs(router.find("sa_arbiter"), "input") &&
        !weighs(&e.nic.arbiter, "class"))
        return "";
    const bool ahead = text_of(router, "lookahead", "false") == "true";
    const std::uint32_t pause =
        static_cast<std::uint32_t>((ahead ? 0 : std::stoul(text_of(router, "rc_delay", "1"))) +
                                   std::stoul(text_of(router, "va_delay", "1")));
    for (std::uint32_t c = 0; c < shares.classes() && shares.classes() > 1; ++c)
        if (const std::uint32_t vcs = shares.own(c) + shares.shared(); vcs <= pause)
            return fmt::format(
                "message classes are weighed, and class {} has {}{}, of which each pauses {} cycles before a "
                "packet (rc_delay, va_delay): it may get less than its weight, which {} VCs a class get",
                c, vcs, vcs == 1 ? " VC" : " VCs", pause, pause + 1);
    return "";
}

}  // namespace sare
