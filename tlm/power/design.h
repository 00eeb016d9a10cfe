// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/floorplan.h"
#include "tlm/power/table/block_costs.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace sare {

class topology;

/// A network as hardware: the costs of each of its blocks, whether it runs or not.
class network_design {
  public:
    using model_of = std::function<const router_model&(std::uint32_t router)>;
    /// `flit_bits`: width() if `params` has 0. Throws config::error at `at` if a router has no table.
    network_design(const power_params& params, const config::location& at, const topology& map,
                   const model_of& model, std::uint32_t flit_bits);

    std::uint32_t width() const { return m_width; }
    /// Share of the data bits of a flit that toggle, in [0, 1].
    double activity() const { return m_activity; }
    std::uint32_t header_bits() const { return m_header_bits; }
    const block_costs& router(std::uint32_t r) const { return *m_routers[r]; }
    const block_costs& nic(std::uint32_t node) const { return *m_nics[node]; }
    /// AXI bridges of managers, or of subordinates: costs of one, flits of a header it sends and takes.
    struct bridges_of {
        const char *end, *key;
        const config::number_set* nodes;
        block_costs costs;
        std::uint32_t header_out = 1, header_in = 1;
    };
    template <class F>
    void for_each_bridge(std::uint32_t node, F&& f) const {
        for (const bridges_of& b : m_bridges)
            if (b.nodes->contains(node)) f(b);
    }
    const wire_costs& wires() const { return m_wires; }
    /// Length of each link in mm, in the order of for_each_link().
    const std::vector<double>& lengths() const { return m_lengths; }
    double repeaters(double mm) const;
    /// Capacity of all buffers of a router, in bits.
    std::uint64_t buffer_bits(std::uint32_t r) const { return m_buffer_bits[r]; }
    /// Shortest network cycle for all routers, in ns; 0: unknown.
    double period() const { return m_period; }
    /// Area in um^2, and leakage in uW, of all blocks, by component.
    const std::array<double, power_components.size()>& area_of() const { return m_area; }
    const std::array<double, power_components.size()>& leakage_of() const { return m_leakage; }
    double area() const { return std::accumulate(m_area.begin(), m_area.end(), 0.0); }
    double leakage() const { return std::accumulate(m_leakage.begin(), m_leakage.end(), 0.0); }
    double voltage() const { return m_voltage; }
    /// Tables, as "name (made_of), name (by hand)".
    const std::string& tables() const { return m_tables; }
    /// Sentences about blocks that are not characterised, or beyond the table's ranges; "" for none.
    const std::string& not_characterised() const { return m_not_characterised; }
    const std::string& extrapolated() const { return m_extrapolated; }

  private:
    const cost_table& table_for(std::uint32_t router, const std::string& kind) const;
    const block_costs* costs_of_router(const router_model& model, std::uint32_t router, const topology& map);
    void note(const std::string& what, const cost_table& table, const cost_list& list,
              const block_costs& costs);
    double dynamic_factor(const cost_table& t) const;
    double leakage_factor(const cost_table& t) const;
    void find_nics(const topology& map, const model_of& model);
    void find_bridges(const topology& map);
    void find_links();
    void take(const std::string& what, cost_list cost_table::*list, const cost_setting& setting,
              block_costs& to);
    void add_up(const topology& map);

    const power_params& m_params;
    config::location m_at;
    table_shelf::tables m_all;
    std::uint32_t m_width, m_header_bits;
    double m_activity, m_voltage = 0, m_period = 0;
    std::array<double, power_components.size()> m_area{}, m_leakage{};
    std::deque<block_costs> m_kept;
    std::map<std::pair<const router_model*, std::uint32_t>, const block_costs*> m_known;  ///< by ports
    std::vector<const block_costs*> m_routers, m_nics;                                    ///< m_nics: by node
    std::vector<std::uint64_t> m_buffer_bits;
    wire_costs m_wires;
    std::array<bridges_of, 2> m_bridges;
    std::vector<double> m_lengths;
    std::string m_tables, m_not_characterised, m_extrapolated;
};

}  // namespace sare
