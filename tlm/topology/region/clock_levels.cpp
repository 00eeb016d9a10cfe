// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/region/clock_levels.h"

#include "tlm/topology/region/level_governor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace sare {
namespace {

/// Bounds of a fraction, by which the number of any cycle times any of them stays below 2^64.
constexpr std::uint32_t most_edges = 4000, most_cycles = 10'000, most_period = 1000;
constexpr std::size_t most_levels = 16;

/// Returns cycles / edges; none if a number of the reduced fraction is too large.
std::optional<clock_ratio> fraction(std::uint64_t cycles, std::uint64_t edges) {
    if (edges == 0) return std::nullopt;
    const std::uint64_t common = std::gcd(cycles, edges);
    cycles /= common, edges /= common;
    if (cycles > most_cycles || edges > most_edges) return std::nullopt;
    return clock_ratio(static_cast<std::uint32_t>(cycles), static_cast<std::uint32_t>(edges));
}

/// Reads "3", "1.5" or "3/2"; none if the text is nothing of the kind.
std::optional<clock_ratio> to_ratio(const std::string& text) {
    constexpr double steps = 1000;
    char* end = nullptr;
    const double first = std::strtod(text.c_str(), &end), most = 1e9;
    double edges = 1;
    if (end != text.c_str() && *end == '/') edges = std::strtod(end + 1, &end);
    if (end == text.c_str() || *end != '\0' || !(first > 0 && first < most && edges > 0 && edges < most))
        return std::nullopt;
    const double cycles = first * steps, parts = edges * steps;
    if (cycles != std::round(cycles) || parts != std::round(parts)) return std::nullopt;
    return fraction(static_cast<std::uint64_t>(cycles), static_cast<std::uint64_t>(parts));
}

/// Returns the clock of `hertz` in a network whose cycles take `seconds`; none: as fraction().
std::optional<clock_ratio> to_ratio(double hertz, double seconds) {
    constexpr std::uint64_t femtoseconds = 1'000'000'000'000'000;  // of a second
    const double edges = std::round(seconds * femtoseconds) * std::round(hertz);
    if (edges < 1 || edges > 1e18) return std::nullopt;
    return fraction(femtoseconds, static_cast<std::uint64_t>(edges));
}

/// An entry of a schedule.
struct step_params : level_params {
    std::uint64_t cycle = 0;

    static config::schema<step_params> fields() {
        config::schema<step_params> s;
        s.number("at", &step_params::cycle, 0, 1e15, "cycles",
                 "Cycle of the network, from 1, from which on it holds.")
            .include(level_params::fields());
        return s;
    }
    void locate(const config::value& entry, const std::string& whose) {
        level_params::locate(entry, whose);
        if (cycle == 0)
            throw config::error(at, whose + " has a change without 'at', its cycle, which is 1 or later");
    }
};

/// Reads a list of entries.
template <class Entry>
std::vector<Entry> read_list(const config::value& list, const std::string& key, const std::string& whose) {
    std::vector<Entry> all;
    if (list.type() == config::value::kind::null) return all;
    for (const config::value& entry : config::to_list(list, key)) {
        Entry e;
        Entry::fields().read(entry, e, key);
        e.locate(entry, whose);
        all.push_back(std::move(e));
    }
    return all;
}

/// Returns the number of a level of the region, which is added if it is new.
std::uint32_t number_of(const clock_level& l, clock_region& region, const config::location& at,
                        const std::string& whose) {
    auto& all = region.levels;
    const auto found = static_cast<std::size_t>(std::find(all.begin(), all.end(), l) - all.begin());
    if (found == all.size()) all.push_back(l);
    if (all.size() > most_levels)
        throw config::error(
            at, fmt::format("{} has more than {} levels of clock and voltage", whose, most_levels));
    return static_cast<std::uint32_t>(found);
}

void set_limits(clock_region& region, std::uint32_t stop) {
    const auto is_faster = [](const clock_level& a, const clock_level& b) {
        return a.clock.period() < b.clock.period();
    };
    const auto [fast, slow] = std::minmax_element(region.levels.begin(), region.levels.end(), is_faster);
    region.clock = fast->clock;
    region.limits = {fast->clock, slow->clock, stop};
}

void check_gaps(const clock_region& region, const config::location& at, const std::string& whose) {
    const cycle_t least = running_clock::least_gap(region.limits);
    for (std::size_t k = 1; k < region.schedule.size(); ++k)
        if (region.schedule[k].at < region.schedule[k - 1].at + least)
            throw config::error(
                at,
                fmt::format("{} changes in cycle {} and in {}; changes must be in the order of time, and "
                            "here {} cycles apart, four times 'switching' and a cycle of the slowest clock",
                            whose, region.schedule[k - 1].at, region.schedule[k].at, least));
}

}  // namespace

clock_ratio clock_region::fastest_from(cycle_t t) const {
    clock_ratio fastest = schedule.empty() ? clock : levels[schedule.back().level].clock;
    const auto consider = [&](const clock_ratio& c) {
        if (c.period() < fastest.period()) fastest = c;
    };
    for (std::size_t k = 0; k < schedule.size(); ++k)
        if (schedule[k].at > t) consider(levels[k == 0 ? 0 : schedule[k - 1].level].clock);
    return fastest;
}

config::schema<level_params> level_params::fields() {
    using p = level_params;
    config::schema<p> s;
    s.text("frequency", &p::frequency, "Frequency of its clock, such as 500MHz; left out: by 'clock'.")
        .text("clock", &p::clock,
              "Network cycles in one of its cycles, such as 2 or 3/2; left out: the clock before, at first "
              "the network's.")
        .number("voltage", &p::voltage, 0, 100, "V",
                "Its supply, for 'power'; 0: the one before, at first that of the network.");
    return s;
}

void level_params::locate(const config::value& entry, const std::string& whose) {
    at = clock_at = entry.where();
    if (!frequency.empty() && !clock.empty())
        throw config::error(at, whose + " has 'frequency' and 'clock'; give one of them");
    for (const char* const key : {"frequency", "clock"})
        if (const config::value* const given = entry.find(key)) clock_at = given->where();
}

clock_level level_params::level(double clock_seconds, const std::string& whose,
                                const clock_level& before) const {
    const double volts = voltage != 0 ? voltage : before.voltage;
    if (frequency.empty() && clock.empty()) return {before.clock, volts, before.in_hertz};
    const std::string is = whose + ": " + (clock.empty() ? "'frequency'" : "'clock'") + " is '" +
                           (clock.empty() ? frequency : clock) + "'; ";
    const auto hertz = config::to_quantity(frequency, "Hz");
    if (clock.empty() && !(hertz && *hertz >= 1))
        throw config::error(clock_at, is + "it must be one with its unit, such as 500MHz");
    const std::optional<clock_ratio> found =
        clock.empty() ? to_ratio(*hertz, clock_seconds) : to_ratio(clock);
    const double period = found ? found->period() : clock.empty() ? 1 / (*hertz * clock_seconds) : 1;
    if (period < 1 - 1e-9)
        throw config::error(clock_at,
                            is + (clock.empty() ? "the network's clock is slower; take 'clock_period: " +
                                                      config::number_text(1e12 / *hertz) + "ps'"
                                                : "it must be 1 or more, as no clock is faster than "
                                                  "the network's"));
    if (!found || period > most_period)
        throw config::error(clock_at, fmt::format("{}its period must be from 1 to {} network cycles, as a "
                                                  "fraction of numbers up to {} and {}, such as 2 or 3/2",
                                                  is, most_period, most_cycles, most_edges));
    return {*found, volts, clock.empty()};
}

config::schema<level_changes> level_changes::fields() {
    using p = level_changes;
    config::schema<p> s;
    s.list("schedule", &p::schedule, "list of changes", step_params::fields().describe(),
           "Changes of its clock and supply, in the order of time.")
        .list("levels", &p::levels, "list of levels", level_params::fields().describe(),
              "Clocks and supplies that 'governor' may choose beside those of the domain, which come first.")
        .raw("governor", &p::governor, level_governor::kind, "Chooses among the levels by the load.",
             [](const config::value& v) {
                 return v.type() == config::value::kind::null
                            ? v
                            : config::resolve_chosen<level_governor>(v, "governor");
             })
        .number("interval", &p::interval, 1, 1e12, "cycles", "From one choice of 'governor' to the next.")
        .number("switching", &p::switching, 0, most_period, "cycles",
                "Cycles of the network for which the domain stops at each change.");
    return s;
}

void level_changes::check_used(const config::value& entry, const std::string& whose) const {
    const bool governs = governor.type() != config::value::kind::null,
               plans = schedule.type() != config::value::kind::null;
    for (const auto& [key, used, needs] :
         {std::tuple("switching", governs || plans, "'schedule' or 'governor'"),
          std::tuple("interval", governs, "'governor'")})
        if (const config::value* const given = entry.find(key); given != nullptr && !used)
            throw config::error(given->where(),
                                fmt::format("{} has '{}' without {}, and so no change for it; leave it out",
                                            whose, key, needs));
}

void level_changes::apply(double clock_seconds, const std::string& whose, const config::location& at,
                          clock_region& to) const {
    const bool is_governed = governor.type() != config::value::kind::null;
    const auto choices = read_list<level_params>(levels, "levels", whose);
    if (is_governed == choices.empty() || (is_governed && schedule.type() != config::value::kind::null))
        throw config::error(at, whose + (is_governed && !choices.empty()
                                             ? " has 'schedule' and 'governor'; give one of them"
                                             : " needs 'levels' and 'governor' together, the one to choose "
                                               "from and the other to choose"));
    clock_level before = to.levels[0];
    for (const level_params& l : choices)
        number_of(before = l.level(clock_seconds, whose, before), to, at, whose);
    std::uint32_t now = 0;
    for (const step_params& s : read_list<step_params>(schedule, "schedule", whose)) {
        before = s.level(clock_seconds, whose, before);
        const std::uint32_t next = number_of(before, to, s.at, whose);
        if (next != now) to.schedule.push_back({s.cycle, next});
        now = next;
    }
    set_limits(to, switching);
    check_gaps(to, at, whose);
    if (!to.changes() && (is_governed || schedule.type() != config::value::kind::null))
        throw config::error(
            at,
            fmt::format("{} has one clock and voltage at all times, and '{}' changes nothing; leave it out",
                        whose, is_governed ? "governor" : "schedule"));
    if (!is_governed) return;
    level_governor_registry::instance().make(governor);  // errors are said before the run
    to.governor = governor;
    to.interval = interval;
}

}  // namespace sare
