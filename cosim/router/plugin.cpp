// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/plugin.h"

#include "cosim/cosim_params.h"
#include "cosim/pins/route_table.h"
#include "cosim/pins/router_setting.h"
#include "cosim/router/adapted_router.h"
#include "tlm/base/bits.h"
#include "tlm/base/rng.h"
#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace sare::cosim {
namespace {

namespace fs = std::filesystem;

void set_tables(pins::router_info& p, const routing_context& at) {
    p.port_from.assign(p.ports, std::vector<std::uint32_t>(p.nodes, pins::unsaid));
    for (std::uint32_t n = 0; n < p.nodes; ++n) {
        route_header h;
        h.destination = n;
        for (std::uint32_t in = 0; in < p.ports; ++in)
            if (at.comes(in, n)) p.port_from[in][n] = at.here(h, {in, 0}).port;
    }
    const route_table table = table_of(at, p.nodes, false);
    if (!table.conflict.empty()) return;
    for (const route_candidate& c : table.candidates) p.port_to.push_back(c.port);
}

/// Throws unless a router that routes by a table has a table of all destinations.
void must_have_tables(const pins::router_facts& f, const pins::router_info& p, const routing_context& at) {
    const std::string goes = f.name + " goes by a table of one port a destination";
    if ((f.by_table || f.by_input_table) && p.port_from.empty())
        throw std::runtime_error(goes + ", which this routing function in this network is not");
    if (f.by_table && p.port_to.empty())
        throw std::runtime_error(goes + "; " + table_of(at, p.nodes, false).conflict);
}

void must_fit(const pins::router_facts& f, const pins::router_info& p) {
    const auto refuse = [&](const std::string& what, std::uint32_t has, std::uint32_t wanted) {
        throw std::runtime_error(
            fmt::format("router {} has {}: {}; {} is made for {}", p.router, what, wanted, f.name, has));
    };
    if (p.vcs != f.vcs) refuse("router.vcs", f.vcs, p.vcs);
    if (p.ports > f.ports) refuse("ports", f.ports, p.ports);
    if (p.nodes > f.max_nodes) refuse("nodes in its network", f.max_nodes, p.nodes);
    if (f.flow == pins::flow_control::credit && p.depth > f.depth) refuse("router.depth", f.depth, p.depth);
    if (f.longest_packet != 0 && p.longest > f.longest_packet)
        refuse("nic.max_packet_flits", f.longest_packet, p.longest);
    // One that counts credits may have no more than there are places; one that stops late must ever be on.
    const std::uint32_t least = f.flow == pins::flow_control::credit   ? f.credits
                                : f.flow == pins::flow_control::on_off ? f.reaction + 1
                                                                       : 0;
    for (const std::uint32_t beyond : p.depth_beyond)
        if (beyond != 0 && beyond < least)
            refuse("places beyond a port (router.depth, nic.ejection_depth)", least, beyond);
}

/// Throws unless other routers and NICs send as the router itself does, which it may count on.
void must_agree(const pins::router_facts& f, const router_terms& t) {
    const char* must =
        f.room == pins::head_credits::empty_buffer && !t.requires_empty_buffer
            ? "an empty buffer (room), as all must that send to it: router.reallocation must be atomic"
        : f.room == pins::head_credits::whole_packet && !t.whole_packets
            ? "room for a whole packet (room), as all must that send to it: router.switching must be "
              "cut_through"
            : nullptr;
    if (must != nullptr) throw std::runtime_error(f.name + " sends a head only to " + must);
}

/// False if a flit may wait in a register before the pins for that of another VC, which is not taken.
bool never_waits_for_others(const pins::router_facts& f) {
    return f.flow == pins::flow_control::credit || f.vcs == 1;
}

router_limits limits_of(const pins::router_facts& facts, const pins::router_info& info) {
    router_limits limits{info.ports, info.vcs, info.depth_beyond, facts.min_latency, facts.max_latency};
    limits.reserve = facts.flow == pins::flow_control::on_off ? facts.reaction : 0;
    limits.room = facts.room;
    limits.keeps_vc = facts.keeps_vc;
    limits.turns_back = facts.turns_back;
    limits.settling = facts.settling;
    const std::uint32_t turns = info.ports * info.vcs;
    limits.patience = patience_of(facts, turns);
    if (never_waits_for_others(facts))
        limits.standstill = std::min(limits.patience, 8 + 4 * facts.max_latency + turns);
    if (facts.flow == pins::flow_control::ready_valid) limits.depth = facts.depth;
    if (!facts.encoded_credits) limits.cycles_per_flit = facts.cycles_per_flit;
    if (facts.flow == pins::flow_control::credit) {
        limits.counts_credits = true;
        if (facts.encoded_credits)  // credits that came together are given one by one
            limits.standstill +=
                info.vcs * *std::max_element(info.depth_beyond.begin(), info.depth_beyond.end());
        limits.credits = facts.credits;
        limits.credit_lag = facts.max_latency;
        limits.credit_delay = facts.credit_delay;
    }
    return limits;
}

/// Returns facts without limits, for measurements.
pins::router_facts undeclared(pins::router_facts f) {
    f.min_latency = f.depth = f.cycles_per_flit = f.credit_delay = f.credits = 0;
    f.max_latency = f.patience = 1u << 24;
    f.room = pins::head_credits::one_place;
    return f;
}

router_plugin old_plugin(const std::string& file) {
    try {
        return router_plugin(file);
    } catch (const std::runtime_error& problem) {
        throw std::runtime_error(std::string("the old one: ") + problem.what());
    }
}

/// Returns the router of an older library, which must carry the same bits as the new one.
std::unique_ptr<pin_router> old_router(const std::string& file, const pins::router_facts& is,
                                       const pins::router_info& info, const routing_context& at,
                                       const packet_table& packets) {
    const router_plugin plugin = old_plugin(file);
    const pins::router_facts& was = plugin.facts();
    if (was.flow != is.flow || was.data_bits != is.data_bits || was.head_data_bits != is.head_data_bits)
        throw std::runtime_error(
            "the old RTL " + file +
            " has another flow control or another width of data; the two cannot be compared");
    return std::make_unique<adapted_router>(plugin.make(info), was, info, at, packets);
}

}  // namespace

std::string wrong_fact(const pins::router_facts& f) {
    const bool credit = f.flow == pins::flow_control::credit;
    constexpr std::uint32_t cycles = 1000000, flits = 65535;
    const std::uint32_t short_head = index_bits(f.ports * f.vcs) + 1;
    struct range {
        const char* name;
        std::uint32_t value, least, most;
    };
    const range all[] = {
        {"flow", static_cast<std::uint32_t>(f.flow), 0, 2},
        {"ports", f.ports, 1, 1024},
        {"vcs", f.vcs, 1, 32},
        {"max_nodes", f.max_nodes, 1, ~0u},
        {"data_bits", f.data_bits, pins::payload::least_bits, pins::payload::most_bits},
        {"head_data_bits", f.head_data_bits == 0 ? f.data_bits : f.head_data_bits, short_head, f.data_bits},
        {"longest_packet", f.longest_packet, 0, flits},
        {"max_latency", f.max_latency, 0, cycles},
        {"min_latency", f.min_latency, 0, f.max_latency},
        {"settling", f.settling, 0, cycles},
        {"room", static_cast<std::uint32_t>(f.room), 0, 2},
        {"patience", f.patience, 0, 1000 * cycles},
        {"depth", f.depth, credit ? 1u : 0u, flits},
        {"cycles_per_flit", f.cycles_per_flit, 0, cycles},
        {"credit_delay", f.credit_delay, 0, cycles},
        {"credits", f.credits, 0, flits},
        {"reaction", f.reaction, 0, flits},
    };
    for (const range& r : all)
        if (r.value < r.least || r.value > r.most)
            return fmt::format("{} is {}; {} to {} are allowed", r.name, r.value, r.least, r.most);
    return "";
}

std::uint32_t patience_of(const pins::router_facts& f, std::uint32_t input_vcs) {
    if (f.patience != 0) return f.patience;
    return never_waits_for_others(f) ? 16 * input_vcs + 4 * f.max_latency : 1000;
}

router_plugin::router_plugin(const std::string& file) {
    // What has no slash would be looked for in the system's folders.
    const std::string path = fs::absolute(file);
    if (!fs::exists(path)) throw std::runtime_error(path + ": no such file");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
    const auto abi = reinterpret_cast<std::uint32_t (*)()>(dlsym(library, "sare_pin_abi"));
    const auto facts = reinterpret_cast<const pins::router_facts* (*)()>(dlsym(library, "sare_pin_facts"));
    m_make =
        reinterpret_cast<pins::pin_adapter* (*)(const pins::router_info&)>(dlsym(library, "sare_pin_make"));
    if (abi == nullptr || facts == nullptr || m_make == nullptr)
        throw std::runtime_error(path + ": no router with a pin adapter (SARE_PIN_ADAPTER)");
    if (abi() != pins::abi_version)
        throw std::runtime_error(fmt::format(
            "{}: made for version {} of cosim/pins/pin_adapter.h; this is version {}: build it anew", path,
            abi(), pins::abi_version));
    m_facts = facts();
    if (const std::string wrong = wrong_fact(*m_facts); !wrong.empty())
        throw std::runtime_error(path + ": facts(): " + wrong);
}

std::unique_ptr<pins::pin_adapter> router_plugin::make(const pins::router_info& info) const {
    must_fit(*m_facts, info);
    return std::unique_ptr<pins::pin_adapter>(m_make(info));
}

std::string plugin_file(const experiment& e, std::uint32_t router) {
    const fs::path file(e.sections.of<cosim_params>().rtl_of(router));
    return file.is_absolute() || e.folder.empty() ? file.string() : (fs::path(e.folder) / file).string();
}

pins::router_info info_of(const experiment& e, const router_plan& plan, const std::string& name,
                          const routing_context& at, const routing_function& routing) {
    const topology& map = at.map();
    const router_id me(at.router());
    pins::router_info p;
    p.name = name;
    p.router = me.value;
    p.ports = map.ports(me);
    p.vcs = plan.terms(me.value).vcs;
    p.nodes = map.nodes();
    p.depth = plan.terms(me.value).depth;
    p.longest = plan.with_packets(e.nic).max_packet_flits;
    p.initial_state = rng(e.seed, stream::test, me.value).next();
    if (routing.tabular_by_input()) set_tables(p, at);
    for (std::uint32_t q = 0; q < p.ports; ++q)
        p.depth_beyond.push_back(downstream_depth(e, plan, me.value, map.peer(me, port_id(q))));
    if (const coordinate_shape* grid = map.coordinates()) {
        std::uint32_t rest = me.value;
        for (const std::uint32_t size : grid->dims) {
            p.sizes.push_back(size);
            p.here.push_back(rest % size);
            rest /= size;
        }
    }
    return p;
}

plugin_router make_plugin_router(const experiment& e, const router_plan& plan, const std::string& name,
                                 const routing_context& at, const routing_function& routing,
                                 const packet_table& packets, const second_router& second) {
    try {
        const router_plugin plugin(plugin_file(e, at.router()));
        const pins::router_facts facts = second.measures ? undeclared(plugin.facts()) : plugin.facts();
        pins::router_info info = info_of(e, plan, name, at, routing);
        if (second.zeros) info.initial_state = 0;
        must_have_tables(facts, info, at);
        must_agree(facts, plan.terms(at.router()));
        std::unique_ptr<pins::pin_adapter> adapter = plugin.make(info);
        if (second.used) adapter = second.used(std::move(adapter), facts, info);
        auto router = std::make_unique<adapted_router>(std::move(adapter), facts, info, at, packets);
        plugin_router made;
        made.router = router.get();
        std::unique_ptr<pin_router> block = std::move(router);
        const auto compare_with = [&](std::unique_ptr<pin_router> other, compared_machines machines) {
            auto pair = std::make_unique<router_pair>(name, std::move(other), std::move(block), info.ports,
                                                      packets, machines);
            made.pair = pair.get();
            block = std::move(pair);
        };
        if (!second.old_library.empty()) {
            compare_with(old_router(second.old_library, facts, info, at, packets),
                         compared_machines::old_and_new_rtl);
        } else if (second.other_state) {
            pins::router_info other = info;
            other.initial_state = ~info.initial_state;
            compare_with(std::make_unique<adapted_router>(plugin.make(other), facts, other, at, packets),
                         compared_machines::two_initial_states);
        }
        made.watched = std::make_unique<scoreboard>(std::move(block), limits_of(facts, info), at, packets);
        return made;
    } catch (const std::runtime_error& problem) {
        throw config::error(e.sections.of<cosim_params>().at, std::string("cosim.rtl: ") + problem.what());
    }
}

}  // namespace sare::cosim
