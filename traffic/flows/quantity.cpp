// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/quantity.h"

#include "tlm/base/joined.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace sare::traffic {
namespace {

struct byte_unit {
    const char* name;
    double bytes_per_second;
};
constexpr byte_unit byte_units[] = {{"B/s", 1},          {"kB/s", 1e3},       {"MB/s", 1e6},
                                    {"GB/s", 1e9},       {"TB/s", 1e12},      {"kbit/s", 1e3 / 8},
                                    {"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8}, {"Tbit/s", 1e12 / 8}};
constexpr std::pair<const char*, double> second_units[] = {
    {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

struct quantity {
    double number;
    std::string unit;
};

quantity split(const std::string& text, const std::string& name, const char* example,
               const config::location& at) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !std::isfinite(number) || number < 0)
        throw config::error(at, "'" + name + "' must be a number from 0, with a unit or without, such as " +
                                    example + ", not '" + text + "'");
    std::string unit(end);
    unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
    return {number, unit};
}

[[noreturn]] void unknown(const std::string& unit, const std::string& name, const std::string& units,
                          const config::location& at) {
    throw config::error(at, "'" + name + "' has the unknown unit '" + unit + "'; one of: " + units);
}

}  // namespace

const std::vector<std::string>& rate_units() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names{"flits/cycle", "messages/cycle"};
        for (const byte_unit& u : byte_units) names.emplace_back(u.name);
        return names;
    }();
    return all;
}

std::string unit_of(const std::string& text, const std::string& usual) {
    const std::string its = split(text, "", "", {}).unit;
    return its.empty() ? usual : its;
}

double to_rate(const std::string& text, const std::string& name, std::uint32_t length,
               const flow_units& units, const config::location& at) {
    const quantity q = split(text, name, "0.1 or 1.6GB/s", at);
    const std::string& unit = q.unit.empty() ? units.rate : q.unit;
    if (unit == "flits/cycle") return q.number;
    if (unit == "messages/cycle") return q.number * length;
    for (const byte_unit& u : byte_units) {
        if (unit != u.name) continue;
        if (units.cycle_seconds <= 0 || units.flit_bytes == 0)
            throw config::error(
                at, "'" + name + "' is in " + unit +
                        ", and neither clock nor nic.flit_bytes is known here; give it in flits/cycle");
        return q.number * u.bytes_per_second * units.cycle_seconds / units.flit_bytes;
    }
    unknown(unit, name, joined(rate_units()), at);
}

double to_cycles(const std::string& text, const std::string& name, const flow_units& units,
                 const config::location& at) {
    const quantity q = split(text, name, "50 or 200ns", at);
    if (q.unit.empty() || q.unit == "cycles") return q.number;
    for (const auto& [unit, seconds] : second_units) {
        if (q.unit != unit) continue;
        if (units.cycle_seconds <= 0)
            throw config::error(at, "'" + name + "' is in " + q.unit +
                                        ", and the clock is not known here; give it in cycles");
        return q.number * seconds / units.cycle_seconds;
    }
    unknown(q.unit, name, "cycles, ps, ns, us, ms, s", at);
}

}  // namespace sare::traffic
