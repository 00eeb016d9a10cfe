// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/floorplan.h"
#include "tlm/power/table/block_costs.h"
#include "tlm/topology/region/clock_regions.h"
#include "tlm/topology/topology.h"

#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

namespace sare {

/// A network as hardware: costs of the events, area and leakage of each of its blocks (routers, NICs, AXI
/// bridges, links). It needs no run. Levels are levels of clock and voltage of a block's domain, its
/// clock_region, from 0; a level that the block does not have is taken as level 0. Numbers must be of blocks
/// of the network, and levels below levels(); neither is checked.
class network_design {
  public:
    /// Function that returns the model (kind and parameters) of a router, by number.
    using model_of = std::function<const router_model&(std::uint32_t router)>;
    /// Calculates the costs. `params` must outlive this object. `at`: place of the section `power`;
    /// `flit_bits`: bits of a flit if `params.width` is 0. Throws config::error at `at` if no table is for
    /// the kind of a router, and for other parameters that do not fit the network or the tables.
    network_design(const power_params& params, const config::location& at, const topology& map,
                   const model_of& model, std::uint32_t flit_bits);

    std::uint32_t width() const { return m_width; }  ///< bits of a flit
    /// Share of the data bits of a flit that differ from the flit before on the same wires, in [0, 1].
    double activity() const { return m_activity; }
    /// Bits of a head flit that are no data, at most width(); half of them toggle.
    std::uint32_t header_bits() const { return m_header_bits; }
    /// Most levels that a block has, at least 1.
    std::uint32_t levels() const { return m_levels; }
    /// Costs of a router, by number, at a level.
    const block_costs& router(std::uint32_t r, std::uint32_t level = 0) const {
        return *m_routers[std::size_t{r} * m_levels + level];
    }
    /// Costs of the NIC of a node at a level.
    const block_costs& nic(std::uint32_t node, std::uint32_t level = 0) const {
        return *m_nics[std::size_t{node} * m_levels + level];
    }
    /// Supply voltage in V at a level of a region; `region` null: of blocks in no region; 0: unknown.
    double volts(const clock_region* region, std::uint32_t level) const {
        return level_of(region, {}, level).voltage;
    }
    /// The AXI bridges of one kind, to managers or to subordinates, at one voltage.
    struct bridges_of {
        /// Other end of the bridge, "manager" or "subordinate"; key of the section `power` that names nodes.
        const char *end, *key;
        /// Nodes and levels with such a bridge of this voltage, as numbers node * levels() + level.
        config::number_set nodes;
        block_costs costs;  ///< costs of one bridge
        /// Flits of the header of each message that the bridge sends, and of each that it takes.
        std::uint32_t header_out = 1, header_in = 1;
    };
    /// Calls f(bridges_of) for each bridge of a node, at a level: not at all, once or twice.
    template <class F>
    void for_each_bridge(std::uint32_t node, std::uint32_t level, F&& f) const {
        for (const bridges_of& b : m_bridges)
            if (b.nodes.contains(node * m_levels + level)) f(b);
    }
    /// Costs of the wires of a link, by its number in the order of for_each_link(), at the voltage of a level
    /// of the block that writes it.
    const wire_costs& wires(std::size_t row, std::uint32_t level = 0) const {
        return *m_wires_of[row * m_levels + level];
    }
    /// Length of each link in mm, in the order of for_each_link().
    const std::vector<double>& lengths() const { return m_lengths; }
    /// Number of repeaters on each wire of a link, a whole number. `row`: as for wires().
    double repeaters(std::size_t row) const;
    /// Capacity of all input buffers of a router, in bits.
    std::uint64_t buffer_bits(std::uint32_t r) const { return m_buffer_bits[r]; }
    /// Shortest cycle of the network's clock in ns with which all blocks can run, those left out whose period
    /// no table has; 0: no table has the period of any block.
    double period() const { return m_period; }
    /// Returns the frequency of the network's clock in Hz: 1 / `clock_seconds`, or for "fastest" what a
    /// period() above 0 allows. `clock_seconds`: clock period of the network in s, above 0. Throws
    /// config::error for a faster clock than period() allows, unless `overclock` is set.
    double hertz(double clock_seconds) const {
        const double asked =
            m_params.reachable(m_params.hertz(clock_seconds, m_period), m_period, m_slowest, m_at);
        const bool is_that = std::abs(asked * clock_seconds - 1) < 1e-9;  // a period is a whole number of ps
        return m_params.runs_at_fastest() || is_that ? asked : 1 / clock_seconds;
    }
    /// Return sums over all blocks by power_component: area in um^2, and leakage in uW at level 0.
    const std::array<double, power_components.size()>& area_of() const { return m_area; }
    const std::array<double, power_components.size()>& leakage_of() const { return m_leakage; }
    /// Return the area of the network in um^2, and its leakage at level 0 in uW.
    double area() const { return std::accumulate(m_area.begin(), m_area.end(), 0.0); }
    double leakage() const { return std::accumulate(m_leakage.begin(), m_leakage.end(), 0.0); }
    /// Supply voltage in V of blocks whose region has none: from the section `power`, or else from the first
    /// table that gives one; 0: unknown.
    double voltage() const { return m_voltage; }
    /// Names of the tables, each with its library of gates or "by hand": "a (osu018.lib), b (by hand)".
    const std::string& tables() const { return m_tables; }
    /// Return texts joined by "; ", "" for none. First: blocks and features of routers whose costs are
    /// missing or made by hand. Second: blocks with parameters beyond the ranges of their table
    /// (block_costs::outside), and tables used at a voltage beyond their law of delays.
    const std::string& not_characterised() const { return m_not_characterised; }
    const std::string& extrapolated() const { return m_extrapolated; }

  private:
    /// Returns the first table for routers of a kind. Throws config::error, which names `router`, for none.
    const cost_table& table_for(std::uint32_t router, const std::string& kind) const;
    clock_level level_of(const clock_region* region, const clock_ratio& clock, std::uint32_t level) const;
    const block_costs* costs_of_router(const router_model& model, std::uint32_t router, double volts,
                                       const topology& map);
    void note(const std::string& what, const cost_table& table, const cost_list& list,
              const block_costs& costs);
    void note_memories(const cost_table& table);
    void note_features(const cost_setting& setting);
    void note_levels(const topology& map);
    void note_voltage(double volts);
    void bound_period(double ns, const clock_ratio& clock, const char* what, std::uint32_t number);
    void bound_wires(const topology& map);
    void find_nics(const topology& map, const model_of& model);
    void find_bridges(const topology& map);
    void find_links(const topology& map);
    wire_costs find_wires(double volts);
    void take(const std::string& what, cost_list cost_table::*list, const cost_setting& setting, double volts,
              block_costs& to);
    void add_up(const topology& map);

    const power_params& m_params;
    config::location m_at;        ///< place of the section `power`
    table_shelf::tables m_all;    ///< tables of the section, in order
    std::uint32_t m_width;        ///< bits of a flit
    std::uint32_t m_header_bits;  ///< bits of a head that hold its header, at most m_width
    double m_activity;            ///< share of the data bits of a flit that differ from the flit before
    double m_voltage = 0;         ///< supply voltage in V; 0: unknown
    std::uint32_t m_levels = 1;   ///< see levels()
    double m_period = 0;          ///< shortest network cycle in ns; 0: unknown
    std::string m_slowest;        ///< block that needs m_period, with the tables: "router 3, by osu018,"
    std::array<double, power_components.size()> m_area{}, m_leakage{};  ///< see area_of() and leakage_of()
    std::deque<block_costs> m_kept;  ///< costs to which m_routers and m_nics point
    /// Costs of routers, by model, number of ports and voltage.
    std::map<std::tuple<const router_model*, std::uint32_t, double>, const block_costs*> m_known;
    /// Costs of each router, and of each node's NIC: [number * levels() + level].
    std::vector<const block_costs*> m_routers, m_nics;
    std::vector<std::uint64_t> m_buffer_bits;  ///< see buffer_bits(), by router
    std::map<double, wire_costs> m_wires;      ///< costs of wires, by voltage
    /// Costs of each link's wires, in the order of for_each_link(): [row * levels() + level].
    std::vector<const wire_costs*> m_wires_of;
    std::vector<bridges_of> m_bridges;
    std::vector<double> m_lengths;  ///< lengths of links in mm, in the order of for_each_link()
    std::string m_tables, m_not_characterised, m_extrapolated;  ///< see the functions of these names
};

}  // namespace sare
