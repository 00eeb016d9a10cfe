// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/table/block_costs.h"

#include "tlm/router_api/bank.h"
#include "tlm/router_api/shown_parameters.h"

#include <algorithm>
#include <cstdlib>

namespace sare {
namespace {

/// Returns a parameter as text; one that chooses a variant is its name.
std::string text_of_parameter(const config::value& v) {
    if (v.type() == config::value::kind::scalar) return v.text();
    const config::value* const name = v.find("name");
    return name == nullptr ? config::flow_style(v) : name->text();
}

bool holds(const cost_entry& e, const cost_setting& setting) {
    return std::all_of(e.when.begin(), e.when.end(), [&](const cost_entry::condition& c) {
        const std::string& is = setting.text(c.key, c.at);
        return std::find(c.values.begin(), c.values.end(), is) != c.values.end();
    });
}

double value_of(const cost_entry& e, const cost_setting& setting) {
    double sum = 0;
    for (const auto& [product, factor] : e.terms)
        sum += factor * product.value([&](const std::string& name) { return setting.number(name, e.at); });
    return sum;
}

template <class F>
void for_each_that_holds(const std::vector<cost_entry>& all, const cost_setting& setting, F&& f) {
    for (const cost_entry& e : all)
        if (holds(e, setting)) f(e, value_of(e, setting));
}

std::string short_number(double x) {
    return config::number_text(x);
}

std::string outside_of(const cost_ranges& ranges, const cost_setting& setting) {
    std::string all;
    for (const auto& [key, range] : ranges) {
        const auto found = setting.texts.find(key);
        if (found == setting.texts.end()) continue;
        const double x = std::strtod(found->second.c_str(), nullptr);
        if (x >= range.first && x <= range.second) continue;
        all += (all.empty() ? "" : ", ") + key + " " + short_number(x) + ", where the table knows " +
               short_number(range.first) + " to " + short_number(range.second);
    }
    return all;
}

}  // namespace

const std::string& cost_setting::text(const std::string& key, const config::location& at) const {
    const auto found = texts.find(key);
    if (found != texts.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, value] : texts) known.push_back(name);
    const std::string near = config::nearest(key, known);
    throw config::error(at, "the table asks for '" + key + "', which this block does not have" +
                                (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

double cost_setting::number(const std::string& key, const config::location& at) const {
    const std::string& is = text(key, at);
    char* end = nullptr;
    const double x = std::strtod(is.c_str(), &end);
    if (end == is.c_str() || *end != '\0')
        throw config::error(at,
                            "'" + key + "' is " + is + ", and no number to multiply by; use it in 'when'");
    return x;
}

cost_setting setting_of(const router_model& model, std::uint32_t ports) {
    cost_setting all;
    const router_terms terms = model.terms();
    all.set("vcs", std::to_string(terms.vcs));
    all.set("depth", std::to_string(terms.depth));
    all.set("kind", model.kind());
    if (const auto* shown = dynamic_cast<const shown_parameters*>(&model)) {
        const config::value parameters = shown->parameters();
        for (const auto& [key, value] : parameters.entries()) all.set(key, text_of_parameter(value));
    }
    all.set("ports", std::to_string(ports));
    return all;
}

voltage_factors voltage_factors::of(const cost_table& table, double volts) {
    if (table.voltage == 0) return {};
    const double ratio = volts / table.voltage;
    return {ratio * ratio, ratio, table.delay.is_known() ? table.delay.ratio(volts, table.voltage) : 1};
}

block_costs costs_of(const cost_table& table, const cost_list& list, const cost_setting& setting,
                     const voltage_factors& factors) {
    block_costs all;
    for_each_that_holds(list.energy, setting, [&](const cost_entry& e, double pj) {
        block_costs::energies& to = all.energy[place_of(e.component)][place_of(e.event)];
        (e.per_bit ? to.bit : to.event) += pj * aj_of_pj * factors.dynamic;
    });
    for_each_that_holds(list.leakage, setting, [&](const cost_entry& e, double uw) {
        all.leakage[place_of(e.component)] += uw * factors.leakage;
    });
    for_each_that_holds(list.area, setting,
                        [&](const cost_entry& e, double um2) { all.area[place_of(e.component)] += um2; });
    for_each_that_holds(list.period, setting, [&](const cost_entry&, double ns) {
        all.period = std::max(all.period, ns * factors.delay);
    });
    // A regression may fall below 0 outside of what it was made from.
    for (double& x : all.leakage) x = std::max(0.0, x);
    for (double& x : all.area) x = std::max(0.0, x);
    all.outside = outside_of(list.ranges.empty() ? table.ranges : list.ranges, setting);
    return all;
}

}  // namespace sare
