// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/section_registry.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/power/power_meter.h"
#include "tlm/stats/results.h"

#include <cmath>

/// Figures of the section `power`.
namespace sare {
namespace {

const power_meter& meter(const reading& r) {
    return *static_cast<const power_meter*>(r.own);
}

/// A figure of the energies of a run; empty if nothing was measured.
template <class F>
auto spent_figure(F f) {
    return [f](const reading& r, const figure_place& p) {
        if (r.out.link_loads.empty() || !(r.window > 0)) return figure_cell(std::nan(""));
        return figure_cell(f(meter(r).spent(r), r, p));
    };
}

using spending = power_meter::spending;

figure of_run(const std::string& name, const std::string& unit, const std::string& sentence,
              double (*f)(const spending&, const reading&)) {
    return {scope::run,
            "power." + name,
            unit,
            sentence,
            summing::as_is,
            spent_figure([f](const spending& s, const reading& r, const figure_place&) { return f(s, r); })};
}

/// Energies are sums over the measured window, powers are means over it.
summing summing_of(const std::string& unit) {
    return unit == "pJ" ? summing::total : unit == "mW" ? summing::mean : summing::as_is;
}

template <class F>
figure of_place(scope where, const std::string& name, const std::string& unit, const std::string& sentence,
                F f) {
    return {where, name, unit, sentence, summing_of(unit), spent_figure(f)};
}

double watts(const spending& s, attojoules e) {
    return to_joules(e) / s.seconds;
}

double bits_delivered(const reading& r) {
    double flits = 0;
    for (const node_result& n : r.out.node_loads) flits += static_cast<double>(n.accepted_flits);
    return flits * meter(r).design().width();
}

/// Packets that arrived, each once and without acknowledgements, also if NICs send again what was lost.
double packets_delivered(const reading& r) {
    return static_cast<double>(r.out.packet_latency.from_generation.count);
}

double per(double x, double of) {
    return of > 0 ? x / of : std::nan("");
}

double latency_ns(const spending& s, const reading& r) {
    return r.out.packet_latency.from_generation.mean / s.hertz * 1e9;
}

double per_packet(const spending& s, const reading& r) {
    return per(to_pj(s.energy.total().total()), packets_delivered(r));
}

std::vector<figure> energies() {
    std::vector<figure> all{
        of_run("energy.total", "pJ", "Energy of the network in the measured window.",
               [](const spending& s, const reading&) { return to_pj(s.energy.total().total()); }),
        of_run("energy.dynamic", "pJ", "Of that, by cause.",
               [](const spending& s, const reading&) { return to_pj(s.energy.total().dynamic()); }),
        of_run(
            "energy.error", "",
            "Standard error of the dynamic energy, relative, where events were sampled; 0: all were counted.",
            [](const spending& s, const reading&) { return s.error; }),
        of_run(
            "energy.data", "pJ", "Of that, by cause.",
            [](const spending& s, const reading&) { return to_pj(s.energy.total().of(power_cause::data)); }),
        of_run(
            "energy.clock", "pJ", "Of that, by cause.",
            [](const spending& s, const reading&) { return to_pj(s.energy.total().of(power_cause::clock)); }),
        of_run("energy.leakage", "pJ", "Of that, by cause.",
               [](const spending& s, const reading&) {
                   return to_pj(s.energy.total().of(power_cause::leakage));
               }),
        of_run("energy.per_packet", "pJ", "The total over what is delivered.", per_packet),
        of_run("energy.per_bit", "pJ", "The total over what is delivered.",
               [](const spending& s, const reading& r) {
                   return per(to_pj(s.energy.total().total()), bits_delivered(r));
               })};
    for (std::size_t k = 0; k < power_components.size(); ++k)
        all.push_back({scope::run, std::string("power.energy.by_component.") + power_components[k], "pJ",
                       "Of that, by part, its clock and leakage included.", summing::as_is,
                       spent_figure([k](const spending& s, const reading&, const figure_place&) {
                           return to_pj(s.energy.by_component[k].total());
                       })});
    return all;
}

/// Figures of routers that can go off.
std::vector<figure> gates() {
    std::vector<figure> all{
        of_run("gating.saved", "pJ", "Clock and leakage that routers saved while they were off.",
               [](const spending& s, const reading&) { return to_pj(s.energy.gating_saved); }),
        of_run("gating.cost", "pJ", "What it cost to switch them off and wake them.",
               [](const spending& s, const reading&) { return to_pj(s.energy.gating_cost); })};
    for (figure& f : all)
        f.applies = [](const reading& r) { return r.net != nullptr && !r.net->gates().empty(); };
    return all;
}

std::vector<figure> powers() {
    return {
        of_run("mean", "mW", "Power of the network, mean over the measured window.",
               [](const spending& s, const reading&) { return 1e3 * watts(s, s.energy.total().total()); }),
        of_run("peak", "mW", "The largest mean over an interval of it.",
               [](const spending& s, const reading&) { return 1e3 * s.over_time.peak; }),
        of_run("peak_at", "cycles", "First cycle of that interval.",
               [](const spending& s, const reading& r) {
                   return meter(r).series().size() == 0
                              ? std::nan("")
                              : static_cast<double>(meter(r).series().begin(s.over_time.peak_at));
               }),
        of_run("interval", "cycles", "Length of these intervals.",
               [](const spending&, const reading& r) {
                   return static_cast<double>(meter(r).series().length());
               }),
        of_run("frequency", "MHz", "Of the network's clock.",
               [](const spending& s, const reading&) { return s.hertz / 1e6; }),
        of_run("latency", "ns", "Mean latency of packets, from generation, with that clock.", latency_ns),
        of_run("throughput", "Gbit/s", "Bits delivered, with that clock.",
               [](const spending& s, const reading& r) { return 1e-9 * bits_delivered(r) / s.seconds; }),
        of_run("energy_delay", "pJ ns", "Energy of a packet times its latency: means.",
               [](const spending& s, const reading& r) { return per_packet(s, r) * latency_ns(s, r); }),
        of_run("energy_delay_of_run", "J s", "Energy of the measured window times its length.",
               [](const spending& s, const reading&) {
                   return to_joules(s.energy.total().total()) * s.seconds;
               }),
    };
}

/// A figure that is known without a run.
template <class F>
figure of_design(const std::string& name, const std::string& unit, const std::string& sentence, F f) {
    return {scope::run,
            "power." + name,
            unit,
            sentence,
            summing::as_is,
            [f](const reading& r, const figure_place&) { return figure_cell(f(meter(r).design(), r.map)); }};
}

std::vector<figure> designs() {
    return {
        of_design("clock_period", "ns",
                  "The least of the network's clock, by the slowest block; 0: not known.",
                  [](const network_design& d, const topology&) { return d.period(); }),
        of_design("area", "mm^2", "Of routers, links, NICs and bridges.",
                  [](const network_design& d, const topology&) { return d.area() * 1e-6; }),
        of_design("voltage", "V", "0: the table does not say.",
                  [](const network_design& d, const topology&) { return d.voltage(); }),
        of_design("tables", "", "Where the costs are from.",
                  [](const network_design& d, const topology&) { return d.tables(); }),
        of_design("not_characterised", "", "What goes by costs that were not found from gates, or by none.",
                  [](const network_design& d, const topology&) { return d.not_characterised(); }),
        of_design("extrapolated", "", "Parameters beyond those that the tables were made from.",
                  [](const network_design& d, const topology&) { return d.extrapolated(); }),
    };
}

std::vector<figure> of_routers() {
    const auto here = [](const spending& s, const reading& r, const figure_place& p) -> energy_by_cause {
        return s.energy.by_router[r.out.router_places[p.row].router];
    };
    const auto part = [here](auto get) {
        return [here, get](const spending& s, const reading& r, const figure_place& p) {
            return to_pj(get(here(s, r, p)));
        };
    };
    return {
        of_place(scope::router, "energy", "pJ", "In the measured window.",
                 part([](const energy_by_cause& e) { return e.total(); })),
        of_place(scope::router, "energy_dynamic", "pJ", "Of that, by cause.",
                 part([](const energy_by_cause& e) { return e.dynamic(); })),
        of_place(scope::router, "energy_clock", "pJ", "Of that, by cause.",
                 part([](const energy_by_cause& e) { return e.of(power_cause::clock); })),
        of_place(scope::router, "energy_leakage", "pJ", "Of that, by cause.",
                 part([](const energy_by_cause& e) { return e.of(power_cause::leakage); })),
        of_place(scope::router, "power", "mW", "Mean over the measured window.",
                 [here](const spending& s, const reading& r, const figure_place& p) {
                     return 1e3 * watts(s, here(s, r, p).total());
                 }),
        of_place(scope::router, "peak_power", "mW",
                 "With the links that leave it and its nodes: the largest mean over an interval.",
                 [](const spending& s, const reading& r, const figure_place& p) {
                     return 1e3 * s.over_time.peak_of_router[r.out.router_places[p.row].router];
                 }),
        of_place(scope::router, "area", "um^2", "By the table.",
                 [](const spending&, const reading& r, const figure_place& p) {
                     return meter(r).design().router(r.out.router_places[p.row].router).whole_area();
                 }),
    };
}

std::vector<figure> of_others() {
    return {
        of_place(scope::link, "energy", "pJ", "In the measured window.",
                 [](const spending& s, const reading&, const figure_place& p) {
                     return to_pj(s.energy.by_link[p.row].total());
                 }),
        of_place(scope::link, "power", "mW", "Mean over the measured window.",
                 [](const spending& s, const reading&, const figure_place& p) {
                     return 1e3 * watts(s, s.energy.by_link[p.row].total());
                 }),
        of_place(scope::link, "length", "mm", "By 'power.links'.",
                 [](const spending&, const reading& r, const figure_place& p) {
                     return meter(r).design().lengths()[p.row];
                 }),
        of_place(scope::node, "energy", "pJ", "In the measured window.",
                 [](const spending& s, const reading& r, const figure_place& p) {
                     return to_pj(s.energy.by_node[r.out.node_loads[p.row].node].total());
                 }),
    };
}

std::vector<figure> of_classes() {
    std::vector<figure> all{
        of_place(scope::message_class, "energy", "pJ", "Dynamic energy, in the measured window.",
                 [](const spending& s, const reading&, const figure_place& p) {
                     return to_pj(s.energy.by_class[p.row]);
                 }),
        of_place(scope::message_class, "energy_per_packet", "pJ", "That, over its packets delivered.",
                 [](const spending& s, const reading& r, const figure_place& p) {
                     return per(to_pj(s.energy.by_class[p.row]),
                                static_cast<double>(r.out.class_loads[p.row].consumed));
                 })};
    for (figure& f : all) f.applies = [](const reading& r) { return !r.out.class_loads.empty(); };
    return all;
}

std::vector<figure> all_figures() {
    std::vector<figure> all;
    for (const auto make : {energies, gates, powers, designs, of_routers, of_others, of_classes})
        for (figure& f : make()) all.push_back(std::move(f));
    return all;
}

/// Returns the section, which has read its tables.
const power_params& params_of(const statistic_context& c) {
    if (c.sections == nullptr) throw std::logic_error("power: a statistic of no experiment");
    return c.sections->of<power_params>();
}

const statistic_declaration power_declared{
    "power", "Energy and power of the network: what the section 'power' takes.",
    config::schema<config::no_parameters>(), all_figures(),
    [](const config::no_parameters&, const config::value& section, const statistic_context& c) {
        return new power_meter(params_of(c), section.where(), c);
    }};

}  // namespace
}  // namespace sare
