// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/weak_weights.h"

#include "tlm/network/experiment.h"
#include "tlm/router_api/class_vcs.h"

namespace sare {
namespace {

/// The text of a parameter; `usual` where it is not written.
std::string text_of(const config::value& section, const char* key, const char* usual) {
    const config::value* v = section.type() == config::value::kind::map ? section.find(key) : nullptr;
    return v == nullptr || v->type() != config::value::kind::scalar ? usual : v->text();
}

bool weighs(const config::value* arbiter, const char* usually_by) {
    return arbiter != nullptr && arbiter->type() == config::value::kind::map &&
           text_of(*arbiter, "name", "") == "weighted" && text_of(*arbiter, "by", usually_by) == "class";
}

}  // namespace

/// A VC does not ask while the packet behind the one that has left gets its way and its VC.
std::string warning_of_weights(const experiment& e, const class_vcs& shares) {
    const config::value& router = e.router;
    if (shares.classes() < 2 || router.type() != config::value::kind::map) return "";
    const bool weighed = weighs(router.find("va_arbiter"), "input") ||
                         weighs(router.find("sa_arbiter"), "input") || weighs(&e.nic.arbiter, "class");
    const auto cycles = [&router](const char* delay) {
        return static_cast<std::uint32_t>(std::stoul(text_of(router, delay, "1")));
    };
    if (!weighed || text_of(router, "kind", "vc") != "vc") return "";
    const std::uint32_t pause =
        (text_of(router, "lookahead", "false") == "true" ? 0 : cycles("rc_delay")) + cycles("va_delay");
    for (std::uint32_t c = 0; c < shares.classes(); ++c) {
        const std::uint32_t vcs = shares.own(c) + shares.shared();
        if (vcs > pause) continue;
        return "message classes are weighed, and class " + std::to_string(c) + " has " + std::to_string(vcs) +
               (vcs == 1 ? " VC" : " VCs") + ", of which each pauses " + std::to_string(pause) +
               " cycles before a packet (rc_delay, va_delay): it cannot ask in every cycle, and may get less "
               "than its weight; " +
               std::to_string(pause + 1) + " VCs a class get it";
    }
    return "";
}

}  // namespace sare
