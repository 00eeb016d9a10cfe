// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/describe/catalogue.h"
#include "tb/sare/explore/explore_section.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/plugins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Makes the JSON Schema of a configuration, for editors, from the same declarations as everything else.
namespace sare::cli {
namespace {

using config::parameter_doc;

json reference(const std::string& name) {
    return {{"$ref", "#/$defs/" + name}};
}

std::string definition_name(std::string kind) {
    for (char& c : kind)
        if (c == ' ') c = '_';
    return kind;
}

json number(const parameter_doc& d, bool whole) {
    json s{{"type", whole ? "integer" : "number"}};
    const auto bound = [whole](double x) {
        return whole && std::abs(x) < 9e15 ? json(static_cast<std::int64_t>(x)) : json(x);
    };
    if (d.min) s["minimum"] = bound(*d.min);
    if (d.max) s["maximum"] = bound(*d.max);
    return s;
}

json one_or_list(const json& item) {
    return {{"anyOf", {item, {{"type", "array"}, {"items", item}}}}};
}

json object(const std::vector<parameter_doc>& docs, json properties);

std::vector<std::string> names_of(const variant_family& f) {
    std::vector<std::string> names;
    for (const auto& v : f.variants) names.push_back(v.name);
    return names;
}

/// Returns the schema of a list whose entries have parameters of any variant beside their own.
json list_of_variants(const parameter_doc& d, const variant_family& f, const std::string& required) {
    json any = json::array();
    for (const auto& v : f.variants) {
        const bool nests = std::any_of(v.parameters.begin(), v.parameters.end(), [&f](const auto& p) {
            return whole_catalogue().family_of_entries(p) == &f;
        });
        if (nests) continue;  // it may not stand in its own list
        const json own = object(d.section, {{f.selector, {{"const", v.name}}}});
        any.push_back(object(v.parameters, own["properties"]));
        any.back()["required"] = {required};
    }
    if (required == f.selector && f.by_name) any.push_back({{"enum", names_of(f)}});
    if (d.type.rfind("nested ", 0) == 0) any.push_back({{"type", "array"}, {"items", {{"anyOf", any}}}});
    return {{"type", "array"}, {"items", {{"anyOf", any}}}};
}

json type_of(const parameter_doc& d) {
    if (const variant_family* f = whole_catalogue().family_of_exceptions(d))
        return list_of_variants(d, *f, d.section.front().name);
    if (const variant_family* f = whole_catalogue().family_of_entries(d))
        return list_of_variants(d, *f, f->selector);
    if (d.type == "list of sections")
        return {{"type", "array"}, {"items", object(d.section, json::object())}};
    if (d.type == "one or more sections") return one_or_list(object(d.section, json::object()));
    if (d.type == "map of sections")
        return {{"type", "object"}, {"additionalProperties", object(d.section, json::object())}};
    if (const variant_family* f = whole_catalogue().family_of(d)) {
        const json one = reference(definition_name(f->kind));
        return f->kind == "bridge protocol" ? one_or_list(one) : one;
    }
    if (!d.section.empty()) return object(d.section, json::object());
    if (!d.choices.empty()) return {{"enum", d.choices}};
    if (d.type == "integer") return number(d, true);
    if (d.type == "number") return number(d, false);
    if (d.type == "flag") return {{"type", "boolean"}};
    if (d.type == "list of integers") return one_or_list(number(d, true));
    if (d.type == "list of numbers") return one_or_list(number(d, false));
    if (d.type == "map of numbers") return {{"type", "object"}, {"additionalProperties", number(d, false)}};
    if (d.type == "rows of integers")
        return {{"type", "array"}, {"items", {{"type", "array"}, {"items", number(d, true)}}}};
    if (d.type == "list of texts") return one_or_list({{"type", "string"}});
    if (d.type == "set of numbers")
        return one_or_list({{"anyOf", {{{"type", "integer"}, {"minimum", 0}}, {{"type", "string"}}}}});
    if (d.type == "map") return {{"type", "object"}};
    if (d.type == "text or map") return {{"type", {"string", "object"}}};
    if (d.type == "names of places") return {{"type", {"array", "object"}}};
    if (d.type == "list of flags") return one_or_list({{"type", "boolean"}});
    return {{"type", "string"}};
}

json parameter(const parameter_doc& d) {
    json s = type_of(d);
    s["description"] = d.unit.empty() ? d.sentence : fmt::format("{} [{}]", d.sentence, d.unit);
    if (d.section.empty() && !d.default_text.empty()) {
        const json parsed = json::parse(d.default_text, nullptr, false);
        const bool text = d.type == "text" || !d.choices.empty() || parsed.is_discarded();
        const bool is_section = d.default_text.front() == '{' || d.default_text.front() == '[';
        if (!text || !is_section) s["default"] = text ? json(d.default_text) : parsed;
    }
    return s;
}

json object(const std::vector<parameter_doc>& docs, json properties) {
    for (const auto& d : docs) properties[d.name] = parameter(d);
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

/// Allows parameters by dotted keys, "pattern.nodes".
void allow_dotted_keys(json& s) {
    s["patternProperties"] = {{"^[a-z_]+[.]", json::object()}};
}

json variant(const variant_family& f, const variant_doc& v) {
    json s = object(v.parameters, {{f.selector, {{"const", v.name}}}});
    allow_dotted_keys(s);
    s["title"] = v.name;
    s["description"] = v.sentence;
    if (v.name != f.default_variant) s["required"] = {f.selector};
    return s;
}

json family(const variant_family& f) {
    json names{{"title", "by name"}, {"enum", json::array()}}, all = json::array();
    for (const auto& v : f.variants) names["enum"].push_back(v.name);
    all.push_back(names);
    // A length may be a plain number of flits.
    if (f.kind == "length") all.push_back({{"type", "integer"}, {"minimum", 1}});
    for (const auto& v : f.variants) all.push_back(variant(f, v));
    return {{"oneOf", all}};
}

json whole_schema() {
    const catalogue& all = whole_catalogue();
    json s{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Experiment of sare"}};
    s.update(object(all.top, json::object()));
    allow_dotted_keys(s);
    s["properties"]["cases"] = {
        {"type", "object"},
        {"additionalProperties", {{"type", "object"}}},
        {"description", "Named cases: what each sets over the rest, parameters by their paths."}};
    s["properties"]["explore"] = explore_section();
    s["properties"]["fit"] = fit_section();
    // Cases may bring what the rest leaves out.
    s["anyOf"] = {{{"required", {"network", "traffic"}}}, {{"required", {"cases"}}}};
    for (const auto& f : all.families)
        if (f.kind != "trace format") s["$defs"][definition_name(f.kind)] = family(f);
    return s;
}

}  // namespace

void add_schema(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("schema", "Print the JSON Schema of the configuration, for editors");
    command->footer(
        "Example:\n"
        "  sare schema > sare.schema.json\n"
        "  and as the first line of an experiment:\n"
        "  # yaml-language-server: $schema=sare.schema.json");
    auto plugins = std::make_shared<std::vector<std::string>>();
    add_plugin_option(*command, *plugins);
    command->callback([&chosen, plugins] {
        chosen = [plugins] {
            load_plugins(*plugins);
            fmt::print("{}", text_of(whole_schema()));
            return exit_status::good;
        };
    });
}

}  // namespace sare::cli
