// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/insee/params.h"

#include "tlm/router/arbiter/arbiter.h"

#include <tuple>

namespace sare {
namespace {

config::schema<phit_params> phit_fields() {
    using P = phit_params;
    config::schema<P> s;
    s.number("vcs", &P::vcs, 1, 16, "VCs", "Virtual channels per port.")
        .number("queue", &P::queue, 1, 1024, "packets", "Transit queue of one virtual channel.")
        .number("packet", &P::packet, 1, 4096, "phits",
                "Length of every packet; shorter ones are padded, longer messages cut.");
    config::add_chosen<arbiter>(s, "arbitration", &P::arbitration,
                                "Which of the packets that ask for an output VC gets it.");
    return s;
}

config::schema<direct_params> direct_fields() {
    using P = direct_params;
    config::schema<P> s;
    s.include(phit_fields())
        .choice("consumption", &P::consumption,
                {{"multiple", consumption_mode::multiple}, {"single", consumption_mode::single}},
                "A node takes a phit from every input in a cycle, or one packet at a time.")
        .choice("injection", &P::injection,
                {{"shortest", injection_policy::shortest},
                 {"dor", injection_policy::dor},
                 {"dor_shortest", injection_policy::dor_shortest},
                 {"shortest_profitable", injection_policy::shortest_profitable},
                 {"longest_path", injection_policy::longest_path}},
                "Which injection queue a packet waits in: the shortest; that of its first direction in "
                "dimension order; that one or, if it is full, the shortest; the shortest of its directions; "
                "that of the direction with most hops to go. All but the first have a queue a direction.")
        .number("injection_queues", &P::injection_queues, 1, 64, "queues",
                "Injection queues of a node, where there is not one a direction.")
        .number("injection_length", &P::injection_length, 1, 1024, "packets", "Each injection queue.")
        .choice("drop", &P::drop,
                {{"never", injection_drop::never},
                 {"head", injection_drop::head},
                 {"tail", injection_drop::tail}},
                "Packets that the network does not take: they wait; the first of an injection queue that "
                "finds no VC with room is dropped; what finds its injection queue full is dropped. One that "
                "is dropped counts as injected.")
        .number("transit_priority", &P::transit_priority, 0, 1, "",
                "IPR: in this fraction of the cycles no new packet gets a VC that one in transit asks for.")
        .number("local_bubble", &P::local_bubble, 0, 1024, "packets",
                "LBR: room that a new packet must leave in the queue of its VC here; at most a queue.")
        .number("global_limit", &P::global_limit, 0, 1, "",
                "GCC: no new packet while more than this fraction of all transit queues is full.")
        .number("global_interval", &P::global_interval, 1, 1e9, "cycles", "GCC: how often it is measured.");
    return s;
}

auto as_tuple(const phit_setting& p) {
    return std::tie(p.vcs, p.queue, p.packet, p.consumption, p.injection, p.injection_queues,
                    p.injection_length, p.drop, p.transit_priority, p.local_bubble, p.global_limit,
                    p.global_interval, p.flow, p.request);
}

}  // namespace

config::schema<dally_params> dally_params::fields() {
    return config::schema<dally_params>()
        .include(direct_fields())
        .choice(
            "policy", &dally_params::policy,
            {{"trc", dally_policy::trc},
             {"basic", dally_policy::basic},
             {"improved", dally_policy::improved},
             {"adaptive", dally_policy::adaptive}},
            "How VCs are used on a ring: VC 0 up to the wrap link and VC 1 after it; a VC for packets that "
            "cross it and one for others; others may use both; the same as an escape beside adaptive VCs.");
}

config::schema<bubble_params> bubble_params::fields() {
    return config::schema<bubble_params>()
        .include(direct_fields())
        .choice("request", &bubble_params::request,
                {{"oblivious", request_policy::oblivious},
                 {"random", request_policy::random},
                 {"shortest", request_policy::shortest},
                 {"smart", request_policy::smart}},
                "What a packet asks for: dimension order, along a dimension always the same VC; a random "
                "adaptive VC that has room, else the escape; the adaptive VC with most room, else the "
                "escape; in turn on along its dimension, the others, the escape.");
}

config::schema<multistage_params> multistage_params::fields() {
    return config::schema<multistage_params>()
        .include(phit_fields())
        .choice("routing", &multistage_params::routing,
                {{"static", tree_policy::fixed},
                 {"static_source", tree_policy::by_source},
                 {"adaptive", tree_policy::adaptive}},
                "The way up: told by the number of the source, in thin trees of the destination, as FSIN has "
                "it; by that of the source everywhere; or the port with most room.");
}

phit_setting::phit_setting(const dally_params& p) : direct_params(p) {
    flow = phit_flow::dateline;
    request = p.policy == dally_policy::adaptive ? request_policy::random : request_policy::any;
}

phit_setting::phit_setting(const bubble_params& p) : direct_params(p) {
    flow = phit_flow::bubble;
    request = p.request;
}

phit_setting::phit_setting(const multistage_params& p) {
    static_cast<phit_params&>(*this) = p;
    flow = phit_flow::tree;
    request = p.routing == tree_policy::adaptive ? request_policy::shortest : request_policy::any;
}

bool phit_setting::operator==(const phit_setting& o) const {
    const auto arbiter_of = [](const phit_setting& p) {
        return config::flow_style(config::resolve_chosen<arbiter>(p.arbitration, "arbitration"));
    };
    return as_tuple(*this) == as_tuple(o) && arbiter_of(*this) == arbiter_of(o);
}

}  // namespace sare
