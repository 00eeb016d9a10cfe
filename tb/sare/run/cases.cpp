// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/cases.h"

#include "tlm/base/joined.h"
#include "tlm/config/hints.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

config::error not_a_map(const config::value& v, const std::string& name) {
    return {v.where(),
            fmt::format("'{}' must have parameters by their paths, such as {{router.vcs: 2}}", name)};
}

bool is_path(const std::string& text) {
    return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == std::string::npos;
}

}  // namespace

std::vector<named_case> take_cases(config::value& tree) {
    std::vector<named_case> all;
    const config::value* given = tree.type() == config::value::kind::map ? tree.find("cases") : nullptr;
    if (given == nullptr) return all;
    if (given->type() != config::value::kind::map || given->entries().empty())
        throw config::error(given->where(),
                            "'cases' must be names with parameters, such as {small: {router.vcs: 1}, large: "
                            "{router.vcs: 4}}");
    for (const auto& [name, settings] : given->entries()) {
        if (settings.type() != config::value::kind::map && settings.type() != config::value::kind::null)
            throw not_a_map(settings, name);
        for (const auto& [path, v] : settings.entries())
            if (!is_path(path)) throw not_a_map(v, name);
        all.push_back({name, settings});
    }
    tree.remove("cases");
    return all;
}

std::string names_of(const std::vector<named_case>& cases) {
    return joined(cases, ", ", [](const named_case& c) { return c.name; });
}

const named_case& find_case(const std::vector<named_case>& cases, const std::string& name,
                            const config::location& at) {
    std::vector<std::string> known;
    for (const named_case& c : cases) {
        if (c.name == name) return c;
        known.push_back(c.name);
    }
    const std::string near = config::nearest(name, known);
    throw config::error(at, fmt::format("no case '{}'; the file has {}", name, names_of(cases)) +
                                (near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

config::value with_case(config::value tree, const named_case& chosen) {
    config::set_parameters(tree, chosen.settings.entries());
    return tree;
}

}  // namespace sare::cli
