// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/causes.h"

#include <algorithm>
#include <iterator>

namespace sare {

/// The table of docs/congestion.md.
const congestion_cause& cause_of(congestion_root::reason why, std::string_view kind) {
    using reason = congestion_root::reason;
    static constexpr congestion_cause all[] = {
        {reason::busy, "router", "it carries all that it can", "links.cycles_per_flit", "a wider link"},
        {reason::busy, "ejection", "the link to the node carries all that it can", "links.cycles_per_flit",
         "a wider link to the node"},
        {reason::busy, "injection", "the link from the node carries all that it can", "links.cycles_per_flit",
         "a wider link from the node"},
        {reason::consumer, "", "the node takes nothing", "nic.ejection_depth", "a deeper ejection buffer"},
        {reason::circle, "", "links hold each other up in a circle", "router.vcs", "more VCs"},
        {reason::vcs, "", "its VCs are held by packets that wait elsewhere", "router.vcs", "more VCs"},
        {reason::atomic, "", "its VCs are given again only when all their credits are back",
         "router.reallocation", "giving VCs again after the tail"},
        {reason::credits, "ejection", "its buffers are short for the round trip of a credit",
         "nic.ejection_depth", "a deeper ejection buffer"},
        {reason::credits, "", "its buffers are short for the round trip of a credit", "router.depth",
         "deeper buffers"},
        {reason::pace, "", "the switch takes a flit of an input VC only every so many cycles",
         "router.sa_delay", "a faster switch"},
        {reason::allocator, "", "flits are ready, and the allocator does not choose them",
         "router.sa_allocator", "a better allocator"},
        {reason::input, "", "flits are ready, and the switch takes one flit of an input port at a time",
         "router.input_speedup", "more inputs of the switch for each port"},
        {reason::pipeline, "", "packets are in the stages before the switch", "router.rc_delay",
         "a shorter pipeline"},
        {reason::clock, "", "it carries all that it can at the clock of its domain", "domains",
         "a faster clock"},
    };
    return *std::find_if(std::begin(all), std::end(all), [&](const congestion_cause& c) {
        return c.why == why && (*c.kind == '\0' || kind == c.kind);
    });
}

std::string parameter_for(const congestion_root& root, std::string_view kind) {
    const std::string path = cause_of(root.why, kind).parameter;
    return root.why == congestion_root::reason::clock ? path + "." + root.domain : path;
}

}  // namespace sare
