// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/model.h"

#include "tlm/config/checked.h"
#include "tlm/router/vc/layout_choice.h"
#include "tlm/router_api/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare {
namespace {

const struct kinds_of_router {
    kinds_of_router() {
        router_registry::instance().name_kind("router kind", "kind");
        router_registry::instance().set_default("vc", "router");
    }
} named;

const config::registration<router_model> registered_vc(
    "vc", "The pipelined virtual-channel router, with credits; RTL of it exists.", router_params::fields(),
    [](const router_params& p, const config::value& section) {
        return std::make_unique<vc_model>(p, section.where());
    });

const router_params& vc_params_of(const router_instance& p) {
    return static_cast<const vc_model*>(p.model)->params();
}

/// Throws config::error, at `at`, for what does not go with a shared buffer.
void check_shared(const router_params& p, const config::location& at) {
    const auto refuse = [&at](const std::string& why) {
        throw config::error(at, "router.buffers is shared, and " + why);
    };
    if (p.reserved > p.depth)
        refuse(
            fmt::format("router.reserved is {}; it must be from 0 to router.depth, {}", p.reserved, p.depth));
    if (p.switching != switching_mode::wormhole && p.flow != overflow_rule::pfc)
        refuse("router.switching is not wormhole: a VC cannot keep places of a pool for a whole packet");
    if (p.reallocation == reallocation_rule::atomic)
        refuse("router.reallocation is atomic, which is for VCs with buffers of their own; take tail");
    if (p.output_speedup > 1)
        refuse(fmt::format(
            "router.output_speedup is {}: two flits for one port in a cycle could take the same place",
            p.output_speedup));
    if (p.most_flits() > 0xffff)
        refuse(fmt::format("the buffer of a port has {} places; 65535 are the most", p.vcs * p.depth));
}

/// Throws config::error, at `at`, for what does not go with pauses.
void check_pauses(const router_params& p, const config::location& at) {
    const bool shares = p.buffers == buffer_policy::shared;
    const auto refuse = [&at](const std::string& why) {
        throw config::error(at, "router.flow_control is pfc, and " + why);
    };
    if (shares && p.reserved == 0)
        refuse("router.reserved is 0: a VC that holds nothing would pause; take 1 or more");
    if (p.headroom + (shares ? p.reserved : 1) > p.depth)
        refuse(fmt::format("router.headroom, {}, leaves too few of router.depth, {}; a VC needs {} beside it",
                           p.headroom, p.depth, shares ? "'reserved'" : "one"));
    if (p.reallocation == reallocation_rule::atomic) refuse("router.reallocation is atomic; take tail");
    if (p.forking != forking_rule::none) refuse("packets may fork; take 'forking: none'");
    if (p.credit_batch > 1 || !p.pipelined || p.output_speedup > 1)
        refuse(
            "flits or credits wait for their link; take 'credit_batch: 1', 'pipelined: true', "
            "'output_speedup: 1'");
}

/// Throws config::error if a pause would come too late for what is on its way to a router.
void check_headroom(const router_context& net, std::uint32_t router, std::uint32_t ports,
                    const router_params& p) {
    for (std::uint32_t q = 0; p.flow == overflow_rule::pfc && q < ports; ++q) {
        const connection* c = net.link_into(router, q);
        if (c == nullptr) continue;
        const std::string port = fmt::format("port {} of router {}", q, router);
        if (net.cycles_per_flit(*c) > 1 || c->link.wake != 0)
            throw config::error("router.flow_control is pfc, and the link into " + port +
                                " takes no flit in some cycles; make it one a cycle, awake");
        const auto [forward, backward] = net.delays_of(*c);
        const std::uint32_t packet = net.max_packet(), needed = forward + backward + packet - 2;
        if (p.headroom < needed)
            throw config::error(
                fmt::format("router.headroom is {}; {} needs {}: a round trip of {} cycles and a packet of "
                            "{} flits, less 2",
                            p.headroom, port, needed, forward + backward, packet));
    }
}

/// Throws config::error, at `at`, for what does not go with packets that fork.
void check_forking(const router_params& p, const config::location& at) {
    const auto refuse = [&at](const std::string& parameter, const std::string& value) {
        throw config::error(at, "router.forking does not go with router." + parameter + "; take " + value);
    };
    if (p.buffers == buffer_policy::shared) refuse("buffers: shared", "private");
    if (!p.pipelined) refuse("pipelined: false", "true");
    if (p.speculative) refuse("speculative: true", "false");
    if (p.iterations != 1) refuse("iterations above 1", "1");
    if (p.input_speedup != 1 || p.output_speedup != 1) refuse("input_speedup or output_speedup above 1", "1");
    if (compiled(p.va_allocator) != compiled_allocator::input_first ||
        compiled(p.sa_allocator) != compiled_allocator::input_first)
        refuse("va_allocator or sa_allocator of this name", "input_first");
    if (config::name_of<arbiter>(p.va_arbiter) != "round_robin" ||
        config::name_of<arbiter>(p.sa_arbiter) != "round_robin")
        refuse("va_arbiter or sa_arbiter of this name", "round_robin");
}

/// Throws config::error if a head must find room for its whole packet, and a buffer is too small for the
/// largest one.
void check_packet_fits(const router_context& net, const router_params& p) {
    if (p.switching == switching_mode::wormhole || net.max_packet() <= p.depth) return;
    throw config::error(fmt::format(
        "router.depth is {}, but with {} switching a buffer must hold a whole packet: nic.max_packet_flits "
        "is {}",
        p.depth, p.switching == switching_mode::store_and_forward ? "store_and_forward" : "cut_through",
        net.max_packet()));
}

/// Throws config::error for a router with more VC numbers than its sets have.
void check_size(std::uint32_t ports, const router_params& p) {
    const std::uint32_t each = std::max({p.vcs, p.input_speedup, p.output_speedup});
    if (ports * each > vc_shape::most_numbers)
        throw config::error(
            fmt::format("a router of kind vc has {} ports with {} VCs, or inputs or outputs of the crossbar, "
                        "each: {} together; {} are the most",
                        ports, each, ports * each, vc_shape::most_numbers));
}

/// Routers that may share a bank, and what they have in common.
struct alike {
    const router_params& params;
    std::uint32_t ports = 0;
    bool slow_links = false, compact = false;
    std::uint32_t domain = 0;
    std::vector<std::uint32_t> routers;
    vc_shape shape;

    bool takes(const router_instance& p, const router_params& its, bool slow, bool is_compact) const {
        return ports == p.ports && domain == p.domain && slow_links == slow && compact == is_compact &&
               (&params == &its || config::same_parameters(params, its));
    }
};

}  // namespace

vc_model::vc_model(const router_params& params, const config::location& at) : m_params(params) {
    config::check_ranges(params, "router");
    if (params.flow == overflow_rule::pfc) check_pauses(params, at);
    if (params.buffers == buffer_policy::shared) check_shared(params, at);
    if (params.forking != forking_rule::none) check_forking(params, at);
    if (params.wake != 0 && params.forking != forking_rule::none)
        throw config::error(at,
                            "'wake' lets routers go off, which count the flits that come and go, and by "
                            "'forking' more go than come; leave out one of them");
}

bool vc_model::foresees_from_lists() const {
    const router_params& p = m_params;
    return p.effective_rc_delay() == 1 && p.va_delay == 1 && !p.speculative && p.input_speedup == 1 &&
           p.reallocation == reallocation_rule::tail && p.switching == switching_mode::wormhole &&
           compiled(p.va_allocator) == compiled_allocator::input_first &&
           compiled(p.sa_allocator) == compiled_allocator::input_first;
}

router_terms vc_model::terms() const {
    router_terms t;
    t.vcs = m_params.vcs;
    t.most_ports = most_ports;
    t.depth = m_params.most_flits();
    t.pool = m_params.pool();
    t.pauses = m_params.rule();
    t.counts_pools = m_params.switching == switching_mode::wormhole &&
                     m_params.reallocation == reallocation_rule::tail && m_params.output_speedup == 1 &&
                     m_params.forking == forking_rule::none;
    if (m_params.buffers == buffer_policy::shared) {
        t.sharing = buffer_sharing::per_port;
        t.reserved_places = m_params.reserved;
    } else {
        t.sharing = buffer_sharing::per_vc;
    }
    t.flit_delay = m_params.sa_delay + m_params.st_delay;
    t.input_delay = m_params.input_delay();
    t.credit_delay = m_params.credit_delay + m_params.input_delay();
    t.credit_batch = m_params.credit_batch;
    t.whole_packets = m_params.switching != switching_mode::wormhole;
    t.requires_empty_buffer = m_params.reallocation == reallocation_rule::atomic;
    t.forks = m_params.forking != forking_rule::none;
    t.forks_at_once = m_params.forking == forking_rule::synchronous;
    t.conserves_packets = t.thread_safe = !t.forks;
    t.looks_ahead = m_params.lookahead;
    return t;
}

switch_rates vc_model::rates() const {
    const std::uint32_t period = std::max(1U, m_params.sa_delay);  // from one flit of an input VC to the next
    const double per_output = m_params.pipelined ? 1 : std::min(1.0, 1.0 * m_params.output_speedup / period);
    return {per_output, 1.0 / period};
}

std::shared_ptr<const router_model> make_router_model(const router_params& params) {
    return std::make_shared<vc_model>(params);
}

bool vc_model::equals(const router_model& other) const {
    return other.kind() == kind() &&
           config::same_parameters(m_params, static_cast<const vc_model&>(other).m_params);
}

const router_params& vc_params(const router_model& model, std::uint32_t number, const std::string& what,
                               const config::location& where) {
    if (const auto* vc = dynamic_cast<const vc_model*>(&model)) return vc->params();
    throw config::error(where, fmt::format("router {} is of kind {}; {} exists for kind vc only", number,
                                           model.kind(), what));
}

std::vector<std::unique_ptr<router_bank>> vc_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    std::vector<alike> groups;
    layout_choice choice(net);
    for (const router_instance& p : all) {
        const router_params& params = vc_params_of(p);
        const bool slow = has_slow_links(net, p.router, p.ports);
        const bool compact = choice.is_compact(params, p.router, p.ports);
        check_headroom(net, p.router, p.ports, params);
        const auto takes = [&](const alike& g) { return g.takes(p, params, slow, compact); };
        auto group = std::find_if(groups.rbegin(), groups.rend(), takes);
        if (group == groups.rend()) {
            check_packet_fits(net, params);
            check_size(p.ports, params);
            groups.push_back(
                {params, p.ports, slow, compact, p.domain, {}, shape_of(net, params, p.ports, slow)});
            group = groups.rbegin();
            if (compact) choice.add(group->shape);
        }
        group->routers.push_back(p.router);
    }
    choice.decide();
    std::vector<std::unique_ptr<router_bank>> banks;
    for (const alike& g : groups)
        banks.push_back(choice.make(choice.layout_of(g.shape, g.compact), g.shape, vc_model(g.params).terms(),
                                    g.routers));
    return banks;
}

}  // namespace sare
