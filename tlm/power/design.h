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

/// A network as hardware: what each of its blocks costs, whether it runs or not.
class network_design {
  public:
    using model_of = std::function<const router_model&(std::uint32_t router)>;
    /// `flit_bits`: where the section does not say. `at`: of the section. Throws config::error for what the
    /// tables cannot answer.
    network_design(const power_params& params, const config::location& at, const topology& map,
                   const model_of& model, std::uint32_t flit_bits);

    std::uint32_t width() const { return m_width; }
    /// Data bits of a flit that toggle.
    double activity() const { return m_activity; }
    std::uint32_t header_bits() const { return m_header_bits; }
    const block_costs& router(std::uint32_t r) const { return *m_routers[r]; }
    const block_costs& nic(std::uint32_t node) const { return *m_nics[node]; }
    /// Of one end of transactions to AXI: what a bridge there costs, and flits of headers that it sends and
    /// takes.
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
    /// mm, in the order of for_each_link().
    const std::vector<double>& lengths() const { return m_lengths; }
    double repeaters(double mm) const;
    /// Flits that the buffers of a router hold, in bits.
    std::uint64_t buffer_bits(std::uint32_t r) const { return m_buffer_bits[r]; }
    /// ns, of the slowest router; 0: not known.
    double period() const { return m_period; }
    /// um^2 and uW of all blocks, by component.
    const std::array<double, power_components.size()>& area_of() const { return m_area; }
    const std::array<double, power_components.size()>& leakage_of() const { return m_leakage; }
    double area() const { return std::accumulate(m_area.begin(), m_area.end(), 0.0); }
    double leakage() const { return std::accumulate(m_leakage.begin(), m_leakage.end(), 0.0); }
    double voltage() const { return m_voltage; }
    /// Names of the tables, and what they were made of.
    const std::string& tables() const { return m_tables; }
    /// "" where all of it was characterised, and within the ranges; else a sentence for each that is not.
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
