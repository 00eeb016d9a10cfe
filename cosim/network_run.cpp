// SPDX-License-Identifier: Apache-2.0
#include "cosim/network_run.h"

#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sare::cosim {
namespace {

constexpr cycle_t slice = 500;  // cycles between two looks

/// Records what becomes of every packet.
class packet_log final : public observer {
  public:
    /// cycle, arrives (0: is injected), node, source, destination, flits, routers visited, generated
    using entry = std::array<std::uint64_t, 8>;

    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override { add(now, 0, node, p); }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override { add(now, 1, node, p); }
    void message_consumed(const message_record&, cycle_t) override {}

    /// Takes out all entries before `end`, in an order that is the same in every network.
    std::vector<entry> take_before(cycle_t end) {
        const auto later = std::stable_partition(m_entries.begin(), m_entries.end(),
                                                 [end](const entry& e) { return e[0] < end; });
        std::vector<entry> taken(m_entries.begin(), later);
        m_entries.erase(m_entries.begin(), later);
        std::sort(taken.begin(), taken.end());
        return taken;
    }

  private:
    void add(cycle_t now, std::uint64_t arrives, std::uint32_t node, const packet& p) {
        m_entries.push_back(
            {now, arrives, node, p.route.source, p.route.destination, p.flits, p.hops, p.generated});
    }
    std::vector<entry> m_entries;
};

/// Number of arrivals among the entries.
std::uint64_t arrivals_in(const std::vector<packet_log::entry>& all) {
    return static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [](const packet_log::entry& e) { return e[1] != 0; }));
}

std::string text(const packet_log::entry& e) {
    return fmt::format("cycle {}, packet of {} flits from node {} to {}, generated in cycle {}{}", e[0], e[5],
                       e[3], e[4], e[7], e[1] != 0 ? ", arrives" : ", is injected");
}

/// Notes the first entry that only one of the two has, and the pin that says when that is, if the node's NIC
/// is RTL.
void find_difference(const std::vector<packet_log::entry>& model, const std::vector<packet_log::entry>& rtl,
                     const config::number_set& nics, network_outcome& o) {
    const auto [a, b] = std::mismatch(model.begin(), model.end(), rtl.begin(), rtl.end());
    if (a == model.end() && b == rtl.end()) return;
    const bool from_model = b == rtl.end() || (a != model.end() && *a < *b);
    const packet_log::entry& first = from_model ? *a : *b;
    o.problem = text(first) + " in the network " + (from_model ? "of the model" : "with RTL") + " alone";
    const bool arrives = first[1] != 0;
    const auto node = static_cast<std::uint32_t>(arrives ? first[4] : first[3]);
    if (!nics.contains(node)) return;
    o.problem_in = first[0];
    o.problem_of = node;
    o.problem += fmt::format(" ({} at node {})",
                             arrives ? "valid_o of sare_nic_eject" : "ready_o of sare_nic_inject", node);
}

/// A network under its traffic.
class side {
  public:
    side(const char* name, const experiment& e, const std::shared_ptr<const topology>& map,
         const foreign_maker& maker)
        : m_traffic(workload_registry::instance().make(e.traffic, {e.folder, map->nodes()})),
          m_net(with_config_errors([&] {
              return std::make_unique<network>(name, e, map, e.classes.classes(m_traffic->classes_needed()),
                                               network::most_bound, maker);
          })) {}

    void start(const experiment& e) {
        m_net->engine().net().stepper().set_seed(e.seed);
        m_net->engine().net().stepper().set_observer(&log);
        m_net->engine().set_workload(*m_traffic, m_traffic->runs_to_completion());
    }
    bool finished() { return m_net->engine().finished(); }
    cycle_engine& engine() { return m_net->engine(); }

    packet_log log;

  private:
    std::unique_ptr<workload> m_traffic;
    std::unique_ptr<network> m_net;
};

}  // namespace

network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle) {
    const std::shared_ptr<const topology> map = e.make_map();
    rtl_parts::options how = what.how;
    how.collect = true;
    rtl_parts parts(e, how);
    const auto first = [&] {
        const auto at_ends = what.ends != nullptr ? what.ends->first_divergence() : std::nullopt;
        return earlier(parts.first_divergence(), at_ends);
    };
    side rtl("rtl", e, map, what.ends != nullptr ? what.ends->maker(parts.maker()) : parts.maker());
    std::optional<side> model;
    const auto& rtl_of = e.sections.of<cosim_params>();
    const bool replaced = !rtl_of.replace.empty() || !rtl_of.nics.empty();
    const auto kinds = rtl_of.kinds();
    const bool own =
        std::all_of(kinds.begin(), kinds.end(), [](const auto& k) { return k == cosim_params::own_router; });
    const bool comparable =
        replaced && own && how.old_rtl.empty() && (what.ends == nullptr || what.ends->empty());
    if (comparable) model.emplace("model", e, map, foreign_maker{});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    rtl.start(e);
    if (model) model->start(e);
    network_outcome o;
    const cycle_t last = std::max<cycle_t>(what.cycles, how.waves.last + 1);
    for (cycle_t t = 0; t < last && !rtl.finished();) {
        t = std::min(t + slice, last);
        try {
            rtl.engine().run_until(t);
        } catch (const std::exception&) {
            // What RTL does wrong may end the simulation soon after; it is the cause that is told.
            o.first = first();
            if (!o.first) throw;
            break;
        }
        if (on_cycle) on_cycle(static_cast<double>(t) / static_cast<double>(last));
        if (model && o.problem.empty()) {
            const auto ours = rtl.log.take_before(t);
            o.packets += arrivals_in(ours);
            find_difference(model->log.take_before(t), ours, rtl_of.nics, o);
        } else {
            o.packets += arrivals_in(rtl.log.take_before(t));
        }
        o.first = first();
        if ((o.first || !o.problem.empty()) && t > how.waves.last) break;
    }
    if (!o.first) {
        parts.finish();
        o.first = first();
    }
    if (what.ends != nullptr) o.ends = what.ends->done();
    o.router_cycles = parts.router_cycles();
    if (how.coverage) parts.write_coverage(how.coverage_folder);
    return o;
}

}  // namespace sare::cosim
