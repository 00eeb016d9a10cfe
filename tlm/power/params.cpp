// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/params.h"

#include "tlm/api/section_registry.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace sare {
namespace {

const section_registration<power_params> power_section{
    "power", 50, "Energy, power and area of the network, from a table of what events cost."};

/// Returns the value of "500MHz", "1.2 GHz"; 0 for another text.
double hertz_of(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    std::string unit(end);
    unit.erase(0, unit.find_first_not_of(' '));
    for (const auto& [name, factor] : {std::pair{"Hz", 1.0}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}})
        if (unit == name && number * factor >= 1 && number * factor <= 1e12) return number * factor;
    return 0;
}

[[noreturn]] void throw_no_table(const config::location& at) {
    throw config::error(at,
                        "'power' has no table of costs; write such as 'table: asap7', or a file of your own");
}

constexpr std::size_t most_data = 64 << 20;

/// Returns the mean share of bits that differ from the flit before, for bytes that are sent flit by flit.
double toggling_share(const std::string& bytes, std::uint32_t width) {
    const std::size_t step = std::max(1U, width / 8), flits = bytes.size() / step;
    std::size_t toggles = 0;
    for (std::size_t k = step; k < flits * step; ++k)
        toggles += std::bitset<8>(static_cast<unsigned char>(bytes[k] ^ bytes[k - step])).count();
    return flits < 2 ? 0 : static_cast<double>(toggles) / static_cast<double>(8 * step * (flits - 1));
}

}  // namespace

config::schema<link_length_params> link_length_params::fields() {
    using p = link_length_params;
    config::schema<p> s;
    s.number("pitch", &p::pitch, 0, 1e6, "mm",
             "From a router to its nearest neighbours; longer links as the picture of the network has them.")
        .number("node_link", &p::node_link, 0, 1e6, "mm", "From a node to its router.")
        .list("lengths", &p::lengths, "list of lengths", link_length::fields().describe(),
              "Links of other lengths.");
    return s;
}

config::schema<link_length> link_length::fields() {
    using l = link_length;
    config::schema<l> s;
    s.integers("between", &l::between, 0, 1e9, "",
               "Two routers, by number or name: all links between them, both ways.")
        .of_places("router")
        .numbers("node", &l::node, "Or nodes: the links with their routers, both ways.")
        .of_places("node")
        .number("length", &l::length, 0, 1e6, "mm", "Of each of them.");
    return s;
}

std::vector<link_length> link_length::read(const config::value& list) {
    std::vector<link_length> all;
    if (list.type() == config::value::kind::null) return all;
    for (const config::value& item : config::to_list(list, "lengths")) {
        link_length l;
        fields().read(item, l, "lengths");
        l.at = item.where();
        if ((l.between.size() == 2) == !l.node.empty() || (l.between.size() != 2 && !l.between.empty()))
            throw config::error(l.at,
                                "an entry of 'lengths' says which links: either '{between: [0, 1], length: "
                                "2}', two routers, or '{node: 0, length: 2}'");
        all.push_back(std::move(l));
    }
    return all;
}

config::schema<gating_params> gating_params::fields() {
    using p = gating_params;
    config::schema<p> s;
    s.number("leakage", &p::leakage, 0, 1, "", "Share of its leakage that a router keeps while it is off.")
        .number("break_even", &p::break_even, 0, 1e6, "cycles",
                "Going off and waking cost what is saved in so many cycles off.");
    return s;
}

config::schema<bridge_params> bridge_params::fields() {
    using p = bridge_params;
    config::schema<p> s;
    s.number("data_width", &p::data_width, 0, 1024, "bits", "Of a beat; 0: as a flit can carry, 32 to 512.")
        .number("id_width", &p::id_width, 1, 16, "bits", "Of a manager's IDs.")
        .number("transactions", &p::transactions, 1, 64, "", "Reads at once, and writes.")
        .number("beats", &p::beats, 1, 1024, "beats", "Places for data of reads, and of writes.");
    return s;
}

std::uint32_t bridge_params::data_bits(std::uint32_t flit_bits) const {
    if (data_width != 0) return data_width;
    std::uint32_t bits = 32;
    while (bits < 512 && 2 * bits <= flit_bits) bits *= 2;
    return bits;
}

config::schema<power_params> power_params::fields() {
    using p = power_params;
    config::schema<p> s;
    s.texts("table", &p::table,
            "Tables of costs, by name or file; each router goes by the first for its kind. None: no power.")
        .text("frequency", &p::frequency,
              "Of the network's clock, such as 500MHz; fastest: what the slowest block can reach; left out: "
              "of clock_period.")
        .flag("overclock", &p::overclock,
              "A clock that is faster than the table allows is taken as it is, and no error.")
        .number("voltage", &p::voltage, 0, 100, "V",
                "Dynamic energy goes with its square, leakage with itself, the clock period by the table's "
                "law of delays; 0: that of the table.")
        .text("data", &p::data,
              "Bits of a flit that differ from the flit before: random (half), zero (none), alternating "
              "(all), their share, or trace: as in data_file.")
        .text("data_file", &p::data_file, "Its bytes are sent flit by flit, and the share is measured.")
        .number("width", &p::width, 0, 65536, "bits", "Of a flit; 0: 8 x nic.flit_bytes.")
        .number("header_bits", &p::header_bits, 0, 65536, "bits",
                "Of a head flit that are no data: half of them toggle, whatever the data is.")
        .flag("clock_gating", &p::clock_gating, "Routers whose registers get a clock only to load.")
        .flag("memory_buffers", &p::memory_buffers, "Routers whose buffers are memories.")
        .number(
            "memory_from", &p::memory_from, 0, 1e9, "flits",
            "Input buffers with at least so many places, those of all VCs together, are memories; 0: none, "
            "but with memory_buffers.")
        .flag("exact", &p::exact,
              "How flits follow one another is counted in all cycles of long runs too, and not sampled: "
              "slower.")
        .flag("glitches", &p::glitches, "Dynamic energy of routers times the glitch factor of the table.")
        .section("gating", &p::gating, gating_params::fields(), "Routers that go off, by 'wake' in 'router'.")
        .section("links", &p::links, link_length_params::fields(), "Lengths of links.")
        .numbers("bridges", &p::bridges,
                 "Nodes with a bridge beside their NIC, to a manager of AXI for instance.")
        .of_places("node")
        .numbers("memory_bridges", &p::memory_bridges,
                 "Nodes with a bridge to a subordinate, a memory for instance.")
        .of_places("node")
        .section("bridge", &p::bridge, bridge_params::fields(), "What these bridges are.")
        .number("interval", &p::interval, 1, 1e15, "cycles",
                "Of power over time; it doubles when there would be more than 'intervals'.")
        .number("intervals", &p::intervals, 2, 10000, "", "Of power over time, at most.");
    return s;
}

void power_params::check(const config::value* section) {
    if (section == nullptr) return;
    if (section->find("table") == nullptr) throw_no_table(at);
    if (table.empty()) return;
    if (const config::value* const given = section->find("frequency")) m_frequency_at = given->where();
    if (!frequency.empty() && !runs_at_fastest() && hertz_of(frequency) == 0)
        throw config::error(
            section->find("frequency")->where(),
            "'frequency' is '" + frequency + "'; it must be one with its unit, such as 500MHz, or fastest");
    if (data == "trace")
        config::read_file(find_data_file(at), 1);
    else
        activity(at, 0);
    if (width != 0 && header_bits > width)
        throw config::error(
            at, fmt::format("'header_bits' is {}, more than the {} bits of a flit", header_bits, width));
    link_length::read(links.lengths);
    find_tables();
}

void power_params::share(const section_part& known) {
    m_shelf = static_cast<const power_params&>(known).m_shelf;
}

std::vector<config::value> power_params::statistics() const {
    if (table.empty()) return {};
    return {config::value::map({{"name", config::value::scalar("power", at)}}, at)};
}

void power_params::find_tables() {
    for (const std::string& name : table)
        m_tables.push_back(m_shelf->table(find_cost_table(name, folder, at)));
    if (voltage != 0) check_voltage(voltage, "'voltage'", at);
}

void power_params::check_voltage(double volts, const std::string& key, const config::location& from) const {
    const std::string is = key + " is " + config::number_text(volts);
    for (const auto& t : m_tables) {
        if (t->voltage == 0)
            throw config::error(
                from, is + ", but the table " + t->file +
                          " does not say at which voltage it was made; give it 'made: {voltage: ...}'");
        if (t->delay.is_known() && volts <= t->delay.threshold)
            throw config::error(from, is + ", and by the table " + t->file + " gates switch above " +
                                          config::number_text(t->delay.threshold) + " V only ('threshold')");
    }
}

const table_shelf::tables& power_params::tables(const config::location& from) const {
    if (m_tables.empty()) throw_no_table(from);
    return m_tables;
}

double power_params::activity(const config::location& from, std::uint32_t bits) const {
    for (const auto& [name, share] : {std::pair{"random", 0.5}, {"zero", 0.0}, {"alternating", 1.0}})
        if (data == name) return share;
    if (data == "trace") return toggling_share(config::read_file(find_data_file(from), most_data), bits);
    char* end = nullptr;
    const double share = std::strtod(data.c_str(), &end);
    if (end != data.c_str() && *end == '\0' && share >= 0 && share <= 1) return share;
    throw config::error(from, "'data' is '" + data +
                                  "'; it must be random, zero, alternating, trace, or a share from 0 to 1");
}

std::string power_params::find_data_file(const config::location& from) const {
    if (data_file.empty())
        throw config::error(from, "'data' is trace, which needs a 'data_file', whose bytes are the data");
    const std::filesystem::path written(data_file);
    return written.is_absolute() ? data_file : (std::filesystem::path(folder) / written).string();
}

double power_params::clock_hertz() const {
    if (table.empty()) return 0;
    return runs_at_fastest() ? std::numeric_limits<double>::infinity() : hertz_of(frequency);
}

double power_params::hertz(double clock_seconds, double least) const {
    if (runs_at_fastest() && least > 0) return 1e9 / least;
    const double asked = hertz_of(frequency);
    return asked > 0 ? asked : 1 / clock_seconds;
}

void power_params::check_beside(const std::string& domain) const {
    if (runs_at_fastest())
        throw config::error(m_frequency_at,
                            "'frequency: fastest' would change the clock of 'domains." + domain +
                                "' too, which is given in Hz; give a frequency, or the domain's 'clock'");
}

double power_params::reachable(double hertz, double least, const std::string& slowest,
                               const config::location& from) const {
    constexpr double rounding = 1e-6;
    if (overclock || hertz * least <= 1e9 * (1 + rounding)) return hertz;
    const auto mhz = [](double hz) { return config::number_text(std::round(hz / 1e4) / 100) + " MHz"; };
    throw config::error(m_frequency_at.file.empty() ? from : m_frequency_at,
                        (frequency.empty() ? "the network's clock is " + mhz(hertz) + " by 'clock_period'"
                                           : "'frequency' is " + frequency) +
                            ", and " + slowest + " allows at most " + mhz(1e9 / least) +
                            "; write 'frequency: fastest' in 'power' for that, or 'overclock: true' to take "
                            "the clock all the same");
}

}  // namespace sare
