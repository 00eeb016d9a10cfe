// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/packet.h"
#include "tlm/base/world.h"
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/parts/network_clocks.h"
#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/region/clock_region.h"
#include "tlm/topology/topology.h"

#include <cmath>

/// What happens in each domain, in cycles of its clock: the table domains.csv.
namespace sare {
namespace domains_of_run {
namespace {

const table_form form{"domains.csv", R"(
    domain: text. Key of the section 'domains'; "network": all routers and nodes in none.
    routers: count. Its routers.
    nodes: count. Nodes whose NICs are in it.
    frequency: number in MHz. Frequency of its clock; its mean if that changes.
    cycles: number. Cycles of its clock in the measured window; columns after this one have their mean length.
    offered: number in flits/cycle. Mean load that the workload made for its nodes.
    accepted: number in flits/cycle. Mean load that came to its nodes.
    packets: count. Packets that came to its nodes in the measured window.
    latency: number in cycles. Mean latency of these, from generation.
    latency_ns: number in ns. That as a time.
)"};

/// A domain of the run, with the sums of the measured window.
struct one_domain {
    std::string name;
    const clock_region* region;  ///< null: all that is in no domain
    std::uint64_t routers = 0, nodes = 0;
    std::uint64_t packets = 0, latency = 0;  ///< latencies in network cycles

    void serialize(archive& a) { a(packets, latency); }
};

class domains final : public statistic {
  public:
    explicit domains(const topology& map) : m_all{{"network", nullptr}} {
        for (std::uint32_t r = 0; r < map.routers(); ++r)
            ++m_all[number_of(map.region(router_id(r)))].routers;
        for (std::uint32_t n = 0; n < map.nodes(); ++n) {
            m_of_node.push_back(number_of(map.region(node_id(n))));
            if (n < map.terminals()) ++m_all[m_of_node.back()].nodes;
        }
    }

    bool wants_packets() const override { return true; }
    void packet_consumed(const packet& p, cycle_t now) override {
        if (!m_measures) return;
        one_domain& d = m_all[m_of_node[p.route.destination]];
        ++d.packets;
        d.latency += now - p.generated;
    }
    void start(cycle_t) override { m_measures = true; }
    void stop(cycle_t) override { m_measures = false; }
    void serialize(archive& a) override {
        a(m_measures);
        a.in_place(m_all);
    }
    void add_up(world& all) override {
        for (one_domain& d : m_all)
            for (std::uint64_t* n : {&d.packets, &d.latency}) *n = all.sum(*n);
    }
    void report(const reading& from, run_result& out) const override {
        std::vector<double> offered(m_all.size()), accepted(m_all.size());
        for (const node_result& n : out.node_loads) {
            offered[m_of_node[n.node]] += static_cast<double>(n.generated_flits);
            accepted[m_of_node[n.node]] += static_cast<double>(n.accepted_flits);
        }
        table t(form);
        for (std::size_t k = 0; k < m_all.size(); ++k) {
            const one_domain& d = m_all[k];
            if (d.routers + d.nodes == 0) continue;
            const double period =
                             from.net->clocks().mean_period(d.region, out.measured_from, out.measured_to),
                         cycles = from.window / period,
                         latency = static_cast<double>(d.latency) / static_cast<double>(d.packets),
                         of_node = static_cast<double>(d.nodes) * cycles;
            t.row(d.name, d.routers, d.nodes, 1e-6 * std::round(1 / (out.clock_period_s * period)), cycles,
                  offered[k] / of_node, accepted[k] / of_node, d.packets, latency / period,
                  latency * out.clock_period_s * 1e9);
        }
        out.tables.emplace_back(form.file(), t.text());
    }

  private:
    std::uint32_t number_of(const clock_region* region) {
        if (region == nullptr) return 0;
        const auto [at, is_new] = m_numbers.try_emplace(region, static_cast<std::uint32_t>(m_all.size()));
        if (is_new) m_all.push_back({region->name, region});
        return at->second;
    }

    std::vector<one_domain> m_all;  ///< element 0: what is in no domain
    std::map<const clock_region*, std::uint32_t> m_numbers;
    std::vector<std::uint32_t> m_of_node;  ///< number of the domain of each node
    bool m_measures = false;               ///< true: within the measured window
};

std::string name_of(const clock_region* region) {
    return region == nullptr ? "" : region->name;
}

const statistic_declaration declared{
    "domains",
    "Loads and latencies by domain, in cycles of its clock and in ns: domains.csv; taken wherever there are "
    "'domains'.",
    config::schema<config::no_parameters>(),
    {{scope::router, "domain", "", "Its domain; empty: it has the network's clock.", summing::as_is,
      [](const reading& r, const figure_place& p) {
          return figure_cell(name_of(r.map.region(router_id(r.out.router_places[p.row].router))));
      }},
     {scope::node, "domain", "", "The domain of its NIC; empty: it has the network's clock.", summing::as_is,
      [](const reading& r, const figure_place& p) {
          return figure_cell(name_of(r.map.region(node_id(r.out.node_loads[p.row].node))));
      }}},
    [](const config::no_parameters&, const config::value& section, const statistic_context& c) {
        return new domains(*c.flit_level("domains", section.where()).view().map());
    }};

}  // namespace
}  // namespace domains_of_run
}  // namespace sare
