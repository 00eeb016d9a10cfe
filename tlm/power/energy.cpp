// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/energy.h"

#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare {
namespace {

constexpr double aj_of_uw_s = 1e12;  ///< attojoules of a microwatt in a second
constexpr double of_headers = 0.5;   ///< share of header bits that toggle

class energy_finder {
  public:
    explicit energy_finder(const energy_question& q)
        : m_q(q),
          m_levels(q.design.levels()),
          m_all(q.did.routers.size(), q.did.links.size(), q.did.nodes.size(), q.did.classes, m_levels) {}

    energy_ledger find() {
        for (std::uint32_t l = 0; l < m_levels; ++l) {
            for (std::uint32_t r = 0; r < m_q.did.routers.size(); ++r) {
                const level_use use = m_q.times.router(r, l);
                add_block(m_all.by_router.at(r, l), m_q.design.router(r, l), m_q.did.routers[r], use);
                if (!m_q.gates.empty() && use.cycles != 0)
                    add_gate(m_all.by_router.at(r, l), m_q.design.router(r, l), m_q.gates[r], use.time);
            }
            for (std::uint32_t n = 0; n < m_q.did.nodes.size(); ++n) add_node(n, l);
            for (std::size_t row = 0; row < m_q.did.links.size(); ++row) add_link(row, l);
        }
        return std::move(m_all);
    }

  private:
    /// Bits that toggle in `flits` flits, of which `heads` are heads.
    double toggles(double flits, double heads) const {
        const double activity = m_q.design.activity();
        return flits * m_q.design.width() * activity +
               heads * m_q.design.header_bits() * (of_headers - activity);
    }
    void add_block(energy_by_cause& place, const block_costs& costs, const std::vector<event_counts>& did,
                   const level_use& use) {
        if (use.cycles == 0) return;
        for (std::size_t k = 0; k < power_components.size(); ++k) {
            const auto what = static_cast<power_component>(k);
            const auto& energy = costs.energy[k];
            for (std::size_t c = 0; c < did.size(); ++c)
                add_events(place, what, energy, did[c], c, use.share);
            m_all.add(place, what, power_cause::clock, energy_ledger::no_class,
                      energy[place_of(power_event::clock)].event * use.edges);
            m_all.add(place, what, power_cause::leakage, energy_ledger::no_class,
                      costs.leakage[k] * (use.cycles / m_q.hertz) * aj_of_uw_s);
        }
    }

    /// Takes back the clock and leakage of a router that was off, and adds what its wakings cost. `share`:
    /// part of both that counts at the costs of one level: the part of the window that had the level, since
    /// it is not known when the router was off.
    void add_gate(energy_by_cause& place, const block_costs& costs, const power_gate_use& use, double share) {
        for (std::size_t k = 0; k < power_components.size(); ++k) {
            const auto what = static_cast<power_component>(k);
            const double clock = costs.energy[k][place_of(power_event::clock)].event,
                         leakage = costs.leakage[k] * (1 - m_q.gating.leakage) / m_q.hertz * aj_of_uw_s;
            m_all.save(place, what, power_cause::clock, clock * use.off * share);
            m_all.save(place, what, power_cause::leakage, leakage * use.off * share);
            m_all.gating_cost += m_all.add(place, what, power_cause::leakage, energy_ledger::no_class,
                                           leakage * m_q.gating.break_even * use.wakings * share);
        }
    }

    void add_events(energy_by_cause& place, power_component what,
                    const std::array<block_costs::energies, power_events.size()>& energy,
                    const event_counts& did, std::size_t message_class, double share) {
        const double heads = did[place_of(power_event::route_compute)] +
                             did[place_of(power_event::inject_head)] + did[place_of(power_event::eject_head)];
        const double flits = did[place_of(power_event::buffer_read)] + did[place_of(power_event::inject)] +
                             did[place_of(power_event::eject)];
        double events = 0, data = 0;
        for (std::size_t e = 0; e < power_events.size(); ++e) {
            if (e == place_of(power_event::clock)) continue;
            events += energy[e].event * did[e];
            data += energy[e].bit * toggles(did[e], flits > 0 ? did[e] * heads / flits : 0);
        }
        m_all.add(place, what, power_cause::events, message_class, events * share);
        m_all.add(place, what, power_cause::data, message_class, data * share);
    }

    void add_node(std::uint32_t n, std::uint32_t level) {
        const level_use use = m_q.times.node(n, level);
        energy_by_cause& place = m_all.by_node.at(n, level);
        add_block(place, m_q.design.nic(n, level), m_q.did.nodes[n], use);
        m_q.design.for_each_bridge(n, level, [&](const network_design::bridges_of& b) {
            std::vector<event_counts> did = m_q.did.nodes[n];
            for (event_counts& of : did) {
                count_beats(of, power_event::inject_beat, power_event::inject, power_event::inject_head,
                            b.header_out);
                count_beats(of, power_event::eject_beat, power_event::eject, power_event::eject_head,
                            b.header_in);
            }
            add_block(place, b.costs, did, use);
        });
    }

    static void count_beats(event_counts& of, power_event beats, power_event flits, power_event heads,
                            std::uint32_t header) {
        of[place_of(beats)] = std::max(0.0, of[place_of(flits)] - header * of[place_of(heads)]);
    }

    /// Adds a link, which does not leak while it sleeps.
    void add_link(std::size_t row, std::uint32_t level) {
        const link_result& l = m_q.out.link_loads[row];
        const level_use use =
            l.kind == "injection" ? m_q.times.node(l.from, level) : m_q.times.router(l.from, level);
        if (use.cycles == 0) return;
        const wire_costs& w = m_q.design.wires(row, level);
        const double mm = m_q.design.lengths()[row], repeaters = m_q.design.repeaters(row);
        const double of_bit = w.energy_bit_mm * mm + w.repeater_energy * repeaters;
        energy_by_cause& place = m_all.by_link.at(row, level);
        for (std::size_t c = 0; c < m_q.did.classes; ++c) {
            const network_activity::crossing& x = m_q.did.links[row][c];
            m_all.add(place, power_component::links, power_cause::data, c,
                      of_bit * aj_of_pj * toggles(x.flits, x.heads) * use.share);
        }
        const double awake = m_q.asleep.empty() ? use.cycles : use.cycles - m_q.asleep[row] * use.time;
        m_all.add(place, power_component::links, power_cause::leakage, energy_ledger::no_class,
                  (w.leakage_bit_mm * mm + w.repeater_leakage * repeaters) * m_q.design.width() * awake /
                      m_q.hertz * aj_of_uw_s);
    }

    const energy_question& m_q;
    const std::uint32_t m_levels;
    energy_ledger m_all;
};

}  // namespace

energy_ledger find_energy(const energy_question& q) {
    return energy_finder(q).find();
}

}  // namespace sare
