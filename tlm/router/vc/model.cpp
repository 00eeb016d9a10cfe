// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/model.h"

#include "tlm/config/checked.h"
#include "tlm/router/vc/bank.h"
#include "tlm/router/vc/implementation.h"
#include "tlm/router_api/registry.h"

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
    [](const router_params& p, const config::value&) { return std::make_unique<vc_model>(p); });

const router_params& vc_params_of(const router_instance& p) {
    return static_cast<const vc_model*>(p.model)->params();
}

/// The words of the arbiters of a router: rows of them as vc_step has them.
void place_words(vc_shape& s, const router_context& net) {
    const std::uint32_t n = s.in_vcs, x = s.crossbar_inputs, y = s.crossbar_outputs;
    const auto place = [&](const arbiter* policy, std::uint32_t row, std::uint32_t arbiters,
                           std::uint32_t size) {
        if (policy == nullptr) return;
        s.words_of[row] = {s.words, policy->words({size, s.ports, net.classes()})};
        s.words += arbiters * s.words_of[row].each;
    };
    place(s.va_arbiter.get(), 0, n, s.vcs);
    place(s.va_arbiter.get(), 1, n, n);
    for (std::uint32_t bank = 0; bank < (s.params.speculative ? 2u : 1u); ++bank) {
        place(s.sa_arbiter.get(), 2 + bank, x, s.vcs);
        place(s.sa_arbiter.get(), 4 + bank, y, x);
        place(s.sa_arbiter.get(), 6 + bank, x, y);
    }
}

std::shared_ptr<const arbiter> unless_round_robin(const config::value& chosen) {
    if (config::name_of<arbiter>(chosen) == "round_robin") return nullptr;
    return config::make_chosen<arbiter>(chosen);
}

std::shared_ptr<const allocator> unless_compiled(const config::value& chosen) {
    if (compiled(chosen) != compiled_allocator::none) return nullptr;
    return config::make_chosen<allocator>(chosen);
}

vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links) {
    vc_shape s;
    s.params = p;
    s.va_arbiter = unless_round_robin(p.va_arbiter);
    s.sa_arbiter = unless_round_robin(p.sa_arbiter);
    s.va_allocator = compiled(p.va_allocator);
    s.sa_allocator = compiled(p.sa_allocator);
    s.va_policy = unless_compiled(p.va_allocator);
    s.sa_policy = unless_compiled(p.sa_allocator);
    s.ports = ports;
    s.vcs = p.vcs;
    s.in_vcs = ports * p.vcs;
    s.rc = p.effective_rc_delay();
    s.va = p.va_delay;
    s.sa = p.sa_delay;
    s.crossbar_inputs = ports * p.input_speedup;
    s.crossbar_outputs = ports * p.output_speedup;
    s.slow_links = slow_links;
    s.queued_links = slow_links || p.output_speedup > 1 || (!p.pipelined && p.st_delay > 1);
    s.batched = net.batched();
    s.common_case = p.pipelined && !s.slow_links && !s.queued_links && !s.batched && p.iterations == 1 &&
                    p.output_speedup == 1 && s.va_arbiter == nullptr && s.sa_arbiter == nullptr &&
                    s.va_policy == nullptr && s.sa_policy == nullptr;
    s.atomic = p.reallocation == reallocation_rule::atomic;
    s.room_for_packet = p.switching != switching_mode::wormhole;
    s.room_in_va = s.room_for_packet && net.routing() != nullptr && net.routing()->needs_escape();
    s.whole_packets = p.switching == switching_mode::store_and_forward;
    const std::uint32_t most = net.most_candidates();
    s.ways = most > 1 ? most : 0;
    s.counts_hops = net.knows_hops() ? 0 : 1;
    for (std::uint32_t v = 0; v < s.vcs; ++v)
        s.vcs_of_input[v % p.input_speedup] =
            static_cast<std::uint16_t>(s.vcs_of_input[v % p.input_speedup] | (1u << v));
    for (std::uint32_t i = 0; i < s.in_vcs; ++i) s.port_of[i] = static_cast<std::uint8_t>(i / s.vcs);
    for (std::uint32_t x = 0; x < s.crossbar_inputs; ++x)
        s.port_of_input[x] = static_cast<std::uint8_t>(x / p.input_speedup);
    place_words(s, net);
    return s;
}

void check_packet_fits(const router_context& net, const router_params& p) {
    if (p.switching == switching_mode::wormhole || net.max_packet() <= p.depth) return;
    throw config::error(
        "router.depth is " + std::to_string(p.depth) + ", but with " +
        (p.switching == switching_mode::store_and_forward ? "store_and_forward" : "cut_through") +
        " switching a buffer must hold a whole packet: nic.max_packet_flits is " +
        std::to_string(net.max_packet()));
}

/// Routers that may share a bank.
struct alike {
    const router_params& params;
    std::uint32_t ports = 0;
    bool slow_links = false;
    vc_implementation* by = nullptr;  ///< null: the readable routers
    std::uint32_t domain = 0;
    std::vector<std::uint32_t> routers;

    bool takes(const router_instance& p, const router_params& its, bool slow,
               vc_implementation* is_by) const {
        return ports == p.ports && domain == p.domain && slow_links == slow && by == is_by &&
               (&params == &its || config::same_parameters(params, its));
    }
};

using implementations = std::vector<std::unique_ptr<vc_implementation>>;

implementations all_of(router_context& net) {
    implementations all;
    if (!net.fast_routers_allowed()) return all;
    for (const auto make : vc_implementation_registration::all()) all.push_back(make(net));
    return all;
}

/// The first that can take a router.
vc_implementation* first_for(const implementations& all, const router_params& params,
                             const router_instance& p) {
    for (const auto& one : all)
        if (one->can_take(params, p.router, p.ports)) return one.get();
    return nullptr;
}

std::unique_ptr<router_bank> make_general(router_context& net, const router_terms& terms,
                                          const alike& group) {
    const vc_shape s = shape_of(net, group.params, group.ports, group.slow_links);
    const std::uint32_t size = std::max({s.in_vcs, s.crossbar_inputs, s.crossbar_outputs});
    if (size <= 64) return std::make_unique<vc_bank<64>>(net, s, terms, group.routers);
    if (size <= 256) return std::make_unique<vc_bank<256>>(net, s, terms, group.routers);
    return std::make_unique<vc_bank<1024>>(net, s, terms, group.routers);
}

}  // namespace

compiled_allocator compiled(const config::value& chosen) {
    const std::string name = config::name_of<allocator>(chosen);
    if (name == "input_first") return compiled_allocator::input_first;
    if (name == "output_first") return compiled_allocator::output_first;
    if (name == "wavefront") return compiled_allocator::wavefront;
    return compiled_allocator::none;
}

std::vector<vc_implementation_registration::maker>& vc_implementation_registration::all() {
    static std::vector<maker> makers;
    return makers;
}

bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports) {
    for (std::uint32_t p = 0; p < ports; ++p)
        if (const connection* c = net.link_from(router, p);
            c != nullptr && (net.cycles_per_flit(*c) > 1 || c->link.wake != 0))
            return true;
    return false;
}

vc_model::vc_model(const router_params& params) : m_params(params) {
    config::check_ranges(params, "router");
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
    t.depth = m_params.depth;
    t.sharing = buffer_sharing::per_vc;
    t.flit_delay = m_params.sa_delay + m_params.st_delay;
    t.input_delay = m_params.input_delay();
    t.credit_delay = m_params.credit_delay + m_params.input_delay();
    t.credit_batch = m_params.credit_batch;
    t.whole_packets = m_params.switching != switching_mode::wormhole;
    t.requires_empty_buffer = m_params.reallocation == reallocation_rule::atomic;
    t.conserves_packets = true;
    t.thread_safe = true;
    t.looks_ahead = m_params.lookahead;
    return t;
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
    throw config::error(where, "router " + std::to_string(number) + " is of kind " + model.kind() + "; " +
                                   what + " exists for kind vc only");
}

std::vector<std::unique_ptr<router_bank>> vc_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    std::vector<alike> groups;
    const implementations others = all_of(net);
    for (const router_instance& p : all) {
        const router_params& params = vc_params_of(p);
        const bool slow = has_slow_links(net, p.router, p.ports);
        vc_implementation* const by = first_for(others, params, p);
        const auto takes = [&](const alike& g) { return g.takes(p, params, slow, by); };
        auto group = std::find_if(groups.rbegin(), groups.rend(), takes);
        if (group == groups.rend()) {
            check_packet_fits(net, params);
            groups.push_back({params, p.ports, slow, by, p.domain, {}});
            group = groups.rbegin();
        }
        group->routers.push_back(p.router);
    }
    for (alike& g : groups)
        if (g.by != nullptr && !g.by->add(g.params, g.ports)) g.by = nullptr;
    for (const auto& one : others) one->decide();
    std::vector<std::unique_ptr<router_bank>> banks;
    for (const alike& g : groups) {
        const router_terms terms = vc_model(g.params).terms();
        const bool other = g.by != nullptr && g.by->takes(g.params);
        banks.push_back(other ? g.by->make(terms, g.params, g.ports, g.routers)
                              : make_general(net, terms, g));
    }
    return banks;
}

}  // namespace sare
