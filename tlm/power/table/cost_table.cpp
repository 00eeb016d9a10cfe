// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/table/cost_table.h"

#include "tlm/config/yaml.h"

#include <cmath>
#include <filesystem>

namespace sare {
namespace {

constexpr double most = 1e15;

template <class E, class Infos, class Name>
std::vector<std::pair<std::string, E>> names_of_all(const Infos& infos, const Name& name) {
    std::vector<std::pair<std::string, E>> all;
    for (std::size_t k = 0; k < infos.size(); ++k) all.emplace_back(name(infos[k]), static_cast<E>(k));
    return all;
}

/// Keys common to the lists of a table.
struct written_entry {
    power_component component = power_component::other;
    power_event event = power_event::clock;
    bool per_bit = false;
    config::value when, terms;
    double error = 0;

    static config::schema<written_entry> fields(bool with_component, bool with_event) {
        using e = written_entry;
        config::schema<e> s;
        if (with_component)
            s.choice("component", &e::component,
                     names_of_all<power_component>(power_components, [](const char* n) { return n; }),
                     "What spends it.");
        if (with_event)
            s.choice(
                 "event", &e::event,
                 names_of_all<power_event>(power_events, [](const power_event_info& i) { return i.name; }),
                 "What it is spent for.")
                .choice("per", &e::per_bit, {{"event", false}, {"bit", true}},
                        "For each event, or for each bit that toggles in it.");
        s.raw("when", &e::when, "map", "Keys of the router and their values, for which it holds.")
            .raw("terms", &e::terms, "map", "Products of parameters, and the coefficient of each.")
            .number("error", &e::error, 0, 1e3, "", "Of the fit, relative.");
        return s;
    }
};

std::vector<cost_entry::condition> read_when(const config::value& when) {
    std::vector<cost_entry::condition> all;
    if (when.type() == config::value::kind::null) return all;
    if (when.type() != config::value::kind::map)
        throw config::error(when.where(), "'when' must be a map of keys and values, such as {vcs: 4}");
    for (const auto& [key, value] : when.entries()) {
        cost_entry::condition c{key, {}, value.where()};
        if (value.type() == config::value::kind::list)
            for (const config::value& one : value.items()) c.values.push_back(config::to_text(one, key));
        else
            c.values.push_back(config::to_text(value, key));
        all.push_back(std::move(c));
    }
    return all;
}

monomial_sum read_terms(const config::value& terms, const config::location& of_entry) {
    if (terms.type() != config::value::kind::map || terms.entries().empty())
        throw config::error(terms.type() == config::value::kind::null ? of_entry : terms.where(),
                            "'terms' must be a map of products and coefficients, such as {\"1\": 3.2}");
    monomial_sum all;
    for (const auto& [text, factor] : terms.entries())
        all.emplace_back(monomial(text, factor.where()), config::to_number(factor, text, -most, most));
    return all;
}

enum class list_of { energy, leakage, area, period };

void check_event(const cost_entry& e, bool of_router) {
    const power_event_info& info = power_events[place_of(e.event)];
    if (e.event != power_event::clock && info.of_router != of_router)
        throw config::error(e.at, std::string("the event '") + info.name + "' is of " +
                                      (info.of_router ? "routers" : "NICs and bridges") + ", and not of " +
                                      (of_router ? "routers" : "NICs and bridges"));
    if (e.per_bit && !info.has_bits)
        throw config::error(e.at, std::string("the event '") + info.name +
                                      "' moves no flit, of which bits could toggle; write 'per: event'");
}

std::vector<cost_entry> read_list(const config::value& list, const char* name, list_of what,
                                  power_component home) {
    const bool of_router = home == power_component::other;
    std::vector<cost_entry> all;
    if (list.type() == config::value::kind::null) return all;
    const auto fields = written_entry::fields(what != list_of::period && of_router, what == list_of::energy);
    for (const config::value& item : config::to_list(list, name)) {
        written_entry w;
        w.component = home;
        fields.read(item, w, name);
        if (what == list_of::energy && item.find("event") == nullptr)
            throw config::error(item.where(), "an entry of 'energy' must say which 'event'");
        all.push_back({w.component, w.event, w.per_bit, read_when(w.when), read_terms(w.terms, item.where()),
                       w.error, item.where()});
        if (what == list_of::energy) check_event(all.back(), of_router);
    }
    return all;
}

cost_ranges read_ranges(const config::value& ranges) {
    cost_ranges all;
    if (ranges.type() == config::value::kind::null) return all;
    if (ranges.type() != config::value::kind::map)
        throw config::error(ranges.where(), "'ranges' must be a map, such as {ports: [3, 7]}");
    for (const auto& [key, range] : ranges.entries()) {
        const std::vector<config::value>& ends = config::to_list(range, key);
        if (ends.size() != 2)
            throw config::error(range.where(), "'" + key + "' must be two numbers, the least and the most");
        all[key] = {config::to_number(ends[0], key, -most, most),
                    config::to_number(ends[1], key, -most, most)};
    }
    return all;
}

/// Section with the lists of a block.
struct written_costs {
    config::value energy, leakage, area, period, ranges;
    double glitch_factor = 0;

    static config::schema<written_costs> fields() {
        using c = written_costs;
        config::schema<c> s;
        s.raw("energy", &c::energy, "list", "pJ an event, or a bit that toggles in it.")
            .raw("leakage", &c::leakage, "list", "uW.")
            .raw("area", &c::area, "list", "um^2.")
            .raw("period", &c::period, "list", "ns; the largest of those that hold.")
            .number("glitch_factor", &c::glitch_factor, 1, 100, "",
                    "Dynamic energy with glitches over that without.")
            .raw("ranges", &c::ranges, "map", "Of parameters; left out: those of the table.");
        return s;
    }
    /// Reads the lists. `home`: component of entries that name none.
    cost_list read(power_component home) const {
        return {read_list(energy, "energy", list_of::energy, home),
                read_list(leakage, "leakage", list_of::leakage, home),
                read_list(area, "area", list_of::area, home),
                read_list(period, "period", list_of::period, home),
                glitch_factor,
                read_ranges(ranges)};
    }
};

struct written_table {
    std::string format, name;
    std::uint32_t version = 0;
    config::value made, applies;
    delay_law delay;
    written_costs router, nic, bridge;
    wire_costs link;

    static config::schema<written_table> fields() {
        using t = written_table;
        config::schema<t> s;
        s.text("format", &t::format, "sare-power.")
            .number("version", &t::version, 1, 1, "", "Of the format.")
            .text("name", &t::name, "What results call it.")
            .raw("made", &t::made, "map", "By what, of which library, at which voltage.")
            .raw("applies", &t::applies, "map", "Kind of routers, and ranges of their parameters.")
            .section("delay", &t::delay, delay_law::fields(),
                     "How periods depend on the voltage; left out: they are those of 'made'.")
            .section("router", &t::router, written_costs::fields(), "Of routers.")
            .section("nic", &t::nic, written_costs::fields(), "Of NICs.")
            .section("bridge", &t::bridge, written_costs::fields(), "Of bridges to AXI.")
            .section("link", &t::link, wire_costs::fields(), "Of links.");
        return s;
    }
};

void read_applies(const config::value& applies, cost_table& to) {
    if (applies.type() == config::value::kind::null) return;
    config::check_keys(applies, "applies", {"kind", "ranges"});
    if (const config::value* kind = applies.find("kind")) to.kind = config::to_text(*kind, "kind");
    if (const config::value* ranges = applies.find("ranges")) to.ranges = read_ranges(*ranges);
}

void read_made(const config::value& made, cost_table& to) {
    if (made.type() == config::value::kind::null) return;
    if (const config::value* library = made.find("library"))
        to.made_of = config::to_text(*library, "library");
    to.characterised = !to.made_of.empty();
    if (const config::value* voltage = made.find("voltage"))
        to.voltage = config::to_number(*voltage, "voltage", 0.01, 100);
    const config::value* const memories = made.find("memories");
    const config::value* const ports = memories == nullptr ? nullptr : memories->find("ports");
    to.has_one_port_memories = ports != nullptr && config::to_integer(*ports, "ports", 1, 2) == 1;
}

void check_delay(const delay_law& law, double voltage, const config::location& at) {
    if (!law.is_known() || (voltage > law.threshold && (law.most == 0 || law.most >= law.least))) return;
    throw config::error(at,
                        "the law of 'delay' needs 'made: {voltage: ...}' above its 'threshold', and 'most' "
                        "not below 'least'");
}

}  // namespace

config::schema<delay_law> delay_law::fields() {
    using l = delay_law;
    config::schema<l> s;
    s.number("threshold", &l::threshold, 0, 10, "V", "Threshold voltage of the transistors.")
        .number("alpha", &l::alpha, 1, 2, "", "Delays go with V / (V - threshold)^alpha.")
        .number("least", &l::least, 0, 100, "V", "Lowest voltage for which that was found; 0: not known.")
        .number("most", &l::most, 0, 100, "V", "Highest one; 0: not known.");
    return s;
}

double delay_law::ratio(double volts, double made) const {
    const auto delay = [this](double v) { return v / std::pow(v - threshold, alpha); };
    return delay(volts) / delay(made);
}

config::schema<wire_costs> wire_costs::fields() {
    using w = wire_costs;
    config::schema<w> s;
    s.number("energy_bit_mm", &w::energy_bit_mm, 0, most, "pJ", "Of a bit that toggles, a mm.")
        .number("leakage_bit_mm", &w::leakage_bit_mm, 0, most, "uW", "Of a wire, a mm.")
        .number("area_bit_mm", &w::area_bit_mm, 0, most, "um^2", "Of a wire, a mm.")
        .number("repeater_mm", &w::repeater_mm, 0, most, "mm",
                "From one repeater to the next; 0: there are none.")
        .number("repeater_energy", &w::repeater_energy, 0, most, "pJ", "Of a bit that toggles, a repeater.")
        .number("repeater_leakage", &w::repeater_leakage, 0, most, "uW", "Of a repeater of one wire.")
        .number("repeater_area", &w::repeater_area, 0, most, "um^2", "Of a repeater of one wire.")
        .number("delay_mm", &w::delay_mm, 0, most, "ns", "Of a mm, with its repeaters; 0: not known.");
    return s;
}

cost_table cost_table::load(const std::string& file) {
    const config::value tree = config::load_yaml(file);
    const config::value* format = tree.find("format");
    if (format == nullptr || format->text() != "sare-power")
        throw config::error(format == nullptr ? tree.where() : format->where(),
                            "a table of energies begins with 'format: sare-power' (docs/power.md)");
    written_table w;
    written_table::fields().read(tree, w, "table");
    if (w.version != 1) throw config::error(tree.where(), "'version' is missing; it must be 1");
    cost_table t;
    t.file = file;
    t.name = w.name.empty() ? std::filesystem::absolute(file).string() : w.name;
    read_made(w.made, t);
    read_applies(w.applies, t);
    t.router = w.router.read(power_component::other);
    t.nic = w.nic.read(power_component::nics);
    t.bridge = w.bridge.read(power_component::bridges);
    t.link = w.link;
    t.delay = w.delay;
    check_delay(t.delay, t.voltage,
                tree.find("delay") != nullptr ? tree.find("delay")->where() : tree.where());
    return t;
}

}  // namespace sare
