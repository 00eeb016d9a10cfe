// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/explore/explore_section.h"

namespace sare::cli {
namespace {

json described(json type, const char* sentence) {
    type["description"] = sentence;
    return type;
}

/// Schema of {from: 2, to: 16}.
json range() {
    const json number{{"type", "number"}};
    return {
        {"type", "object"},
        {"properties", {{"from", number}, {"to", number}, {"step", number}, {"log", {{"type", "boolean"}}}}},
        {"required", {"from", "to"}},
        {"additionalProperties", false}};
}

/// Schema of {min: area_mm2 * 3}.
json named(const char* direction) {
    return {{"type", "object"},
            {"properties", {{direction, {{"type", "string"}}}}},
            {"required", json::array({direction})},
            {"additionalProperties", false}};
}

/// Schema of {router.depth: {from: 2, to: 16}, router.vcs: [1, 2]}.
json parameters() {
    const json list{{"type", "array"}, {"minItems", 1}, {"items", json::object()}};
    return described(
        {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", {{"anyOf", {list, range()}}}}},
        "By path the values that a search tries, or a range {from:, to:}.");
}

json one_or_more(const json& item) {
    return {{"anyOf", {item, {{"type", "array"}, {"items", item}}}}};
}

}  // namespace

json explore_section() {
    const json text{{"type", "string"}};
    const json best{{"enum", {"min", "max"}}, {"type", "string"}};
    const json whole{{"type", "integer"}, {"minimum", 1}};
    json keys = json::object();
    keys["parameters"] = parameters();
    keys["objectives"] =
        described({{"type", "object"},
                   {"minProperties", 1},
                   {"maxProperties", 3},
                   {"additionalProperties", {{"anyOf", {best, named("min"), named("max")}}}}},
                  "Figures, or arithmetic over them, each min or max.");
    keys["constraints"] = described(one_or_more(text), "Expressions that must hold.");
    keys["runs"] = described(whole, "Designs to try in all.");
    keys["runs"]["default"] = 60;
    keys["seed"] = described({{"type", "integer"}, {"minimum", 0}, {"default", 1}}, "Of the search.");
    keys["sampler"] =
        described({{"enum", {"tpe", "nsga2", "random"}}, {"default", "tpe"}}, "What proposes designs.");
    keys["short"] = described({{"type", "object"}}, "Parameters of a short run before each run.");
    keys["margin"] =
        described({{"type", "number"}, {"minimum", 0}, {"default", 0.1}},
                  "A design whose short run is worse by so much in every objective is given up.");
    return {{"type", "object"},
            {"description", "Which designs `sare explore` tries, and what is wanted of them."},
            {"properties", keys},
            {"required", {"parameters", "objectives"}},
            {"additionalProperties", false}};
}

json fit_section() {
    const json text{{"type", "string"}};
    const json whole{{"type", "integer"}, {"minimum", 1}};
    json keys = json::object();
    keys["parameters"] = parameters();
    keys["constraints"] = described(one_or_more(text), "Expressions over parameters that must hold.");
    keys["to"] =
        described(one_or_more(text), "Files with measured figures: tables, or outputs of BookSim2 or Noxim.");
    keys["error"] =
        described({{"type", {"string", "number"}}}, "Standard deviation of figures without one, such as 2%.");
    keys["confidence"] =
        described({{"type", "number"}, {"minimum", 0.5}, {"exclusiveMaximum", 1}, {"default", 0.999}},
                  "Confidence of the region of settings that fit.");
    keys["runs"] = described(whole, "Settings to try at most.");
    keys["runs"]["default"] = 600;
    keys["seeds"] = described(whole, "Runs of a setting at a point at most.");
    keys["seeds"]["default"] = 4;
    keys["seed"] = described({{"type", "integer"}, {"minimum", 0}, {"default", 1}}, "Of the search.");
    return {{"type", "object"},
            {"description", "Which parameters `sare fit` fits, and to which measured figures."},
            {"properties", keys},
            {"additionalProperties", false}};
}

}  // namespace sare::cli
