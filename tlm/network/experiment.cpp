// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/experiment.h"

#include "tlm/api/workload.h"
#include "tlm/combining/combiner_network.h"
#include "tlm/combining/params.h"
#include "tlm/config/hints.h"
#include "tlm/config/resolved_list.h"
#include "tlm/network/classes/class_links.h"
#include "tlm/network/router_plan.h"
#include "tlm/network/routes/own_routing.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/routing.h"
#include "tlm/stats/statistic.h"
#include "tlm/topology/changed_links.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/region/clock_regions.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace sare {

namespace {

/// Sections that choose no variant, and the keys at the top.
std::vector<config::named_section> plain_sections() {
    std::vector<config::named_section> all{{"", "", "", {}, {}}};
    for (const config::parameter_doc& d : experiment::fields().describe()) {
        all[0].keys.push_back(d.name);
        const bool list =
            d.type.find("list") != std::string::npos || d.type.find("exceptions") != std::string::npos;
        if (!d.section.empty() && !list) all.push_back({"", d.name, "", {}, config::names_of(d.section, "")});
    }
    return all;
}

[[maybe_unused]] const bool names_known =
    config::add_names_of<topology_registry>("topology", "network") &&
    config::add_names_of<routing_registry>("routing function", "routing") &&
    config::add_names_of<router_registry>("router kind", "router") &&
    config::add_names_of<workload_registry>("workload", "traffic") && config::add_names(plain_sections);

/// Resolves a section that is there: sections that choose a variant have no default of their own.
template <class Registry>
config::value resolve_given(const config::value& v) {
    return v.type() == config::value::kind::null ? v : Registry::instance().resolve(v);
}

config::value resolve_router(const config::value& v) {
    return router_registry::instance().resolve(v);
}

/// Makes the network of a tree that is not read yet, with the names of its places.
std::shared_ptr<const topology> named_network(const config::value& tree) {
    const config::value* section = tree.find("network");
    if (section == nullptr) throw config::error(tree.where(), "section 'network' is missing");
    std::shared_ptr<topology> map = topology_registry::instance().make(*section);
    naming names;
    if (const config::value* given = tree.find("names")) naming::fields().read(*given, names, "names");
    map->set_names(names.over(*map));
    return map;
}

/// Keys of an entry of 'routers' beside those of 'router'.
struct router_exception_keys {
    config::number_set at;

    static config::schema<router_exception_keys> fields() {
        config::schema<router_exception_keys> s;
        s.numbers("at", &router_exception_keys::at, "Which: all, numbers, names, ranges such as \"4-7\".")
            .of_places("router");
        return s;
    }
};

/// Removes defaults, which are no values that an entry has.
std::vector<config::parameter_doc> without_defaults(std::vector<config::parameter_doc> docs) {
    for (auto& d : docs) d.default_text.clear();
    return docs;
}

/// Names of workloads in a section, nested ones included, and its keys for classes: message classes depend on
/// them.
std::string workload_names(const config::value& v) {
    const auto& all = workload_registry::instance();
    std::string names;
    if (v.type() == config::value::kind::scalar && all.find(v.text()) != nullptr) return v.text() + " ";
    for (const auto& [key, inner] : v.entries())
        if (key == "class" || key == "classes")
            names += key + flow_style(inner) + " ";
        else if (key == all.selector() || inner.type() == config::value::kind::map)
            names += workload_names(inner);
    return names;
}

/// Throws for a clock period that is not counted exactly: the contention-free model counts in picoseconds,
/// SystemC in femtoseconds at the finest (network sees which step it has).
void check_counted(const experiment& e, double seconds) {
    const double counted = seconds / (e.fidelity == fidelity::flit ? 1e-15 : 1e-12);
    if (std::abs(counted - std::round(counted)) <= 1e-14 * counted) return;
    throw e.written.mistake("'clock_period' is '" + e.clock_period + "'; it must be a whole number of " +
                            (e.fidelity == fidelity::flit
                                 ? "femtoseconds"
                                 : std::string("picoseconds where 'fidelity' is ") + to_string(e.fidelity)));
}

/// Sets the clock to that of the section `power`, which may be the only one that gives it.
void take_clock(experiment& e, bool is_given) {
    const double hertz = e.sections.clock_hertz();
    if (hertz == 0) return;
    const bool is_open = std::isinf(hertz);
    if (is_given && (is_open || std::abs(e.clock_seconds() - 1 / hertz) > 1e-12))
        throw e.written.mistake(
            fmt::format("'clock_period' is {}, and 'power.frequency' is another clock{}; give one of them",
                        e.clock_period, is_open ? "" : ", of " + config::number_text(1e12 / hertz) + "ps"));
    if (is_given || is_open) return;
    e.clock_period =
        fmt::format("{:.0f}ps", std::max(1.0, std::round(1e12 / hertz)));  // SystemC's resolution
}

/// Throws for routers with more ports than their masks have.
void check_ports(const topology& map, const config::value& network) {
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        if (const std::uint32_t ports = map.ports(router_id(r)); ports > most_ports)
            throw config::error(network.where(),
                                fmt::format("router {} of this {} has {} ports; at most {}, or any number "
                                            "without routers: 'fidelity: analytic'",
                                            r, map.name(), ports, most_ports));
}

/// Adds the statistic of domains, if there are any; routers in RTL allow no statistic.
void ask_for_domains(experiment& e) {
    if (e.domains.type() == config::value::kind::null || !e.sections.foreign_routers().empty()) return;
    std::vector<config::value> all;
    if (e.measurement.statistics.type() == config::value::kind::list) all = e.measurement.statistics.items();
    for (const config::value& one : all)
        if (statistic_registry::instance().chosen(one).name == "domains") return;
    all.push_back(config::value::scalar("domains", e.domains.where()));
    e.measurement.statistics = config::value::list(std::move(all), e.domains.where());
}

/// Throws for marks and rates that do not fit together, or with the rest.
void check_congestion(const experiment& e, const config::value& tree) {
    const config::value* const marking = tree.find("marking");
    if (marking != nullptr) e.marking.check(marking->where());
    if (e.marking.is_given() && !e.failures.empty())
        throw config::error(marking->where(), "'marking' and 'failures' do not go together; leave one out");
    if (!e.nic.controls_congestion()) return;
    const config::location at = e.nic.control.where();
    if (e.nic.retransmission == retransmission::none)
        throw config::error(at,
                            "'nic.congestion_control' needs flows whose packets are acknowledged: "
                            "'nic.retransmission: go_back_n'");
    if (!e.marking.is_given())
        throw config::error(at,
                            "'nic.congestion_control' needs routers that mark packets: "
                            "'marking: {kmin: ..., kmax: ...}'");
}

/// Throws for sections that the contention-free model has nothing for.
void refuse_flits(const experiment& e) {
    if (!e.failures.empty())
        throw config::error(e.failures.at,
                            std::string("'failures' is for links that carry flits, and 'fidelity' is ") +
                                to_string(e.fidelity) + "; leave one of them out");
    if (e.marking.is_given())
        throw e.written.mistake(std::string("'marking' is for routers with queues, and 'fidelity' is ") +
                                to_string(e.fidelity) + "; leave it out");
    if (e.nic.is_limited() || e.nic.arbiter.type() != config::value::kind::null)
        throw e.written.mistake(
            std::string("'nic.arbiter' and 'nic.rate' are for flits that wait, and 'fidelity' is ") +
            to_string(e.fidelity) + ", where none does; leave them out");
    if (e.domains.type() != config::value::kind::null)
        throw config::error(e.domains.where(),
                            std::string("'domains' are of routers and NICs with clocks, and 'fidelity' is ") +
                                to_string(e.fidelity) + "; leave one of them out");
    if (any_link_of_classes(e.links))
        throw config::error(e.links.where(),
                            std::string("'links.classes' is for links that carry flits, and 'fidelity' is ") +
                                to_string(e.fidelity) + "; leave one of them out");
    for (const section_parts::part& p : e.sections.all())
        if (const std::string what = p.values->needs_routers(); !what.empty())
            throw config::error(p.values->at, what + " and 'fidelity' is " + to_string(e.fidelity) +
                                                  ", which has no routers; leave one of them out");
}

/// True if a link has a time or a bandwidth, from which cycles may follow, or is in a file that may say them.
bool says_times(const config::value& v) {
    for (const config::value& item : v.items())
        if (says_times(item)) return true;
    for (const auto& [key, inner] : v.entries())
        if (key == "latency" || key == "node_latency" || key == "global_latency" || key == "bandwidth" ||
            key == "seconds" || key == "file" || says_times(inner))
            return true;
    return false;
}

/// Throws for a section of a room that this program is not linked with.
void refuse_absent_room(const config::value& tree) {
    const config::value* const cosim = tree.find("cosim");
    if (cosim != nullptr && section_registry::instance().keys("cosim").empty())
        throw config::error(cosim->where(),
                            "the section 'cosim' is in a part that this program is built without; "
                            "'scripts/setup --test', 'cmake -B build -DSARE_PARTS=all' and building again "
                            "bring it, and a program of your own links sare::rtl");
}

}  // namespace

const char* to_string(fidelity f) {
    switch (f) {
        case fidelity::flit:
            return "flit";
        case fidelity::analytic:
            return "analytic";
        case fidelity::crossbar:
            return "crossbar";
        case fidelity::node_links:
            return "node_links";
    }
    return "?";
}

config::schema<measurement_params> measurement_params::fields() {
    using p = measurement_params;
    config::schema<p> s;
    s.number("warmup", &p::warmup, 0, 1e15, "cycles", "Cycles before convergence is looked for.")
        .number("convergence_interval", &p::convergence_interval, 1, 1e12, "cycles",
                "Mean latency and accepted load are taken over intervals of this length.")
        .number("convergence_count", &p::convergence_count, 0, 1000, "intervals",
                "So many intervals in a row must agree; 0: measure at once.")
        .number("convergence_tolerance", &p::convergence_tolerance, 0, 1, "",
                "They agree if none differs from their mean by more than this fraction.")
        .number("convergence_limit", &p::convergence_limit, 1, 1e6, "intervals",
                "After so many without agreement the network is measured as it is.")
        .number("interval_packets", &p::interval_packets, 0, 1e9, "packets",
                "Intervals and batches last until so many packets are expected in each, with "
                "convergence_count > 0; 0: exactly as long as said.")
        .number("batch", &p::batch, 1, 1e15, "cycles", "Length of a batch of the measurement.")
        .number("batches", &p::batches, 1, 1e6, "", "Batches measured.")
        .number("max_cycles", &p::max_cycles, 0, 1e18, "cycles",
                "A workload that runs to its end is stopped here; 0: never.")
        .number("watchdog", &p::watchdog, 10, 1e15, "cycles",
                "With flits in the network, and none moving for so long, the run ends as a deadlock.")
        .number("series_interval", &p::series_interval, 0, 1e15, "cycles",
                "Interval of the time series of a workload that runs to its end; 0: chosen, for up to 500 "
                "points. In a steady state, intervals and batches are its points.")
        .flag("matrix", &p::matrix, "Write the source-destination matrix.")
        .raw("statistics", &p::statistics, "list of statistics",
             "Statistics that look on while the run goes on, a name or a section each.",
             config::resolved_list<statistic_registry>);
    return s;
}

config::schema<checks_params> checks_params::fields() {
    using p = checks_params;
    config::schema<p> s;
    s.flag("deadlock", &p::deadlock, "Check the channel dependency graph before the run.")
        .flag("force", &p::force, "Run even if that check finds the configuration unsafe.");
    return s;
}

config::schema<experiment> experiment::fields() {
    using e = experiment;
    config::schema<e> s;
    s.text("name", &e::name, "What the experiment is called, in titles.")
        .number("seed", &e::seed, 0, 9.2e18, "",
                "Of all random numbers: the same seed gives the same results.")
        .choice("fidelity", &e::fidelity,
                {{to_string(sare::fidelity::flit), sare::fidelity::flit},
                 {to_string(sare::fidelity::analytic), sare::fidelity::analytic},
                 {to_string(sare::fidelity::crossbar), sare::fidelity::crossbar},
                 {to_string(sare::fidelity::node_links), sare::fidelity::node_links}},
                "Every flit through every router; or the contention-free model, which leaves out routers: a "
                "message takes the latencies of its way and its bits by the least bandwidth; or that with "
                "the links of the two nodes alone, an ideal crossbar; or a crossbar whose nodes' links carry "
                "one message at a time.")
        .text("clock_period", &e::clock_period, "Time of one cycle, such as 1ns or 625 ps.")
        .number("threads", &e::threads, 1, 1024, "",
                "Threads that run the network, each a part of it: the same results, sooner. Fewer where a "
                "part would have less than 256 routers or a processor is missing, and one where it does as "
                "well; the run says so.")
        .raw("network", &e::network, "topology", "What is linked to what.", resolve_given<topology_registry>)
        .section("names", &e::names, naming::fields(),
                 "What routers and nodes are called, beside the names in an edge list.")
        .raw("routing", &e::routing, "routing function", "Which way packets take.",
             resolve_given<routing_registry>)
        .raw("router", &e::router, "router kind", "The routers.", resolve_router)
        .list("routers", &e::routers, "exceptions of router kind",
              without_defaults(router_exception_keys::fields().describe()),
              "Routers that differ: 'at' and any key of 'router', 'kind' too; later entries win.")
        .list("links", &e::links, "list of sections", without_defaults(link_exception::fields().describe()),
              "Links that differ: 'between' or 'node', and what is different; later entries win.")
        .sections("domains", &e::domains, without_defaults(region_params::fields().describe()),
                  "Parts of the network with a clock and a supply of their own, under names of yours.")
        .section("classes", &e::classes, class_params::fields(),
                 "Message classes, and which VCs each may use.")
        .section("marking", &e::marking, marking_params::fields(),
                 "Marks of packets that find long queues in routers, for nic.congestion_control.")
        .section("failures", &e::failures, failure_params::fields(),
                 "Links and routers that fail in mid-run, and when routing knows.")
        .section("nic", &e::nic, nic_params::fields(), "The network interfaces.")
        .raw("traffic", &e::traffic, "workload", "What the nodes send.", resolve_given<workload_registry>)
        .section("measurement", &e::measurement, measurement_params::fields(), "How the run is measured.")
        .section("checks", &e::checks, checks_params::fields(), "What is checked before a run.");
    const section_registry& brought = section_registry::instance();
    for (const std::string& name : brought.sections())
        s.section(name, &e::sections, section_parts::member(name), brought.describe(name),
                  brought.sentence(name));
    s.texts("plugins", &e::plugins,
            "Libraries with variants of yours, files relative to this one; loaded before it is read.");
    return s;
}

experiment experiment::read(const config::value& given, const std::string& folder, const experiment* known) {
    const config::value tree =
        with_numbers(given, fields().describe(), [&given] { return named_network(given); });
    experiment e;
    e.network = config::value::map({{"topology", config::value::scalar("mesh")}});
    e.at = tree.where();
    e.written = config::written(tree);
    const config::location unsaid = left_out_routing(e);
    e.routing = config::value::map({{"function", config::value::scalar("dor", unsaid)}}, unsaid);
    e.traffic = config::value::nothing(tree.where());
    e.folder = folder;
    refuse_absent_room(tree);
    fields().read(tree, e, "experiment");
    if (tree.find("network") == nullptr) throw config::error(tree.where(), "section 'network' is missing");
    router_registry::instance().resolve(e.router);
    take_own_routing(e, tree.find("routing"));
    config::resolved_list<statistic_registry>(e.measurement.statistics);
    link_exception::read(e.links);
    region_params::read(e.domains);
    e.failures.read_events();
    topology_registry::instance().resolve(e.network);
    routing_registry::instance().resolve(e.routing);
    if (tree.find("traffic") != nullptr) workload_registry::instance().resolve(e.traffic);
    const config::value* nic = tree.find("nic");
    e.nic.check_rates(nic != nullptr ? nic->where() : e.at);
    check_congestion(e, tree);
    const config::value* classes = tree.find("classes");
    e.classes.at = classes != nullptr ? classes->where() : e.at;
    const config::value* const clock = tree.find("clock_period");
    e.sections.check(tree, folder, known != nullptr ? &known->sections : nullptr);
    take_clock(e, clock != nullptr);
    const config::value* failures = tree.find("failures");
    e.failures.at = failures != nullptr ? failures->where() : e.at;
    e.clock_seconds();
    if (e.fidelity != fidelity::flit) refuse_flits(e);
    ask_for_domains(e);
    return e;
}

config::value experiment::resolved() const {
    config::value all = fields().write(*this);
    all.remove("threads");  // results are the same with any number
    // It would be refused beside a kind that brings its own.
    if (brings_all_routing(*this)) all.remove("routing");
    if (name.empty()) all.remove("name");
    if (names.empty()) all.remove("names");
    if (!marking.is_given()) all.remove("marking");
    if (failures.empty()) all.remove("failures");
    if (!classes.is_given()) all.remove("classes");
    if (plugins.empty()) all.remove("plugins");
    if (domains.type() == config::value::kind::null) all.remove("domains");
    if (std::isinf(sections.clock_hertz())) all.remove("clock_period");
    if (traffic.type() == config::value::kind::null) all.remove("traffic");
    return all;
}

std::shared_ptr<const router_model> experiment::router_of_all() const {
    return router_registry::instance().make(router_section(router, router_exception::read(routers)));
}

std::unique_ptr<topology> experiment::make_map(cycle_t from) const {
    auto map = topology_registry::instance().make(network);
    if (fidelity == sare::fidelity::flit) check_ports(*map, network);
    if (!names.empty()) map->set_names(names.over(*map));
    map = with_regions(std::move(map), domains, clock_seconds(), from);
    map = with_changed_links(std::move(map), links, cycles_of_links());
    const combining_params& combining = sections.of<combining_params>();
    if (!combining.on()) return map;
    map = std::make_unique<combiner_network>(std::move(map), combining.ports, combining.at);
    if (fidelity == sare::fidelity::flit) check_ports(*map, network);
    return map;
}

workload_context experiment::context(const topology& map) const {
    const double seconds = std::isinf(sections.clock_hertz()) ? 0 : clock_seconds();  // 0: not known yet
    return {folder, without_combiners(map).nodes(), &map.names(), seconds, nic.flit_bytes};
}

std::optional<cycle_rule> experiment::cycles_of_links() const {
    if (fidelity != sare::fidelity::flit || !(says_times(network) || says_times(links))) return std::nullopt;
    return cycle_rule{clock_seconds(), 8 * nic.flit_bytes, network.where()};
}

std::string experiment::link_times_text() const {
    const auto rule = cycles_of_links();
    if (!rule) return "";
    auto map = with_regions(topology_registry::instance().make(network), domains, clock_seconds());
    return rule->text(*with_changed_links(std::move(map), links));
}

std::string experiment::structure() const {
    const config::value all = resolved();
    std::string text = workload_names(resolve_given<workload_registry>(traffic)) + clock_period;
    for (const char* section : {"fidelity", "network", "names", "links", "domains", "marking", "failures",
                                "routing", "router", "routers", "classes", "nic"})
        if (const config::value* v = all.find(section)) text += " " + flow_style(*v);
    for (const section_parts::part& p : sections.all())
        if (p.values->changes_network())
            text += " " + flow_style(p.from->fields.write_from(p.values->parameters()));
    return text;
}

double experiment::clock_seconds() const {
    char* end = nullptr;
    const double number = std::strtod(clock_period.c_str(), &end);
    std::string unit(end);
    unit.erase(0, unit.find_first_not_of(' '));
    for (const auto& [unit_name, seconds] :
         {std::pair{"fs", 1e-15}, {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
        if (unit == unit_name && end != clock_period.c_str() && number * seconds >= 1e-12 &&
            number * seconds <= 1) {
            check_counted(*this, number * seconds);
            return number * seconds;
        }
    const auto hertz = config::to_quantity(clock_period, "Hz");
    throw written.mistake("'clock_period' is '" + clock_period +
                          "'; it must be a time from 1ps to 1s with its unit, such as " +
                          (hertz && *hertz > 0 ? config::number_text(1e12 / *hertz) + "ps" : "1ns"));
}

}  // namespace sare
