// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/traffic_bound.h"

#include "tb/sare/process/terminal.h"
#include "tb/sare/saturate/silent_port.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/credit_limit.h"
#include "tlm/network/network.h"
#include "tlm/router_api/node_rates.h"
#include "tlm/routing/equal_parts.h"
#include "tlm/topology/region/clock_region.h"
#include "tlm/topology/serialisation.h"
#include "traffic/source/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sare::cli {
namespace {

using demand_rows = std::vector<std::vector<node_demand>>;  ///< by source

constexpr std::uint32_t most_nodes = 4096;  ///< uniform traffic has so many flows squared

/// Traffic of each source at load 1, or why it is unknown.
struct traffic_demand {
    demand_rows rows;
    std::string why;
    std::uint32_t classes = 1;  ///< message classes
};

std::string too_many_nodes() {
    return fmt::format("too many nodes for it (beyond {})", most_nodes);
}

/// Returns equal parts, two of which stand for a network of too many nodes; null if there are none, or these
/// have too many nodes, too.
const equal_parts* parts_of(const simulation& network, const topology& map) {
    const equal_parts* const parts = network.routing().parts_alike();
    constexpr std::uint64_t most_flows = 4ULL * most_nodes * most_nodes;
    if (map.nodes() <= most_nodes || parts == nullptr || parts->count < 3) return nullptr;
    return std::uint64_t{parts->nodes} * map.nodes() <= most_flows && parts->fit(map) ? parts : nullptr;
}

/// `parts`: those of which only the flows from the first to the first two count; null: all do.
traffic_demand demand_of(const experiment& e, const simulation& network, const equal_parts* parts) {
    const topology& map = network.map();
    const workload_context context = e.context(map);
    const std::uint32_t nodes = context.nodes;
    const auto work = workload_registry::instance().make(e.traffic, context);
    const auto* source = dynamic_cast<const traffic::open_loop_source*>(work.get());
    const std::string name = workload_registry::instance().chosen(e.traffic).name;
    if (source == nullptr) return {{}, "the workload '" + name + "' does not tell where its messages go", 1};
    silent_port port(e, map, network.plan().with_packets(e.nic));
    work->start(port);
    traffic_demand all;
    all.classes = work->classes_needed();
    if (parts != nullptr && !source->uniform()) return {{}, too_many_nodes(), 1};
    const std::uint32_t sources = parts ? parts->nodes : nodes, destinations = parts ? 2 * sources : nodes;
    std::vector<double> to;
    for (std::uint32_t s = 0; s < sources; ++s) {
        to.assign(nodes, 0);
        if (!source->demand(s, to)) return {{}, "the pattern does not tell where its messages go", 1};
        all.rows.emplace_back();
        for (std::uint32_t d = 0; d < destinations; ++d)
            if (to[d] > 0) all.rows.back().push_back({d, to[d]});
    }
    return all;
}

/// Returns the region whose clock lets fewer flits through a channel than its width; null: none.
const clock_region* slowing_region(const topology& map, const network_channel& c) {
    using kind = network_channel::kind;
    const bool injects = c.what == kind::injection, ejects = c.what == kind::ejection;
    const node_id source(c.from), sink(c.to);
    const router_id from(c.from), to = injects ? map.router_of(source) : router_id(c.to);
    const double own = (injects ? map.clock(source) : map.clock(from)).period(),
                 other = (ejects ? map.clock(sink) : map.clock(to)).period();
    return sare::slowing_region(injects ? map.injection_link(source) : map.link(from, port_id(c.port)), own,
                                injects ? map.region(source) : map.region(from), other,
                                ejects ? map.region(sink) : map.region(to));
}

/// Returns why packets need not take the routes of the routing function; "" if they do.
std::string obstacle(const experiment& e, const simulation& network) {
    if (e.fidelity != fidelity::flit) return "the contention-free model has no channels that fill";
    if (network.routing().groups() != nullptr) return "routers copy packets";
    if (!e.failures.empty()) return "links fail during the run";
    if (any_link_of_classes(e.links)) return "some links carry certain message classes only";
    for (const auto& g : network.plan().groups())
        if (g.terms.routes_by_itself || g.terms.deflects)
            return "routers of kind '" + g.model->kind() + "' need not take the ways of the routing function";
    return "";
}

/// Returns the flits that a node may inject in a cycle of the network, over all message classes; infinite:
/// any number.
double allowed_rate(const nic_params& nic, std::uint32_t classes) {
    double sum = 0;
    for (std::uint32_t c = 0; c < classes; ++c) {
        const double rate = nic.is_limited() ? nic.rate_of(c) : 0;
        sum += rate > 0 ? rate : std::numeric_limits<double>::infinity();
    }
    return sum;
}

}  // namespace

channel_bound find_bound(const experiment& e, const simulation& network, std::uint64_t most_states) {
    channel_bound none;
    none.why = obstacle(e, network);
    if (!none.why.empty()) return none;
    std::unique_ptr<topology> later;  // clocks as they are in the measured window
    if (e.domains.type() != config::value::kind::null) later = e.make_map(e.measurement.warmup);
    const topology& map = without_combiners(later ? *later : network.map());
    const equal_parts* const parts = parts_of(network, map);
    if (map.nodes() > most_nodes && parts == nullptr) none.why = too_many_nodes();
    if (!none.why.empty()) return none;
    const traffic_demand traffic = demand_of(e, network, parts);
    none.why = traffic.why;
    if (!none.why.empty()) return none;
    const auto rates = [&](router_id r) {
        return dynamic_cast<const node_rates*>(&network.plan().model(r.value));
    };
    channel_question q;
    q.network = &map;
    q.routing = &network.routing();
    q.vcs = network.plan().terms(0).vcs / traffic.classes;
    q.parts = parts;
    q.demands = [&](std::uint32_t s, std::vector<node_demand>& out) {
        out.insert(out.end(), traffic.rows[s].begin(), traffic.rows[s].end());
    };
    q.most_injected = [&](std::uint32_t n) {
        const router_id r = map.router_of(node_id(n));
        return rates(r) == nullptr ? 1U : rates(r)->most_injected(map, r);
    };
    q.most_ejected = [&](std::uint32_t n) {
        const router_id r = map.ejection_of(node_id(n)).router;
        return rates(r) == nullptr ? 1U : rates(r)->most_ejected(map, r);
    };
    q.most_carried = [&](const network_channel& c) {
        channel_question::channel_rate least{switch_limit_of(c, map, network.plan()), channel_limit::pace};
        const auto limit = [&least](double flits, channel_limit by) {
            if (flits < least.flits) least = {flits, by};
        };
        if (const auto by_credits = credit_limit_of(c, map, network.plan(), e.nic))
            limit(by_credits->rate(), channel_limit::credits);
        if (c.what == network_channel::kind::injection)
            limit(allowed_rate(e.nic, traffic.classes), channel_limit::rate);
        return least;
    };
    q.most_states = most_states;
    channel_bound found = find_channel_bound(q);
    if (found.exists() && found.first.limit == channel_limit::width)
        if (const clock_region* const slow = slowing_region(map, found.first)) found.domain = slow->name;
    return found;
}

bool depends_on_seed(const experiment& e, const simulation& network) {
    if (network.map().nodes() > most_nodes) return false;
    experiment other = e;
    ++other.seed;
    const demand_rows one = demand_of(e, network, nullptr).rows,
                      two = demand_of(other, network, nullptr).rows;
    return !std::equal(one.begin(), one.end(), two.begin(), two.end(), [](const auto& a, const auto& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const node_demand& x, const node_demand& y) {
                              return x.destination == y.destination && x.rate == y.rate;
                          });
    });
}

experiment with_one_pattern(const experiment& e) {
    const config::value* given = e.traffic.find("pattern");
    if (given == nullptr) return e;
    config::value section = *given;
    if (given->type() == config::value::kind::scalar)
        section = config::value::map({{"name", *given}}, given->where());
    const auto known = traffic::pattern_registry::instance().chosen(section).parameters();
    if (section.find("seed") != nullptr ||
        std::none_of(known.begin(), known.end(), [](const auto& p) { return p.name == "seed"; }))
        return e;
    section.set("seed", config::number(e.seed, given->where()));
    experiment one = e;
    one.traffic.set("pattern", section);
    return one;
}

std::string load_unit(const experiment& e) {
    const auto& all = workload_registry::instance();
    for (const config::parameter_doc& d : all.chosen(e.traffic).parameters())
        if (d.name == "load" && !d.unit.empty()) return d.unit;
    return "times the rates given";
}

std::string text_of(const channel_bound& b, const place_names& names, const std::string& unit) {
    if (!b.exists()) return "none: " + b.why;
    std::string text = fmt::format("{} {}: {}", without_error(b.load, b.load - b.attained), unit,
                                   sare::text_of(b.first, names));
    if (b.busiest > 1) text += fmt::format(" and {} more", b.busiest - 1);
    static constexpr const char* limits[] = {"", ", whose buffers are short for the round trip of a credit",
                                             ", which the switch serves only every so many cycles",
                                             ", whose NIC is allowed no more ('nic.rate')"};
    text += limits[static_cast<std::size_t>(b.first.limit)];
    if (!b.domain.empty()) text += ", at the clock of domain '" + b.domain + "'";
    if (b.choice) text += ", with the best split among ways";
    return text;
}

}  // namespace sare::cli
